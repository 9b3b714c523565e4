package org.trellis.distributed.fakempi.open;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.trellis.distributed.fakempi.Network;

/** A communicator, as Open MPI's bindings have it: non-blocking messages are direct buffers. */
public class Comm {
    Comm() {}

    /** Returns the rank. */
    public final int getRank() {
        return Network.rank();
    }

    /** Returns the number of ranks. */
    public final int getSize() {
        return Network.here().size();
    }

    /** Sends. */
    public final Request iSend(Buffer buffer, int count, Datatype type, int to, int tag) {
        byte[] message = new byte[count];
        direct(buffer).get(0, message);
        Network.here().send(to, tag, message);
        return new Request(null, 0, 0);
    }

    /** Receives. */
    public final Request iRecv(Buffer buffer, int count, Datatype type, int from, int tag) {
        return new Request(direct(buffer), from, tag);
    }

    private static ByteBuffer direct(Buffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("not direct");
        }
        return (ByteBuffer) buffer;
    }

    /** Ends all. */
    public final void abort(int code) {
        Network.here().abort();
    }
}
