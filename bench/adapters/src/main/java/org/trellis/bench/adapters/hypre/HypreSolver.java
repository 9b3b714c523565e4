package org.trellis.bench.adapters.hypre;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.trellis.bench.adapters.ranks.MpiCalls;
import org.trellis.bench.adapters.ranks.NativeIntegers;
import org.trellis.bench.adapters.ranks.NativeLibrary;
import org.trellis.bench.adapters.ranks.RankProgram;
import org.trellis.bench.adapters.ranks.RankRows;
import org.trellis.bench.adapters.ranks.RankSolver;

/**
 * A Krylov solver of hypre's ParCSR interface with its preconditioner, on a matrix that was handed over through the IJ
 * interface (hypre's manual, chapters "Linear-Algebraic System Interface (IJ)" and "Solvers and Preconditioners").
 */
final class HypreSolver implements RankSolver {
    private static final int PARCSR = 5555;

    private final NativeLibrary library;
    private final MpiCalls mpi;
    private final RankRows rows;
    private final RankProgram.Order order;
    private final NativeIntegers large;
    private final Arena arena;
    private final MemorySegment indices;
    private final MemorySegment matrix;
    private final MemorySegment b;
    private final MemorySegment x;
    private final MemorySegment solution;
    private final String stem;
    private MemorySegment solver = MemorySegment.NULL;
    private MemorySegment preconditioner = MemorySegment.NULL;
    private String preconditionerStem;

    /** What is to be done, and how wide global indices are. */
    record Setting(RankProgram.Order order, NativeIntegers large) {}

    HypreSolver(NativeLibrary library, MpiCalls mpi, RankRows rows, Setting setting, Arena arena) {
        this.library = library;
        this.mpi = mpi;
        this.rows = rows;
        this.order = setting.order();
        this.large = setting.large();
        this.arena = arena;
        this.stem = switch (setting.order().options().get(HyprePeer.SOLVER)) {
            case "pcg" -> "HYPRE_ParCSRPCG";
            case "gmres" -> "HYPRE_ParCSRGMRES";
            default -> "HYPRE_ParCSRBiCGSTAB";
        };
        MemorySegment ij = createMatrix(library, mpi, arena, rows.first(), rows.end() - 1);
        this.indices = large.allocate(arena, rows.count());
        for (int row = 0; row < rows.count(); row++) {
            large.put(indices, row, rows.first() + row);
        }
        this.matrix = fill(ij);
        MemorySegment values = rows.system().rightHandSide(rows.first(), rows.end());
        this.b = vector(values);
        this.x = createVector();
        this.solution = object("HYPRE_IJVectorGetObject", x);
    }

    static MemorySegment createMatrix(NativeLibrary library, MpiCalls mpi, Arena arena, long first, long last) {
        MemorySegment slot = arena.allocate(ADDRESS);
        // Longs in registers do for ints, too.
        library.require("HYPRE_IJMatrixCreate", "cllllp", mpi.world(), first, last, first, last, slot);
        MemorySegment made = slot.get(ADDRESS, 0);
        library.require("HYPRE_IJMatrixSetObjectType", "pn", made, (long) PARCSR);
        return made;
    }

    private MemorySegment fill(MemorySegment ij) {
        try (Arena passing = Arena.ofConfined()) {
            NativeIntegers own = library.integers();
            MemorySegment lengths = own.allocate(passing, rows.count());
            for (int row = 0; row < rows.count(); row++) {
                long at = rows.first() + row;
                own.put(lengths, row, rows.system().offset(at + 1) - rows.system().offset(at));
            }
            library.require("HYPRE_IJMatrixSetRowSizes", "pp", ij, lengths);
            library.require("HYPRE_IJMatrixInitialize", "p", ij);
            library.require("HYPRE_IJMatrixSetValues", "pnpppp", ij, (long) rows.count(), lengths, indices,
                    large.of(passing, rows.system().columns(rows.first(), rows.end())),
                    rows.system().values(rows.first(), rows.end()));
            library.require("HYPRE_IJMatrixAssemble", "p", ij);
            return object("HYPRE_IJMatrixGetObject", ij);
        }
    }

    private MemorySegment object(String function, MemorySegment of) {
        MemorySegment slot = arena.allocate(ADDRESS);
        library.require(function, "pp", of, slot);
        return slot.get(ADDRESS, 0);
    }

