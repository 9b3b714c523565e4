package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.backend.Backend;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.distributed.multigrid.PolynomialSmoother;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.multigrid.TunedRings;
import org.trellis.distributed.multigrid.VisitTuner;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.BasisKind;
import org.trellis.distributed.powers.RingUpdates;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;

/**
 * {@link SStepConjugateGradient} and {@link SStepGmres} as solvers of owned parts, by the options {@code steps} (s, 4)
 * and {@code basis} ({@code chebyshev}, {@code newton}, {@code monomial}), and {@code restart} (30) of the latter. With
 * preconditioner {@code jacobi} the system of conjugate gradients is scaled symmetrically by the diagonal, and
 * residuals are measured as those of the system that was given; with {@code chebyshev} a polynomial in the scaled
 * matrix preconditions it besides. The columns of the system of GMRES are scaled, which leaves residuals as they are;
 * polynomials and multigrid precondition it from the right, with a basis of Ritz values ({@code basis=ritz}), which
 * others may ask for.
 */
final class SStepSolver implements LinearSolver, TunedRings {
    private static final int STEPS = 4;
    private static final int RESTART = 30;
    private static final String RITZ = "ritz";

    private final HaloPlan plan;
    private final Method method;
    private final RingVector x;
    private final RingVector b;
    private final ScaledSystem system;
    private final RingUpdates updates;
    /** The scale of the system and its inverse, where vectors are, or null for ones. */
    private final DenseVector scale;
    private final DenseVector inverseScale;
    private final String text;
    /** Closed with this, or null. */
    private final Preconditioner made;
    /** Chooses how many rings bases exchange; null where that is given by what preconditions. */
    private final VisitTuner tuner;

    /** One of the methods. */
    private interface Method {
        /** Solves the scaled system. */
        SolveReport solve(DenseVector b, RingVector x, StoppingCriteria criteria, IterationObserver observer);
    }

    private SStepSolver(HaloPlan plan, Method method, String text, ScaledSystem system, Preconditioner made,
            VisitTuner tuner) {
        this.tuner = tuner;
        this.made = made;
        this.plan = plan;
        this.method = method;
        this.text = text;
        this.x = plan.vector();
        this.b = plan.vector();
        this.system = system;
        this.updates = new RingUpdates(plan);
        HostVector factors = system.scale();
        this.scale = factors == null ? null : updates.there(factors);
        this.inverseScale = factors == null
                ? null
                : updates.there(HostVector.of(factors.precision(), factors.length(), i -> 1 / factors.get(i)));
    }

