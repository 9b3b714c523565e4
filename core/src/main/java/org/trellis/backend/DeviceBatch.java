package org.trellis.backend;

/**
 * Work that recurs with the same kernels and perhaps other arguments. Between {@link #begin} and {@link #end} kernels
 * for the usual queue are kept back. Whatever else is asked of that queue (copies, events, waiting for it) has what is
 * kept queued first, so the order is as ever; kernels between two such places are a stretch. The first two runs queue
 * the kernels of a stretch one by one; one that has the same kernels twice is queued as a whole from then on, with the
 * arguments that have changed.
 *
 * <p>Used by the thread of the backend. Allocates nothing once stretches recur.
 */
public interface DeviceBatch extends AutoCloseable {
    /**
     * Keeps kernels back from now on.
     *
     * @param gate called once in each run, before the first kernels that were kept are queued, or by {@link #end} if
     *             there are none; null for nothing
     * @throws IllegalStateException if this or another batch of the device has begun and not ended
     */
    void begin(Runnable gate);

    /** Queues what is kept, and keeps nothing back any more. */
    void end();

    /** Forgets what is kept, and keeps nothing back any more: after a failure. */
    void abandon();

    /**
     * Says whether the last run queued several kernels as a whole.
     *
     * @return false for the first runs
     */
    boolean isJoined();

    /**
     * Counts the places of the last run at which something that is no kernel was asked of the queue, other than by
     * {@link #end} or by those who queue what is kept on purpose.
     *
     * @return 0 if the run might be queued as one
     */
    int interruptions();

    /** Releases what was made. Idempotent. */
    @Override
    void close();
}
