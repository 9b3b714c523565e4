package org.trellis.solve;

import org.trellis.common.Precision;

/**
 * When an iterative solution ends. It has converged once {@code ‖r‖₂ ≤ max(relativeTolerance × s, absoluteTolerance)},
 * where {@code r = b − A x} is recomputed from the solution and s is {@code ‖b‖₂} or the norm of the first residual.
 *
 * @param relativeTolerance share of the norm of the right-hand side or the first residual, at least 0
 * @param absoluteTolerance residual norm that is small enough whatever the right-hand side, at least 0
 * @param maximumIterations iterations allowed, at least 0
 * @param divergenceLimit   times the first residual norm at which the solution counts as diverged, more than 1
 * @param toFirstResidual   whether the relative tolerance is a share of the first residual's norm, not of the
 *                          right-hand side's
 * @param maximumSeconds    wall-clock time after which no iteration begins, more than 0; may be infinite
 * @param stagnationWindow  iterations within which the least residual so far must have fallen by at least
 *                          a hundredth; 0 for no such limit
 */
public record StoppingCriteria(double relativeTolerance, double absoluteTolerance, int maximumIterations,
        double divergenceLimit, boolean toFirstResidual, double maximumSeconds, int stagnationWindow) {
    /** The relative tolerance of all solvers unless another is set. */
    public static final double DEFAULT_TOLERANCE = 1e-8;
    /** The same for systems in single precision. */
    public static final double DEFAULT_SINGLE_TOLERANCE = 1e-5;
    /** The most iterations of all solvers unless another number is set. */
    public static final int DEFAULT_ITERATIONS = 10_000;
    private static final double DEFAULT_DIVERGENCE_LIMIT = 1e5;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
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
        if (!(maximumSeconds > 0)) {
            throw new IllegalArgumentException("maximumSeconds is " + maximumSeconds + ", expected more than 0");
        }
        if (stagnationWindow < 0) {
            throw new IllegalArgumentException("stagnationWindow is " + stagnationWindow + ", expected at least 0");
        }
    }

    /**
     * Creates criteria relative to the right-hand side, without limits of time and stagnation.
     *
     * @param relativeTolerance share of the norm of the right-hand side, at least 0
     * @param absoluteTolerance residual norm that is small enough whatever the right-hand side, at least 0
     * @param maximumIterations iterations allowed, at least 0
     * @param divergenceLimit   times the first residual norm at which the solution counts as diverged, more than 1
     * @throws IllegalArgumentException if a value is out of its range
     */
    public StoppingCriteria(double relativeTolerance, double absoluteTolerance, int maximumIterations,
            double divergenceLimit) {
        this(relativeTolerance, absoluteTolerance, maximumIterations, divergenceLimit, false,
                Double.POSITIVE_INFINITY, 0);
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
     * Returns the criteria of all solvers unless others are set: a residual of {@value #DEFAULT_TOLERANCE} of the
     * right-hand side, or {@value #DEFAULT_SINGLE_TOLERANCE} in single precision, and at most
     * {@value #DEFAULT_ITERATIONS} iterations.
     *
     * @param precision of the system
     * @return the criteria
     */
    public static StoppingCriteria defaults(Precision precision) {
        return relative(precision == Precision.F32 ? DEFAULT_SINGLE_TOLERANCE : DEFAULT_TOLERANCE, DEFAULT_ITERATIONS);
    }

    /**
     * Measures the relative tolerance by the first residual or by the right-hand side.
     *
     * @param wanted true for the first residual
     * @return other criteria
     */
    public StoppingCriteria toFirstResidual(boolean wanted) {
        return new StoppingCriteria(relativeTolerance, absoluteTolerance, maximumIterations, divergenceLimit, wanted,
                maximumSeconds, stagnationWindow);
    }

    /**
     * Limits the time.
     *
     * @param seconds wall-clock time after which no iteration begins
     * @return other criteria
     * @throws IllegalArgumentException if the time is not more than 0
     */
    public StoppingCriteria within(double seconds) {
        return new StoppingCriteria(relativeTolerance, absoluteTolerance, maximumIterations, divergenceLimit,
                toFirstResidual, seconds, stagnationWindow);
    }

    /**
     * Ends solutions that do not get on.
     *
     * @param iterations within which the least residual must have fallen by a hundredth; 0 for no such limit
     * @return other criteria
     * @throws IllegalArgumentException if the number is negative
     */
    public StoppingCriteria stagnatingAfter(int iterations) {
        return new StoppingCriteria(relativeTolerance, absoluteTolerance, maximumIterations, divergenceLimit,
                toFirstResidual, maximumSeconds, iterations);
    }

    /**
     * Returns the same criteria with another absolute tolerance.
     *
     * @param tolerance residual norm that is small enough whatever the right-hand side, at least 0
     * @return other criteria
     * @throws IllegalArgumentException if the tolerance is negative or not finite
     */
    public StoppingCriteria withAbsolute(double tolerance) {
        return new StoppingCriteria(relativeTolerance, tolerance, maximumIterations, divergenceLimit, toFirstResidual,
                maximumSeconds, stagnationWindow);
    }

    /**
     * Returns the same criteria with another limit of divergence.
     *
     * @param limit times the first residual norm at which the solution counts as diverged, more than 1
     * @return other criteria
     * @throws IllegalArgumentException if the limit is not more than 1
     */
    public StoppingCriteria divergingAt(double limit) {
        return new StoppingCriteria(relativeTolerance, absoluteTolerance, maximumIterations, limit, toFirstResidual,
                maximumSeconds, stagnationWindow);
    }

    /**
     * Returns the same criteria with another limit of iterations.
     *
     * @param iterations iterations allowed
     * @return other criteria
     * @throws IllegalArgumentException if the number is negative
     */
    public StoppingCriteria atMost(int iterations) {
        return new StoppingCriteria(relativeTolerance, absoluteTolerance, iterations, divergenceLimit,
                toFirstResidual, maximumSeconds, stagnationWindow);
    }

    /**
     * Returns the residual norm at which a solution has converged.
     *
     * @param scale {@code ‖b‖₂}, or the norm of the first residual where the tolerance is a share of that
     * @return the larger of the relative and the absolute bound
     */
    public double threshold(double scale) {
        return Math.max(relativeTolerance * scale, absoluteTolerance);
    }
}
