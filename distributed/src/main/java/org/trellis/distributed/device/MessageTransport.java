package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.distributed.communicate.Communicator;

/** A way in which messages can travel between ranks, to be measured beside others ({@link TransportComparison}). */
public interface MessageTransport {
    /** Messages of one size between neighbours, again and again. */
    interface Trip extends AutoCloseable {
        /** Sends a message to the next rank and takes the one of the rank before. Called by all ranks. */
        void run();

        /** Waits until everything that was asked for has happened. */
        default void finish() {}

        @Override
        void close();
    }

    /**
     * Returns the name.
     *
     * @return a short word without blanks
     */
    String name();

    /**
     * Prepares messages. Called by all ranks.
     *
     * @param communicator the ranks
     * @param tag          a tag of theirs that no other code uses
     * @param bytes        the size of each message, a multiple of 8
     * @return the messages
     */
    @MustBeClosed
    Trip open(Communicator communicator, int tag, int bytes);
}
