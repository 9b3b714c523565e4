package org.trellis.matrices.support;

import org.trellis.common.ProgressListener;

/** Passes progress on, one call at a time, rising, and about a hundred times a stage. */
public final class ProgressMeter {

    private static final long STEPS = 100;

    private final ProgressListener listener;
    private final String stage;
    private final long total;
    private long next;

    /**
     * Creates a meter.
     *
     * @param listener receives progress
     * @param stage    what is being done
     * @param total    how much there is to do, negative if unknown
     */
    public ProgressMeter(ProgressListener listener, String stage, long total) {
        this.listener = listener;
        this.stage = stage;
        this.total = total;
    }

    /**
     * Says how much is done; any thread may, also late.
     *
     * @param done how much
     */
    public synchronized void reach(long done) {
        if (done >= next && done < total) {
            listener.progress(stage, done, total);
            next = done + Math.max(1, total / STEPS);
        }
    }

    /** Says that everything is done, unless the total is unknown. */
    public synchronized void finish() {
        if (total >= 0) {
            listener.progress(stage, total, total);
        }
    }
}
