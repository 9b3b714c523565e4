package org.trellis.bench.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.krylov.PreconditionedSolver;
import org.trellis.solve.krylov.SolverConfig;

/**
 * Prepares solvers over ranks for one that chooses among them, each with the numbers of rings that are known of it, and
 * says which numbers those use that are still open. Called by all ranks alike.
 */
public final class RingedSolvers implements AutomaticSolver.Maker {
    private final PartitionedMatrix matrix;
    private final PartitionedOperator operator;
    private final RankBackend backend;
    private final SolverRings rings;
    private final AutomaticSolver.Maker others;
    private final List<Open> open = new ArrayList<>();

    /**
     * The numbers of rings of a solver.
     *
     * @param stack  method and preconditioner
     * @param levels finest first
     */
    public record Found(SolverConfig stack, List<LevelRings> levels) {
        /** Copies the list. */
        public Found {
            Objects.requireNonNull(stack);
            levels = List.copyOf(levels);
        }
    }

    /**
     * Prepares nothing yet.
     *
     * @param matrix   the partitioned matrix
     * @param operator its product
     * @param backend  what its vectors are computed with
     * @param rings    says how many rings a solver exchanges
     */
    public RingedSolvers(PartitionedMatrix matrix, PartitionedOperator operator, RankBackend backend,
            SolverRings rings) {
        this.matrix = matrix;
        this.operator = operator;
        this.backend = backend;
        this.rings = rings;
        this.others = PartitionedSolver.maker(matrix, operator, backend, RingChoice.AUTOMATIC, null);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // returned
    public LinearSolver stack(SolverConfig stack) {
        Open made = new Open(stack, PartitionedSolver.prepare(stack, matrix, operator, backend,
                rings.choice(stack, matrix.communicator()), null));
        open.add(made);
        return made;
    }

    @Override
    public LinearSolver factorised(KrylovMethod method, Map<String, String> options, FactorLimits limits) {
        return others.factorised(method, options, limits);
    }

    /**
     * Ends the choice of numbers of rings of solvers that are open: the one that is used, and one that may still win.
     * Collective.
     *
     * @return those that exchange rings, in the order in which they were prepared
     */
    public List<Found> settle() {
        return open.stream().map(one -> new Found(one.stack, one.solver.settleRings()))
                .filter(found -> !found.levels().isEmpty()).toList();
    }

    /** Leaves the list when it is closed. */
    private final class Open implements PreconditionedSolver {
        private final SolverConfig stack;
        private final PartitionedSolver solver;

        @MustBeClosed
        Open(SolverConfig stack, PartitionedSolver solver) {
            this.stack = stack;
            this.solver = solver;
        }

        @Override
        public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
            return solver.solve(b, x, criteria, observer);
        }

        @Override
        public Optional<Preconditioner> preconditioner() {
            return solver.preconditioner();
        }

        @Override
        public void close() {
            open.remove(this);
            solver.close();
        }

        @Override
        public String toString() {
            return solver.toString();
        }
    }
}
