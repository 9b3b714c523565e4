package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.MixedPrecision;
import org.trellis.solve.krylov.PreconditionedSolver;
import org.trellis.solve.krylov.SolverConfig;

/** Refinement around a stack in single precision over ranks, which has a halo and messages of its own. */
final class RankRefinement implements PreconditionedSolver {
    private final HaloPlan plan;
    private final PartitionedOperator single;
    private final PartitionedSolver inner;
    private final MixedPrecision solver;

    private RankRefinement(HaloPlan plan, PartitionedOperator single, PartitionedSolver inner, MixedPrecision solver) {
        this.plan = plan;
        this.single = single;
        this.inner = inner;
        this.solver = solver;
    }

    /**
     * Prepares a stack in mixed precision. Collective.
     *
     * @throws IllegalArgumentException if the matrix is not in double precision
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    static RankRefinement prepare(SolverConfig stack, PartitionedMatrix matrix, PartitionedOperator operator,
            RankBackend backend, RingChoice rings, RankSpace space) {
        if (matrix.precision() != Precision.F64) {
            throw new IllegalArgumentException("mixed precision with a matrix of " + matrix.globalRows() + " rows in "
                    + matrix.precision().label()
                    + ", expected one in f64, around whose solution in f32 there is something to refine");
        }
        PartitionedMatrix narrow = matrix.toPrecision(Precision.F32);
        SolverConfig plain = new SolverConfig(stack.method(), stack.methodOptions(), stack.preconditioner(),
                stack.preconditionerOptions(), stack.criteria(), false, false);
        HaloPlan plan = HaloPlan.of(narrow, 1, backend.own());
        PartitionedOperator single = null;
        PartitionedSolver inner = null;
        try {
            single = new PartitionedOperator(plan, backend);
            inner = PartitionedSolver.prepare(plain, narrow, single, backend, rings, space);
            return new RankRefinement(plan, single, inner, new MixedPrecision(operator, inner, backend));
        } catch (RuntimeException | Error e) {
            if (inner != null) {
                inner.close();
            }
            if (single != null) {
                single.close();
            }
            plan.close();
            throw e;
        }
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        return solver.solve(b, x, criteria, observer);
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return inner.preconditioner();
    }

    /** Closes the refinement, which closes the solver inside, then what that used. */
    @Override
    public void close() {
        solver.close();
        single.close();
        plan.close();
    }

    @Override
    public String toString() {
        return solver.toString();
    }
}
