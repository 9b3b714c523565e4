package org.trellis.mesh.device;

/**
 * The devices of all ranks of a job, joined by a library that carries messages among them
 * ({@link org.trellis.mesh.GroupKernels}). Each rank has one of these, which belongs to its backend and is used by its
 * thread.
 */
public interface DeviceGroup extends AutoCloseable {
    /**
     * Returns this rank.
     *
     * @return 0 to {@link #ranks} - 1
     */
    int rank();

    /**
     * Returns the number of ranks.
     *
     * @return at least 1
     */
    int ranks();

    /**
     * Says what carries messages.
     *
     * @return the library and its version, for reports
     */
    String library();

    /**
     * Gives up what is queued without waiting: for ranks of a job that has failed. Nothing can be sent afterwards.
     * Idempotent.
     */
    void abort();

    /**
     * Leaves the group, when all that was queued is done. All ranks do so, and may wait for each other; a backend that
     * is closed without this leaves alone. Idempotent.
     */
    @Override
    void close();
}
