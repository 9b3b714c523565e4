package org.trellis.fem;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * What holds on a part of the boundary where nothing is fixed: κ ∂u/∂n + α u = g (Neumann with α = 0, Robin otherwise);
 * of an elastic body g is the traction. Adds ∫ g v to the right-hand side and ∫ α u v to the form.
 *
 * @param where says whether a facet belongs to the part, by its centre
 * @param flux  g, as many numbers as there are fields
 * @param alpha α, not negative
 */
public record BoundaryCondition(Predicate<double[]> where, PointFunction flux, double alpha) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if α is negative or not finite
     */
    public BoundaryCondition {
        Objects.requireNonNull(where);
        Objects.requireNonNull(flux);
        if (!(alpha >= 0 && alpha < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("alpha of a Robin condition is " + alpha
                    + ", expected a finite number of at least 0");
        }
    }

    /**
     * Makes a Neumann condition.
     *
     * @param where says whether a facet belongs to the part, by its centre
     * @param flux  g
     * @return the condition
     */
    public static BoundaryCondition neumann(Predicate<double[]> where, PointFunction flux) {
        return new BoundaryCondition(where, flux, 0);
    }
}
