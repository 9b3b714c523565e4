package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;

/** Solves with the factors of {@code A P = Q R}, with work space of its own: one for each thread. */
public final class QrSolver {
    private static final int TOGETHER = 4;
    private static final int MOST_STEPS = 5;

    private final SparseQr qr;
    private final int[] order;
    private final int[] slots;
    private final double[] onRows;
    private final double[] onColumns;
    private double[] work;
    private double[] fourRows;
    private double[] fourColumns;
    private double[] fourWork;

    QrSolver(SparseQr qr) {
        this.qr = qr;
        order = qr.analysis().symbolic().order();
        slots = qr.slots();
        onRows = new double[qr.rows()];
        onColumns = new double[order.length];
        work = new double[QrAssembly.longest(qr.factors())];
    }

    /** Returns the factors, and makes room for their longest dense matrix: other values may have another rank. */
    private QrFactors[] factors() {
        QrFactors[] factors = qr.factors();
        int longest = QrAssembly.longest(factors);
        if (longest > work.length) {
            work = new double[longest];
            fourWork = fourRows == null ? null : new double[Math.multiplyExact(TOGETHER, longest)];
        }
        return factors;
    }

    /**
     * Minimises {@code ‖b - A x‖₂}: a basic solution, which is 0 in dependent columns. Costs two passes over the
     * reflections and one over R, and allocates nothing.
     *
     * @param b the right-hand side, an element for each row
     * @param x overwritten by the solution, an element for each column; may not be {@code b}
     * @throws IllegalArgumentException if a length does not fit
     */
    public void solve(double[] b, double[] x) {
        check(b.length, x.length, 1);
        solve(b, 0, x, 0);
    }

    private void solve(double[] b, int fromB, double[] x, int fromX) {
        System.arraycopy(b, fromB, onRows, 0, onRows.length);
        reflect(onRows, true);
        back(onRows);
        for (int k = 0; k < order.length; k++) {
            x[fromX + order[k]] = onColumns[k];
        }
    }

    /** Leaves the solution of {@code R x = c} in the order of elimination. */
    private void back(double[] c) {
        Arrays.fill(onColumns, 0);
        QrFactors[] factors = factors();
        for (int s = factors.length - 1; s >= 0; s--) {
            factors[s].solve(c, onColumns, work);
        }
    }

    private void reflect(double[] x, boolean transposed) {
        QrFactors[] factors = factors();
        if (transposed) {
            for (QrFactors one : factors) {
                one.reflect(x, true, work);
            }
        } else {
            for (int s = factors.length - 1; s >= 0; s--) {
                factors[s].reflect(x, false, work);
            }
        }
    }

    /**
     * Minimises for several right-hand sides, four of them with each pass over the factors. The first call allocates
     * work space.
     *
     * @param b     right-hand sides one after the other
     * @param x     overwritten by the solutions one after the other; may not be {@code b}
     * @param count how many
     * @throws IllegalArgumentException if a length does not fit
     */
    public void solve(double[] b, double[] x, int count) {
        check(b.length, x.length, count);
        int at = 0;
        for (; at + 1 < count; at += TOGETHER) {
            four(b, x, at, Math.min(TOGETHER, count - at));
        }
        if (at < count) {
            solve(b, at * onRows.length, x, at * order.length);
        }
    }

    private void four(double[] b, double[] x, int at, int count) {
        int m = onRows.length;
        int n = order.length;
        QrFactors[] factors = factors();
        if (fourRows == null) {
            fourRows = new double[Math.multiplyExact(TOGETHER, m)];
            fourColumns = new double[Math.multiplyExact(TOGETHER, n)];
            fourWork = new double[Math.multiplyExact(TOGETHER, work.length)];
        }
        for (int r = 0; r < TOGETHER; r++) {
            int from = (at + Math.min(r, count - 1)) * m;
            for (int i = 0; i < m; i++) {
                fourRows[TOGETHER * i + r] = b[from + i];
            }
        }
        for (QrFactors one : factors) {
            one.reflectFour(fourRows, true, fourWork);
        }
        Arrays.fill(fourColumns, 0);
        for (int s = factors.length - 1; s >= 0; s--) {
            factors[s].solveFour(fourRows, fourColumns, fourWork);
        }
        for (int r = 0; r < count; r++) {
            int to = (at + r) * n;
            for (int k = 0; k < n; k++) {
                x[to + order[k]] = fourColumns[TOGETHER * k + r];
            }
        }
    }

    /**
     * Solves {@code Aᵀ x = b} with the least norm of x, where the columns of A are independent or {@code b} suits their
     * dependence; equations of dependent columns are left out.
     *
     * @param b the right-hand side, an element for each column of A
     * @param x overwritten by the solution, an element for each row of A
     * @throws IllegalArgumentException if a length does not fit
     */
    public void solveTransposed(double[] b, double[] x) {
        check(x.length, b.length, 1);
        for (int k = 0; k < order.length; k++) {
            onColumns[k] = b[order[k]];
        }
        Arrays.fill(onRows, 0);
        for (QrFactors one : factors()) {
            one.solveTransposed(onColumns, onRows, work);
        }
        reflect(onRows, false);
        System.arraycopy(onRows, 0, x, 0, x.length);
    }

