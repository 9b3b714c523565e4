package org.trellis.examples.poisson;

import java.util.Arrays;
import java.util.Locale;
import org.trellis.common.Checks;

/**
 * A polynomial in D⁻¹A that smooths or preconditions: {@code d = α D⁻¹ r + β d}, {@code x = x + d} in each step.
 *
 * @param kind   which
 * @param degree steps of a sweep, at least 1; for Jacobi's method sweeps
 * @param ratio  of the ends of the interval of eigenvalues that Chebyshev's polynomial is small on, more than 1
 */
public record Smoothing(Kind kind, int degree, double ratio) {
    /** Damping of Jacobi's method in units of one over the largest eigenvalue. */
    private static final double DAMPING = 4.0 / 3;

    /** The polynomials. */
    public enum Kind {
        /** Jacobi's method, damped by 4/3 over the largest eigenvalue. */
        JACOBI,
        /** Chebyshev's polynomial of the first kind (Saad, Iterative Methods, algorithm 12.1). */
        CHEBYSHEV;

        /** Returns the name in options and reports. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Finds one by its name. */
        static Kind of(String label) {
            return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "smoother is '" + label + "', expected jacobi or chebyshev"));
        }
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the degree is below 1 or the ratio not above 1
     */
    public Smoothing {
        Checks.positive("degree of the smoother", degree);
        if (!(ratio > 1)) {
            throw new IllegalArgumentException("ratio of the smoother is " + ratio + ", expected more than 1");
        }
    }

    /**
     * Computes the factors of all steps.
     *
     * @param largest the largest eigenvalue of D⁻¹A, or a little more
     * @return α and β of each step
     */
    double[][] factors(double largest) {
        double[][] factors = new double[degree][2];
        if (kind == Kind.JACOBI) {
            Arrays.setAll(factors, step -> new double[]{DAMPING / largest, 0});
            return factors;
        }
        double centre = 0.5 * (largest + largest / ratio);
        double radius = 0.5 * (largest - largest / ratio);
        double sigma = centre / radius;
        double rho = 1 / sigma;
        factors[0][0] = 1 / centre;
        for (int step = 1; step < degree; step++) {
            double before = rho;
            rho = 1 / (2 * sigma - before);
            factors[step][0] = 2 * rho / radius;
            factors[step][1] = rho * before;
        }
        return factors;
    }

    @Override
    public String toString() {
        return kind.label() + ", degree=" + degree
                + (kind == Kind.CHEBYSHEV ? String.format(Locale.ROOT, ", ratio=%.3g", ratio) : "");
    }
}
