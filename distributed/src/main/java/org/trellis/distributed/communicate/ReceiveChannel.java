package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;

/**
 * The receiving end of a persistent channel: messages of one size from one rank. The cycle is: {@link #start},
 * {@link #await}, read {@link #buffer}, {@link #release}.
 */
public interface ReceiveChannel {
    /**
     * Returns the message.
     *
     * @return direct memory in the byte order of the machine, always the same object; to be read only between
     *         {@link #await} and {@link #release}. It may be the sender's own buffer
     */
    ByteBuffer buffer();

    /**
     * Says that the next message may come. Does not wait.
     *
     * @throws IllegalStateException if the message before was not released
     * @throws JobFailedException    if the job has failed
     */
    void start();

    /**
     * Waits for the message.
     *
     * @throws IllegalStateException if {@link #start} was not called
     * @throws JobFailedException    if the job has failed, or the message does not come in time
     */
    void await();

    /**
     * Says that the message has been read: the sender may send the next.
     *
     * @throws IllegalStateException if no message was awaited
     */
    void release();
}
