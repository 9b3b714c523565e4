package org.trellis.fem.integrate;

import java.util.Objects;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;

/**
 * What integrals over an element need to know about it: bases at quadrature points.
 *
 * @param element    the element of the unknowns
 * @param geometry   the element of the map from the reference cell
 * @param quadrature points and weights
 * @param basis      the element's basis at the points
 * @param map        the map's basis at the points
 * @param line       points of the interval of which the quadrature is a product, or null: then nothing is factorised
 */
public record ElementTables(LagrangeElement element, LagrangeElement geometry, Quadrature quadrature,
        LagrangeElement.Tabulation basis, LagrangeElement.Tabulation map, Quadrature line) {
    /** Checks that there is something. */
    public ElementTables {
        Objects.requireNonNull(element);
        Objects.requireNonNull(geometry);
        Objects.requireNonNull(quadrature);
    }

    /**
     * Makes the tables with the usual quadrature: degree + 1 Gauss points in each direction of squares and cubes, and
     * on simplices a rule that is exact for products of two basis functions.
     *
     * @param element  the element of the unknowns
     * @param geometry the element of the map
     * @return the tables
     */
    public static ElementTables of(LagrangeElement element, LagrangeElement geometry) {
        if (element.shape().isTensor()) {
            int n = Math.max(element.degree(), geometry.degree()) + 1;
            return of(element, geometry, Quadrature.product(element.shape(), n), Quadrature.gauss(n));
        }
        int bend = (geometry.degree() - 1) * 2 * element.shape().dimension();
        return of(element, geometry, Quadrature.ofDegree(element.shape(), 2 * element.degree() + bend), null);
    }

    /**
     * Makes the tables for a quadrature of one's own.
     *
     * @param element    the element of the unknowns
     * @param geometry   the element of the map
     * @param quadrature the points
     * @param line       the points of the interval of which it is a product, or null
     * @return the tables
     */
    public static ElementTables of(LagrangeElement element, LagrangeElement geometry, Quadrature quadrature,
            Quadrature line) {
        return new ElementTables(element, geometry, quadrature, element.tabulate(quadrature.points()),
                geometry.tabulate(quadrature.points()), line);
    }

    /**
     * Returns the dimension.
     *
     * @return 2 or 3
     */
    public int dimension() {
        return element.shape().dimension();
    }

    /**
     * Returns the number of basis functions.
     *
     * @return nodes of the element
     */
    public int functions() {
        return element.nodes();
    }

    /**
     * Returns the number of quadrature points.
     *
     * @return at least 1
     */
    public int points() {
        return quadrature.size();
    }

    /** Returns the points of the interval, n. */
    int lineSize() {
        return element.degree() + 1;
    }

    /** Says whether sums can be factorised: products of as many points as there are nodes in a direction. */
    boolean factorises() {
        return line != null && line.size() == element.degree() + 1;
    }

    /** Returns the basis of the interval at its points, value of function i at point q at {@code q * n + i}. */
    double[] lineValues() {
        return element.lineValues(line.points());
    }

    /** Returns the derivatives of the basis of the interval at its points. */
    double[] lineSlopes() {
        double[] values = lineValues();
        double[] slopes = collocation();
        int n = lineSize();
        double[] product = new double[n * n];
        for (int q = 0; q < n; q++) {
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < n; k++) {
                    product[q * n + i] += slopes[q * n + k] * values[k * n + i];
                }
            }
        }
        return product;
    }

    /** Returns the derivatives of the polynomials that are 1 at one of the points of the interval, at these points. */
    double[] collocation() {
        return LagrangeElement.differentiation(line.points());
    }
}
