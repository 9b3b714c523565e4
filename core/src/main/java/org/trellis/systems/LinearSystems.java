package org.trellis.systems;

import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;

/**
 * Solves {@code A x = b} in one line, by {@link Solvers#auto(CsrMatrix)}. Keep the solver to solve with one matrix
 * more than once.
 */
public final class LinearSystems {
    /** The most rows of a matrix that is inverted. */
    public static final int LARGEST_INVERSE = 10_000;

    private LinearSystems() {}

    /**
     * Solves a system.
     *
     * @param a a square matrix
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if the matrix is not square, {@code b} has another length, or an entry or an
     *                                  element is not finite; names the first
     * @throws ArithmeticException      if nothing that was tried solves it; says what, and why not
     */
    public static double[] solve(CsrMatrix a, double[] b) {
        return solve(a, HostVector.of(b)).x();
    }

    /**
     * Solves a system of complex numbers by its {@linkplain ComplexCsr#realForm real form}.
     *
     * @param a a square matrix
     * @param b the right-hand side, interleaved
     * @return the solution, a new array of interleaved elements
     * @throws IllegalArgumentException if the matrix is not square, {@code b} has another length than twice its rows,
     *                                  or an entry or an element is not finite; names the first
     * @throws ArithmeticException      if nothing that was tried solves it; says what, and why not
     */
    public static double[] solve(ComplexCsr a, double[] b) {
        return solve(a.realForm(), b);
    }

    /**
     * Solves a system by the {@linkplain org.trellis.solve.StoppingCriteria#defaults default criteria} of its
     * precision; factorisations most often reach much smaller residuals.
     *
     * @param a a square matrix
     * @param b the right-hand side, in either precision
     * @return the solution, in the precision of the matrix, and how it was found
     * @throws IllegalArgumentException if the matrix is not square, {@code b} has another length, or an entry or an
     *                                  element is not finite; names the first
     * @throws ArithmeticException      if nothing that was tried solves it; says what, and why not
     */
    public static Solution solve(CsrMatrix a, HostVector b) {
        if (a.rows() != a.columns()) {
            throw new IllegalArgumentException("linear system with " + a + ", expected a square matrix");
        }
        Checks.length("length of b", b.length(), a.rows());
        for (int row = 0; row < b.length(); row++) {
            if (!Double.isFinite(b.get(row))) {
                throw new IllegalArgumentException("linear system with " + a + ": row " + row
                        + " of the right-hand side is " + b.get(row) + ", expected a finite number");
            }
        }
        try (SystemSolver solver = Solvers.auto(a)) {
            return solver.solve(b).orThrow();
        }
    }

    /**
     * Computes the inverse of a small matrix as a dense array, by an LU factorisation. Systems are better solved than
     * multiplied by an inverse.
     *
     * @param a a square matrix of at most {@value #LARGEST_INVERSE} rows
     * @return its inverse, row by row, in double precision
     * @throws IllegalArgumentException if the matrix is not square, is larger, or an entry is not finite
     * @throws org.trellis.solve.direct.FactorisationException if it is singular; names row and column
     */
    public static double[][] inverse(CsrMatrix a) {
        int n = a.rows();
        if (n != a.columns() || n > LARGEST_INVERSE) {
            throw new IllegalArgumentException("inverse of " + a + ", expected a square matrix of at most "
                    + LARGEST_INVERSE + " rows");
        }
        FiniteInput.largestEntry("inverse", a);
        double[][] inverse = new double[n][n];
        SparseLu factors = SparseLu.of(a);
        for (int j = 0; j < n; j++) {
            double[] unit = new double[n];
            unit[j] = 1;
            double[] column = factors.solve(unit);
            for (int i = 0; i < n; i++) {
                inverse[i][j] = column[i];
            }
        }
        return inverse;
    }
}
