package org.trellis.solve.krylov;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ErrorEstimate;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LanczosCoefficients;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.ResidualHistory;
import org.trellis.solve.SolveFacts;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.CsrMatrix;

/**
 * Conjugate gradients or GMRES with an incomplete factorisation, on the host by one thread, that end as soon as what is
 * left to do is more work than another method: the residuals so far are extrapolated. An easy system is solved in less
 * time than its factorisation takes to analyse, and a hard one loses a few iterations.
 *
 * <p>Corrections of a first guess are computed for a residual that is scaled by a power of two. The residual is
 * recomputed from the solution, rounded to the precision of the vectors, before that is called one.
 */
final class TrialIterations implements LinearSolver {
    /** The longest cycle of GMRES. */
    static final int RESTART = 50;

    /** Iterations before anything is extrapolated, and that this is done from. */
    private static final int LEAST = 3;
    /** Of all iterations, the latest ones from which the next are extrapolated. */
    private static final double LATEST = 0.8;
    /** Nanoseconds for each entry of the matrix: less than most factorisations take, which need not be counted then. */
    private static final double CHEAP = 200;
    /** Many times that is left in the first iterations, so many, which are often the slowest. */
    private static final double PATIENT = 1.5;
    private static final int FIRST = 12;
    /** Rows from which on the factors of a mesh take many times the memory of its matrix. */
    private static final int LARGE = 5_000;
    /**
     * Nanoseconds for each entry of such a mesh that GMRES may take before factors are counted: a quarter of what a
     * factorisation takes. Residuals of convection may fall only after it has been carried through the mesh. Of meshes
     * with more rows than have their errors estimated, that takes more iterations than there is time for.
     */
    private static final double UNCOUNTED = 250;
    /** Of these iterations, the latest ones from which the next are extrapolated. */
    private static final double LATEST_OF_MESH = 0.25;
    /** Nanoseconds for each entry of the matrix from which on other methods take over without a look. */
    private static final double DEAR = 4000;
    /** What an iteration leaves of the residual at least where there is no hope. */
    private static final double HOPELESS = 0.985;
    /** Of the square of a vector's length: what projections leave that are to be subtracted once more. */
    private static final double LITTLE = 1e-4;
    /** Of the square of a vector's length: what is rounding alone. */
    private static final double ROUNDING = 0x1p-100;

    /** Nanoseconds for each entry of the matrix. */
    private static final double TIME_OF_ENTRY = 2.5;
    /** Nanoseconds for each element of the vectors of conjugate gradients. */
    private static final double TIME_OF_CONJUGATE = 10;
    /** Nanoseconds for each element of the vectors of GMRES. */
    private static final double TIME_OF_BASIS = 30;
    /**
     * GMRES has its error estimated by another solution to three digits. Conjugate gradients have not, but what their
     * residuals are extrapolated to is the more uncertain.
     */
    private static final double WITH_ESTIMATE = 1.4;

    private final WholeMatrix matrix;
    private final TrialPreconditioner factors;
    private final Alternative alternative;
    /** Whether the method is conjugate gradients and no other takes over. */
    private final boolean only;
    private final boolean estimated;
    private final double setup;
    private double[][] basis = new double[0][];
    /** Whether the method is conjugate gradients, until these show that the matrix is indefinite. */
    private boolean conjugate;
    /** Whether the matrix is that of a large mesh. */
    private final boolean mesh;
    /** Time of the alternative: at least so much, exactly that if it is known. */
    private double bound;
    private boolean exact;
    /** Iterations of solutions so far: others may take twice as many. */
    private int taken;

    /** Another method. */
    @FunctionalInterface
    interface Alternative {
        /**
         * Estimates its time.
         *
         * @param enough nanoseconds; more need not be known exactly
         * @return nanoseconds, or infinity if it is more than enough
         */
        double time(double enough);
    }

    /**
     * Takes factors.
     *
     * @param matrix      the matrix
     * @param factors     its factors; null for GMRES without a preconditioner
     * @param alternative the method that these iterations are compared with; null for none
     * @param estimated   whether the error is to be estimated, by conjugate gradients from their coefficients
     * @param setup       seconds that the factors took
     */
    TrialIterations(WholeMatrix matrix, TrialFactors factors, Alternative alternative, boolean estimated,
            double setup) {
        this(matrix, factors, alternative, estimated, setup, false);
    }

    private TrialIterations(WholeMatrix matrix, TrialPreconditioner factors, Alternative alternative,
            boolean estimated, double setup, boolean only) {
        this.estimated = estimated;
        this.only = only;
        this.matrix = matrix;
        this.factors = factors;
        this.alternative = alternative;
        this.setup = setup;
        this.conjugate = factors != null && factors.isDefinite();
        this.mesh = alternative != null && matrix.rows() >= LARGE && matrix.rows() <= EstimatedSolver.MOST_ROWS
                && matrix.isMesh();
    }

