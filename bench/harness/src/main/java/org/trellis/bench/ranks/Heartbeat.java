package org.trellis.bench.ranks;

import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;

/**
 * Informs other ranks, which wait, that rank 0 is still at work: a message every few seconds while it makes progress.
 */
final class Heartbeat implements ProgressListener {
    private static final byte[] AT_WORK = {1};
    private static final byte[] DONE = {0};

    private final Communicator communicator;
    private final ProgressListener progress;
    private final long interval;
    private final Thread owner = Thread.currentThread();
    private long last = System.nanoTime();

    Heartbeat(Communicator communicator, ProgressListener progress) {
        this.communicator = communicator;
        this.progress = progress;
        this.interval = Math.min(5_000_000_000L, communicator.patience().toNanos() / 4);
    }

    @Override
    public void progress(String stage, long done, long total) {
        progress.progress(stage, done, total);
        // A communicator serves one thread; readers may report from others.
        if (Thread.currentThread() == owner && System.nanoTime() - last > interval) {
            last = System.nanoTime();
            communicator.broadcast(0, AT_WORK);
        }
    }

    /** Lets the others go on. */
    void end() {
        communicator.broadcast(0, DONE);
    }

    /** Waits on another rank until rank 0 is done. */
    static void follow(Communicator communicator) {
        while (communicator.broadcast(0, null)[0] != DONE[0]) {
            // Still at work.
        }
    }
}
