package org.trellis.distributed.solve;

import java.util.Arrays;

/**
 * The iteration of {@link SStepConjugateGradient} on coordinates: those of the correction of x, of the residual and of
 * the direction.
 */
final class StepCoordinates {
    /** A square of a residual that is as small as rounding, of either sign, beside the one before is 0. */
    private static final double NOTHING = 1e-12;
    /** The share of a square from which on rounding of the products that it is made of spoils it. */
    private static final double LOST = 0.01;
    private static final double UNIT = 0x1p-53;
    /** Vectors of both bases for a single step. */
    private static final int SINGLE = 3;

    private final double[][] gram;
    /** Products in the norm of residuals. */
    private final double[][] measure;
    /** Products of the vectors themselves. */
    private final double[][] lengths;
    private final double[][] change;
    private final double[] x;
    private final double[] r;
    private final double[] p;
    /** Steps along directions, and ratios of squares of residuals, of the iterations done. */
    private final double[] alphas;
    private final double[] betas;
    private double square;
    private int done;

    /**
     * Begins at the ends of the bases.
     *
     * @param grams    products that the method iterates with, those in the norm of residuals, and plain ones
     * @param change   what the matrix does to coordinates
     * @param residual which vector the residual is: the first of its own basis or, where the direction is the residual,
     *                 the first of all. In two bases of the same vectors its coordinates would be large and cancel
     */
    StepCoordinates(double[][][] grams, double[][] change, int residual) {
        this.gram = grams[0];
        this.measure = grams[1];
        this.lengths = grams[2];
        this.change = change;
        this.x = new double[gram.length];
        this.r = new double[gram.length];
        this.p = new double[gram.length];
        this.alphas = new double[gram.length];
        this.betas = new double[gram.length];
        p[0] = 1;
        r[residual] = 1;
        this.square = inner(r, r);
    }

    /** Returns the square of the length of the residual. */
    double squareOfLength() {
        return lengths == gram ? square : inner(lengths, r, r);
    }

    /** Returns the square of its norm. */
    double squareOfResidual() {
        return measure == gram ? square : inner(measure, r, r);
    }

    double[][] coefficients() {
        return new double[][]{x, r, p};
    }

    /** Does an iteration of the textbook, or nothing if a number that must be positive is not. */
    boolean step() {
        double[] w = new double[p.length];
        for (int i = 0; i < w.length; i++) {
            for (int j = 0; j < w.length; j++) {
                w[i] += change[i][j] * p[j];
            }
        }
        double alpha = square / inner(p, w);
        double[] next = new double[r.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = r[i] - alpha * w[i];
        }
        double nextSquare = inner(next, next);
        if (!(alpha > 0) || !Double.isFinite(alpha) || !(nextSquare >= -NOTHING * square)
                || isLost(next, nextSquare)) {
            return false;
        }
        nextSquare = Math.max(0, nextSquare);
        double beta = nextSquare / square;
        for (int i = 0; i < next.length; i++) {
            x[i] += alpha * p[i];
            r[i] = next[i];
            p[i] = next[i] + beta * p[i];
        }
        square = nextSquare;
        alphas[done] = alpha;
        betas[done] = beta;
        done++;
        return true;
    }

    /**
     * Returns the largest eigenvalue of the part of Lanczos's tridiagonal matrix that the iterations have made, which
     * is at most that of the operator (Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, section 6.7.3); its
     * first element lacks what an iteration before adds to it, which makes it smaller.
     *
     * @return the Ritz value; 0 before the first iteration
     */
    double largestRitzValue() {
        double[][] lanczos = new double[done][done];
        for (int j = 0; j < done; j++) {
            lanczos[j][j] = 1 / alphas[j] + (j == 0 ? 0 : betas[j - 1] / alphas[j - 1]);
            if (j > 0) {
                lanczos[j][j - 1] = Math.sqrt(betas[j - 1]) / alphas[j - 1];
                lanczos[j - 1][j] = lanczos[j][j - 1];
            }
        }
        return done == 0 ? 0 : Arrays.stream(RitzValues.of(lanczos).real()).max().orElseThrow();
    }

    /** Says whether the square of a residual that is not at its end is made of rounding; never of a single step. */
    private boolean isLost(double[] next, double nextSquare) {
        return p.length > SINGLE && nextSquare > NOTHING * square && rounding(next) > LOST * nextSquare;
    }

    /** Bounds what rounding of the products does to the square of a vector. */
    private double rounding(double[] u) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += Math.abs(u[i]) * Math.sqrt(Math.abs(gram[i][i]));
        }
        return UNIT * sum * sum;
    }

    private double inner(double[] u, double[] v) {
        return inner(gram, u, v);
    }

    private static double inner(double[][] products, double[] u, double[] v) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            double row = 0;
            for (int j = 0; j < v.length; j++) {
                row += products[i][j] * v[j];
            }
            sum += u[i] * row;
        }
        return sum;
    }
}
