package org.trellis.solve.smooth;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/** The {@link LanczosRadius} of a matrix on the host: the same bits however many threads there are. */
public final class SpectralRadius extends LanczosRadius {
    private static final int ROWS_PER_TASK = CHUNK;
    /** What {@link SplittableRandom} adds to its state for each number. */
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final CsrMatrix a;
    private final double[] scale;
    private double[] v;
    private double[] w;
    private double[] before;
    private double[] scaled;

    private SpectralRadius(CsrMatrix a, double[] inverseDiagonal) {
        super(a.rows());
        this.a = a;
        this.scale = new double[a.rows()];
        ParallelRanges.run(scale.length, ROWS_PER_TASK, (from, to) -> {
            for (int row = from; row < to; row++) {
                scale[row] = Math.sqrt(Math.abs(inverseDiagonal[row]));
            }
        });
    }

    /**
     * Estimates the radius.
     *
     * @param a               a square matrix
     * @param inverseDiagonal D⁻¹; zeros leave rows out
     * @param symmetric       whether the matrix is known to be symmetric; otherwise two products find out
     * @return an estimate, for a symmetric matrix from below; 0 for a matrix of zeros
     */
    public static double of(CsrMatrix a, double[] inverseDiagonal, boolean symmetric) {
        return new SpectralRadius(a, inverseDiagonal).estimate(symmetric);
    }

    /**
     * Bounds the eigenvalues of D⁻¹A from above: by an estimate times {@value #MARGIN}, but by no more than the largest
     * sum of absolute values of a row over its diagonal element, which is a bound for certain. The same over ranks.
     *
     * @param what the preconditioner, for messages
     * @param a    a symmetric matrix
     * @return the bound; 1 without rows
     * @throws IllegalArgumentException if an element of the diagonal is not positive; names its row
     */
    static double bound(String what, CsrMatrix a) {
        if (a.rows() == 0) {
            return 1;
        }
        HostVector diagonal = a.diagonal();
        double[] inverse = new double[a.rows()];
        double[] sums = new double[a.rows()];
        a.forEachEntry((row, column, value) -> sums[row] += Math.abs(value));
        double certain = 0;
        for (int row = 0; row < inverse.length; row++) {
            if (!(diagonal.get(row) > 0)) {
                throw new IllegalArgumentException(what + " of " + a + ": diagonal element of row " + row + " is "
                        + diagonal.get(row) + ", expected a positive diagonal");
            }
            inverse[row] = 1 / diagonal.get(row);
            certain = Math.max(certain, sums[row] / diagonal.get(row));
        }
        return Math.min(certain, MARGIN * of(a, inverse, true));
    }

    /**
     * Draws one of several vectors of numbers from −1 to 1 that {@link SplittableRandom} gives one after the other: a
     * generator that begins so many of its steps later goes on with what is next.
     *
     * @param rows elements of a vector
     * @param turn how many vectors were drawn before
     */
    static double[] draw(int rows, int turn) {
        double[] v = new double[rows];
        ParallelRanges.run(rows, ROWS_PER_TASK, (from, to) -> {
            SplittableRandom random =
                    new SplittableRandom(SEED + ((long) turn * rows + from) * GOLDEN_GAMMA);
            for (int i = from; i < to; i++) {
                v[i] = random.nextDouble(-1, 1);
            }
        });
        return v;
    }

    @Override
    protected void draw() {
        v = draw(a.rows(), 0);
    }

    @Override
    protected double[] symmetryProducts() {
        double[] u = draw(a.rows(), 1);
        double[] av = times(v);
        double[] au = times(u);
        return new double[]{dot(av, av), dot(u, u), dot(u, av), dot(v, au)};
    }

    @Override
    protected double length() {
        return Math.sqrt(dot(v, v));
    }

    @Override
    protected void multiply(double length) {
        divide(v, length);
        v = times(v);
    }

    private static void divide(double[] v, double norm) {
        ParallelRanges.run(v.length, ROWS_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                v[i] /= norm;
            }
        });
    }

    /**
     * Vectors are divided by their lengths where they are used, not in a pass of their own: a step passes over the
     * matrix once, with two vectors, and over four vectors. Three vectors take turns; the fourth is the last one times
     * S.
     */
    @Override
    protected boolean begin(double[] lengths) {
        before = new double[a.rows()];
        scaled = scaled(v);
        w = new double[a.rows()];
        lengths[0] = length();
        return lengths[0] > 0;
    }

    @Override
    protected boolean step(int step, double[] lengths, double[] products) {
        double length = lengths[step];
        products[step] = multiply(v, length, scaled, w);
        lengths[step + 1] = Math.sqrt(orthogonalise(w, products[step] / length, v,
                step == 0 ? 0 : length / lengths[step - 1], before, scaled));
        double[] free = before;
        before = v;
        v = w;
        w = free;
        return goesOn(lengths[step + 1], products[0]);
    }

    /**
     * Computes w = S A S v / |v| from S v; returns its product with v / |v|. Pieces of a sum begin at multiples of the
     * number of lanes.
     */
    private double multiply(double[] v, double length, double[] scaled, double[] w) {
        return sum(w.length, (from, to, lanes) -> {
            new CsrRowCursor(a).dots(from, to, scaled, w);
            for (int first = from; first < to; first += LANES) {
                int last = Math.min(to, first + LANES);
                for (int row = first; row < last; row++) {
                    double element = scale[row] * w[row] / length;
                    w[row] = element;
                    lanes[row - first] += v[row] * element;
                }
            }
            return sum(lanes) / length;
        });
    }

    /** Takes multiples of v and of the one before v from w, and computes S w; returns the square of the length of w. */
    private double orthogonalise(double[] w, double along, double[] v, double alongBefore, double[] before,
            double[] scaled) {
        return sum(w.length, (from, to, lanes) -> {
            for (int first = from; first < to; first += LANES) {
                int last = Math.min(to, first + LANES);
                for (int i = first; i < last; i++) {
                    double element = w[i] - (along * v[i] + alongBefore * before[i]);
                    w[i] = element;
                    scaled[i] = scale[i] * element;
                    lanes[i - first] += element * element;
                }
            }
            return sum(lanes);
        });
    }

    /** Adds up chunks, for each of which partial sums begin at 0. */
    private static double sum(int count, ParallelRanges.WorkspaceSum<double[]> task) {
        return ParallelRanges.sum(count, ROWS_PER_TASK, () -> new double[LANES], (from, to, lanes) -> {
            Arrays.fill(lanes, 0);
            return task.run(from, to, lanes);
        });
    }

    private double[] times(double[] x) {
        double[] scaled = scaled(x);
        double[] y = new double[x.length];
        ParallelRanges.run(x.length, ROWS_PER_TASK, (from, to) -> multiply(scaled, y, from, to));
        return y;
    }

    private double[] scaled(double[] x) {
        double[] scaled = new double[x.length];
        ParallelRanges.run(x.length, ROWS_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                scaled[i] = scale[i] * x[i];
            }
        });
        return scaled;
    }

    private void multiply(double[] scaled, double[] y, int from, int to) {
        new CsrRowCursor(a).dots(from, to, scaled, y);
        for (int row = from; row < to; row++) {
            y[row] = scale[row] * y[row];
        }
    }

    private static double dot(double[] x, double[] y) {
        return sum(x.length, (from, to, lanes) -> {
            for (int first = from; first < to; first += LANES) {
                int last = Math.min(to, first + LANES);
                for (int i = first; i < last; i++) {
                    lanes[i - first] += x[i] * y[i];
                }
            }
            return sum(lanes);
        });
    }
}