    /**
     * Multiplies by Q, which is orthogonal.
     *
     * @param x as many elements as A has rows, overwritten; its first ones, as many as the rank, belong to rows of R
     * @throws IllegalArgumentException if the length does not fit
     */
    public void applyQ(double[] x) {
        Checks.length("length of x", x.length, onRows.length);
        for (int k = 0; k < x.length; k++) {
            onRows[slots[k]] = x[k];
        }
        reflect(onRows, false);
        System.arraycopy(onRows, 0, x, 0, x.length);
    }

    /**
     * Multiplies by the transpose of Q.
     *
     * @param x as many elements as A has rows, overwritten; the first of the result, as many as the rank, belong to
     *          rows of R, and the norm of the others is that of the residual of least squares
     * @throws IllegalArgumentException if the length does not fit
     */
    public void applyQTransposed(double[] x) {
        Checks.length("length of x", x.length, onRows.length);
        System.arraycopy(x, 0, onRows, 0, x.length);
        reflect(onRows, true);
        for (int k = 0; k < x.length; k++) {
            x[k] = onRows[slots[k]];
        }
    }

    /**
     * What refinement reached.
     *
     * @param steps        corrections that were kept
     * @param residualNorm {@code ‖b - A x‖₂}
     * @param gradientNorm {@code ‖Aᵀ (b - A x)‖₂} over {@code ‖A‖ ‖b - A x‖₂} with the Frobenius norm of A, by the
     *                     residual that refinement keeps; 0 if the residual is 0
     */
    public record Refined(int steps, double residualNorm, double gradientNorm) {}

    /**
     * Minimises and refines solution and residual together (Å. Björck, "Iterative refinement of linear least squares
     * solutions I", BIT 7, 1967), while corrections become at most half as large. Where columns are dependent, they
     * stay 0. Allocates a few vectors.
     *
     * @param matrix the matrix that was factorised
     * @param b      the right-hand side
     * @param x      overwritten by the solution; may not be {@code b}
     * @return what was reached
     * @throws IllegalArgumentException if a length does not fit
     */
    public Refined refine(CsrMatrix matrix, double[] b, double[] x) {
        Checks.length("rows of the matrix", matrix.rows(), onRows.length);
        Checks.length("columns of the matrix", matrix.columns(), order.length);
        solve(b, x);
        double[] r = new double[b.length];
        double[] f = new double[b.length];
        double[] g = new double[x.length];
        double[] dx = new double[x.length];
        // The first residual is recomputed, so that f is 0 and only the gradient is corrected.
        residual(matrix, b, x, null, r);
        double last = Double.POSITIVE_INFINITY;
        int steps = 0;
        while (steps < MOST_STEPS) {
            residual(matrix, b, x, r, f);
            gradient(matrix, r, g);
            correct(f, g, dx);
            double size = norm(dx);
            if (!(size <= last / 2) || size <= Math.ulp(1.0) / 2 * norm(x)) {
                break;
            }
            for (int j = 0; j < x.length; j++) {
                x[j] += dx[j];
            }
            for (int i = 0; i < r.length; i++) {
                r[i] += f[i];
            }
            last = size;
            steps++;
        }
        gradient(matrix, r, g);
        double[] squares = new double[1];
        matrix.forEachEntry((i, j, value) -> squares[0] = Math.hypot(squares[0], value));
        double scale = squares[0] * norm(r);
        residual(matrix, b, x, null, f);
        return new Refined(steps, norm(f), scale == 0 ? 0 : norm(g) / scale);
    }

    /** Leaves the corrections of {@code (I A; Aᵀ 0) (r; x) = (b; 0)} for the residuals f and -g: of r in f. */
    private void correct(double[] f, double[] g, double[] dx) {
        double[] d = f.clone();
        reflect(d, true);
        for (int k = 0; k < order.length; k++) {
            onColumns[k] = -g[order[k]];
        }
        double[] h = onRows;
        Arrays.fill(h, 0);
        for (QrFactors one : factors()) {
            one.solveTransposed(onColumns, h, work);
        }
        for (int k = 0; k < qr.rank(); k++) {
            double own = d[slots[k]];
            d[slots[k]] = h[slots[k]];
            h[slots[k]] = own - h[slots[k]];
        }
        back(h);
        for (int k = 0; k < order.length; k++) {
            dx[order[k]] = onColumns[k];
        }
        reflect(d, false);
        System.arraycopy(d, 0, f, 0, f.length);
    }

    /** Leaves {@code b - r - A x}; without r if that is null. */
    private static void residual(CsrMatrix matrix, double[] b, double[] x, double[] r, double[] result) {
        for (int i = 0; i < b.length; i++) {
            result[i] = b[i] - (r == null ? 0 : r[i]);
        }
        matrix.forEachEntry((i, j, value) -> result[i] -= value * x[j]);
    }

    private static void gradient(CsrMatrix matrix, double[] r, double[] g) {
        Arrays.fill(g, 0);
        matrix.forEachEntry((i, j, value) -> g[j] += value * r[i]);
    }

    private static double norm(double[] v) {
        double sum = 0;
        for (double element : v) {
            sum += element * element;
        }
        return Math.sqrt(sum);
    }

    private void check(int right, int solution, int count) {
        Checks.length("length of vectors of rows", right, (long) count * onRows.length);
        Checks.length("length of vectors of columns", solution, (long) count * order.length);
    }

    @Override
    public String toString() {
        return "solver of " + qr;
    }
}
