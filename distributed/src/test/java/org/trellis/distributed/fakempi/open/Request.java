package org.trellis.distributed.fakempi.open;

import java.nio.ByteBuffer;
import org.trellis.distributed.fakempi.Network;

/** A message on its way. */
public class Request {
    private final ByteBuffer target;
    private final int from;
    private final int tag;

    Request(ByteBuffer target, int from, int tag) {
        this.target = target;
        this.from = from;
        this.tag = tag;
    }

    /** Returns null until it is complete. */
    public final Status testStatus() {
        if (target == null) {
            return new Status(0);
        }
        byte[] message = Network.here().take(from, tag);
        if (message == null) {
            return null;
        }
        target.put(0, message, 0, Math.min(message.length, target.capacity()));
        return new Status(message.length);
    }
}
