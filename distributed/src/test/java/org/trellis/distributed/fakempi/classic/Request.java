package org.trellis.distributed.fakempi.classic;

import org.trellis.distributed.fakempi.Network;

/** A message on its way. */
public final class Request {
    private final byte[] target;
    private final int offset;
    private final int from;
    private final int tag;

    Request(byte[] target, int offset, int from, int tag) {
        this.target = target;
        this.offset = offset;
        this.from = from;
        this.tag = tag;
    }

    /** Returns null until it is complete. */
    public Status Test() {
        if (target == null) {
            return new Status(0);
        }
        byte[] message = Network.here().take(from, tag);
        if (message == null) {
            return null;
        }
        System.arraycopy(message, 0, target, offset, Math.min(message.length, target.length - offset));
        return new Status(message.length);
    }
}
