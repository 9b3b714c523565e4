package org.trellis.convert.hipparchus;

import java.util.Map;
import org.hipparchus.exception.LocalizedCoreFormats;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.DefaultIterativeLinearSolverEvent;
import org.hipparchus.linear.PreconditionedIterativeLinearSolver;
import org.hipparchus.linear.RealLinearOperator;
import org.hipparchus.linear.RealVector;
import org.hipparchus.util.IterationManager;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.ArrayOperator;
import org.trellis.solve.krylov.KrylovMethod;

/**
 * A Krylov method of Trellis where Hipparchus takes one of its own, as in place of its {@code ConjugateGradient} or
 * {@code SymmLQ}: GMRES, BiCGStab, MINRES and others, for any operator and preconditioner. A preconditioner is an
 * approximation of the inverse, as in Hipparchus. Listeners hear of initialisation, iterations and termination; what
 * an event calls the solution is the first guess until termination, since the iterate exists only then.
 */
public final class HipparchusIterativeSolver extends PreconditionedIterativeLinearSolver {
    private final KrylovMethod method;
    private final Map<String, String> options;
    private final double tolerance;

    /**
     * Chooses the method.
     *
     * @param method            the method
     * @param options           its options, perhaps none
     * @param maximumIterations iterations after which a {@link MathIllegalStateException} is thrown
     * @param tolerance         the residual's norm as a share of the right-hand side's at which a solution is found
     */
    public HipparchusIterativeSolver(KrylovMethod method, Map<String, String> options, int maximumIterations,
            double tolerance) {
        super(maximumIterations);
        this.method = method;
        this.options = Map.copyOf(options);
        this.tolerance = tolerance;
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param a  the operator
     * @param m  an approximation of its inverse, or null; taken to be symmetric by the methods that need that
     * @param b  the right-hand side
     * @param x0 the first guess, overwritten by the solution
     * @return {@code x0}
     * @throws MathIllegalStateException if the iterations do not suffice, or the method ends without a solution for
     *                                   another reason; says which
     */
    @Override
    public RealVector solveInPlace(RealLinearOperator a, RealLinearOperator m, RealVector b, RealVector x0) {
        checkParameters(a, m, b, x0);
        IterationManager manager = getIterationManager();
        manager.resetIterationCount();
        HostVector x = HostVector.of(x0.toArray());
        manager.fireInitializationEvent(event(0, x0, b, Double.NaN));
        SolveReport report = solve(a, m, HostVector.of(b.toArray()), x, (iteration, norm) -> {
            manager.incrementIterationCount();
            manager.fireIterationPerformedEvent(event(iteration, x0, b, norm));
        });
        x0.setSubVector(0, new ArrayRealVector(x.doubles(), false));
        manager.fireTerminationEvent(event(report.iterations(), x0, b, report.trueResidual()));
        if (report.status() == SolveStatus.ITERATION_LIMIT) {
            throw new MathIllegalStateException(LocalizedCoreFormats.MAX_COUNT_EXCEEDED, manager.getMaxIterations());
        }
        if (!report.converged()) {
            throw new MathIllegalStateException(LocalizedCoreFormats.SIMPLE_MESSAGE, report.toString());
        }
        return x0;
    }

    /** NaN where the norm is not known yet, as events of other solvers have. */
    private DefaultIterativeLinearSolverEvent event(int iteration, RealVector x, RealVector b, double norm) {
        return new DefaultIterativeLinearSolverEvent(this, iteration, x, b, norm);
    }

    private SolveReport solve(RealLinearOperator a, RealLinearOperator m, HostVector b, HostVector x,
            IterationObserver observer) {
        StoppingCriteria criteria = StoppingCriteria.relative(tolerance, getIterationManager().getMaxIterations());
        try (Backend backend = Backends.open("cpu", Configuration.load());
                ArrayOperator matrix = wrapped(a, backend);
                ArrayOperator inverse = m == null ? null : wrapped(m, backend);
                LinearSolver solver = method.prepare(matrix, inverse, backend, options)) {
            return solver.solve(b, x, criteria, observer);
        }
    }

    private static ArrayOperator wrapped(RealLinearOperator of, Backend backend) {
        ArrayOperator.Product product = (x, y) -> copy(of.operate(new ArrayRealVector(x)), y);
        ArrayOperator.Product transposed = (x, y) -> copy(of.operateTranspose(new ArrayRealVector(x)), y);
        return new ArrayOperator(of.getRowDimension(), of.getColumnDimension(), product,
                of.isTransposable() ? transposed : null, true, backend);
    }

    private static void copy(RealVector from, double[] to) {
        System.arraycopy(from.toArray(), 0, to, 0, to.length);
    }
}
