package org.trellis.matrices.generate;

import org.trellis.common.ProgressListener;

/** Counts units of work from several threads and informs a listener, one call at a time, at most a hundred times. */
final class Progress {
    private static final int STEPS = 100;

    private final ProgressListener listener;
    private final String stage;
    private final long total;
    private long done;
    private long told;

    Progress(ProgressListener listener, String stage, long total) {
        this.listener = listener;
        this.stage = stage;
        this.total = total;
    }

    synchronized void add(long units) {
        done += units;
        if (units > 0 && (done == total || (done - told) * STEPS > total)) {
            told = done;
            listener.progress(stage, done, total);
        }
    }
}
