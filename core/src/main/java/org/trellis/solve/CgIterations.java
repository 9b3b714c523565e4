package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.StepData;
import org.trellis.mesh.WorkStep;
import org.trellis.mesh.loop.Layout;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * The iterations of conjugate gradients as sequences of steps on a mesh of their own, whose one set are the rows. Every
 * coefficient stays where the vectors are. An iteration reads and writes scalars of its own slot and leaves ρ in the
 * next one; slots are used in turn, so that several iterations can be queued before the host looks at any.
 *
 * <p>The vectors that pass through memory, beyond the product, which sums pᵀ q on the way: the residual r −= αq with
 * its norm reads 2 and writes 1 (with a diagonal preconditioner reads the diagonal, too), x += αp and p = z + βp
 * together read 3 and write 2 (and read the diagonal): 8 in all, 10 with a diagonal preconditioner. With another
 * preconditioner, what that moves and the dot product rᵀ z (2) come on top of 8.
 */
final class CgIterations implements AutoCloseable {
    /** Units of rounding that the squares of two norms may differ in when the norms are the same. */
    private static final int ROUNDINGS = 8;

    private final Mesh mesh;
    private final int slots;
    private final Scalars scalars;
    private final Dat residual;
    private final Dat preconditioned;
    private final Dat diagonal;
    private final Dat direction;
    private final Dat product;
    private final Dat solution;
    private final Preconditioner preconditioner;
    private final List<PreparedStep> products = new ArrayList<>();
    private final List<LoopSequence> iterations = new ArrayList<>();
    private final LoopSequence begin;
    private final double[] values;

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
    @SuppressWarnings("MustBeClosed") // the mesh is closed with this
    CgIterations(LinearOperator matrix, Preconditioner preconditioner, Backend backend, double matrixScale, int slots) {
        this.slots = slots;
        this.preconditioner = preconditioner;
        mesh = Mesh.on(backend,
                new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false));
        try {
            MeshSet rows = mesh.set("rows", matrix.rows());
            residual = vector("residual", rows, matrix);
            direction = vector("direction", rows, matrix);
            product = vector("product", rows, matrix);
            solution = vector("solution", rows, matrix);
            DenseVector inverse = preconditioner == null ? null : preconditioner.inverseDiagonal().orElse(null);
            diagonal = inverse == null ? null : vector("diagonal", rows, matrix);
            preconditioned =
                    preconditioner == null || inverse != null ? residual : vector("preconditioned", rows, matrix);
            scalars = mesh.scalars("scalars", 3 * slots + 2);
            values = new double[scalars.count()];
            if (diagonal != null) {
                backend.kernels(ElementKernels.class).update(1, null, inverse, 0, diagonal.vector());
            }
            begin = begin(rows);
            for (int slot = 0; slot < slots; slot++) {
                iterations.add(iteration(rows, matrix, matrixScale, slot));
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    private Dat vector(String name, MeshSet rows, LinearOperator matrix) {
        return mesh.dat(name, rows, 1, matrix.precision());
    }

    /** Without a preconditioner, the square of the residual's norm after the iteration before. */
    private Scalar rho(int slot) {
        return preconditioner == null ? square((slot + slots - 1) % slots) : scalars.at(slot % slots);
    }

    private Scalar sigma(int slot) {
        return scalars.at(slots + slot);
    }

    /** The square of the residual's norm after the iteration of a slot. */
    private Scalar square(int slot) {
        return scalars.at(2 * slots + slot);
    }

    private Scalar limit() {
        return scalars.at(3 * slots);
    }

    private Scalar factor() {
        return scalars.at(3 * slots + 1);
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
        products.addAll(bound);
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

    private LoopSequence iteration(MeshSet rows, LinearOperator matrix, double scale, int slot) {
        DenseVector p = direction.vector();
        @SuppressWarnings("MustBeClosed") // closed with this
        PreparedStep prepared = matrix.bindMultiplyAndDot(scale, p, 0, product.vector(), p, scalars.vector(),
                sigma(slot).first());
        products.add(prepared);
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

    private Scalar before(int slot) {
        return square((slot + slots - 1) % slots);
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

    /**
     * Begins with a new residual, in slot 0.
     *
     * @param norm  the norm of the residual
     * @param limit the norm below which iterations that are queued leave everything as it is
     * @param step  what a step of the recurrence is multiplied by for the solution
     * @return ρ
     */
    double begin(double norm, double limit, double step) {
        // A limit that is a little smaller: who is stopped by it, in the precision of the vectors, has met the other.
        scalars.set(limit().first(), limit * limit * (1 - ROUNDINGS * residual.precision().unitRoundoff()));
        scalars.set(square(slots - 1).first(), norm * norm);
        scalars.set(factor().first(), step);
        begin.run();
        fetch();
        return rhoOf(0);
    }

    /** Queues an iteration. */
    void run(int slot) {
        iterations.get(slot).run();
    }

    /** Returns the slot that is used after another. */
    int next(int slot) {
        return (slot + 1) % slots;
    }

    /** Waits for what is queued, and copies all scalars to the host. */
    void fetch() {
        scalars.copyTo(values);
    }

    /** Returns rᵀ M⁻¹ r before the iteration of a slot, as last fetched. */
    double rhoOf(int slot) {
        return values[rho(slot).first()];
    }

    /** Returns pᵀ A p of the iteration of a slot, as last fetched. */
    double sigmaOf(int slot) {
        return values[sigma(slot).first()];
    }

    /** Returns the norm of the residual after the iteration of a slot, as last fetched. */
    double normOf(int slot) {
        return Math.sqrt(values[square(slot).first()]);
    }

    Mesh mesh() {
        return mesh;
    }

    /** Returns the memory of the vectors. */
    long bytes() {
        return mesh.dats().stream().mapToLong(dat -> (long) dat.set().size() * dat.precision().bytes()).sum();
    }

    DenseVector residual() {
        return residual.vector();
    }

    DenseVector solution() {
        return solution.vector();
    }

    @Override
    public void close() {
        products.forEach(PreparedStep::close);
        mesh.close();
    }
}
