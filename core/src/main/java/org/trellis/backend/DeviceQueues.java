package org.trellis.backend;

/**
 * A second queue of a device, for work that need not wait for what was queued last: {@link #mark}, then what runs
 * beside it, then {@link #aside}, the work, {@link #join}. Implemented by backends whose kernels are queued.
 */
public interface DeviceQueues {
    /** Remembers what is queued so far: what comes aside waits for that only. */
    void mark();

    /** Lets everything be queued on the second queue from now on, after what was queued before {@link #mark}. */
    void aside();

    /**
     * Lets everything be queued on the usual queue again, after what is on both. Memory must not be allocated or freed
     * between {@link #aside} and this.
     */
    void join();
}
