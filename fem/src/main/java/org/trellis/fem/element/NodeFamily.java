package org.trellis.fem.element;

import java.util.Arrays;
import java.util.Locale;

/** Where the nodes of a Lagrange element of degree 3 or more lie; below that both families are the same. */
public enum NodeFamily {
    /** At equal distances. */
    EQUISPACED,
    /** At the points of Gauss-Lobatto quadrature: better conditioned at high degrees. */
    GLL;

    /**
     * Returns the name in options and reports.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a family by its name.
     *
     * @param label the name
     * @return the family
     * @throws IllegalArgumentException if there is no such family
     */
    public static NodeFamily of(String label) {
        return Arrays.stream(values()).filter(family -> family.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "nodes are '" + label + "', expected equispaced or gll"));
    }

    double[] points(int degree) {
        double[] points = new double[degree + 1];
        if (this == GLL) {
            return Quadrature.gaussLobatto(degree + 1).points();
        }
        Arrays.setAll(points, i -> (double) i / degree);
        return points;
    }
}
