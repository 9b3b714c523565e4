package org.trellis.solve;

import java.util.ArrayList;
import java.util.List;

/**
 * The tridiagonal matrix that conjugate gradients make on the way, whose extreme eigenvalues approach those of the
 * preconditioned matrix from within (Saad, Iterative Methods for Sparse Linear Systems, section 6.7.3). After a restart
 * another tridiagonal matrix begins; the extremes are those of all.
 */
public final class LanczosCoefficients {
    private static final int BISECTIONS = 100;

    private final List<Double> diagonal = new ArrayList<>();
    private final List<Double> offDiagonal = new ArrayList<>();
    private double rhoBefore;
    private double alphaBefore;
    private double least = Double.POSITIVE_INFINITY;
    private double largest;

    /** Begins without steps. */
    public LanczosCoefficients() {}

    /**
     * Adds a step.
     *
     * @param rho   {@code rᵀ M⁻¹ r} before it, more than 0
     * @param sigma {@code pᵀ A p}, more than 0
     */
    public void add(double rho, double sigma) {
        double alpha = rho / sigma;
        double beta = 0;
        if (!diagonal.isEmpty()) {
            beta = rho / rhoBefore;
            offDiagonal.add(Math.sqrt(beta) / alphaBefore);
        }
        diagonal.add(1 / alpha + (diagonal.isEmpty() ? 0 : beta / alphaBefore));
        rhoBefore = rho;
        alphaBefore = alpha;
    }

    /** Begins another tridiagonal matrix. Costs some 200 passes over the coefficients of the last one. */
    public void restart() {
        if (!diagonal.isEmpty()) {
            findEnds();
            diagonal.clear();
            offDiagonal.clear();
        }
    }

    /** Forgets all steps. */
    public void clear() {
        diagonal.clear();
        offDiagonal.clear();
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
        int exponent = -Math.getExponent(diagonal.stream().mapToDouble(Math::abs).max().orElse(1));
        diagonal.replaceAll(d -> Math.scalb(d, exponent));
        offDiagonal.replaceAll(d -> Math.scalb(d, exponent));
        double bound = 0;
        int last = diagonal.size() - 1;
        for (int i = 0; i <= last; i++) {
            bound = Math.max(bound, diagonal.get(i) + (i == 0 ? 0 : offDiagonal.get(i - 1))
                    + (i == last ? 0 : offDiagonal.get(i)));
        }
        least = Math.min(least, Math.scalb(bisect(bound, 1), -exponent));
        largest = Math.max(largest, Math.scalb(bisect(bound, diagonal.size()), -exponent));
    }

    /** Finds the k-th eigenvalue from below. */
    private double bisect(double bound, int k) {
        double low = 0;
        double high = bound;
        for (int i = 0; i < BISECTIONS && low < high; i++) {
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
        for (int i = 0; i < diagonal.size(); i++) {
            double off = i == 0 ? 0 : offDiagonal.get(i - 1);
            d = diagonal.get(i) - x - off * off / (d == 0 ? Double.MIN_NORMAL : d);
            count += d < 0 ? 1 : 0;
        }
        return count;
    }

    @Override
    public String toString() {
        return "coefficients of " + diagonal.size() + " steps";
    }
}
