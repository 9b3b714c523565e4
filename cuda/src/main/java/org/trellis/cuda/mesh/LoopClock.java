package org.trellis.cuda.mesh;

import java.util.OptionalDouble;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.DeviceDelay;

/**
 * Times runs of a loop by events: the first runs, and then every so many, so that the events (one to two microseconds
 * each on the device) do not slow loops down. The first run counts only if it is the only one: the device often waits
 * for the host between its two events. Never waits for the device until the mean is asked for.
 */
final class LoopClock implements AutoCloseable {
    private static final int PAIRS = 8;
    private static final int EVERY = 32;
    /** Longer than a host takes to queue two events and the kernels of a loop between them. */
    private static final long DELAY_NANOS = 100_000;

    private final CudaContext context;
    private final CudaEvent[] begins = new CudaEvent[PAIRS];
    private final CudaEvent[] ends = new CudaEvent[PAIRS];
    private long runs;
    private int open;
    private boolean timing;
    private final DeviceDelay delay;
    private boolean keepsBusy;
    private long timed;
    private double first;
    private double seconds;

    LoopClock(CudaContext context) {
        this.context = context;
        this.delay = new DeviceDelay(context);
    }

    /**
     * Keeps the device busy before each run that is timed, or no longer: for loops that come one by one, with the host
     * waiting between them.
     */
    void keepBusy(boolean wanted) {
        keepsBusy = wanted;
        if (wanted) {
            delay.prepare();
        }
    }

    void begin() {
        timing = runs < PAIRS || runs % EVERY == 0;
        runs++;
        if (timing && open == PAIRS) {
            timing = ends[PAIRS - 1].hasHappened();
            if (timing) {
                read();
            }
        }
        if (!timing) {
            return;
        }
        if (begins[open] == null) {
            begins[open] = context.newEvent();
            ends[open] = context.newEvent();
        }
        if (keepsBusy) {
            delay.run(DELAY_NANOS);
        }
        begins[open].record();
    }

    void end() {
        if (timing) {
            ends[open++].record();
        }
    }

    private void read() {
        for (int i = 0; i < open; i++) {
            ends[i].synchronize();
            double run = ends[i].secondsSince(begins[i]);
            if (timed == 0) {
                first = run;
            } else {
                seconds += run;
            }
            timed++;
        }
        open = 0;
    }

    /** Returns the mean time of a run; waits for the runs that are under way. */
    OptionalDouble mean() {
        read();
        return OptionalDouble.of(timed <= 1 ? first : seconds / (timed - 1));
    }

    void reset() {
        open = 0;
        runs = 0;
        timed = 0;
        first = 0;
        seconds = 0;
    }

    @Override
    public void close() {
        for (int i = 0; i < PAIRS && begins[i] != null; i++) {
            begins[i].close();
            ends[i].close();
        }
    }
}
