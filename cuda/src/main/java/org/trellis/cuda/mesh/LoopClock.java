package org.trellis.cuda.mesh;

import java.util.OptionalDouble;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;

/**
 * Times runs of a loop by events: the first runs, and then every so many, so that the events (one to two microseconds
 * each on the device) do not slow loops down. Never waits for the device until the mean is asked for.
 */
final class LoopClock implements AutoCloseable {
    private static final int PAIRS = 8;
    private static final int EVERY = 32;

    private final CudaContext context;
    private final CudaEvent[] begins = new CudaEvent[PAIRS];
    private final CudaEvent[] ends = new CudaEvent[PAIRS];
    private long runs;
    private int open;
    private boolean timing;
    private long timed;
    private double seconds;

    LoopClock(CudaContext context) {
        this.context = context;
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
            seconds += ends[i].secondsSince(begins[i]);
            timed++;
        }
        open = 0;
    }

    /** Returns the mean time of a run; waits for the runs that are under way. */
    OptionalDouble mean() {
        read();
        return timed == 0 ? OptionalDouble.of(0) : OptionalDouble.of(seconds / timed);
    }

    void reset() {
        open = 0;
        runs = 0;
        timed = 0;
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
