package org.trellis.cuda.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.trellis.common.DeviceException;
import org.trellis.cuda.driver.CudaDriver;

/**
 * Device memory in size classes. Asking the driver costs tens of microseconds and giving back waits for the whole
 * device, so freed blocks are kept and handed out again. Work on the context's own stream may still read a block that
 * was freed: whatever the next owner does there comes later on that stream. Users of other streams order them.
 */
final class DevicePool {
    /** {@code CUDA_ERROR_OUT_OF_MEMORY}. */
    static final int OUT_OF_MEMORY = 2;

    private static final long SMALLEST = 256;
    private static final long LARGE_BYTES = 64L << 20;
    private static final long LARGE_STEP = 2L << 20;
    /** Classes between two powers of two, so that at most an eighth is wasted. */
    private static final int CLASSES_PER_OCTAVE = 8;

    private final CudaDriver driver;
    private final String place;
    private final long keptLimit;
    private final Map<Long, Deque<Long>> kept = new HashMap<>();
    private long usedBytes;
    private long keptBytes;
    private long peakBytes;
    private long allocations;
    private long reuses;

    /**
     * Creates an empty pool.
     *
     * @param driver    the driver, whose current context must be the pool's at each call
     * @param place     the device, for messages
     * @param keptLimit the most bytes of free blocks to keep
     */
    DevicePool(CudaDriver driver, String place, long keptLimit) {
        this.driver = driver;
        this.place = place;
        this.keptLimit = keptLimit;
    }

    /**
     * Returns the size that a request is rounded up to.
     *
     * @param bytes the request, at least 0
     * @return the bytes of its class
     */
    static long classOf(long bytes) {
        if (bytes <= SMALLEST) {
            return SMALLEST;
        }
        long step = bytes >= LARGE_BYTES
                ? LARGE_STEP
                : Math.max(SMALLEST, Long.highestOneBit(bytes - 1) / CLASSES_PER_OCTAVE);
        return (bytes + step - 1) / step * step;
    }

    long allocate(long bytes) {
        long size = classOf(bytes);
        Deque<Long> free = kept.get(size);
        long address;
        if (free != null && !free.isEmpty()) {
            address = free.pop();
            keptBytes -= size;
            reuses++;
        } else {
            address = allocateNew(size, bytes);
            allocations++;
        }
        usedBytes += size;
        peakBytes = Math.max(peakBytes, usedBytes);
        return address;
    }

    private long allocateNew(long size, long bytes) {
        try {
            return driver.allocate(size);
        } catch (DeviceException e) {
            if (e.code() != OUT_OF_MEMORY) {
                throw e;
            }
        }
        trim();
        try {
            return driver.allocate(size);
        } catch (DeviceException e) {
            throw new DeviceException("allocating " + bytes + " bytes on " + place + ", where " + usedBytes
                    + " are in use by this context and " + driver.freeMemory() + " are free", e);
        }
    }

    void free(long address, long bytes) {
        long size = classOf(bytes);
        usedBytes -= size;
        if (keptBytes + size > keptLimit) {
            driver.free(address);
            return;
        }
        keptBytes += size;
        kept.computeIfAbsent(size, key -> new ArrayDeque<>()).push(address);
    }

    /** Gives all free blocks back to the driver; one that cannot be given back does not keep the others. */
    void trim() {
        DeviceException failure = null;
        for (Map.Entry<Long, Deque<Long>> entry : kept.entrySet()) {
            while (!entry.getValue().isEmpty()) {
                keptBytes -= entry.getKey();
                try {
                    driver.free(entry.getValue().pop());
                } catch (DeviceException e) {
                    failure = failure == null ? e : failure;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    PoolStatistics statistics() {
        return new PoolStatistics(usedBytes, keptBytes, peakBytes, allocations, reuses);
    }
}
