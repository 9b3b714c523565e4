package org.trellis.solve;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Solves {@code A x = b} in one line. A symmetric matrix with a positive diagonal goes to {@link ConjugateGradient
 * conjugate gradients} with a {@link JacobiPreconditioner Jacobi preconditioner}; anything else, and what they do not
 * solve, to an {@link SparseLu LU factorisation} if it has at most {@value #LARGEST_DIRECT} rows. What is done, and how
 * often, is better chosen by those who know their matrix: {@link ConjugateGradient},
 * {@link org.trellis.solve.direct.SparseCholesky} and {@link SparseLu} are as public as this.
 */
public final class LinearSystems {
    /** The most rows that are factorised. */
    public static final int LARGEST_DIRECT = 1_000_000;
    private static final double DOUBLE_TOLERANCE = 1e-10;
    private static final double FLOAT_TOLERANCE = 1e-5;
    private static final int MOST_ITERATIONS = 20_000;
    /** Below so many non-zeros the calling thread works alone. */
    private static final int SMALL = 1 << 15;

    private LinearSystems() {}

    /** How a system was solved. */
    public enum Method {
        /** Conjugate gradients with a Jacobi preconditioner. */
        CONJUGATE_GRADIENT,
        /** An LU factorisation. */
        LU
    }

    /**
     * A solution.
     *
     * @param x        the solution, of the precision of the right-hand side
     * @param method   how it was found
     * @param residual {@code ‖b - A x‖₂ / ‖b‖₂}, computed from the result in double precision; 0 for {@code b = 0}
     */
    public record Solution(HostVector x, Method method, double residual) {}

    /**
     * Solves a system.
     *
     * @param a a square matrix
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if the matrix is not square, {@code b} has another length, or an entry or an
     *                                  element is not finite; names the first
     * @throws ArithmeticException      if none of the methods applies or solves it, or the solution exceeds what
     *                                  numbers of its precision hold; says why
     */
    public static double[] solve(CsrMatrix a, double[] b) {
        return solve(a, HostVector.of(b)).x().doubles();
    }

    /**
     * Solves a system. For doubles conjugate gradients end at a residual of {@code 1e-10 ‖b‖₂}, for floats at
     * {@code 1e-5 ‖b‖₂}. Costs a test of symmetry, which is a transposition, and what the method costs.
     *
     * @param a a square matrix
     * @param b the right-hand side, in either precision
     * @return the solution and how it was found
     * @throws IllegalArgumentException if the matrix is not square, {@code b} has another length, or an entry or an
     *                                  element is not finite; names the first
     * @throws ArithmeticException      if none of the methods applies or solves it, or the solution exceeds what
     *                                  numbers of its precision hold; says why
     */
    public static Solution solve(CsrMatrix a, HostVector b) {
        if (a.rows() != a.columns()) {
            throw new IllegalArgumentException("linear system with " + a + ", expected a square matrix");
        }
        Checks.length("length of b", b.length(), a.rows());
        requireFinite(a, b);
        String objection = objectionToConjugateGradients(a);
        if (objection == null) {
            HostVector x = HostVector.zeros(a.precision(), a.rows());
            SolveReport report = iterate(a, b.convert(a.precision()), x);
            if (report.converged()) {
                return solution(a, x, b, Method.CONJUGATE_GRADIENT);
            }
            objection = "they ended with " + report;
        }
        return factorise(a, b, "conjugate gradients: " + objection);
    }

    /** Says why conjugate gradients cannot be used, or returns null. */
    private static String objectionToConjugateGradients(CsrMatrix a) {
        HostVector diagonal = a.diagonal();
        for (int row = 0; row < diagonal.length(); row++) {
            if (!(diagonal.get(row) > 0) || !Double.isFinite(1 / diagonal.get(row))) {
                return "the diagonal element of row " + row + " is " + diagonal.get(row)
                        + ", expected a positive number whose inverse is finite";
            }
        }
        double tolerance = 16 * a.precision().unitRoundoff();
        return a.closeTo(a.transpose(), tolerance, 0) ? null : "the matrix is not symmetric";
    }

    private static SolveReport iterate(CsrMatrix a, HostVector b, HostVector x) {
        boolean single = a.precision() == Precision.F32;
        StoppingCriteria criteria = StoppingCriteria.relative(single ? FLOAT_TOLERANCE : DOUBLE_TOLERANCE,
                Math.min(MOST_ITERATIONS, 10 * a.rows() + 10));
        String backendName = a.nonZeros() < SMALL ? "reference" : "threads";
        try (Backend backend = Backends.open(backendName, Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                JacobiPreconditioner jacobi = JacobiPreconditioner.of(a, backend);
                ConjugateGradient solver = new ConjugateGradient(product, jacobi, backend)) {
            return solver.solve(b, x, criteria, ProgressListener.NONE);
        }
    }

    private static Solution factorise(CsrMatrix a, HostVector b, String before) {
        if (a.rows() > LARGEST_DIRECT) {
            throw new ArithmeticException("linear system with " + a + ": " + before + "; LU factorisation: more than "
                    + LARGEST_DIRECT + " rows");
        }
        try {
            return solution(a, SparseLu.of(a).solve(b), b, Method.LU);
        } catch (FactorisationException e) {
            ArithmeticException unsolved = new ArithmeticException("linear system with " + a + ": " + before + "; "
                    + e.getMessage());
            unsolved.initCause(e);
            throw unsolved;
        }
    }

    private static Solution solution(CsrMatrix a, HostVector x, HostVector b, Method method) {
        for (int row = 0; row < x.length(); row++) {
            if (!Double.isFinite(x.get(row))) {
                throw new ArithmeticException("linear system with " + a + ": " + method + " leads to a solution whose "
                        + "element " + row + " is " + x.get(row) + ", expected numbers: it exceeds what "
                        + x.precision().label() + " holds, or the matrix is singular but for rounding");
            }
        }
        // Powers of two near the size of both bring products into range, and round nothing.
        double[] right = b.toDoubleArray();
        double normOfB = VectorArithmetic.norm(right);
        if (normOfB == 0) {
            return new Solution(x.convert(b.precision()), method, 0);
        }
        int ofX = Math.getExponent(Math.max(Double.MIN_NORMAL, VectorArithmetic.norm(x.toDoubleArray())));
        int ofB = Math.getExponent(Math.max(Double.MIN_NORMAL, normOfB));
        double[] residual = new double[right.length];
        for (int row = 0; row < residual.length; row++) {
            residual[row] = Math.scalb(right[row], -ofB);
        }
        a.forEachEntry((i, j, value) -> residual[i] -= Math.scalb(value * Math.scalb(x.get(j), -ofX), ofX - ofB));
        HostVector found = x.precision() == b.precision() ? x : x.convert(b.precision());
        return new Solution(found, method, VectorArithmetic.norm(residual) / Math.scalb(normOfB, -ofB));
    }

    private static void requireFinite(CsrMatrix a, HostVector b) {
        FiniteInput.largestEntry("linear system", a);
        for (int row = 0; row < b.length(); row++) {
            if (!Double.isFinite(b.get(row))) {
                throw new IllegalArgumentException("linear system with " + a + ": row " + row
                        + " of the right-hand side is " + b.get(row) + ", expected a finite number");
            }
        }
    }
}
