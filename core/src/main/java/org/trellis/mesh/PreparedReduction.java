package org.trellis.mesh;

import org.trellis.memory.DenseVector;

/**
 * Combines numbers of all ranks on their devices, without the host. Each rank's numbers are written to every other;
 * each rank then combines all of them in the order of ranks, so that the result has the same bits everywhere. A round
 * is {@link #send} on all ranks, then {@link #combine} on all ranks: a rank combines only after all others have sent,
 * and sends again only after all others have combined, which the user of this makes sure of by messages of the host.
 */
public interface PreparedReduction extends AutoCloseable {
    /** How numbers are combined. */
    enum Operation {
        /** Added up. */
        SUM,
        /** The least. */
        MIN,
        /** The greatest. */
        MAX
    }

    /**
     * Says how other ranks can reach the memory where their numbers are to arrive.
     *
     * @return bytes for {@link #connect} of the others
     */
    byte[] invitation();

    /**
     * Finds the memory of another rank.
     *
     * @param peer       the rank
     * @param invitation what its {@link #invitation} gave; empty if it has no device
     * @return false if it cannot be reached
     */
    boolean connect(int peer, byte[] invitation);

    /**
     * Queues the sending of this rank's numbers.
     *
     * @param values doubles in the memory of the device
     * @param first  the first that counts
     * @param count  how many
     */
    void send(DenseVector values, int first, int count);

    /**
     * Queues the combination of what all have sent.
     *
     * @param operation how
     * @param values    where the result is to be, on each rank
     * @param first     the first that is overwritten
     * @param count     how many
     */
    void combine(Operation operation, DenseVector values, int first, int count);

    /**
     * Queues the sending of a global's components, wherever its newest value is.
     *
     * @param global a real global of a mesh of this backend, of as many components as are combined at most
     */
    void send(Global global);

    /**
     * Queues the combination of a global that all have sent. Its value is {@link Global#pending} afterwards.
     *
     * @param operation how
     * @param global    the global that was sent
     */
    void combine(Operation operation, Global global);

    /**
     * Has what was asked for so far queued on the device, if it is kept back there ({@link
     * org.trellis.backend.DeviceBatch}): before others hear of it, or the host waits.
     */
    default void submit() {}

    /**
     * Says whether devices wait for each other by themselves, so that sending and combining
     * may be queued before the others have queued theirs, as long as all do. A device that waits keeps what is queued
     * behind, and the others have to queue theirs without waiting for it.
     *
     * @return false if hosts have to exchange messages in between
     */
    default boolean isSelfOrdered() {
        return false;
    }

    /** Waits for what is queued and releases the memory. Idempotent. */
    @Override
    void close();
}
