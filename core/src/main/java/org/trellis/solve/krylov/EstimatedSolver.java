package org.trellis.solve.krylov;

import java.util.Optional;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ErrorEstimate;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorArithmetic;
import org.trellis.solve.direct.ConditionEstimate;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixNorms;

/**
 * Says how far solutions may be off where the method does not know. The mean of {@code ‖A⁻¹ z‖²} over random z of
 * variance 1 is {@code ‖A⁻¹‖²} in the Frobenius norm, so one solution for such a right-hand side estimates that norm
 * (C. Kenney and A. Laub, "Small-sample statistical condition estimates for general matrix functions", SIAM J. Sci.
 * Comput. 15, 1994), most often within a factor of 10. It is made with the solver itself, to three digits, once for a
 * matrix, and takes no more iterations and time than the solution before it. Where it does not converge, the matrix is
 * factorised if that is little work. Where the {@linkplain Dominance diagonal dominates}, none of this is needed: then
 * there is a bound, which is no estimate.
 */
final class EstimatedSolver implements PreconditionedSolver {
    /** Beyond so many rows another solution may be missed. */
    static final int MOST_ROWS = 20_000;

    /** Less would leave out the directions that are hard to find, in which an inverse is large. */
    private static final double ACCURACY = 1e-3;
    private static final int LEAST_ITERATIONS = 20;
    private static final double LEAST_SECONDS = 0.01;
    /** A tenth of a second, where the machine has nothing else to do. */
    private static final double MOST_OPERATIONS = 1e8;
    private static final double FACTOR_SECONDS = 0.5;
    private static final long SEED = 0x5eed;

    private final LinearSolver solver;
    private final Backend backend;
    private CsrMatrix matrix;
    private Optional<Dominance> dominance;
    /** Norms of the matrix and of its inverse, and how they were found; null before they are asked for. */
    private Norms norms;

    private record Norms(double matrix, double inverse, String basis) {}

    private EstimatedSolver(LinearSolver solver, CsrMatrix matrix, Optional<Dominance> dominance, Backend backend) {
        this.solver = solver;
        this.matrix = matrix;
        this.dominance = dominance;
        this.backend = backend;
    }

    /**
     * Takes a solver over, if its matrix is square and not too large or its diagonal dominates.
     *
     * @param solver  closed by what is returned
     * @param matrix  its matrix
     * @param backend where its vectors are
     * @return a solver that closes it, or the solver itself
     */
    static LinearSolver of(LinearSolver solver, CsrMatrix matrix, Backend backend) {
        return matrix.rows() == matrix.columns() ? of(solver, matrix, Dominance.of(matrix), backend) : solver;
    }

    /**
     * Takes a solver over whose matrix is square.
     *
     * @param solver    closed by what is returned
     * @param matrix    its matrix
     * @param dominance what was found by {@link Dominance#of}
     * @param backend   where its vectors are
     * @return a solver that closes it, or the solver itself
     */
    static LinearSolver of(LinearSolver solver, CsrMatrix matrix, Optional<Dominance> dominance, Backend backend) {
        return matrix.rows() <= MOST_ROWS || dominance.isPresent()
                ? new EstimatedSolver(solver, matrix, dominance, backend)
                : solver;
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        long start = System.nanoTime();
        SolveReport report = solver.solve(b, x, criteria, observer);
        double spent = (System.nanoTime() - start) * 1e-9;
        double left = criteria.maximumSeconds() - spent;
        if (!report.converged() || (report.facts().error().isKnown() && dominance.isEmpty()) || !(left > 0)) {
            return report;
        }
        double[] solution = onHost(x);
        double size = VectorArithmetic.norm(solution);
        if (!(size > 0) || !(report.rightHandSideNorm() > 0)) {
            return report;
        }
        if (dominance.isPresent()) {
            return report.withError(bound(dominance.get(), onHost(b), solution, size, x.precision()));
        }
        if (matrix.rows() > MOST_ROWS) {
            return report;
        }
        if (norms == null) {
            norms = norms(x, Math.max(LEAST_ITERATIONS, report.iterations()),
                    Math.min(left, Math.max(LEAST_SECONDS, spent)));
        }
        return report.withError(estimate(size, report, x));
    }

    /** An error relative to the exact solution, of which what was found may be an error away. */
    private ErrorEstimate bound(Dominance dominant, double[] b, double[] x, double size, Precision precision) {
        double error = dominant.error(b, x);
        double relative = error < size ? error / (size - error) : Double.POSITIVE_INFINITY;
        double condition = Math.max(1, MatrixNorms.infinity(matrix) * dominant.inverse());
        return new ErrorEstimate(condition, Math.max(relative, precision.unitRoundoff()),
                "in the maximum norm, a bound by the dominance of the diagonal");
    }

    private ErrorEstimate estimate(double size, SolveReport report, DenseVector x) {
        double inverse = Math.max(norms.inverse, size / report.rightHandSideNorm());
        double condition = Math.max(1, norms.matrix * inverse);
        double bound = Math.max(inverse * report.trueResidual() / size, condition * x.precision().unitRoundoff());
        return new ErrorEstimate(condition, bound, norms.basis);
    }

    /** Solves for a random right-hand side, or factorises. */
    private Norms norms(DenseVector like, int iterations, double seconds) {
        int n = matrix.rows();
        SplittableRandom random = new SplittableRandom(SEED);
        HostVector z = HostVector.of(like.precision(), n, i -> random.nextGaussian());
        HostVector y = HostVector.zeros(like.precision(), n);
        boolean converged;
        try (DenseVector right = backend.vector(like.precision(), n);
                DenseVector solution = backend.vector(like.precision(), n)) {
            right.copyFrom(z);
            converged = solver.solve(right, solution, StoppingCriteria.relative(ACCURACY, iterations).within(seconds),
                    IterationObserver.NONE).converged();
            solution.copyTo(y);
        }
        double[] found = y.toDoubleArray();
        double image = VectorArithmetic.norm(matrix.multiply(found));
        double quotient = VectorArithmetic.norm(found) * Math.sqrt(n) / image;
        if (converged && Double.isFinite(quotient)) {
            return new Norms(MatrixNorms.frobenius(matrix), quotient,
                    "in the Frobenius norm, by a solution for a random right-hand side");
        }
        return factorised(Math.max(seconds, FACTOR_SECONDS))
                .orElseGet(() -> new Norms(MatrixNorms.frobenius(matrix), Double.isFinite(quotient) ? quotient : 0,
                        "a lower bound: a solution for a random right-hand side did not converge"));
    }

    private Optional<Norms> factorised(double seconds) {
        try (DirectSolver direct = DirectSolver.of(matrix, true,
                LuOptions.defaults().with(FactorLimits.ofHeap().within(seconds)), MOST_OPERATIONS)) {
            double columns = ConditionEstimate.oneNorm(matrix);
            return Optional.of(new Norms(columns, direct.condition() / columns,
                    "in the 1-norm, by Hager's and Higham's method with factors made for it"));
        } catch (FactorisationException e) {
            return Optional.empty();
        }
    }

    private static double[] onHost(DenseVector v) {
        HostVector copy = HostVector.zeros(v.precision(), v.length());
        v.copyTo(copy);
        return copy.toDoubleArray();
    }

    @Override
    public void valuesChanged(CsrMatrix values) {
        matrix = values;
        dominance = Dominance.of(values);
        norms = null;
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return PreconditionedSolver.of(solver);
    }

    @Override
    public void close() {
        solver.close();
    }

    @Override
    public String toString() {
        return solver.toString();
    }
}
