package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.StepData;
import org.trellis.mesh.StopCondition;
import org.trellis.mesh.WorkStep;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * The iterations of conjugate gradients with the matrix and a preconditioner each for itself.
 *
 * <p>The vectors that pass through memory, beyond the product, which sums pᵀ q on the way: the residual r −= αq with
 * its norm reads 2 and writes 1 (with a diagonal preconditioner reads the diagonal, too), x += αp and p = z + βp
 * together read 3 and write 2 (and read the diagonal): 8 in all, 10 with a diagonal preconditioner. With another
 * preconditioner, what that moves and the dot product rᵀ z (2) come on top of 8.
 */
final class CgIterations extends CgRecurrence {
    private final Preconditioner preconditioner;
    private Dat residual;
    private Dat preconditioned;
    private Dat diagonal;
    private Dat direction;
    private Dat product;
    private Dat solution;
    private LoopSequence begin;

    /**
     * Prepares the iterations.
     *
     * @param matrix         the product
     * @param preconditioner an approximate inverse, or null
     * @param backend        where they run
     * @param matrixScale    what the matrix is multiplied by
     * @param slots          how many iterations use scalars of their own; at least 2
     */
    @MustBeClosed
    CgIterations(LinearOperator matrix, Preconditioner preconditioner, Backend backend, double matrixScale, int slots) {
        super(matrix, backend, slots);
        this.preconditioner = preconditioner;
        prepare(() -> make(backend, matrixScale));
    }

    private void make(Backend backend, double matrixScale) {
        MeshSet rows = mesh.set("rows", matrix.rows());
        residual = vector("residual", rows);
        direction = vector("direction", rows);
        product = vector("product", rows);
        solution = vector("solution", rows);
        DenseVector inverse = preconditioner == null ? null : preconditioner.inverseDiagonal().orElse(null);
        preconditioned = preconditioner == null || inverse != null ? residual : vector("preconditioned", rows);
        if (inverse != null) {
            diagonal = vector("diagonal", rows);
            backend.kernels(ElementKernels.class).update(1, null, inverse, 0, diagonal.vector());
        }
        begin = begin(rows);
        for (int slot = 0; slot < slots; slot++) {
            iterations.add(iteration(rows, matrixScale, slot));
        }
    }

    /** Without a preconditioner, the square of the residual's norm after the iteration before. */
    @Override
    Scalar rho(int slot) {
        return preconditioner == null ? before(slot % slots) : super.rho(slot);
    }

    @Override
    List<StopCondition.Bound> bounds() {
        List<StopCondition.Bound> all = super.bounds();
        return preconditioner == null ? all.subList(1, all.size()) : all;
    }

    private LoopSequence begin(MeshSet rows) {
        LoopSequence.Builder steps = mesh.sequence("begin");
        if (diagonal != null) {
            steps.run(mesh.loop(UpdatesLoops.BEGIN_DIAGONAL, rows, residual, diagonal, direction, rho(0)));
        } else if (preconditioner == null) {
            steps.run(mesh.loop(UpdatesLoops.BEGIN, rows, residual, direction, rho(0)));
        } else {
            precondition(steps).run(mesh.loop(UpdatesLoops.BEGIN_OTHER, rows, residual, preconditioned,
                    direction, rho(0)));
        }
        return steps.build();
    }

    /** Adds the steps of the preconditioner; the first reads the residual and the last leaves the result. */
    private LoopSequence.Builder precondition(LoopSequence.Builder steps) {
        List<PreparedStep> bound = preconditioner.bindApplication(residual.vector(), preconditioned.vector());
        work.addAll(bound);
        for (int i = 0; i < bound.size(); i++) {
            List<StepData> data = new ArrayList<>();
            if (i == 0) {
                data.add(new StepData(residual, Access.READ));
            }
            if (i == bound.size() - 1) {
                data.add(new StepData(preconditioned, Access.WRITE));
            }
            steps.run(new WorkStep("precondition", bound.get(i), data));
        }
        return steps;
    }

    private LoopSequence iteration(MeshSet rows, double scale, int slot) {
        DenseVector p = direction.vector();
        @SuppressWarnings("MustBeClosed") // closed with this
        PreparedStep prepared = matrix.bindMultiplyAndDot(scale, p, 0, product.vector(), p, scalars().vector(),
                sigma(slot).first());
        work.add(prepared);
        LoopSequence.Builder steps = mesh.sequence("iteration of slot " + slot);
        steps.run(new WorkStep("q = A p", prepared, List.of(new StepData(direction, Access.READ),
                new StepData(product, Access.WRITE), new StepData(sigma(slot), Access.SUM))));
        steps.run(newResidual(rows, slot));
        if (preconditioner != null && diagonal == null) {
            precondition(steps).run(mesh.loop(VectorsLoops.DOT, rows, residual, preconditioned,
                    rho(slot + 1)));
        }
        return steps.run(newDirection(rows, slot)).build();
    }

    private ParallelLoop newResidual(MeshSet rows, int slot) {
        if (diagonal != null) {
            return mesh.loop(UpdatesLoops.RESIDUAL_DIAGONAL, rows, rho(slot), sigma(slot), before(slot), limit(),
                    product, diagonal, residual, square(slot), rho(slot + 1));
        }
        return mesh.loop(UpdatesLoops.RESIDUAL, rows, rho(slot), sigma(slot), before(slot), limit(), product, residual,
                square(slot));
    }

    private ParallelLoop newDirection(MeshSet rows, int slot) {
        if (diagonal != null) {
            return mesh.loop(UpdatesLoops.DIRECTION_DIAGONAL, rows, rho(slot), sigma(slot), before(slot), limit(),
                    factor(), rho(slot + 1), residual, diagonal, direction, solution);
        }
        return mesh.loop(UpdatesLoops.DIRECTION, rows, rho(slot), sigma(slot), before(slot), limit(), factor(),
                rho(slot + 1), preconditioned, direction, solution);
    }

    @Override
    LoopSequence beginning() {
        return begin;
    }

    @Override
    Dat residual() {
        return residual;
    }

    @Override
    Dat solution() {
        return solution;
    }
}
