package org.trellis.distributed.fakempi.classic;

/** The type of elements. */
public final class Datatype {
    Datatype() {}
}
