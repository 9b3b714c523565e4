package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.PinnedBuffer;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.DatStorage;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;

/** What a prepared loop holds on the device, and where the loop's data are. */
final class LoopMemory implements LoopSource.Addresses, AutoCloseable {
    private final CudaContext context;
    private final LoopDeclaration loop;
    private final DeviceArrays arrays;
    private final Contributions contributions;
    private final List<Object> retained = new ArrayList<>();
    private final Map<Integer, CudaBuffer> stored = new LinkedHashMap<>();
    private final Map<Integer, CudaBuffer> partials = new LinkedHashMap<>();
    private final Map<Integer, PinnedBuffer> results = new LinkedHashMap<>();
    private CudaBuffer counter;
    private int blocks;

    LoopMemory(CudaContext context, LoopDeclaration loop, DeviceArrays arrays, Contributions contributions) {
        this.context = context;
        this.loop = loop;
        this.arrays = arrays;
        this.contributions = contributions;
    }

    /** Sets the number of blocks that leave partial results. */
    void blocks(int count) {
        this.blocks = count;
    }

    @Override
    public long of(Object array) {
        long address = arrays.retain(array);
        retained.add(array);
        return address;
    }

    @Override
    public long of(Dat dat) {
        DatStorage storage = dat.storage();
        if (storage instanceof CudaDatStorage device) {
            return device.address();
        }
        throw new IllegalArgumentException(dat + " has " + storage + ", expected storage of the cuda backend");
    }

    @Override
    public long contributions(int argument) {
        return stored.computeIfAbsent(argument, a -> context
                .buffer(contributions.length(a) * loop.dat(a).type().bytes())).address();
    }

    @Override
    public long partials(int argument) {
        int components = loop.signature(argument).components();
        return partials.computeIfAbsent(argument, a -> context.buffer((long) Math.max(1, blocks) * components
                * Double.BYTES)).address();
    }

    @Override
    public long result(int argument) {
        return results.computeIfAbsent(argument,
                a -> context.pinned((long) loop.signature(a).components() * Double.BYTES)).address();
    }

    @Override
    public long counter() {
        if (counter == null) {
            counter = context.buffer(Integer.BYTES);
            counter.clear();
        }
        return counter.address();
    }

    /** Folds a reduction's result, from where the device has written it, into the value of its global. */
    void fold(int argument, Global global) {
        MemorySegment result = results.get(argument).memory();
        Access access = loop.access(argument);
        for (int c = 0; c < global.components(); c++) {
            if (global.real()) {
                double[] values = global.doubles();
                values[c] = folded(access, values[c], result.getAtIndex(ValueLayout.JAVA_DOUBLE, c));
            } else {
                int[] values = global.ints();
                values[c] = folded(access, values[c], result.getAtIndex(ValueLayout.JAVA_INT, c));
            }
        }
    }

    private static double folded(Access access, double value, double found) {
        return switch (access) {
            case MIN -> Math.min(value, found);
            case MAX -> Math.max(value, found);
            default -> value + found;
        };
    }

    private static int folded(Access access, int value, int found) {
        return switch (access) {
            case MIN -> Math.min(value, found);
            case MAX -> Math.max(value, found);
            default -> value + found;
        };
    }

    @Override
    public void close() {
        retained.forEach(arrays::giveBack);
        retained.clear();
        stored.values().forEach(CudaBuffer::close);
        partials.values().forEach(CudaBuffer::close);
        results.values().forEach(PinnedBuffer::close);
        if (counter != null) {
            counter.close();
        }
    }
}
