package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.SolverCheckpointScope;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.SystemScale;
import org.trellis.solve.VectorArithmetic;

/**
 * A solver of a system that was multiplied by powers of two, as one of the system that was given: right-hand sides and
 * first guesses are scaled on the way in, solutions and reports on the way out. Its matrix is scaled as a whole before
 * anything is made of it, so that factors, coarse levels and copies in single precision do not over- or underflow,
 * either. Where there is nothing to scale it passes on what it is given.
 *
 * <p>Costs two vectors and a few passes over them where a system is scaled, and else the norms of both vectors.
 */
public final class ScaledSolver implements PreconditionedSolver {
    /** Exponents of entries that preconditioners and copies in single precision can do with. */
    private static final int MAX_EXPONENT = 300;
    private static final int MAX_EXPONENT_SINGLE = 30;
    /** The largest even power that is a normal number, and so is its inverse. */
    private static final int MAX_POWER = 1000;
    private static final int MOST_SINGLE = 120;
    /** By how much norms may differ in single precision. */
    private static final double ROUNDING = 1e-6;

    private final LinearSolver solver;
    private final int matrixExponent;
    private final double largestEntry;
    private final Backend backend;
    private final VectorArithmetic arithmetic;
    private final Runnable closeOwned;

    /**
     * Wraps a solver.
     *
     * @param solver         of the matrix times a power of two; closed with this
     * @param matrixExponent the binary logarithm of that power
     * @param largestEntry   the largest magnitude of an entry of the matrix that was given
     * @param backend        of both
     * @param closeOwned     closes what the solver is made with, after it
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    public ScaledSolver(LinearSolver solver, int matrixExponent, double largestEntry, Backend backend,
            Runnable closeOwned) {
        this.solver = solver;
        this.matrixExponent = matrixExponent;
        this.largestEntry = largestEntry;
        this.backend = backend;
        this.closeOwned = closeOwned;
        this.arithmetic = new VectorArithmetic(backend);
    }

    /**
     * Chooses by what power of two a matrix is multiplied before solvers are made of it.
     *
     * @param precision    of the matrix
     * @param mixed        whether copies of it are in single precision
     * @param largestEntry the largest magnitude of its entries
     * @return the binary logarithm, an even number, whose square roots are exact; 0 for matrices of ordinary size
     */
    public static int matrixExponent(Precision precision, boolean mixed, double largestEntry) {
        boolean single = mixed || precision == Precision.F32;
        int most = precision == Precision.F32 ? MOST_SINGLE : MAX_POWER;
        if (largestEntry == 0 || !Double.isFinite(largestEntry)) {
            return 0;
        }
        int exponent = Math.getExponent(largestEntry);
        return Math.abs(exponent) <= (single ? MAX_EXPONENT_SINGLE : MAX_EXPONENT)
                ? 0
                : Math.clamp(-2L * (exponent / 2), -most, most);
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        double normOfB = FiniteInput.rightHandSide(b, arithmetic);
        double normOfX = FiniteInput.norm("first guess", x, arithmetic);
        if (normOfB == 0 && criteria.absoluteTolerance() == 0 && !criteria.toFirstResidual()) {
            arithmetic.clear(x, x);
        }
        int exponent = SystemScale.of(b.precision(), false, largestEntry, Math.max(normOfB, largestEntry * normOfX))
                .residualExponent();
        if (exponent == 0 && matrixExponent == 0) {
            return solver.solve(b, x, criteria, observer);
        }
        try (SolverCheckpointScope told = SolverCheckpointScope.of(this + ", which scales them,", false, null, b, x);
                DenseVector right = backend.vector(b.precision(), b.length());
                DenseVector solution = backend.vector(x.precision(), x.length())) {
            int step = matrixExponent - exponent;
            arithmetic.multiply(exponent, told.b(), right);
            arithmetic.multiply(-step, told.x(), solution);
            SolveReport report = solver.solve(right, solution,
                    criteria.withAbsolute(
                            Math.min(Double.MAX_VALUE, Math.scalb(criteria.absoluteTolerance(), exponent))),
                    observer.unlessNone(
                            (iteration, norm) -> observer.iterated(iteration, Math.scalb(norm, -exponent))));
            arithmetic.multiply(step, solution, told.x());
            return isRepresentable(step, solution, told.x(), right)
                    ? scaled(report, exponent, report.status(), "")
                    : scaled(report, exponent, SolveStatus.BREAKDOWN, String.format(Locale.ROOT,
                            "the solution, whose norm is about 1e%+.0f, has elements that are no normal numbers in "
                                    + "%s; scale the system: ",
                            Math.log10(arithmetic.norm(solution)) + step * Math.log10(2), x.precision().label()));
        }
    }

    /** Says whether a solution is the same, but for rounding, as numbers of its precision hold it. */
    private boolean isRepresentable(int step, DenseVector scaled, DenseVector x, DenseVector lent) {
        if (lent.length() != x.length()) {
            double norm = Math.scalb(arithmetic.norm(x), -step);
            return Math.abs(norm - arithmetic.norm(scaled)) <= ROUNDING * norm;
        }
        arithmetic.multiply(-step, x, lent);
        arithmetic.update(-1, scaled, 1, lent);
        return arithmetic.norm(lent) <= x.precision().unitRoundoff() * arithmetic.norm(scaled);
    }

    private SolveReport scaled(SolveReport report, int exponent, SolveStatus status, String before) {
        List<Double> history = new ArrayList<>();
        report.residualHistory().forEach(norm -> history.add(Math.scalb(norm, -exponent)));
        return new SolveReport(status, report.iterations(), report.restarts(), history,
                Math.scalb(report.rightHandSideNorm(), -exponent), Math.scalb(report.trueResidual(), -exponent),
                report.seconds(), before + report.detail()
                        + (exponent == 0 ? "" : " (norms of the system times 2^" + exponent + ")"),
                report.facts()).withNotes(
                        List.of("the system was scaled by powers of two, which rounds nothing: the "
                                + "matrix by 2^" + matrixExponent + ", the right-hand side by 2^" + exponent));
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return PreconditionedSolver.of(solver);
    }

    @Override
    public void close() {
        solver.close();
        arithmetic.close();
        closeOwned.run();
    }

    @Override
    public String toString() {
        return solver.toString();
    }
}
