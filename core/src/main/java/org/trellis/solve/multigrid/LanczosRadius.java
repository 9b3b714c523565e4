package org.trellis.solve.multigrid;

import java.util.Arrays;

/**
 * What estimates of spectral radii have in common, wherever they run: how vectors are drawn, in which order sums are
 * formed, and what follows from the numbers of Lanczos' steps.
 */
public final class LanczosRadius {
    /** Steps after which a Laplacian's estimate is within a percent; there are never more. */
    public static final int STEPS = 15;
    /** Steps on large levels, which end within 5 percent: each of them passes over the whole matrix. */
    public static final int FEW_STEPS = 8;
    /** Rows from which on a level is large. */
    public static final int MANY_ROWS = 1 << 16;
    /** Steps of the power method, for matrices that are not symmetric. */
    public static final int POWERS = 30;
    /** Elements whose sum is formed before it is added to others'. */
    public static final int CHUNK = 1024;
    /** Partial sums of a chunk: of every so manieth element. They are added by halves. */
    public static final int LANES = 256;
    /** The seed of {@link java.util.SplittableRandom}, of which vectors are drawn one after the other. */
    public static final long SEED = 20261122;

    private static final double ASYMMETRY = 1e-5;

    private LanczosRadius() {}

    /**
     * Returns how many steps of Lanczos are made. Smoothers end their polynomials a tenth above an estimate, so that
     * one that is a little low does no harm.
     *
     * @param rows rows of the matrix, on all ranks together
     * @return at most {@link #STEPS}, and no more than rows
     */
    public static int steps(long rows) {
        return (int) Math.min(rows, rows < MANY_ROWS ? STEPS : FEW_STEPS);
    }

    /**
     * Adds up the partial sums of a chunk: the second half to the first, and so on.
     *
     * @param lanes {@value #LANES} sums, overwritten
     * @return their sum
     */
    public static double sum(double[] lanes) {
        for (int half = LANES / 2; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                lanes[i] += lanes[i + half];
            }
        }
        return lanes[0];
    }

    /**
     * Judges by two vectors whether a matrix is symmetric.
     *
     * @param rows rows of the matrix
     * @param avAv the square of the length of A v
     * @param uu   that of u
     * @param uAv  the product of u with A v
     * @param vAu  that of v with A u
     * @return whether the last two agree
     */
    public static boolean looksSymmetric(int rows, double avAv, double uu, double uAv, double vAu) {
        return Math.abs(uAv - vAu) <= ASYMMETRY * Math.sqrt(avAv * uu) / Math.sqrt(1.0 + rows);
    }

    /**
     * Finds the largest absolute eigenvalue of the tridiagonal matrix of Lanczos' steps.
     *
     * @param lengths  the lengths of the vectors, one more than there were steps; a step that was not worth it, and
     *                 those after it, do not count
     * @param products the product of each vector with the matrix times it
     * @return the eigenvalue, 0 if the first vector is 0
     */
    public static double of(double[] lengths, double[] products) {
        int steps = 0;
        while (steps < products.length && lengths[steps] > 0) {
            steps++;
            if (isEnough(lengths[steps], products[0])) {
                break;
            }
        }
        double[] beta = Arrays.copyOfRange(lengths, 1, lengths.length);
        return rounded(Math.max(largest(products, beta, steps, 1), largest(products, beta, steps, -1)));
    }

    /**
     * Rounds an estimate to 24 bits. It has fewer correct ones; the others would say in which order sums were formed,
     * and prolongators that are damped by them would differ between numbers of ranks.
     *
     * @param radius an estimate
     * @return a number of 24 bits (T. J. Dekker's splitting)
     */
    public static double rounded(double radius) {
        double scaled = radius * (0x1p29 + 1);
        return scaled - (scaled - radius);
    }

    /**
     * Says whether a vector is as short as rounding, so that there is no next step.
     *
     * @param length       its length
     * @param firstProduct the product of the first step
     * @return true if it counts as 0
     */
    public static boolean isEnough(double length, double firstProduct) {
        return length <= 0x1p-40 * Math.abs(firstProduct);
    }

    /** Bisects for the largest eigenvalue of a tridiagonal matrix times a sign. */
    private static double largest(double[] alpha, double[] beta, int size, int sign) {
        double low = 0;
        double high = 0;
        for (int i = 0; i < size; i++) {
            high = Math.max(high, Math.abs(alpha[i]) + (i + 1 < size ? beta[i] : 0) + (i > 0 ? beta[i - 1] : 0));
        }
        double start = high;
        while (high - low > 1e-12 * start) {
            double middle = (low + high) / 2;
            if (exceeds(alpha, beta, size, sign, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Says whether an eigenvalue of the tridiagonal matrix times a sign is above a bound (Sturm's sequence). */
    private static boolean exceeds(double[] alpha, double[] beta, int size, int sign, double bound) {
        double pivot = 1;
        for (int i = 0; i < size; i++) {
            double off = i == 0 ? 0 : beta[i - 1];
            pivot = sign * alpha[i] - bound - off * off / pivot;
            if (pivot >= 0) {
                return true;
            }
        }
        return false;
    }
}
