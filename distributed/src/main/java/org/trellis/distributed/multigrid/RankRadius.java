package org.trellis.distributed.multigrid;

import java.util.SplittableRandom;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.solve.smooth.LanczosRadius;

/**
 * Estimates ρ(D⁻¹A) over ranks by the steps of one rank ({@link LanczosRadius}), from the same vectors. Sums are formed
 * in another order, which the rounding of the estimate hides.
 */
final class RankRadius extends LanczosRadius {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final LocalMatrix a;
    private final Communicator communicator;
    private final long rows;
    private final double[] scale;
    private double[] v;
    private double[] before;

    private RankRadius(LocalMatrix a, Communicator communicator, long rows, double[] inverseDiagonal) {
        super(rows);
        this.a = a;
        this.communicator = communicator;
        this.rows = rows;
        this.scale = new double[a.owned()];
        for (int row = 0; row < scale.length; row++) {
            scale[row] = Math.sqrt(Math.abs(inverseDiagonal[row]));
        }
    }

    /**
     * Estimates the radius. Collective.
     *
     * @param a               the matrix
     * @param communicator    the ranks
     * @param rows            rows on all ranks
     * @param inverseDiagonal D⁻¹ of owned rows
     * @param symmetric       whether the matrix is known to be symmetric
     */
    static double of(LocalMatrix a, Communicator communicator, long rows, double[] inverseDiagonal,
            boolean symmetric) {
        return new RankRadius(a, communicator, rows, inverseDiagonal).estimate(symmetric);
    }

    /** Draws the elements that {@link SplittableRandom} gives a vector, each from its global index. */
    private double[] draw(int turn) {
        double[] drawn = new double[a.elements()];
        for (int i = 0; i < a.owned(); i++) {
            long before = turn * rows + a.globals()[i];
            drawn[i] = new SplittableRandom(SEED + before * GOLDEN).nextDouble(-1, 1);
        }
        return drawn;
    }

    @Override
    protected void draw() {
        v = draw(0);
    }

    @Override
    protected double[] symmetryProducts() {
        double[] u = draw(1);
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
        for (int i = 0; i < a.owned(); i++) {
            v[i] /= length;
        }
        v = times(v);
    }

    @Override
    protected boolean begin(double[] lengths) {
        before = new double[a.elements()];
        lengths[0] = length();
        return lengths[0] > 0;
    }

    @Override
    protected boolean step(int step, double[] lengths, double[] products) {
        double length = lengths[step];
        double[] w = times(v);
        for (int i = 0; i < a.owned(); i++) {
            w[i] /= length;
        }
        products[step] = dot(v, w) / length;
        double along = products[step] / length;
        double alongBefore = step == 0 ? 0 : length / lengths[step - 1];
        for (int i = 0; i < a.owned(); i++) {
            w[i] -= along * v[i] + alongBefore * before[i];
        }
        lengths[step + 1] = Math.sqrt(dot(w, w));
        before = v;
        v = w;
        return goesOn(lengths[step + 1], products[0]);
    }

    /** Computes S A S x. */
    private double[] times(double[] x) {
        double[] scaled = new double[a.elements()];
        for (int i = 0; i < a.owned(); i++) {
            scaled[i] = scale[i] * x[i];
        }
        a.bring(scaled);
        double[] y = new double[a.elements()];
        for (int row = 0; row < a.owned(); row++) {
            double sum = 0;
            for (int k = a.start(row); k < a.end(row); k++) {
                sum += a.values()[k] * scaled[a.columns()[k]];
            }
            y[row] = scale[row] * sum;
        }
        return y;
    }

    private double dot(double[] x, double[] y) {
        double[] sum = {0};
        for (int i = 0; i < a.owned(); i++) {
            sum[0] += x[i] * y[i];
        }
        communicator.allReduce(Reduction.SUM, sum);
        return sum[0];
    }
}