    /**
     * Prepares conjugate gradients with the diagonal, or with nothing, that are compared with no other method and end
     * where the matrix is seen to be indefinite.
     */
    static TrialIterations conjugateGradients(CsrMatrix matrix, boolean jacobi) {
        long start = System.nanoTime();
        WholeMatrix whole = WholeMatrix.of(matrix);
        DiagonalFactors diagonal = jacobi ? DiagonalFactors.of(whole) : DiagonalFactors.none();
        return new TrialIterations(whole, diagonal, null, true, (System.nanoTime() - start) * 1e-9, true);
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        Checks.length("length of b", b.length(), matrix.rows());
        Checks.length("length of x", x.length(), matrix.rows());
        double[] right = onHost(b);
        double[] solution = onHost(x);
        FiniteInput.require("right-hand side", right);
        FiniteInput.require("first guess", solution);
        Run run = new Run(right, solution, x.precision(), criteria, observer);
        run.solve();
        taken = run.history.hasConverged() ? Math.max(taken, run.history.iterations()) : taken;
        x.copyFrom(HostVector.of(solution).convert(x.precision()));
        return run.history.report(new SolveFacts(conjugate ? "cg" : "gmres(" + RESTART + ")", preconditioner(), setup,
                0, (long) Double.BYTES * matrix.rows() * (basis.length + 5), List.of(),
                estimated && conjugate ? run.errorEstimate() : ErrorEstimate.UNKNOWN));
    }

    private String preconditioner() {
        return factors == null ? "none" : factors.label(conjugate) + " on one thread";
    }

    private static double[] onHost(DenseVector v) {
        HostVector copy = HostVector.zeros(v.precision(), v.length());
        v.copyTo(copy);
        return copy.toDoubleArray();
    }

    /** Returns why it is not worth to go on with a method that began after an iteration; null if it is. */
    private String reasonToStop(ResidualHistory history, int begin) {
        int done = history.iterations() - begin;
        if (alternative == null || done < Math.max(LEAST, 2 * taken)) {
            return null;
        }
        int window = Math.max(LEAST, (int) ((mesh && !conjugate ? LATEST_OF_MESH : LATEST) * done));
        double factor = Math.pow(history.last() / history.norm(begin + done - window), 1.0 / window);
        double left = factor < 1
                ? Math.log(history.limit() / history.last()) / Math.log(factor)
                : Double.POSITIVE_INFINITY;
        if (factor <= HOPELESS && isWorth(done, left)) {
            return null;
        }
        return String.format(Locale.ROOT, "an iteration leaves %.2g of the residual, so that %s more would follow, "
                + "which take longer than a factorisation", factor,
                left < Integer.MAX_VALUE ? "some " + Math.round(left) : "endlessly many");
    }

    /** Returns nanoseconds for product, factors and vectors, and for its share of an estimate of the error. */
    private double timeOfIteration() {
        boolean again = estimated && matrix.rows() <= EstimatedSolver.MOST_ROWS;
        return (again ? WITH_ESTIMATE : 1) * (TIME_OF_ENTRY * matrix.nonZeros()
                + (conjugate ? TIME_OF_CONJUGATE : TIME_OF_BASIS) * matrix.rows());
    }

    /** Says whether to go on, by the iterations that were done and that are left. */
    private boolean isWorth(int done, double more) {
        double spent = done * timeOfIteration();
        double left = more * timeOfIteration();
        double cheap = CHEAP * matrix.nonZeros();
        if (mesh && !conjugate && spent <= UNCOUNTED * matrix.nonZeros()) {
            return true;
        }
        if (left <= cheap * (done < FIRST ? PATIENT : 1) && spent <= 2 * cheap) {
            return true;
        }
        if (left > DEAR * matrix.nonZeros()) {
            return false;
        }
        if (!exact && left > bound) {
            double enough = 2 * left;
            double time = alternative.time(enough);
            exact = time < Double.POSITIVE_INFINITY;
            bound = exact ? time : enough;
        }
        return left < bound;
    }

    /** The least squares problem of GMRES, kept triangular by rotations (Saad, section 6.5.3). */
    private static final class LeastSquares {
        private final double[][] triangle = new double[RESTART][];
        private final double[] cosines = new double[RESTART];
        private final double[] sines = new double[RESTART];
        private final double[] right = new double[RESTART + 1];

        LeastSquares(double norm) {
            right[0] = norm;
        }

        /** Returns room for the coefficients of the next column. */
        double[] column(int j) {
            triangle[j] = new double[j + 1];
            return triangle[j];
        }

