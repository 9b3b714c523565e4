package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trellis.backend.Backend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.BasisKind;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverStack;

/**
 * {@link SStepConjugateGradient} as a solver of owned parts, by the options {@code steps} (s, 4) and {@code basis}
 * ({@code chebyshev}, {@code newton}, {@code monomial}). With preconditioner {@code jacobi} the system is scaled
 * symmetrically by the diagonal, and residuals are measured as those of the system that was given.
 */
final class SStepSolver implements LinearSolver {
    private static final int STEPS = 4;

    private final HaloPlan plan;
    private final SStepConjugateGradient method;
    private final RingVector x;
    private final HostVector b;
    /** What vectors are multiplied by where the system is scaled, else null. */
    private final HostVector scale;

    private SStepSolver(HaloPlan plan, SStepConjugateGradient method, HostVector scale) {
        this.plan = plan;
        this.method = method;
        this.x = plan.vector();
        this.b = HostVector.zeros(plan.precision(), plan.rowsWithin(0));
        this.scale = scale;
    }

    /**
     * Prepares the method. Collective.
     *
     * @param stack   method and options
     * @param matrix  the matrix
     * @param rings   how many rings the halo has; s of them where that is left to us
     * @param backend this rank's
     * @throws IllegalArgumentException   if an option or the diagonal does not suit
     * @throws UnsupportedKernelException if the backend is a device
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    static SStepSolver prepare(SolverStack stack, PartitionedMatrix matrix, RingChoice rings, Backend backend) {
        if (!backend.device().space().equals(MemorySpace.HOST)) {
            throw new UnsupportedKernelException("s-step conjugate gradients", backend.name(),
                    "only ranks on the host have them");
        }
        int steps = steps(stack.methodOptions().getOrDefault("steps", Integer.toString(STEPS)));
        BasisKind kind = basis(stack.methodOptions().getOrDefault("basis", "chebyshev"));
        boolean scaled = !stack.preconditioner().equals("none");
        ScaledSystem system = scaled
                ? ScaledSystem.of(matrix, stack.preconditionerOptions().get("omega"))
                : new ScaledSystem(matrix, null, null);
        HaloPlan plan = HaloPlan.of(system.matrix(), rings.rings().isEmpty() ? steps : rings.rings().getFirst());
        try {
            double[] bounds = scaled
                    ? SStepConjugateGradient.gershgorinOfScaled(matrix)
                    : SStepConjugateGradient.gershgorin(matrix);
            return new SStepSolver(plan, new SStepConjugateGradient(plan, steps, kind, bounds[0], bounds[1])
                    .measuredBy(system.weights()), system.scale());
        } catch (RuntimeException | Error e) {
            plan.close();
            throw e;
        }
    }

    private static int steps(String text) {
        if (!text.matches("[1-9][0-9]?")) {
            throw new IllegalArgumentException("method s-step: steps is '" + text
                    + "', expected a whole number from 1 to 99");
        }
        return Integer.parseInt(text);
    }

    private static BasisKind basis(String text) {
        return Arrays.stream(BasisKind.values()).filter(kind -> name(kind).equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("method s-step: basis is '" + text
                        + "', expected one of " + Arrays.stream(BasisKind.values()).map(SStepSolver::name)
                                .collect(Collectors.joining(", "))));
    }

    private static String name(BasisKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Refuses options that are not the method's. */
    static void refuse(SolverStack stack) {
        steps(stack.methodOptions().getOrDefault("steps", Integer.toString(STEPS)));
        basis(stack.methodOptions().getOrDefault("basis", "chebyshev"));
    }

    @Override
    public SolveReport solve(DenseVector right, DenseVector solution, StoppingCriteria criteria,
            IterationObserver observer) {
        copy((HostVector) right, b, true);
        copy((HostVector) solution, x.values(), false);
        x.changed();
        SolveReport report = method.solve(b, x, criteria, observer);
        for (int row = 0; row < b.length(); row++) {
            ((HostVector) solution).set(row, (scale == null ? 1 : scale.get(row)) * x.values().get(row));
        }
        return report;
    }

    /** Scales a right-hand side, or a first guess, which is scaled the other way. */
    private void copy(HostVector from, HostVector to, boolean multiply) {
        for (int row = 0; row < b.length(); row++) {
            double factor = scale == null ? 1 : scale.get(row);
            to.set(row, multiply ? factor * from.get(row) : from.get(row) / factor);
        }
    }

    @Override
    public void close() {
        plan.close();
    }

    @Override
    public String toString() {
        return method.toString();
    }
}
