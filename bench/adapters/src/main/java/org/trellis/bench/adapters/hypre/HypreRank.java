package org.trellis.bench.adapters.hypre;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.trellis.bench.adapters.ranks.MpiCalls;
import org.trellis.bench.adapters.ranks.NativeIntegers;
import org.trellis.bench.adapters.ranks.NativeLibrary;
import org.trellis.bench.adapters.ranks.RankMain;
import org.trellis.bench.adapters.ranks.RankProgram;
import org.trellis.bench.adapters.ranks.RankRows;
import org.trellis.bench.adapters.ranks.RankSolver;

/** A process with hypre. */
public final class HypreRank implements RankProgram {
    private NativeIntegers large;

    private HypreRank() {}

    /**
     * Runs a process; started by the adapter.
     *
     * @param arguments as {@link RankMain} takes them
     * @throws IOException if no process listens
     */
    public static void main(String[] arguments) throws IOException {
        RankMain.run(new HypreRank(), System.out, arguments);
    }

    @Override
    public String version(NativeLibrary library) {
        try (Arena arena = Arena.ofConfined()) {
            // Whatever the width of the numbers, they fit into the lower halves of longs.
            MemorySegment[] numbers = new MemorySegment[4];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = arena.allocate(Long.BYTES, Long.BYTES);
            }
            library.require("HYPRE_VersionNumber", "pppp", (Object[]) numbers);
            return "hypre " + numbers[0].get(JAVA_INT, 0) + '.' + numbers[1].get(JAVA_INT, 0) + '.'
                    + numbers[2].get(JAVA_INT, 0);
        }
    }

    @Override
    public void begin(NativeLibrary library, MpiCalls mpi) {
        library.require(library.find("HYPRE_Initialize").isPresent() ? "HYPRE_Initialize" : "HYPRE_Init", "");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment matrix = HypreSolver.createMatrix(library, mpi, arena, mpi.rank() + 1, mpi.rank() + 1);
            MemorySegment slots = arena.allocate(4L * Long.BYTES, Long.BYTES).fill((byte) -1);
            library.require("HYPRE_IJMatrixGetLocalRange", "ppppp", matrix, slots, slots.asSlice(Long.BYTES),
                    slots.asSlice(2L * Long.BYTES), slots.asSlice(3L * Long.BYTES));
            large = NativeIntegers.writtenTo(slots);
            slots.fill((byte) -1);
            library.require("HYPRE_IJMatrixGetObjectType", "pp", matrix, slots);
            NativeIntegers found = NativeIntegers.writtenTo(slots);
            library.require("HYPRE_IJMatrixDestroy", "p", matrix);
            library.setIntegers(found);
        }
    }

    @Override
    public RankSolver open(NativeLibrary library, MpiCalls mpi, RankRows rows, Order order, Arena arena) {
        return new HypreSolver(library, mpi, rows, new HypreSolver.Setting(order, large), arena);
    }

    @Override
    public void end(NativeLibrary library) {
        library.require("HYPRE_Finalize", "");
    }
}
