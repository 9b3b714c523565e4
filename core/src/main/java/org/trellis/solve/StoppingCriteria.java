package org.trellis.solve;

/**
 * When an iterative solution ends. It has converged once {@code ‖r‖₂ ≤ max(relativeTolerance × ‖b‖₂,
 * absoluteTolerance)}, where {@code r = b − A x} is recomputed from the solution.
 *
 * @param relativeTolerance share of the norm of the right-hand side, at least 0
 * @param absoluteTolerance residual norm that is small enough whatever the right-hand side, at least 0
 * @param maximumIterations iterations allowed, at least 0
 * @param divergenceLimit   times the first residual norm at which the solution counts as diverged, more than 1
 */
public record StoppingCriteria(double relativeTolerance, double absoluteTolerance, int maximumIterations,
        double divergenceLimit) {
    private static final double DEFAULT_DIVERGENCE_LIMIT = 1e5;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is not in its range; names it
     */
    public StoppingCriteria {
        requireTolerance("relativeTolerance", relativeTolerance);
        requireTolerance("absoluteTolerance", absoluteTolerance);
        if (maximumIterations < 0) {
            throw new IllegalArgumentException("maximumIterations is " + maximumIterations + ", expected at least 0");
        }
        if (!(divergenceLimit > 1)) {
            throw new IllegalArgumentException("divergenceLimit is " + divergenceLimit + ", expected more than 1");
        }
    }

    private static void requireTolerance(String name, double value) {
        if (!(value >= 0) || value == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException(name + " is " + value + ", expected a finite number of at least 0");
        }
    }

    /**
     * Stops at a relative tolerance or a number of iterations.
     *
     * @param tolerance         share of the norm of the right-hand side
     * @param maximumIterations iterations allowed
     * @return the criteria, with a divergence limit of 10⁵ and no absolute tolerance
     */
    public static StoppingCriteria relative(double tolerance, int maximumIterations) {
        return new StoppingCriteria(tolerance, 0, maximumIterations, DEFAULT_DIVERGENCE_LIMIT);
    }

    /**
     * Returns the residual norm at which a solution has converged.
     *
     * @param rightHandSideNorm {@code ‖b‖₂}
     * @return the larger of the relative and the absolute bound
     */
    public double threshold(double rightHandSideNorm) {
        return Math.max(relativeTolerance * rightHandSideNorm, absoluteTolerance);
    }
}