    private MemorySegment createVector() {
        MemorySegment slot = arena.allocate(ADDRESS);
        library.require("HYPRE_IJVectorCreate", "cllp", mpi.world(), rows.first(), rows.end() - 1, slot);
        MemorySegment made = slot.get(ADDRESS, 0);
        library.require("HYPRE_IJVectorSetObjectType", "pn", made, (long) PARCSR);
        library.require("HYPRE_IJVectorInitialize", "p", made);
        library.require("HYPRE_IJVectorAssemble", "p", made);
        return made;
    }

    private MemorySegment vector(MemorySegment values) {
        MemorySegment made = createVector();
        library.require("HYPRE_IJVectorSetValues", "pnpp", made, (long) rows.count(), indices, values);
        library.require("HYPRE_IJVectorAssemble", "p", made);
        return object("HYPRE_IJVectorGetObject", made);
    }

    @Override
    public void setUp() {
        Map<String, String> options = order.options();
        solver = create(stem + "Create", "cp");
        set(solver, stem + "SetTol", order.tolerance());
        if (order.absolute() > 0) {
            set(solver, stem + "SetAbsoluteTol", order.absolute());
        }
        set(solver, stem + "SetMaxIter", (long) order.maximumIterations());
        if (options.containsKey(HyprePeer.TWO_NORM)) {
            set(solver, stem + "SetTwoNorm", 1L);
        }
        if (options.containsKey(HyprePeer.K_DIM)) {
            set(solver, stem + "SetKDim", Long.parseLong(options.get(HyprePeer.K_DIM)));
        }
        setPreconditioner(options.get(HyprePeer.PRECONDITIONER));
        library.require(stem + "Setup", "pppp", solver, matrix, b, solution);
    }

    private void setPreconditioner(String kind) {
        preconditionerStem = switch (kind) {
            case "boomeramg" -> "HYPRE_BoomerAMG";
            case "ilu" -> "HYPRE_ILU";
            default -> null;
        };
        if (preconditionerStem != null) {
            preconditioner = create(preconditionerStem + "Create", "p");
            set(preconditioner, preconditionerStem + "SetTol", 0.0);
            set(preconditioner, preconditionerStem + "SetMaxIter", 1L);
            set(preconditioner, preconditionerStem + "SetPrintLevel", 0L);
            HypreOption.of(kind).forEach(this::set);
            precondition(preconditionerStem + "Solve", preconditionerStem + "Setup");
        } else if (kind.equals("diagonal")) {
            precondition("HYPRE_ParCSRDiagScale", "HYPRE_ParCSRDiagScaleSetup");
        }
    }

    private void precondition(String solve, String setup) {
        library.require(stem + "SetPrecond", "pppp", solver, library.symbol(solve), library.symbol(setup),
                preconditioner);
    }

    private MemorySegment create(String function, String letters) {
        MemorySegment slot = arena.allocate(ADDRESS);
        if (letters.equals("p")) {
            library.require(function, letters, slot);
        } else {
            library.require(function, letters, mpi.world(), slot);
        }
        return slot.get(ADDRESS, 0);
    }

    private void set(MemorySegment of, String function, Object value) {
        library.require(function, value instanceof Double ? "pd" : "pn", of, value);
    }

    private void set(HypreOption option) {
        String value = order.options().get(option.label());
        if (value != null) {
            set(preconditioner, preconditionerStem + option.function(), option.number(value));
        }
    }

    @Override
    public Outcome solve() {
        library.require("HYPRE_ParVectorSetConstantValues", "pd", solution, 0.0);
        int code = library.call(stem + "Solve", "pppp", solver, matrix, b, solution);
        library.require("HYPRE_ClearAllErrors", "");
        try (Arena own = Arena.ofConfined()) {
            MemorySegment count = library.integers().allocate(own, 1);
            MemorySegment norm = own.allocate(JAVA_DOUBLE);
            library.require(stem + "GetNumIterations", "pp", solver, count);
            library.require(stem + "GetFinalRelativeResidualNorm", "pp", solver, norm);
            int iterations = Math.toIntExact(library.integers().get(count));
            double residual = norm.get(JAVA_DOUBLE, 0);
            boolean converged = residual <= order.tolerance()
                    || (code == 0 && iterations < order.maximumIterations());
            return new Outcome(iterations, converged, residual,
                    (converged ? "converged" : "not converged") + (code == 0 ? "" : ", error flag " + code));
        }
    }

    @Override
    public void copySolution(MemorySegment target) {
        library.require("HYPRE_IJVectorGetValues", "pnpp", x, (long) rows.count(), indices, target);
    }

    @Override
    public void tearDown() {
        library.require(stem + "Destroy", "p", solver);
        if (preconditionerStem != null) {
            library.require(preconditionerStem + "Destroy", "p", preconditioner);
            preconditioner = MemorySegment.NULL;
        }
    }
}
