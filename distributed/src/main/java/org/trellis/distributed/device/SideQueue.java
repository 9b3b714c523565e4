package org.trellis.distributed.device;

import java.util.Arrays;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceQueues;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;

/**
 * A second queue of a rank's device for what has to wait for messages, so that it runs beside what needs none. An
 * exchange is: pack, {@link #mark}, what needs no message, {@link #aside}, unpack and what needs messages,
 * {@link #join}.
 *
 * <p>It costs events, and pays where unpacking and the rest would keep the device half idle; which of the two it is, is
 * tried: within the first exchanges blocks of some use the queue in turns, and it is kept if its blocks were faster by
 * three hundredths in the median. Results have the same bits either way, and each rank chooses for itself. The trial
 * waits for the device {@value #BLOCKS} times; nothing is allocated.
 */
public final class SideQueue {
    private static final int BLOCKS = 8;
    /** Blocks of each kind that only warm up. */
    private static final int WARM = 1;
    private static final int EXCHANGES = 12;
    private static final double GAIN = 0.97;

    private final DeviceQueues queues;
    private final DeviceTiming timing;
    /** Null until it is decided. */
    private Boolean choice;
    private final double[][] seconds = new double[2][BLOCKS / 2];
    private int block;
    private int count;
    private long began;
    private boolean marked;
    private boolean isAside;

    private SideQueue(DeviceQueues queues, DeviceTiming timing, Boolean choice) {
        this.queues = queues;
        this.timing = timing;
        this.choice = choice;
    }

    /**
     * Makes the queue of a backend, used as {@link ConfigurationKeys#DISTRIBUTED_STREAMS} says.
     *
     * @param backend of this rank; one whose device has no second queue, or on the host, never uses it
     * @return the queue
     */
    public static SideQueue of(Backend backend) {
        return of(backend, Configuration.load().get(ConfigurationKeys.DISTRIBUTED_STREAMS));
    }

    /**
     * Makes the queue of a backend.
     *
     * @param backend of this rank; one whose device has no second queue, or on the host, never uses it
     * @param streams {@code 1}, {@code 2} or {@code auto}
     * @return the queue
     */
    public static SideQueue of(Backend backend, String streams) {
        DeviceQueues queues = backend.optionalKernels(DeviceQueues.class).orElse(null);
        DeviceTiming timing = backend.optionalKernels(DeviceTiming.class).orElse(null);
        if (queues == null || timing == null) {
            return none();
        }
        return new SideQueue(queues, timing, streams.equals("auto") ? null : Boolean.valueOf(streams.equals("2")));
    }

    /**
     * Returns a queue that is never used.
     *
     * @return for ranks on the host
     */
    public static SideQueue none() {
        return new SideQueue(null, null, false);
    }

    /**
     * Notes that packing is queued.
     *
     * @param steady whether exchanges are like those before and after, so that their times can be compared
     */
    public void mark(boolean steady) {
        marked = use(steady);
        if (marked) {
            queues.mark();
        }
    }

    private boolean use(boolean steady) {
        if (choice != null) {
            return choice;
        }
        if (!steady) {
            count = 0;
            return false;
        }
        if (count == 0 || count == EXCHANGES) {
            next();
        }
        count++;
        return choice == null ? block % 2 == 1 : choice;
    }

    /** Ends a block and begins another. */
    private void next() {
        timing.synchronize();
        long now = System.nanoTime();
        if (count == EXCHANGES) {
            seconds[block % 2][block / 2] = (now - began) * 1e-9;
            block++;
            if (block == BLOCKS) {
                choice = median(seconds[1]) < GAIN * median(seconds[0]);
            }
        }
        began = now;
        count = 0;
    }

    private static double median(double[] times) {
        double[] sorted = Arrays.copyOfRange(times, WARM, times.length);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Goes aside, if the queue is used in this exchange. */
    public void aside() {
        if (marked) {
            isAside = true;
            queues.aside();
        }
    }

    /** Comes back, if it is aside. */
    public void join() {
        marked = false;
        if (isAside) {
            isAside = false;
            queues.join();
        }
    }

    /**
     * Says whether the second queue is used, after the trial.
     *
     * @return false before it, too
     */
    public boolean isUsed() {
        return choice != null && choice;
    }

    /**
     * Says whether it is decided.
     *
     * @return false while the trial goes on
     */
    public boolean isDecided() {
        return choice != null;
    }
}
