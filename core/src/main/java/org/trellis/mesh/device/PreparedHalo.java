package org.trellis.mesh.device;

import java.nio.ByteBuffer;

/**
 * A rank's side of an exchange whose values are on a device. One exchange is: {@link #bind} what has changed;
 * {@link #pack}; then for each message that is not connected {@link #copyOut}, and once it has come {@link #copyIn};
 * when all have come, {@link #unpack}. What is queued on the device between packing and unpacking runs while messages
 * travel.
 *
 * <p>A sender packs again only after the receiver has called {@link #unpack}, and a receiver unpacks only after the
 * sender has called {@link #pack}: the user of this informs the neighbours, by messages of the host. Devices order
 * the rest among themselves; the host waits for none of them but in {@link #copyOut}.
 *
 * <p>After the first exchange nothing is allocated. Used by the thread of the backend.
 */
public interface PreparedHalo extends AutoCloseable {
    /**
     * Says how the sender of a message can reach the memory where it is to arrive.
     *
     * @param receive the number of the message among those that are received
     * @return bytes for {@link #connect} of the sender; empty if that is impossible
     */
    byte[] invitation(int receive);

    /**
     * Sends a message straight into the memory of its receiver from now on, if this device can.
     *
     * @param send       the number of the message among those that are sent
     * @param invitation what the receiver's {@link #invitation} gave
     * @param answered   whether the receiver sends a message back in each exchange
     * @return false if it cannot, and the message goes through the host
     */
    boolean connect(int send, byte[] invitation, boolean answered);

    /**
     * Sends a message straight to its receiver from now on, as the other one does, or by a copy that the device's copy
     * engine makes once it is packed, even where kernels could write there.
     *
     * @param send       the number of the message among those that are sent
     * @param invitation what the receiver's {@link #invitation} gave
     * @param answered   whether the receiver sends a message back in each exchange
     * @param copied     whether it is packed here and copied
     * @return false if it cannot, and the message goes through the host
     */
    default boolean connect(int send, byte[] invitation, boolean answered, boolean copied) {
        return connect(send, invitation, answered);
    }

    /**
     * Lets a library carry a message that is sent, from now on. The receiver does so too.
     *
     * @param send  the number of the message among those that are sent
     * @param group the ranks, the same for all messages of this exchange that it carries
     * @param to    the rank of the receiver
     * @throws IllegalArgumentException      if the group is another backend's
     * @throws UnsupportedOperationException if the backend has no such library
     */
    default void sendBy(int send, DeviceGroup group, int to) {
        throw new UnsupportedOperationException("message " + send + " to rank " + to + " by " + group.library());
    }

    /**
     * Lets a library carry a message that is received, from now on. The sender does so too.
     *
     * @param receive the number of the message among those that are received
     * @param group   the ranks, the same for all messages of this exchange that it carries
     * @param from    the rank of the sender
     * @throws IllegalArgumentException      if the group is another backend's
     * @throws UnsupportedOperationException if the backend has no such library
     */
    default void receiveBy(int receive, DeviceGroup group, int from) {
        throw new UnsupportedOperationException("message " + receive + " of rank " + from + " by " + group.library());
    }

    /**
     * Packs a message into memory of this device that stays where it is, from where a library of the host sends it: by
     * {@link #awaitPacked} the host knows when it may.
     *
     * @param send the number of the message among those that are sent
     * @return the address on the device
     * @throws UnsupportedOperationException if the backend has no such memory
     */
    default long expose(int send) {
        throw new UnsupportedOperationException("message " + send + " from the memory of a device by the host");
    }

    /**
     * Unpacks a message from memory of this device that stays where it is, to where a library of the host brings it: by
     * {@link #awaitUnpacked} the host knows when the next may come.
     *
     * @param receive the number of the message among those that are received
     * @return the address on the device
     * @throws UnsupportedOperationException if the backend has no such memory
     */
    default long exposeReceived(int receive) {
        throw new UnsupportedOperationException("message " + receive + " to the memory of a device by the host");
    }

    /** Waits until the device has packed what {@link #pack} asked for last. */
    default void awaitPacked() {}

    /** Waits until the device has unpacked what {@link #unpack} asked for last. */
    default void awaitUnpacked() {}

    /**
     * Notes that the sender of a message has connected it.
     *
     * @param receive   the number of the message among those that are received
     * @param answering whether a message goes back to the sender in each exchange
     */
    void connected(int receive, boolean answering);

    /**
     * Says where an operand is, from the next {@link #pack} on.
     *
     * @param operand         its number
     * @param storage         its memory, of this backend
     * @param elementStride   the distance between elements, in components
     * @param componentStride the distance between the components of an element
     */
    void bind(int operand, DatStorage storage, int elementStride, int componentStride);

    /** Queues the packing of all messages. Operands may be written by what is queued afterwards. */
    void pack();

    /**
     * Waits until a message is packed that is not connected, and copies it.
     *
     * @param send    its number among those that are sent
     * @param message where to, of the size of the message
     */
    void copyOut(int send, ByteBuffer message);

    /**
     * Takes a message that is not connected.
     *
     * @param receive its number among those that are received
     * @param message the message; may be changed when this returns
     */
    void copyIn(int receive, ByteBuffer message);

    /** Queues the unpacking of all messages. What is queued afterwards finds the elements up to date. */
    void unpack();

    /**
     * Has what was asked for so far queued on the device, if it is kept back there ({@link
     * org.trellis.backend.DeviceBatch}): before others hear of it, or the host waits.
     */
    default void submit() {}

    /**
     * Says whether devices wait for each other by themselves in all messages, so that packing and unpacking
     * may be queued before the others have queued theirs, as long as all do. A device that waits keeps what is queued
     * behind, and the others have to queue theirs without waiting for it.
     *
     * @return false if hosts have to exchange messages in between
     */
    default boolean isSelfOrdered() {
        return false;
    }

    /**
     * Says how connected messages travel.
     *
     * @return some words, for reports
     */
    String transport();

    /** Waits for what is queued and releases the memory. Idempotent. */
    @Override
    void close();
}
