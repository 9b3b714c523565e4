package org.trellis.fem;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.solve.multigrid.OperatorLevel;
import org.trellis.solve.multigrid.OperatorMultigrid;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;

/**
 * The levels of a multigrid method of forms, from fine to coarse, smoothed by Chebyshev polynomials of operators and
 * diagonals; from the lowest, which has a matrix, on by algebraic coarsening. Owns what it is given to own.
 */
final class MultigridLevels implements AutoCloseable {
    private static final int SMOOTHER_DEGREE = 3;
    private static final double SMOOTHER_RATIO = 10;

    private final Backend backend;
    private final Deque<Runnable> owned = new ArrayDeque<>();
    private final List<OperatorLevel> levels = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    MultigridLevels(Backend backend) {
        this.backend = backend;
    }

    private <T extends LinearOperator> T own(T operator) {
        owned.push(operator::close);
        return operator;
    }

    /** Closes a system with this. */
    FormSystem own(FormSystem system) {
        owned.push(system::close);
        return system;
    }

    /**
     * Adds a level.
     *
     * @param fine   its system
     * @param to     its space
     * @param coarse the system of the next level
     * @param from   its space
     * @param words  what the level is
     */
    void add(FormSystem fine, FunctionSpace to, FormSystem coarse, FunctionSpace from, String words) {
        Smoother smoother = own(FormPreconditioners.chebyshev(fine, smoother()));
        levels.add(level(fine, to, coarse, from, smoother));
        names.add(words + ", " + fine.unknowns().free() + " unknowns");
    }

    private static Map<String, String> smoother() {
        return Map.of("degree", Integer.toString(SMOOTHER_DEGREE), "ratio", Double.toString(SMOOTHER_RATIO));
    }

    /** Brings the interpolation to the backend, and lets it make the transpose where it does such things itself. */
    @SuppressWarnings("MustBeClosed") // owned
    private OperatorLevel level(FormSystem fine, FunctionSpace to, FormSystem coarse, FunctionSpace from,
            Smoother smoother) {
        LinearOperator operator = fine.operator();
        if (fine.share() != null) {
            FormRanks.Transfer transfer = fine.share().ranks().transfer(fine.share().numbers(),
                    coarse.share().numbers(), SpaceTransfer.prolongation(fine.unknowns(), to, coarse.unknowns(), from,
                            operator.precision()));
            owned.push(transfer::close);
            return new OperatorLevel(operator, transfer.up(), transfer.down(), smoother, true);
        }
        SparseMatrix prolongation = SpaceTransfer.prolongation(fine.unknowns(), to, coarse.unknowns(), from,
                operator.precision(), backend);
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        if (backend.device().space() == MemorySpace.HOST) {
            LinearOperator up = own(kernels.prepare(prolongation));
            LinearOperator down = own(kernels.prepare(prolongation.toCsr().transpose()));
            return new OperatorLevel(operator, up, down, smoother, true);
        }
        MatrixAlgebra algebra = backend.kernels(MatrixAlgebra.class);
        BackendMatrix p = own(prolongation instanceof BackendMatrix there
                ? there
                : algebra.upload(prolongation.toCsr()));
        LinearOperator up = own(kernels.prepare(p));
        BackendMatrix r = own(algebra.transpose(p));
        LinearOperator down = own(kernels.prepare(r));
        return new OperatorLevel(operator, up, down, smoother, true);
    }

    private BackendMatrix own(BackendMatrix matrix) {
        owned.push(matrix::close);
        return matrix;
    }

    /**
     * Goes on algebraically from a system, down to one that is solved directly, and returns the cycle.
     *
     * @param lowest the system; over ranks, multigrid of theirs goes on
     * @param words  what it is
     * @throws IllegalArgumentException if it keeps no compressed rows
     */
    @SuppressWarnings("MustBeClosed") // owned
    OperatorMultigrid finish(FormSystem lowest, String words) {
        if (!lowest.hasRows()) {
            throw new IllegalArgumentException("multigrid that ends with " + lowest.operator()
                    + ", which has no compressed rows; expected storage csr there, or another level below");
        }
        Map<String, String> given = Map.of("smoother",
                "chebyshev,degree=" + SMOOTHER_DEGREE + ",ratio=" + SMOOTHER_RATIO);
        MultigridOptions options = MultigridOptions.parse(given);
        NearNullSpace space = lowest.nearNullSpace().orElse(null);
        if (lowest.share() != null) {
            Smoother below = own(lowest.rows().orElseThrow().multigrid(given, space));
            names.add(words + ", " + lowest.unknowns().free() + " unknowns, algebraic from there");
            return own(OperatorMultigrid.of(levels, below, options.cycle(), backend));
        }
        SparseMatrix matrix = lowest.sparse().orElseThrow();
        if (matrix instanceof BackendMatrix there) {
            own(there);
        }
        OperatorMultigrid cycle = own(OperatorMultigrid.of(levels, matrix, space, options, backend));
        List<Integer> rows = cycle.rowsOfLevels();
        for (int l = levels.size(); l < rows.size(); l++) {
            names.add((l == levels.size() ? words + ", " : "algebraic, ") + rows.get(l) + " unknowns");
        }
        return cycle;
    }

    /** Returns the levels in words, the finest first. */
    List<String> names() {
        return List.copyOf(names);
    }

    @Override
    public void close() {
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }
}
