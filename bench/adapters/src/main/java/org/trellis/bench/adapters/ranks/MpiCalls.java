package org.trellis.bench.adapters.ranks;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * The few calls of MPI that a process of a peer makes, of that very MPI library that the peer was built with: symbols
 * are looked up in the peer's library, which needs it.
 */
public final class MpiCalls {
    /** Room for what an MPI library says of itself. */
    private static final int LONGEST_TEXT = 8192;
    private static final long MPICH_WORLD = 0x44000000L;
    private static final int FUNNELED = 1;

    private final NativeLibrary library;
    private final boolean openMpi;
    private final long world;

    /**
     * Finds out what MPI a library was built with.
     *
     * @param library the library
     * @throws IllegalStateException if it was built with none, or with one of an unknown family
     */
    public MpiCalls(NativeLibrary library) {
        this.library = library;
        if (library.find("MPI_Init_thread").isEmpty()) {
            throw new IllegalStateException(library.file() + " was built without MPI, expected Open MPI or MPICH");
        }
        this.openMpi = library.find("ompi_mpi_comm_world").isPresent();
        if (!openMpi && !version().toLowerCase(Locale.ROOT).matches(".*(mpich|intel|mvapich).*")) {
            throw new IllegalStateException(library.file() + " was built with '" + version()
                    + "', expected Open MPI or one of MPICH's family");
        }
        library.setCommunicatorBytes(openMpi ? Long.BYTES : Integer.BYTES);
        this.world = openMpi ? library.symbol("ompi_mpi_comm_world").address() : MPICH_WORLD;
    }

    /** Returns the family, by which its launcher is found. */
    String family() {
        return openMpi ? MpiLauncher.OPEN_MPI : MpiLauncher.MPICH;
    }

    /** Returns what the MPI library says of itself, up to the first comma. */
    String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST_TEXT);
            library.require("MPI_Get_library_version", "pp", text, arena.allocate(JAVA_INT));
            return text.getString(0).lines().findFirst().orElse("").replaceFirst(",.*", "")
                    .replaceFirst("^MPICH Version:\\s*", "MPICH ").strip();
        }
    }

    /** Begins. */
    void begin() {
        try (Arena arena = Arena.ofConfined()) {
            library.require("MPI_Init_thread", "ppip", MemorySegment.NULL, MemorySegment.NULL, FUNNELED,
                    arena.allocate(JAVA_INT));
        }
    }

    /**
     * Returns the communicator of all processes.
     *
     * @return its handle
     */
    public long world() {
        return world;
    }

    /**
     * Returns the number of this process.
     *
     * @return 0 to {@link #size()} - 1
     */
    public int rank() {
        return ask("MPI_Comm_rank");
    }

    /**
     * Returns the number of processes.
     *
     * @return at least 1
     */
    public int size() {
        return ask("MPI_Comm_size");
    }

    private int ask(String function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_INT);
            library.require(function, "cp", world, number);
            return number.get(JAVA_INT, 0);
        }
    }

    /** Waits for all processes. */
    void barrier() {
        library.require("MPI_Barrier", "c", world);
    }

    /** Ends. */
    void end() {
        library.require("MPI_Finalize", "");
    }
}