        /** Takes the column and what is below its diagonal; returns the norm of the residual. */
        double rotate(int j, double below) {
            double[] column = triangle[j];
            for (int k = 0; k < j; k++) {
                double above = column[k];
                column[k] = cosines[k] * above + sines[k] * column[k + 1];
                column[k + 1] = cosines[k] * column[k + 1] - sines[k] * above;
            }
            double length = Math.hypot(column[j], below);
            cosines[j] = length == 0 ? 1 : column[j] / length;
            sines[j] = length == 0 ? 0 : below / length;
            column[j] = length;
            right[j + 1] = -sines[j] * right[j];
            right[j] *= cosines[j];
            return Math.abs(right[j + 1]);
        }

        /** Returns the weights of the first basis vectors. */
        double[] solution(int count) {
            double[] y = new double[count];
            for (int k = count - 1; k >= 0; k--) {
                double sum = right[k];
                for (int j = k + 1; j < count; j++) {
                    sum -= triangle[j][k] * y[j];
                }
                y[k] = sum / triangle[k][k];
            }
            return y;
        }
    }

    private void precondition(double[] r, double[] z) {
        if (factors != null) {
            factors.solve(r, z);
        } else if (z != r) {
            System.arraycopy(r, 0, z, 0, r.length);
        }
    }

    private double[] vector(int k) {
        if (k == basis.length) {
            basis = Arrays.copyOf(basis, k + 1);
            basis[k] = new double[matrix.rows()];
        }
        return basis[k];
    }

    /** Makes a vector orthogonal to the first ones, twice where little is left of it; returns what is left. */
    private double orthogonalise(int count, double[] w, double[] column) {
        double before = dot(w, w);
        double after = subtractProjections(count, w, column);
        if (after < LITTLE * before) {
            after = subtractProjections(count, w, column);
        }
        return after <= ROUNDING * before ? 0 : Math.sqrt(after);
    }

    /** Classical Gram-Schmidt in blocks of four; returns the square of what is left. */
    private double subtractProjections(int count, double[] w, double[] column) {
        int k = 0;
        for (; k + 3 < count; k += 4) {
            subtractFour(k, w, column);
        }
        for (; k < count; k++) {
            double product = dot(basis[k], w);
            column[k] += product;
            add(-product, basis[k], w);
        }
        return dot(w, w);
    }

    private void subtractFour(int k, double[] w, double[] column) {
        double[] u0 = basis[k];
        double[] u1 = basis[k + 1];
        double[] u2 = basis[k + 2];
        double[] u3 = basis[k + 3];
        double c0 = 0;
        double c1 = 0;
        double c2 = 0;
        double c3 = 0;
        for (int i = 0; i < w.length; i++) {
            double element = w[i];
            c0 += u0[i] * element;
            c1 += u1[i] * element;
            c2 += u2[i] * element;
            c3 += u3[i] * element;
        }
        for (int i = 0; i < w.length; i++) {
            w[i] -= c0 * u0[i] + c1 * u1[i] + c2 * u2[i] + c3 * u3[i];
        }
        column[k] += c0;
        column[k + 1] += c1;
        column[k + 2] += c2;
        column[k + 3] += c3;
    }

