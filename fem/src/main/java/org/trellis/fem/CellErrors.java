package org.trellis.fem;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.ReferenceMap;

/**
 * Squares of errors of one cell after the other, with workspace for one thread. Functions and coordinates are evaluated
 * at all points of a cell at once, four basis functions at a time, so that inner loops go along points and their
 * derivatives and the compiler makes vector code of them. Of a cell whose map is affine the matrix is computed once.
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
    /** Of each coordinate its values, then its derivatives in each direction of the reference cell. */
    private final double[][] mapped;
    /** Of each field likewise. */
    private final double[][] discrete;
    private final AffineMap affineMap;
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
        affineMap = new AffineMap(mesh.geometry(), quadrature.points());
        corners = new double[map.functions * dimension];
        ofCell = new double[basis.functions * fields];
        mapped = new double[dimension][(1 + dimension) * points];
        discrete = new double[fields][(1 + dimension) * points];
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
        boolean affine = affineMap.fits(corners, jacobian);
        double determinant = affine ? ReferenceMap.invert(jacobian, inverse) : 0;
        if (!affine) {
            map.evaluate(corners, mapped);
        }
        int n = basis.functions;
        for (int i = 0; i < n; i++) {
            System.arraycopy(nodes, space.cellNodes()[cell * n + i] * fields, ofCell, i * fields, fields);
        }
        basis.evaluate(ofCell, discrete);
        for (int q = 0; q < points; q++) {
            if (affine) {
                affineMap.point(q, corners, jacobian, x);
            } else {
                place(q);
                determinant = ReferenceMap.invert(jacobian, inverse);
            }
            exact.at(x, value);
            squares[0] += weights[q] * determinant * valueSquare(q);
            gradient.at(x, slope);
            squares[1] += weights[q] * determinant * slopeSquare(q);
        }
    }

    /** Takes the coordinates of a point and the Jacobian matrix there. */
    private void place(int q) {
        for (int a = 0; a < dimension; a++) {
            x[a] = mapped[a][q];
            for (int d = 0; d < dimension; d++) {
                jacobian[a * dimension + d] = mapped[a][(1 + d) * points + q];
            }
        }
    }

    private double valueSquare(int q) {
        double square = 0;
        for (int field = 0; field < fields; field++) {
            double off = discrete[field][q] - value[field];
            square += off * off;
        }
        return square;
    }

    private double slopeSquare(int q) {
        double square = 0;
        for (int field = 0; field < fields; field++) {
            double[] derivatives = discrete[field];
            for (int a = 0; a < dimension; a++) {
                double off = -slope[field * dimension + a];
                for (int d = 0; d < dimension; d++) {
                    off += derivatives[(1 + d) * points + q] * inverse[d * dimension + a];
                }
                square += off * off;
            }
        }
        return square;
    }

    /** The map of cells that are parallelograms, parallelepipeds or simplices. */
    private static final class AffineMap {
        /** How far a point may be from where the map puts it, as a share of the coordinates: their rounding. */
        private static final double ROUNDING = 1e-15;

        private final int dimension;
        private final double[] nodes;
        private final double[] points;
        private final int origin;
        /** The node at the end of each axis of the reference cell. */
        private final int[] ends;

        /**
         * Prepares for the cells of a mesh.
         *
         * @param geometry the element of their maps
         * @param points   of the reference cell whose coordinates are computed
         */
        AffineMap(LagrangeElement geometry, double... points) {
            this.points = points;
            dimension = geometry.shape().dimension();
            nodes = new double[geometry.nodes() * dimension];
            for (int k = 0; k < geometry.nodes(); k++) {
                System.arraycopy(geometry.node(k), 0, nodes, k * dimension, dimension);
            }
            origin = end(geometry, -1);
            ends = new int[dimension];
            Arrays.setAll(ends, axis -> end(geometry, axis));
        }

        /** Returns the node at the corner at the end of an axis, for -1 at the origin. */
        private static int end(LagrangeElement geometry, int axis) {
            ElementShape shape = geometry.shape();
            return IntStream.range(0, shape.corners())
                    .filter(corner -> IntStream.range(0, shape.dimension())
                            .allMatch(d -> shape.corner(corner, d) == (d == axis ? 1 : 0)))
                    .map(geometry::cornerNode).findFirst().orElseThrow();
        }

        /**
         * Computes the map of a cell.
         *
         * @param cell     the points of its map
         * @param jacobian gets its matrix
         * @return whether it is that of the cell
         */
        boolean fits(double[] cell, double... jacobian) {
            for (int d = 0; d < dimension; d++) {
                for (int a = 0; a < dimension; a++) {
                    jacobian[a * dimension + d] = cell[ends[d] * dimension + a] - cell[origin * dimension + a];
                }
            }
            double greatest = 0;
            double off = 0;
            for (int k = 0; k < cell.length; k++) {
                greatest = Math.max(greatest, Math.abs(cell[k]));
                off = Math.max(off,
                        Math.abs(coordinate(nodes, k / dimension, k % dimension, cell, jacobian) - cell[k]));
            }
            return off <= ROUNDING * greatest;
        }

        /** Maps a point. */
        void point(int q, double[] cell, double[] jacobian, double... x) {
            for (int a = 0; a < dimension; a++) {
                x[a] = coordinate(points, q, a, cell, jacobian);
            }
        }

        private double coordinate(double[] from, int point, int a, double[] cell, double... jacobian) {
            double x = cell[origin * dimension + a];
            for (int d = 0; d < dimension; d++) {
                x += jacobian[a * dimension + d] * from[point * dimension + d];
            }
            return x;
        }
    }

    /** Values and derivatives of basis functions, those of one function at all points side by side. */
    private static final class PointTable {
        private final int functions;
        private final double[][] values;

        PointTable(LagrangeElement.Tabulation table) {
            functions = table.functions();
            int points = table.points();
            int dimension = table.dimension();
            values = new double[functions][(1 + dimension) * points];
            for (int i = 0; i < functions; i++) {
                for (int q = 0; q < points; q++) {
                    values[i][q] = table.values()[q * functions + i];
                    for (int d = 0; d < dimension; d++) {
                        values[i][(1 + d) * points + q] = table.gradients()[(q * dimension + d) * functions + i];
                    }
                }
            }
        }

        /**
         * Evaluates functions.
         *
         * @param factors of the basis functions, those of all components side by side
         * @param into    gets of each component its values at all points, then its derivatives in each direction
         */
        void evaluate(double[] factors, double[]... into) {
            int count = into.length;
            for (int c = 0; c < count; c++) {
                Arrays.fill(into[c], 0);
                int i = 0;
                for (; i + 4 <= functions; i += 4) {
                    addFour(factors, i * count + c, count, i, into[c]);
                }
                for (; i < functions; i++) {
                    addOne(factors[i * count + c], values[i], into[c]);
                }
            }
        }

        /** All arrays have the same index, without which the JVM makes no vector code. */
        private void addFour(double[] factors, int factor, int stride, int i, double... into) {
            double a = factors[factor];
            double b = factors[factor + stride];
            double c = factors[factor + 2 * stride];
            double d = factors[factor + 3 * stride];
            double[] first = values[i];
            double[] second = values[i + 1];
            double[] third = values[i + 2];
            double[] fourth = values[i + 3];
            for (int q = 0; q < into.length; q++) {
                into[q] += a * first[q] + b * second[q] + (c * third[q] + d * fourth[q]);
            }
        }

        private static void addOne(double factor, double[] from, double... into) {
            for (int q = 0; q < into.length; q++) {
                into[q] += factor * from[q];
            }
        }
    }
}