    /**
     * Prepares the method. Collective.
     *
     * @param stack   method and options
     * @param matrix  the matrix
     * @param rings   how many rings the halo has; up to s of them where a model or times are to decide
     * @param backend this rank's, on the host or on a device
     * @param made    what preconditions GMRES from the right, closed with the solver; null for what follows from the
     *                stack
     * @throws IllegalArgumentException if an option or the diagonal does not suit, or a device has not room for as many
     *                                  vectors at a time
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    static SStepSolver prepare(SolverConfig stack, PartitionedMatrix matrix, RingChoice rings, Backend backend,
            Preconditioner made) {
        int steps = number(stack, "steps", STEPS);
        if (made != null) {
            return preconditioned(stack, matrix, backend, steps, made);
        }
        boolean scaled = !stack.preconditioner().equals("none");
        boolean polynomial = stack.preconditioner().equals("chebyshev");
        Map<String, String> options = polynomial
                ? PolynomialSmoother.complete(matrix, stack.preconditionerOptions())
                : stack.preconditionerOptions();
        boolean gmres = stack.method().equals(SolverConfig.S_STEP_GMRES);
        ScaledSystem system = scaled
                ? ScaledSystem.of(matrix, stack.method(), options.get("omega"), !gmres)
                : new ScaledSystem(matrix, null, null, false);
        int degree = polynomial ? PolynomialSmoother.degree(options) : 1;
        // An image takes a product less than the degree, each step the degree.
        HaloPlan plan = HaloPlan.of(system.matrix(),
                rings.given(0) == 0 ? (steps + 1) * degree - 1 : rings.given(0), backend);
        try {
            VisitTuner tuner = polynomial ? null : new VisitTuner(plan, rings.contest(0, plan, steps, 1));
            if (gmres) {
                return new SStepSolver(plan, gmres(stack, matrix, plan, steps, tuner), stack + " on " + plan, system,
                        null, tuner);
            }
            double[] bounds = scaled
                    ? SStepConjugateGradient.gershgorinOfScaled(matrix)
                    : SStepConjugateGradient.gershgorin(matrix);
            SStepConjugateGradient method =
                    new SStepConjugateGradient(plan, steps, basis(stack), bounds[0], bounds[1])
                            .measuredBy(system.weights()).tunedBy(tuner);
            if (polynomial) {
                method.preconditionedBy(PolynomialSmoother.of(plan, options));
            }
            return new SStepSolver(plan, method::solve, stack + " on " + plan, system, null, tuner);
        } catch (RuntimeException | Error e) {
            plan.close();
            throw e;
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    private static SStepSolver preconditioned(SolverConfig stack, PartitionedMatrix matrix, Backend backend,
            int steps, Preconditioner made) {
        HaloPlan plan = HaloPlan.of(matrix, 1, backend);
        try {
            SStepGmres method = new SStepGmres(plan, steps, number(stack, "restart", RESTART), BasisKind.NEWTON, 0, 1)
                    .preconditionedBy(made);
            return new SStepSolver(plan, method::solve, stack + " on " + plan,
                    new ScaledSystem(matrix, null, null, false), made, null);
        } catch (RuntimeException | Error e) {
            plan.close();
            throw e;
        }
    }

    private static Method gmres(SolverConfig stack, PartitionedMatrix matrix, HaloPlan plan, int steps,
            VisitTuner tuner) {
        double[] bounds = SStepGmres.bounds(matrix, !stack.preconditioner().equals("none"));
        SStepGmres method =
                new SStepGmres(plan, steps, number(stack, "restart", RESTART), basis(stack), bounds[0], bounds[1])
                        .tunedBy(tuner);
        return (isRitz(stack) ? method.withRitzShifts() : method)::solve;
    }

    private static int number(SolverConfig stack, String name, int otherwise) {
        String text = stack.methodOptions().getOrDefault(name, Integer.toString(otherwise));
        if (!text.matches(name.equals("steps") ? "[1-9][0-9]?" : "[1-9][0-9]{0,3}")) {
            throw new IllegalArgumentException("method " + stack.method() + ": " + name + " is '" + text
                    + "', expected a whole number from 1 to " + (name.equals("steps") ? "99" : "9999"));
        }
        return Integer.parseInt(text);
    }

    private static boolean isRitz(SolverConfig stack) {
        return stack.method().equals(SolverConfig.S_STEP_GMRES)
                && RITZ.equals(stack.methodOptions().getOrDefault("basis", ""));
    }

    private static BasisKind basis(SolverConfig stack) {
        String text = isRitz(stack) ? "newton" : stack.methodOptions().getOrDefault("basis", "chebyshev");
        return Arrays.stream(BasisKind.values()).filter(kind -> name(kind).equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("method " + stack.method() + ": basis is '" + text
                        + "', expected one of " + Arrays.stream(BasisKind.values()).map(SStepSolver::name)
                                .collect(Collectors.joining(", "))
                        + (stack.method().equals(SolverConfig.S_STEP_GMRES) ? ", " + RITZ : "")));
    }

    private static String name(BasisKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Refuses options that are not the method's. */
    static void refuse(SolverConfig stack) {
        number(stack, "steps", STEPS);
        number(stack, "restart", RESTART);
        basis(stack);
        if (stack.method().equals(SolverConfig.S_STEP_GMRES)
                && List.of("amg", "chebyshev").contains(stack.preconditioner())
                && !RITZ.equals(stack.methodOptions().getOrDefault("basis", RITZ))) {
            throw new IllegalArgumentException("method s-step-gmres with preconditioner " + stack.preconditioner()
                    + ": basis is '" + stack.methodOptions().get("basis") + "', expected " + RITZ
                    + ": nothing is known of the spectrum before");
        }
    }

    @Override
    public SolveReport solve(DenseVector right, DenseVector solution, StoppingCriteria criteria,
            IterationObserver observer) {
        updates.multiply(system.scalesRows() ? scale : null, right, b.within(0));
        b.changed();
        updates.multiply(inverseScale, solution, x.within(0));
        x.changed();
        SolveReport report = method.solve(b.within(0), x, criteria, observer);
        updates.multiply(scale, x.within(0), solution);
        return report;
    }

    @Override
    public List<LevelRings> settleRings() {
        if (tuner != null) {
            return List.of(tuner.settle(0));
        }
        return made instanceof TunedRings own ? own.settleRings() : List.of();
    }

    @Override
    public void close() {
        plan.close();
        if (made != null) {
            made.close();
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
