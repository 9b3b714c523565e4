package org.trellis.fem;

/** Numbers that depend on the place, and on nothing else: several threads ask for them at once. */
@FunctionalInterface
public interface PointFunction {
    /**
     * Computes the numbers.
     *
     * @param x      coordinates, not to be changed or kept
     * @param values gets the numbers, as many as the caller expects
     */
    void at(double[] x, double[] values);
}
