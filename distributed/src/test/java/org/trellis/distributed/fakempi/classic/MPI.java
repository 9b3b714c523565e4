package org.trellis.distributed.fakempi.classic;

/** The entry point, as mpiJava 1.2 has it. */
public final class MPI {
    /** All ranks. */
    public static final Comm COMM_WORLD = new Comm();
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
