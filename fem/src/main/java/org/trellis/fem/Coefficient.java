package org.trellis.fem;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;

/**
 * A coefficient of a form: a number, a symmetric tensor (its upper triangle row by row), or the matrix of a form of
 * several fields (row by row). The same everywhere, one for each cell, a function of the place that is evaluated at the
 * quadrature points, or what a loop over these points makes, whose kernel is the user's.
 */
public final class Coefficient {
    private final int components;
    private final double[] constant;
    private final double[] cells;
    private final PointFunction function;
    private final PointLoop loop;

    /** Computes a coefficient at quadrature points by loops. */
    @FunctionalInterface
    public interface PointLoop {
        /**
         * Runs loops over the points.
         *
         * @param mesh   where loops are declared; the points are a set of it
         * @param points coordinates of the points
         * @param values to be written, the components of the coefficient
         */
        void run(Mesh mesh, Dat points, Dat values);
    }

    private Coefficient(int components, double[] constant, double[] cells, PointFunction function, PointLoop loop) {
        this.components = components;
        this.constant = constant;
        this.cells = cells;
        this.function = function;
        this.loop = loop;
    }

    /**
     * Makes a coefficient that is the same everywhere.
     *
     * @param values its components
     * @return the coefficient
     */
    public static Coefficient constant(double... values) {
        return new Coefficient(values.length, values.clone(), null, null, null);
    }

    /**
     * Makes a coefficient with a value for each cell.
     *
     * @param components of each value
     * @param values     those of the first cell first; copied
     * @return the coefficient
     */
    public static Coefficient ofCells(int components, double... values) {
        return new Coefficient(components, null, values.clone(), null, null);
    }

    /**
     * Makes a coefficient that is a function of the place.
     *
     * @param components of each value
     * @param function   evaluated at the quadrature points, on the host, when the system is made
     * @return the coefficient
     */
    public static Coefficient of(int components, PointFunction function) {
        return new Coefficient(components, null, null, Objects.requireNonNull(function), null);
    }

    /**
     * Makes a coefficient that a loop over quadrature points computes, whose kernel is compiled like any other.
     *
     * @param components of each value
     * @param loop       run each time that the system is assembled
     * @return the coefficient
     */
    public static Coefficient ofLoop(int components, PointLoop loop) {
        return new Coefficient(components, null, null, null, Objects.requireNonNull(loop));
    }

    /** Keeps the values of some cells, where there are any. */
    static Coefficient onCells(Coefficient coefficient, int... some) {
        if (coefficient == null || coefficient.cells == null) {
            return coefficient;
        }
        int n = coefficient.components;
        double[] kept = new double[some.length * n];
        for (int k = 0; k < kept.length; k++) {
            kept[k] = coefficient.cells[Checks.index("value of a cell", some[k / n] * n + k % n,
                    coefficient.cells.length)];
        }
        return ofCells(n, kept);
    }

    /**
     * Returns the number of components.
     *
     * @return at least 1
     */
    public int components() {
        return components;
    }

    double[] constant() {
        return constant;
    }

    double[] cells() {
        return cells;
    }

    PointFunction function() {
        return function;
    }

    PointLoop loop() {
        return loop;
    }

    boolean atPoints() {
        return function != null || loop != null;
    }
}
