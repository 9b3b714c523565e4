package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;

/** Messages from host to host through the ranks' own channels. */
public final class ChannelTransport implements MessageTransport {
    /** Makes the transport. */
    public ChannelTransport() {}

    @Override
    public String name() {
        return "channel";
    }

    @Override
    @MustBeClosed
    public Trip open(Communicator communicator, int tag, int bytes) {
        int size = communicator.size();
        if (size == 1) {
            return new Alone();
        }
        ReceiveChannel receive = communicator.receiveFrom((communicator.rank() + size - 1) % size, tag, bytes);
        SendChannel send = communicator.sendTo((communicator.rank() + 1) % size, tag, bytes);
        return new Channels(send, receive);
    }

    /** There is no receiver. */
    private record Alone() implements Trip {
        @Override
        public void run() {
            // Nothing travels.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    /** Channels are closed with their communicator. */
    private record Channels(SendChannel send, ReceiveChannel receive) implements Trip {
        @Override
        public void run() {
            receive.start();
            send.await();
            send.start();
            receive.await();
            receive.release();
        }

        @Override
        public void finish() {
            send.await();
        }

        @Override
        public void close() {
            send.await();
        }
    }
}
