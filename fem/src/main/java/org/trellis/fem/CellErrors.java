package org.trellis.fem;

import java.util.Arrays;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.ReferenceMap;

/**
 * Squares of errors of one cell after the other, with workspace for one thread. Functions and coordinates are evaluated
 * at all points of a cell at once, a basis function after the other, so that inner loops go along points and the
 * compiler makes vector code of them.
 */
final class CellErrors {
    private final FunctionSpace space;
    private final double[] nodes;
    private final int fields;
    private final double[] weights;
    private final int points;
    private final int dimension;
    private final PointTable basis;
    private final PointTable map;
    private final double[] corners;
    private final double[] ofCell;
    /** Coordinates, then their derivatives, in each direction of the reference cell in turn. */
    private final double[] mapped;
    /** Fields, then their derivatives likewise. */
    private final double[] discrete;
    private final double[] jacobian;
    private final double[] inverse;
    private final double[] x;
    private final double[] value;
    private final double[] slope;

    /**
     * Makes workspace.
     *
     * @param space      the space
     * @param nodes      values at the nodes, fields side by side
     * @param fields     components of the function
     * @param quadrature the rule
     */
    CellErrors(FunctionSpace space, double[] nodes, int fields, Quadrature quadrature) {
        CellMesh mesh = space.mesh();
        this.space = space;
        this.nodes = nodes;
        this.fields = fields;
        weights = quadrature.weights();
        points = weights.length;
        dimension = mesh.dimension();
        basis = new PointTable(space.element().tabulate(quadrature.points()));
        map = new PointTable(mesh.geometry().tabulate(quadrature.points()));
        corners = new double[map.functions * dimension];
        ofCell = new double[basis.functions * fields];
        mapped = new double[(1 + dimension) * dimension * points];
        discrete = new double[(1 + dimension) * fields * points];
        jacobian = new double[dimension * dimension];
        inverse = new double[dimension * dimension];
        x = new double[dimension];
        value = new double[fields];
        slope = new double[fields * dimension];
    }

    /**
     * Adds the squares of a cell.
     *
     * @param cell     which cell
     * @param exact    the known function
     * @param gradient its derivatives
     * @param squares  gets the square of the difference and that of the gradients' added
     */
    void add(int cell, PointFunction exact, PointFunction gradient, double[] squares) {
        space.mesh().gather(cell, corners);
        map.evaluate(corners, dimension, mapped);
        int n = basis.functions;
        for (int i = 0; i < n; i++) {
            System.arraycopy(nodes, space.cellNodes()[cell * n + i] * fields, ofCell, i * fields, fields);
        }
        basis.evaluate(ofCell, fields, discrete);
        for (int q = 0; q < points; q++) {
            place(q);
            double weight = weights[q] * ReferenceMap.invert(jacobian, inverse);
            exact.at(x, value);
            squares[0] += weight * valueSquare(q);
            gradient.at(x, slope);
            squares[1] += weight * slopeSquare(q);
        }
    }

    /** Takes the coordinates of a point and the Jacobian matrix there. */
    private void place(int q) {
        for (int a = 0; a < dimension; a++) {
            x[a] = mapped[a * points + q];
            for (int d = 0; d < dimension; d++) {
                jacobian[a * dimension + d] = mapped[((1 + d) * dimension + a) * points + q];
            }
        }
    }

    private double valueSquare(int q) {
        double square = 0;
        for (int field = 0; field < fields; field++) {
            double off = discrete[field * points + q] - value[field];
            square += off * off;
        }
        return square;
    }

    private double slopeSquare(int q) {
        double square = 0;
        for (int field = 0; field < fields; field++) {
            for (int a = 0; a < dimension; a++) {
                double off = -slope[field * dimension + a];
                for (int d = 0; d < dimension; d++) {
                    off += discrete[((1 + d) * fields + field) * points + q] * inverse[d * dimension + a];
                }
                square += off * off;
            }
        }
        return square;
    }

    /** Values and derivatives of basis functions, those of one function at all points side by side. */
    private static final class PointTable {
        private final int functions;
        private final int points;
        private final int dimension;
        private final double[] values;

        PointTable(LagrangeElement.Tabulation table) {
            functions = table.functions();
            points = table.points();
            dimension = table.dimension();
            values = new double[(1 + dimension) * functions * points];
            for (int i = 0; i < functions; i++) {
                for (int q = 0; q < points; q++) {
                    values[i * points + q] = table.values()[q * functions + i];
                    for (int d = 0; d < dimension; d++) {
                        values[((1 + d) * functions + i) * points + q] =
                                table.gradients()[(q * dimension + d) * functions + i];
                    }
                }
            }
        }

        /**
         * Evaluates functions.
         *
         * @param factors of the basis functions, those of all components side by side
         * @param count   components
         * @param into    gets component c at point q at {@code c * points + q}, then derivatives in each direction
         *                likewise
         */
        void evaluate(double[] factors, int count, double[] into) {
            for (int d = 0; d <= dimension; d++) {
                for (int c = 0; c < count; c++) {
                    int to = (d * count + c) * points;
                    Arrays.fill(into, to, to + points, 0);
                    for (int i = 0; i < functions; i++) {
                        addMultiple(factors[i * count + c], values, (d * functions + i) * points, into, to, points);
                    }
                }
            }
        }

        private static void addMultiple(double factor, double[] from, int at, double[] into, int to, int length) {
            for (int q = 0; q < length; q++) {
                into[to + q] += factor * from[at + q];
            }
        }
    }
}