    /** Four sums, whose additions need not wait for each other. */
    private static double dot(double[] u, double[] v) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i + 3 < u.length; i += 4) {
            a += u[i] * v[i];
            b += u[i + 1] * v[i + 1];
            c += u[i + 2] * v[i + 2];
            d += u[i + 3] * v[i + 3];
        }
        for (; i < u.length; i++) {
            a += u[i] * v[i];
        }
        return a + b + (c + d);
    }

    private static void add(double factor, double[] u, double[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * u[i];
        }
    }

    /** One solution. */
    private final class Run {
        private final double[] b;
        private final double[] x;
        private final double[] residual;
        private final Precision precision;
        private final ResidualHistory history;
        private final IterationObserver observer;
        private final LanczosCoefficients lanczos = new LanczosCoefficients();
        /** The binary logarithm of what residuals are divided by. */
        private int exponent;
        /** The iteration before the first one of the method. */
        private int begin;
        private boolean gaveUp;

        Run(double[] b, double[] x, Precision precision, StoppingCriteria criteria, IterationObserver observer) {
            this.b = b;
            this.x = x;
            this.precision = precision;
            this.observer = observer;
            residual = new double[b.length];
            history = new ResidualHistory(criteria, VectorArithmetic.norm(b), precision);
        }

        void solve() {
            matrix.residual(b, x, residual);
            history.begin(VectorArithmetic.norm(residual));
            while (history.goesOn()) {
                scale();
                if (conjugate) {
                    conjugateGradients();
                }
                if (!conjugate) {
                    cycle();
                }
            }
        }

        private void scale() {
            exponent = Math.getExponent(VectorArithmetic.norm(residual));
            for (int i = 0; i < residual.length; i++) {
                residual[i] = Math.scalb(residual[i], -exponent);
            }
        }

        /** Adds a correction and recomputes the residual; returns its norm. */
        private double correct(double[] correction) {
            for (int i = 0; i < x.length; i++) {
                double sum = x[i] + Math.scalb(correction[i], exponent);
                x[i] = precision == Precision.F32 ? (float) sum : sum;
            }
            matrix.residual(b, x, residual);
            return VectorArithmetic.norm(residual);
        }

        private void record(double norm) {
            history.add(Math.scalb(norm, exponent));
            observer.iterated(history.iterations(), history.last());
            if (history.goesOn() && !history.wantsTrueResidual()) {
                String reason = reasonToStop(history, begin);
                if (reason != null) {
                    gaveUp = true;
                    history.giveUp(reason);
                }
            }
        }

        private boolean goesOn() {
            return history.goesOn() && !history.wantsTrueResidual();
        }

        /** Conjugate gradients (Saad, algorithm 9.1) until the true residual is asked for or the history ends. */
        private void conjugateGradients() {
            int n = x.length;
            double[] r = residual.clone();
            double[] correction = new double[n];
            double[] z = new double[n];
            double[] q = new double[n];
            precondition(r, z);
            double[] p = z.clone();
            double rz = dot(r, z);
            lanczos.restart();
            while (goesOn()) {
                matrix.multiply(p, q);
                double curvature = dot(p, q);
                if (!(curvature * rz > 0) && only) {
                    history.breakDown((rz > 0 ? "p^T A p is " + curvature : "r^T M^-1 r is " + rz)
                            + ": the matrix or the preconditioner is not positive definite");
                    return;
                }
                if (!(curvature * rz > 0)) {
                    conjugate = false; // The matrix is indefinite though its incomplete factors are not.
                    begin = history.iterations();
                    break;
                }
                lanczos.add(Math.abs(rz), Math.abs(curvature));
                double alpha = rz / curvature;
                add(alpha, p, correction);
                add(-alpha, q, r);
                record(Math.sqrt(dot(r, r)));
                if (goesOn()) {
                    precondition(r, z);
                    double next = dot(r, z);
                    double beta = next / rz;
                    rz = next;
                    for (int i = 0; i < n; i++) {
                        p[i] = z[i] + beta * p[i];
                    }
                }
            }
            if (!gaveUp && conjugate) {
                end(correction, false);
            }
        }

        /** Bounds the error in the energy norm, as {@link ErrorEstimate} says. */
        ErrorEstimate errorEstimate() {
            double least = lanczos.least();
            double condition = lanczos.largest() / least;
            if (!history.hasConverged() || !(condition >= 1)) {
                return ErrorEstimate.UNKNOWN;
            }
            scale();
            double[] z = new double[x.length];
            precondition(residual, z);
            double error = Math.scalb(Math.sqrt(Math.abs(dot(residual, z)) / least), exponent);
            return ErrorEstimate.ofEnergy(condition, error, Math.abs(dot(x, b)), condition * precision.unitRoundoff());
        }

        private void end(double[] correction, boolean cycleIsOver) {
            if (!Double.isFinite(VectorArithmetic.norm(correction))) {
                history.breakDown("the correction is not finite: the matrix is singular or nearly so");
                return;
            }
            double norm = correct(correction);
            if (!history.goesOn()) {
                history.finish(norm);
            } else if (cycleIsOver) {
                history.cycle(norm, "a cycle of " + RESTART + " iterations");
            } else {
                history.replace(norm);
            }
        }

        /** A cycle of GMRES, preconditioned from the right (Saad, algorithm 9.5). */
        private void cycle() {
            int n = x.length;
            double norm = Math.sqrt(dot(residual, residual));
            LeastSquares small = new LeastSquares(norm);
            double[] z = new double[n];
            double[] first = vector(0);
            for (int i = 0; i < n; i++) {
                first[i] = residual[i] / norm;
            }
            int j = 0;
            while (j < RESTART && goesOn()) {
                double[] w = vector(j + 1);
                precondition(basis[j], z);
                matrix.multiply(z, w);
                double[] column = small.column(j);
                double length = orthogonalise(j + 1, w, column);
                record(small.rotate(j, length));
                j++;
                if (length == 0) {
                    break;
                }
                if (goesOn()) {
                    double inverse = 1 / length;
                    for (int i = 0; i < n; i++) {
                        w[i] *= inverse;
                    }
                }
            }
            if (!gaveUp) {
                end(combined(small.solution(j)), !history.wantsTrueResidual());
            }
        }

        private double[] combined(double[] weights) {
            double[] sum = new double[x.length];
            for (int k = 0; k < weights.length; k++) {
                add(weights[k], basis[k], sum);
            }
            precondition(sum, sum);
            return sum;
        }
    }

    /** Holds nothing but Java arrays. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return (conjugate ? "cg" : "gmres(" + RESTART + ")") + " with " + preconditioner();
    }
}
