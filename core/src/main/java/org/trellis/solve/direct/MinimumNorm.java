package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;

/**
 * The solution of least norm of a least squares problem of any shape and rank: what the pseudo-inverse makes of a
 * right-hand side, for the rank that the tolerance of the first factorisation finds.
 *
 * <p>A matrix with at least as many rows as columns is factorised as {@code A P = Q R}, a wide one as {@code Aᵀ P = Q
 * R}. Where the rank is less than the shorter side, so that {@code R = (R₁₁ R₁₂)}, the transpose of R is factorised,
 * too: a complete orthogonal decomposition (G. Golub and C. Van Loan, Matrix Computations, section 5.4.7).
 *
 * <p>One thread at a time.
 */
public final class MinimumNorm {
    private final boolean wide;
    private final SparseQr first;
    private final SparseQr second;
    private final QrSolver solver;
    private final QrSolver ofTranspose;
    private final int[] order;
    private final double[] along;
    private final double[] rotated;
    private final double[] permuted;

    private MinimumNorm(boolean wide, SparseQr first, SparseQr second) {
        this.wide = wide;
        this.first = first;
        this.second = second;
        solver = first.solver();
        ofTranspose = second == null ? null : second.solver();
        order = first.columnOrder();
        along = new double[first.rank()];
        rotated = new double[first.rows()];
        permuted = new double[order.length];
    }

    /**
     * Factorises.
     *
     * @param matrix  a matrix of any shape with fewer than 2³¹ non-zeros
     * @param options how; an order is that of the shorter side
     * @return the decomposition
     * @throws IllegalArgumentException if a value is not finite, or a given order has another length
     * @throws FactorisationException   if a limit is reached
     */
    public static MinimumNorm of(CsrMatrix matrix, QrOptions options) {
        boolean wide = matrix.rows() < matrix.columns();
        SparseQr first = SparseQr.of(wide ? matrix.transpose() : matrix, options);
        boolean full = first.rank() == Math.min(matrix.rows(), matrix.columns());
        return new MinimumNorm(wide, first, full
                ? null
                : SparseQr.of(first.r().transpose(), new QrOptions(QrOptions.Order.AUTOMATIC, null, 0,
                        options.limits())));
    }

    /**
     * Minimises {@code ‖x‖₂} among all x that minimise {@code ‖b - A x‖₂}.
     *
     * @param b the right-hand side, an element for each row
     * @param x overwritten by the solution, an element for each column; may not be {@code b}
     * @throws IllegalArgumentException if a length does not fit
     */
    public void solve(double[] b, double[] x) {
        Checks.length("length of b", b.length, wide ? order.length : rotated.length);
        Checks.length("length of x", x.length, wide ? rotated.length : order.length);
        if (wide) {
            solveWide(b, x);
        } else {
            solveTall(b, x);
        }
    }

    private void solveWide(double[] b, double[] x) {
        if (second == null) {
            solver.solveTransposed(b, x);
            return;
        }
        for (int k = 0; k < order.length; k++) {
            permuted[k] = b[order[k]];
        }
        ofTranspose.solve(permuted, along);
        Arrays.fill(x, 0);
        System.arraycopy(along, 0, x, 0, along.length);
        solver.applyQ(x);
    }

    private void solveTall(double[] b, double[] x) {
        if (second == null) {
            solver.solve(b, x);
            return;
        }
        System.arraycopy(b, 0, rotated, 0, b.length);
        solver.applyQTransposed(rotated);
        System.arraycopy(rotated, 0, along, 0, along.length);
        ofTranspose.solveTransposed(along, permuted);
        for (int k = 0; k < order.length; k++) {
            x[order[k]] = permuted[k];
        }
    }

    /**
     * Returns the numerical rank.
     *
     * @return that of the matrix, by the tolerance
     */
    public int rank() {
        return first.rank();
    }

    /**
     * Returns the factors of the matrix, or of its transpose if it is wide.
     *
     * @return the first factorisation
     */
    public SparseQr factors() {
        return first;
    }

    /**
     * Returns the entries that are stored.
     *
     * @return those of both factorisations
     */
    public long nonZeros() {
        return first.nonZeros() + (second == null ? 0 : second.nonZeros());
    }

    @Override
    public String toString() {
        return "solution of least norm by " + first;
    }
}
