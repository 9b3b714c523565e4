package org.trellis.distributed.fakempi.open;

/** The type of elements. */
public final class Datatype {
    Datatype() {}
}
