package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.StepData;
import org.trellis.mesh.WorkStep;
import org.trellis.sparse.LinearOperator;

/**
 * The iterations of conjugate gradients on {@code G⁻¹ A G⁻ᵀ}, where {@code G Gᵀ} is the preconditioner: those with the
 * preconditioner on A, in other vectors. A solution is the sum of directions p, in the order and scale of the split
 * recurrence until it is settled. The norm of the residual that the host sees is that of the system: the sweep that
 * computes the next product sums it with the triangle that it reads anyway.
 *
 * <p>The vectors that pass through memory beside the two triangles, which are read once an iteration: r̂ −= α(p + y)
 * with its square and the sum of steps reads 4 and writes 2; p̂ = r̂ + βp̂ and p read 2 and write 2; y with both sums
 * reads 3 and writes 1: 14, and up to 2 diagonals where these are not constant. A recurrence that begins does the
 * sweeps once more than there are iterations.
 */
final class SplitCgIterations extends CgRecurrence {
    private final SplitProduct split;
    private Dat solution;
    private Dat scale;
    private Dat residual;
    private Dat splitDirection;
    private Dat direction;
    /** The residual of the system before a recurrence, y in it. */
    private Dat product;
    private Dat sum;
    private LoopSequence begin;
    private LoopSequence settle;

    /**
     * Prepares the iterations.
     *
     * @param matrix  the product
     * @param split   the split product; not closed with this
     * @param backend where they run
     * @param slots   how many iterations use scalars of their own; at least 2
     */
    @MustBeClosed
    SplitCgIterations(LinearOperator matrix, SplitProduct split, Backend backend, int slots) {
        super(matrix, backend, slots);
        this.split = split;
        prepare(this::make);
    }

    private void make() {
        MeshSet rows = mesh.set("rows", matrix.rows());
        solution = vector("solution", rows);
        scale = vector("scale", rows);
        residual = vector("split residual", rows);
        splitDirection = vector("split direction", rows);
        direction = vector("direction", rows);
        product = vector("product", rows);
        sum = vector("sum of steps", rows);
        HostVector factors = split.scale();
        scale.vector().copyFrom(factors);
        Optional<int[]> order = split.order();
        begin = begin(rows, order.map(targets -> mesh.map("element", rows, rows, 1, targets)).orElse(null));
        settle = mesh.sequence("settle")
                .run(mesh.loop(UpdatesLoops.LEAVE, rows, scale, through(sum, order.map(
                        targets -> mesh.map("place", rows, rows, 1, inverse(targets))).orElse(null)), solution))
                .run(mesh.loop(UpdatesLoops.CLEAR, rows, sum)).build();
        for (int slot = 0; slot < slots; slot++) {
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + slot);
            steps.run(mesh.loop(UpdatesLoops.SPLIT_STEP, rows, rho(slot), sigma(slot), before(slot), limit(), factor(),
                    direction, product, residual, sum, rho(slot + 1)));
            iterations.add(multiply(steps, slot, slot + 1, square(slot)).build());
        }
    }

    private static int[] inverse(int[] order) {
        int[] places = new int[order.length];
        for (int place = 0; place < order.length; place++) {
            places[order[place]] = place;
        }
        return places;
    }

    private static LoopArgument through(Dat dat, MeshMap map) {
        return map == null ? dat : dat.at(map, 0);
    }

    @Override
    boolean leavesSigmaForNext() {
        return true;
    }

    private LoopSequence begin(MeshSet rows, MeshMap element) {
        LoopSequence.Builder steps = mesh.sequence("begin");
        steps.run(mesh.loop(UpdatesLoops.CLEAR, rows, sum)).run(mesh.loop(UpdatesLoops.ENTER, rows,
                through(scale, element), through(product, element), residual));
        steps.run(step("r = G^-1 r", split.bindResidual(residual.vector()), new StepData(residual, Access.READ_WRITE)));
        steps.run(mesh.loop(UpdatesLoops.SQUARE, rows, residual, rho(0)));
        return multiply(steps, -1, 0, unused()).build();
    }

    /** Adds the sweeps that make directions and product of a slot of the residual. */
    private LoopSequence.Builder multiply(LoopSequence.Builder steps, int last, int slot, Scalar norm) {
        DenseVector numbers = scalars().vector();
        StepData split1 = new StepData(splitDirection, Access.READ_WRITE);
        StepData read = new StepData(residual, Access.READ);
        Scalar next = rho(slot);
        SplitProduct.Coefficients coefficients =
                new SplitProduct.Coefficients(numbers, next.first(), last < 0 ? -1 : rho(last).first());
        WorkStep directions = last < 0
                ? step("directions", bindDirection(coefficients), read, new StepData(splitDirection, Access.WRITE),
                        new StepData(direction, Access.WRITE))
                : step("directions", bindDirection(coefficients), new StepData(next, Access.READ),
                        new StepData(rho(last), Access.READ), read, split1, new StepData(direction, Access.WRITE));
        PreparedStep multiplied = split.bindProduct(
                new SplitProduct.Sums(numbers, sigma(slot).first(), norm.first()), splitDirection.vector(),
                direction.vector(), residual.vector(), product.vector());
        return steps.run(directions).run(step("product", multiplied, new StepData(splitDirection, Access.READ),
                new StepData(direction, Access.READ), read, new StepData(product, Access.WRITE),
                new StepData(sigma(slot), Access.SUM), new StepData(norm, Access.SUM)));
    }

    private PreparedStep bindDirection(SplitProduct.Coefficients coefficients) {
        return split.bindDirection(coefficients, residual.vector(), splitDirection.vector(), direction.vector());
    }

    private WorkStep step(String name, PreparedStep bound, StepData... data) {
        work.add(bound);
        return new WorkStep(name, bound, List.of(data));
    }

    @Override
    LoopSequence beginning() {
        return begin;
    }

    @Override
    Dat residual() {
        return product;
    }

    @Override
    Dat solution() {
        return solution;
    }

    @Override
    void settle() {
        settle.run();
    }

    @Override
    List<String> notes() {
        return List.of("matrix and preconditioner are applied together, by Eisenstat's product, which reads the matrix "
                + "once an iteration and keeps a copy of it");
    }
}
