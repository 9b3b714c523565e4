package org.trellis.distributed.communicate;

/** What the communicators of one process share over an {@code mpi} package: how to wait, and how to end. */
final class MpiJavaJob {
    private static final System.Logger LOGGER = System.getLogger(MpiJavaJob.class.getName());
    private static final int EXIT_CODE = 1;

    private final MpiJavaDialect dialect;
    private final Backoff patience;
    private final Runnable halt;
    private int nextContext = 1;
    private boolean over;

    /**
     * Makes a job.
     *
     * @param dialect  the library
     * @param patience how to wait
     * @param halt     ends this process where the library's abort returns
     */
    MpiJavaJob(MpiJavaDialect dialect, Backoff patience, Runnable halt) {
        this.dialect = dialect;
        this.patience = patience;
        this.halt = halt;
    }

    MpiJavaDialect dialect() {
        return dialect;
    }

    Backoff patience() {
        return patience;
    }

    /** What ends this process. */
    Runnable halt() {
        return halt;
    }

    /** Returns a number that no group that this process knows has. */
    int nextContext() {
        return nextContext;
    }

    void useContext(int context) {
        nextContext = context + 1;
    }

    /** Ends all processes with a message of this one; never returns normally. */
    JobFailedException fail(String message) {
        String text = "the job of " + dialect.size() + " ranks failed: " + message;
        if (!over) {
            over = true;
            LOGGER.log(System.Logger.Level.ERROR, text);
            try {
                dialect.abort(EXIT_CODE);
            } catch (MpiJavaException e) {
                LOGGER.log(System.Logger.Level.WARNING, "the library could not end the other processes", e);
            }
            halt.run();
        }
        throw new JobFailedException(text);
    }

    /**
     * Waits for a message.
     *
     * @param request what the dialect began
     * @param what    what is waited for, for the message
     * @return the number of bytes that came, 0 for a message that was sent
     */
    int await(Object request, Object what) {
        long began = 0;
        for (int round = 0;; round++) {
            int count = dialect.test(request);
            if (count >= 0) {
                return count;
            }
            if (patience.isTimeToLook(round)) {
                began = began == 0 ? System.nanoTime() : began;
                if (patience.isOver(began)) {
                    throw fail(what + " waited " + patience
                            + " in vain, expected that to be enough (trellis.distributed.timeout)");
                }
            }
            patience.pause(round);
        }
    }
}
