package org.trellis.distributed.fakempi.classic;

import java.util.Arrays;
import org.trellis.distributed.fakempi.Network;

/** A communicator, as mpiJava 1.2 has it: messages are arrays. */
public class Comm {
    Comm() {}

    /** Returns the rank. */
    public int Rank() {
        return Network.rank();
    }

    /** Returns the number of ranks. */
    public int Size() {
        return Network.here().size();
    }

    /** Sends. */
    public Request Isend(Object buffer, int offset, int count, Datatype type, int to, int tag) {
        Network.here().send(to, tag, Arrays.copyOfRange((byte[]) buffer, offset, offset + count));
        return new Request(null, 0, 0, 0);
    }

    /** Receives. */
    public Request Irecv(Object buffer, int offset, int count, Datatype type, int from, int tag) {
        return new Request((byte[]) buffer, offset, from, tag);
    }

    /** Ends all. */
    public void Abort(int code) {
        Network.here().abort();
    }
}
