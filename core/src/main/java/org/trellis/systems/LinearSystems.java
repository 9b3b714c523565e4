package org.trellis.systems;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Solves {@code A x = b} in one line, by {@link Solvers#auto(CsrMatrix)}. Whoever solves with one matrix more than once
 * keeps the solver.
 */
public final class LinearSystems {
    private static final double FLOAT_TOLERANCE = 1e-5;

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
     * Solves a system, to a residual of {@code 1e-8 ‖b‖₂}, or {@code 1e-5 ‖b‖₂} for a matrix of floats; factorisations
     * most often reach much less.
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
            if (a.precision() == Precision.F32) {
                solver.tolerance(FLOAT_TOLERANCE);
            }
            return solver.solve(b).orThrow();
        }
    }
}
