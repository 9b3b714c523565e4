package org.trellis.bench.adapters.petsc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.trellis.bench.adapters.ranks.MpiCalls;
import org.trellis.bench.adapters.ranks.NativeIntegers;
import org.trellis.bench.adapters.ranks.NativeLibrary;
import org.trellis.bench.adapters.ranks.RankProgram;
import org.trellis.bench.adapters.ranks.RankRows;
import org.trellis.bench.adapters.ranks.RankSolver;

/** A Krylov solver of PETSc (KSP) that is set up from the options in PETSc's database, on an AIJ matrix. */
@SuppressWarnings("restricted") // the library's vectors are its own memory
final class PetscSolver implements RankSolver {
    /** {@code MAT_SYMMETRIC}, the same in all releases. */
    private static final int SYMMETRIC = 1;
    private static final double NO_DIVERGENCE = 1e300;

    private final NativeLibrary library;
    private final MpiCalls mpi;
    private final RankRows rows;
    private final RankProgram.Order order;
    private final MemorySegment matrix;
    private final MemorySegment b;
    private final MemorySegment x;
    private final MemorySegment solver;

    PetscSolver(NativeLibrary library, MpiCalls mpi, RankRows rows, RankProgram.Order order, Arena arena) {
        this.library = library;
        this.mpi = mpi;
        this.rows = rows;
        this.order = order;
        this.solver = arena.allocate(ADDRESS);
        this.matrix = createMatrix(arena);
        if (order.blockSize() > 1) {
            library.require("MatSetBlockSize", "pn", matrix, (long) order.blockSize());
        }
        if ("cg".equals(order.options().get(PetscPeer.KSP_TYPE))) {
            library.require("MatSetOption", "pii", matrix, SYMMETRIC, 1);
        }
        MemorySegment slots = arena.allocate(ADDRESS, 2);
        library.require("MatCreateVecs", "ppp", matrix, slots, slots.asSlice(ADDRESS.byteSize()));
        this.x = slots.getAtIndex(ADDRESS, 0);
        this.b = slots.getAtIndex(ADDRESS, 1);
        withArray(b, array -> array.copyFrom(rows.system().rightHandSide(rows.first(), rows.end())));
    }

    /** A sequential matrix keeps the arrays that it is given, so they live as long as the solver. */
    private MemorySegment createMatrix(Arena arena) {
        NativeIntegers own = library.integers();
        long start = rows.system().offset(rows.first());
        MemorySegment offsets = own.allocate(arena, rows.count() + 1L);
        for (int row = 0; row <= rows.count(); row++) {
            own.put(offsets, row, rows.system().offset(rows.first() + row) - start);
        }
        MemorySegment columns = own.of(arena, rows.system().columns(rows.first(), rows.end()));
        MemorySegment values = rows.system().values(rows.first(), rows.end());
        MemorySegment slot = arena.allocate(ADDRESS);
        long count = rows.count();
        if (mpi.size() > 1) {
            library.require("MatCreateMPIAIJWithArrays", "cnnnnpppp", mpi.world(), count, count, rows.system().rows(),
                    rows.system().rows(), offsets, columns, values, slot);
        } else {
            // The file is mapped for reading only, and stays on small pages: copies are what the library would have.
            library.require("MatCreateSeqAIJWithArrays", "cnnpppp", mpi.world(), count, count, offsets,
                    copy(arena, columns), copy(arena, values), slot);
        }
        return slot.get(ADDRESS, 0);
    }

    private static MemorySegment copy(Arena arena, MemorySegment of) {
        return arena.allocate(Math.max(1, of.byteSize()), Long.BYTES).copyFrom(of);
    }

    private interface ArrayUse {
        void with(MemorySegment array);
    }

    private void withArray(MemorySegment vector, ArrayUse use) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(ADDRESS);
            library.require("VecGetArray", "pp", vector, slot);
            use.with(slot.get(ADDRESS, 0).reinterpret((long) rows.count() * Double.BYTES));
            library.require("VecRestoreArray", "pp", vector, slot);
        }
    }

    private MemorySegment ksp() {
        return solver.get(ADDRESS, 0);
    }

    @Override
    public void setUp() {
        library.require("KSPCreate", "cp", mpi.world(), solver);
        library.require("KSPSetOperators", "ppp", ksp(), matrix, matrix);
        library.require("KSPSetTolerances", "pdddn", ksp(), order.tolerance(), order.absolute(), NO_DIVERGENCE,
                (long) order.maximumIterations());
        library.require("KSPSetFromOptions", "p", ksp());
        library.require("KSPSetUp", "p", ksp());
        library.require("KSPSetUpOnBlocks", "p", ksp());
    }

    @Override
    public Outcome solve() {
        library.require("KSPSolve", "ppp", ksp(), b, x);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = library.integers().allocate(arena, 1);
            MemorySegment reason = arena.allocate(JAVA_INT);
            MemorySegment norm = arena.allocate(JAVA_DOUBLE);
            library.require("KSPGetIterationNumber", "pp", ksp(), count);
            library.require("KSPGetConvergedReason", "pp", ksp(), reason);
            library.require("KSPGetResidualNorm", "pp", ksp(), norm);
            MemorySegment size = arena.allocate(JAVA_DOUBLE);
            library.require("VecNorm", "pip", b, 1, size);
            int why = reason.get(JAVA_INT, 0);
            double scale = size.get(JAVA_DOUBLE, 0);
            return new Outcome(Math.toIntExact(library.integers().get(count)), why > 0,
                    scale == 0 ? 0 : norm.get(JAVA_DOUBLE, 0) / scale, "converged reason " + why);
        }
    }

    @Override
    public void copySolution(MemorySegment target) {
        withArray(x, target::copyFrom);
    }

    @Override
    public void tearDown() {
        library.require("KSPDestroy", "p", solver);
    }
}
