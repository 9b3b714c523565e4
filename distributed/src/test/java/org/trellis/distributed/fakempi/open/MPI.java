package org.trellis.distributed.fakempi.open;

/** The entry point, as Open MPI's bindings have it. */
public final class MPI {
    /** All ranks. */
    public static final Intracomm COMM_WORLD = new Intracomm();
    /** Bytes. */
    public static final Datatype BYTE = new Datatype();

    private MPI() {}

    /** Begins. */
    public static String[] Init(String[] arguments) {
        return arguments;
    }

    /** Ends. */
    public static void Finalize() {}
}
