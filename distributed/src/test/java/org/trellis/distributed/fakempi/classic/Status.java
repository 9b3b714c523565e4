package org.trellis.distributed.fakempi.classic;

/** What came. */
public final class Status {
    private final int bytes;

    Status(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the number of elements. */
    public int Get_count(Datatype type) {
        return bytes;
    }
}
