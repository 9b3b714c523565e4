package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;

/**
 * Solves with the factors of a symmetric matrix in place, with work space of its own: one for each thread. Follows a
 * refactorisation.
 */
public final class SymmetricSolver {
    private static final int TOGETHER = DoubleSupernodalFactor.TOGETHER;

    private final Factors factors;
    private final int[] order;
    private final double[] scale;
    private final double[] y;
    private double[] several;
    private Refinement refinement;

    /** What solutions need of factors {@code P S A S Pᵀ}. */
    interface Factors {
        /** Which row of the matrix is eliminated at each step. */
        int[] order();

        /** The factors S of the rows of the matrix. */
        double[] scale();

        /** Solves for one right-hand side, or for four with the elements of a row beside one another. */
        void solve(double[] y, boolean four);

        /** Refuses factors that a refactorisation left half done. */
        void requireWhole();
    }

    SymmetricSolver(Factors factors) {
        this.factors = factors;
        this.order = factors.order();
        this.scale = factors.scale();
        this.y = new double[order.length];
    }

    /**
     * Solves {@code A x = b}. Costs two passes over the factor and allocates nothing.
     *
     * @param x the right-hand side, overwritten by the solution
     * @throws IllegalArgumentException if it has another length than the matrix has rows
     * @throws IllegalStateException    if a refactorisation failed
     */
    public void solve(double[] x) {
        check(x.length, 1);
        one(x, 0);
    }

    private void one(double[] x, int offset) {
        for (int k = 0; k < y.length; k++) {
            y[k] = scale[order[k]] * x[offset + order[k]];
        }
        factors.solve(y, false);
        for (int k = 0; k < y.length; k++) {
            x[offset + order[k]] = scale[order[k]] * y[k];
        }
    }

    /**
     * Solves {@code A X = B} for several right-hand sides, four of them with each two passes over the factor. The first
     * call allocates work space.
     *
     * @param x     right-hand sides one after the other, overwritten by the solutions
     * @param count how many
     * @throws IllegalArgumentException if the length is not {@code count} times the rows of the matrix
     * @throws IllegalStateException    if a refactorisation failed
     */
    public void solve(double[] x, int count) {
        check(x.length, count);
        int n = order.length;
        if (count > 1 && several == null) {
            several = new double[TOGETHER * n];
        }
        int at = 0;
        for (; at + 1 < count; at += TOGETHER) {
            four(x, at, Math.min(TOGETHER, count - at));
        }
        if (at < count) {
            one(x, at * n);
        }
    }

    private void four(double[] x, int at, int count) {
        int n = order.length;
        Arrays.fill(several, 0);
        for (int r = 0; r < count; r++) {
            int offset = (at + r) * n;
            for (int k = 0; k < n; k++) {
                several[TOGETHER * k + r] = scale[order[k]] * x[offset + order[k]];
            }
        }
        factors.solve(several, true);
        for (int r = 0; r < count; r++) {
            int offset = (at + r) * n;
            for (int k = 0; k < n; k++) {
                x[offset + order[k]] = scale[order[k]] * several[TOGETHER * k + r];
            }
        }
    }

    /**
     * Solves {@code A x = b} and refines the solution until its componentwise backward error is of the order of the
     * unit roundoff or does not become half as large any more. The first call allocates work space.
     *
     * @param matrix the matrix that was factorised
     * @param b      the right-hand side
     * @param x      overwritten by the solution; not {@code b} itself
     * @return what was reached
     * @throws IllegalArgumentException if lengths do not fit
     * @throws IllegalStateException    if a refactorisation failed
     */
    public Refinement.Result refine(CsrMatrix matrix, double[] b, double[] x) {
        return refine(matrix, b, x, Refinement.GOOD);
    }

    /**
     * Solves {@code A x = b} and refines the solution only while its componentwise backward error is above a bound, as
     * it seldom is at first. The first call allocates work space.
     *
     * @param matrix the matrix that was factorised
     * @param b      the right-hand side
     * @param x      overwritten by the solution; not {@code b} itself
     * @param enough the backward error that needs no refinement, such as a few units of roundoff
     * @return what was reached
     * @throws IllegalArgumentException if lengths do not fit
     * @throws IllegalStateException    if a refactorisation failed
     */
    public Refinement.Result refine(CsrMatrix matrix, double[] b, double[] x, double enough) {
        check(x.length, 1);
        if (refinement == null) {
            refinement = new Refinement(x.length);
        }
        return refinement.solve(matrix, this::solve, b, x, enough);
    }

    private void check(int length, int count) {
        Checks.length("length of the right-hand sides", length, (long) count * order.length);
        factors.requireWhole();
    }

    @Override
    public String toString() {
        return "solver of " + factors;
    }
}
