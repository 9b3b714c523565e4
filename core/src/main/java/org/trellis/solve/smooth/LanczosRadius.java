package org.trellis.solve.smooth;

import java.util.Arrays;

/**
 * Estimates the largest absolute eigenvalue of D⁻¹A, wherever the matrix is: by steps of Lanczos with {@code |D|^-1/2 A
 * |D|^-1/2} if that is symmetric, else by powers, from a fixed pseudo-random vector. The steps are decided here, with
 * how vectors are drawn, in which order sums are formed, and what follows from their numbers; who has the matrix
 * carries them out, and gets the same estimate everywhere.
 */
public abstract class LanczosRadius {
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

    /** What an estimate is multiplied by where a polynomial is bounded by nothing else: it lies below the radius. */
    public static final double MARGIN = 1.05;

    private static final double ASYMMETRY = 1e-5;

    private final long rows;

    /**
     * Prepares an estimate.
     *
     * @param rows rows of the matrix, on all ranks together
     */
    protected LanczosRadius(long rows) {
        this.rows = rows;
    }

    /**
     * Estimates the radius.
     *
     * @param symmetric whether the matrix is known to be symmetric; otherwise two products find out
     * @return an estimate, for a symmetric matrix from below; 0 for a matrix of zeros
     */
    public final double estimate(boolean symmetric) {
        if (rows == 0) {
            return 0;
        }
        draw();
        return symmetric || looksSymmetric() ? lanczos() : powers();
    }

    private boolean looksSymmetric() {
        double[] products = symmetryProducts();
        return looksSymmetric((int) rows, products[0], products[1], products[2], products[3]);
    }

    private double powers() {
        double radius = 0;
        double norm = length();
        for (int step = 0; step < POWERS && norm > 0; step++) {
            multiply(norm);
            radius = length();
            norm = radius;
        }
        return rounded(radius);
    }

    private double lanczos() {
        int most = steps(rows);
        double[] products = new double[most];
        double[] lengths = new double[most + 1];
        boolean more = begin(lengths);
        for (int step = 0; more && step < most; step++) {
            more = step(step, lengths, products);
        }
        end(lengths, products);
        return of(lengths, products);
    }

    /** Draws the first vector, v. */
    protected abstract void draw();

    /**
     * Draws a second vector, u; v stays.
     *
     * @return the products of A v with itself, of u with itself, of u with A v and of v with A u
     */
    protected abstract double[] symmetryProducts();

    /**
     * Returns the length of v.
     *
     * @return at least 0
     */
    protected abstract double length();

    /**
     * Replaces v by the product of the scaled matrix with v over a length.
     *
     * @param length of v, more than 0
     */
    protected abstract void multiply(double length);

    /**
     * Prepares steps of Lanczos from v.
     *
     * @param lengths gets that of v as the first, unless numbers come in {@link #end}
     * @return whether there is a step to be made
     */
    protected abstract boolean begin(double[] lengths);

    /**
     * Makes a step: multiplies the last vector, over its length, and takes multiples of the last two from the result.
     *
     * @param step     its number
     * @param lengths  of the vectors, to which the next is added, unless numbers come in {@link #end}
     * @param products of each vector with the matrix times it, likewise
     * @return whether {@link #goesOn}; true where numbers come in {@link #end}
     */
    protected abstract boolean step(int step, double[] lengths, double[] products);

    /**
     * Brings the numbers of all steps where they are not there yet. Does nothing unless overridden.
     *
     * @param lengths  of the vectors
     * @param products of each with the matrix times it
     */
    protected void end(double[] lengths, double[] products) {}

    /**
     * Says whether a step follows a vector.
     *
     * @param length       its length
     * @param firstProduct the product of the first step
     * @return false if it counts as 0
     */
    protected static boolean goesOn(double length, double firstProduct) {
        return length > 0 && !isEnough(length, firstProduct);
    }

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
