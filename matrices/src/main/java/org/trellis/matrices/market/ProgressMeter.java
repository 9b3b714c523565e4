package org.trellis.matrices.market;

import org.trellis.common.ProgressListener;

/** Passes progress on, one call at a time, rising, and about a hundred times a stage. */
final class ProgressMeter {

    private static final long STEPS = 100;

    private final ProgressListener listener;
    private final String stage;
    private final long total;
    private long next;

    ProgressMeter(ProgressListener listener, String stage, long total) {
        this.listener = listener;
        this.stage = stage;
        this.total = total;
    }

    /** Says how much is done; may be called by any thread, also late. */
    synchronized void reach(long done) {
        if (done >= next && done < total) {
            listener.progress(stage, done, total);
            next = done + Math.max(1, total / STEPS);
        }
    }

    /** Says that everything is done. */
    synchronized void finish() {
        listener.progress(stage, total, total);
    }
}
