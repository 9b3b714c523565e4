package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;

/**
 * The sending end of a persistent channel: messages of one size to one rank, sent again and again without allocating
 * anything. The cycle is: {@link #await}, fill {@link #buffer}, {@link #start}.
 */
public interface SendChannel {
    /**
     * Returns the message.
     *
     * @return direct memory in the byte order of the machine, always the same object; to be written only when no
     *         message is on its way, that is after {@link #await} and before {@link #start}
     */
    ByteBuffer buffer();

    /**
     * Sends what is in the buffer. Does not wait.
     *
     * @throws IllegalStateException if a message is still on its way, because {@link #await} was not called
     * @throws JobFailedException    if the job has failed
     */
    void start();

    /**
     * Waits until the buffer may be written. Returns at once if nothing was sent since the last call.
     *
     * @throws JobFailedException if the job has failed, or the receiver does not take the message in time
     */
    void await();

    /**
     * Counts the messages.
     *
     * @return how often {@link #start} was called
     */
    long messages();
}
