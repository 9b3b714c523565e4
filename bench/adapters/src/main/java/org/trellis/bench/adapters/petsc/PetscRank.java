package org.trellis.bench.adapters.petsc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.trellis.bench.adapters.ranks.MpiCalls;
import org.trellis.bench.adapters.ranks.NativeIntegers;
import org.trellis.bench.adapters.ranks.NativeLibrary;
import org.trellis.bench.adapters.ranks.RankMain;
import org.trellis.bench.adapters.ranks.RankProgram;
import org.trellis.bench.adapters.ranks.RankRows;
import org.trellis.bench.adapters.ranks.RankSolver;

/** A process with PETSc. */
public final class PetscRank implements RankProgram {
    /** {@code PETSC_INT} among PETSc's types of data. */
    private static final int INTEGER_TYPE = 16;

    private PetscRank() {}

    /**
     * Runs a process; started by the adapter.
     *
     * @param arguments as {@link RankMain} takes them
     * @throws IOException if no process listens
     */
    public static void main(String[] arguments) throws IOException {
        RankMain.run(new PetscRank(), System.out, arguments);
    }

    @Override
    public String version(NativeLibrary library) {
        try (Arena arena = Arena.ofConfined()) {
            // Whatever the width of the numbers, they fit into the lower halves of longs.
            MemorySegment[] numbers = new MemorySegment[4];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = arena.allocate(Long.BYTES, Long.BYTES);
            }
            library.require("PetscGetVersionNumber", "pppp", (Object[]) numbers);
            return "PETSc " + numbers[0].get(JAVA_INT, 0) + '.' + numbers[1].get(JAVA_INT, 0) + '.'
                    + numbers[2].get(JAVA_INT, 0);
        }
    }

    /** Sets an option in PETSc's database. */
    private static void set(NativeLibrary library, String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            library.require("PetscOptionsSetValue", "ppp", MemorySegment.NULL, arena.allocateFrom('-' + name),
                    value.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(value));
        }
    }

    @Override
    public void begin(NativeLibrary library, MpiCalls mpi) {
        // PETSc's handlers would take the signals by which the JVM checks for null.
        set(library, "no_signal_handler", "");
        library.require("PetscInitializeNoArguments", "");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(JAVA_LONG);
            library.require("PetscDataTypeGetSize", "ip", INTEGER_TYPE, size);
            library.setIntegers(new NativeIntegers((int) size.get(JAVA_LONG, 0)));
        }
    }

    @Override
    public RankSolver open(NativeLibrary library, MpiCalls mpi, RankRows rows, Order order, Arena arena) {
        for (Map.Entry<String, String> option : order.options().entrySet()) {
            set(library, option.getKey(), option.getValue());
        }
        return new PetscSolver(library, mpi, rows, order, arena);
    }

    @Override
    public void end(NativeLibrary library) {
        library.require("PetscFinalize", "");
    }
}
