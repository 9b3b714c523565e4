package org.trellis.distributed.fakempi.open;

/** What the world is in these bindings. */
public final class Intracomm extends Comm {
    Intracomm() {}
}
