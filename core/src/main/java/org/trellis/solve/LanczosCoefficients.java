package org.trellis.solve;

import java.util.Arrays;

/**
 * The tridiagonal matrix that conjugate gradients make on the way, whose extreme eigenvalues approach those of the
 * preconditioned matrix from within (Saad, Iterative Methods for Sparse Linear Systems, section 6.7.3). After a restart
 * another tridiagonal matrix begins; the extremes are those of all.
 */
public final class LanczosCoefficients {
    private static final int BISECTIONS = 100;
    /** What an eigenvalue may be off, relative to itself. */
    private static final double ACCURACY = 1e-6;
    /** Steps that fit before the arrays grow. */
    private static final int INITIAL_STEPS = 256;

    private int steps;
    private double[] diagonal = new double[INITIAL_STEPS];
    /** Behind each diagonal entry but the last. */
    private double[] offDiagonal = new double[INITIAL_STEPS];
    private double rhoBefore;
    private double alphaBefore;
    private double least = Double.POSITIVE_INFINITY;
    private double largest;

    /** Begins without steps. */
    public LanczosCoefficients() {}

    /**
     * Adds a step. Allocates only when the steps no longer fit, for twice as many.
     *
     * @param rho   {@code rᵀ M⁻¹ r} before it, more than 0
     * @param sigma {@code pᵀ A p}, more than 0
     */
    public void add(double rho, double sigma) {
        if (steps == diagonal.length) {
            diagonal = Arrays.copyOf(diagonal, 2 * steps);
            offDiagonal = Arrays.copyOf(offDiagonal, 2 * steps);
        }
        double alpha = rho / sigma;
        if (steps == 0) {
            diagonal[0] = 1 / alpha;
        } else {
            double beta = rho / rhoBefore;
            offDiagonal[steps - 1] = Math.sqrt(beta) / alphaBefore;
            diagonal[steps] = 1 / alpha + beta / alphaBefore;
        }
        steps++;
        rhoBefore = rho;
        alphaBefore = alpha;
    }

    /** Begins another tridiagonal matrix. Costs up to 200 passes over the coefficients of the last one. */
    public void restart() {
        if (steps > 0) {
            findEnds();
            steps = 0;
        }
    }

    /** Forgets all steps. */
    public void clear() {
        steps = 0;
        least = Double.POSITIVE_INFINITY;
        largest = 0;
    }

    /**
     * Returns the least eigenvalue of all that was added. Begins another tridiagonal matrix.
     *
     * @return an upper bound of the least one of the preconditioned matrix; infinite without steps
     */
    public double least() {
        restart();
        return least;
    }

    /**
     * Returns the largest eigenvalue of all that was added. Begins another tridiagonal matrix.
     *
     * @return a lower bound of the largest one of the preconditioned matrix; 0 without steps
     */
    public double largest() {
        restart();
        return largest;
    }

    private void findEnds() {
        // Squares are taken of what is near 1; a power of two rounds nothing.
        double most = 0;
        for (int i = 0; i < steps; i++) {
            most = Math.max(most, Math.abs(diagonal[i]));
        }
        int exponent = -Math.getExponent(most);
        double bound = 0;
        for (int i = 0; i < steps; i++) {
            diagonal[i] = Math.scalb(diagonal[i], exponent);
            offDiagonal[i] = i == steps - 1 ? 0 : Math.scalb(offDiagonal[i], exponent);
            bound = Math.max(bound, diagonal[i] + offDiagonal[i] + (i == 0 ? 0 : offDiagonal[i - 1]));
        }
        least = Math.min(least, Math.scalb(bisect(bound, 1), -exponent));
        largest = Math.max(largest, Math.scalb(bisect(bound, steps), -exponent));
    }

    /** Finds the k-th eigenvalue from below. */
    private double bisect(double bound, int k) {
        double low = 0;
        double high = bound;
        for (int i = 0; i < BISECTIONS && high - low > ACCURACY * high; i++) {
            double middle = (low + high) / 2;
            if (below(middle) >= k) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Counts eigenvalues below a number by Sturm's sequence. */
    private int below(double x) {
        int count = 0;
        double d = 1;
        for (int i = 0; i < steps; i++) {
            double off = i == 0 ? 0 : offDiagonal[i - 1];
            d = diagonal[i] - x - off * off / (d == 0 ? Double.MIN_NORMAL : d);
            count += d < 0 ? 1 : 0;
        }
        return count;
    }

    @Override
    public String toString() {
        return "coefficients of " + steps + " steps";
    }
}
