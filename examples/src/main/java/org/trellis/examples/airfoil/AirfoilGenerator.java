package org.trellis.examples.airfoil;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.matrices.mesh.AirfoilMesh;

/**
 * Makes the meshes of the Airfoil benchmark. In the plane of ζ = ξ + i η the mesh is a grid between a curve, the square
 * root of the aerofoil's outline, and the line η = 3; its image under z = ζ² is a C-mesh.
 */
public final class AirfoilGenerator {
    private static final int OUTLINE = 100;
    private static final double TAIL = 0.594689181;
    private static final double[] THICKNESS = {0.298222773, -0.127125232, -0.357907906, 0.291984971, -0.105174696};
    /** Where the branch point of the root lies within the nose. */
    private static final double NOSE = 0.0077;
    private static final double HALF_WIDTH = 3;

    private final int i;
    private final int j;
    private final int columns;

    private AirfoilGenerator(int i, int j) {
        this.i = i;
        this.j = Checks.positive("j", j);
        if (i < 2 || 4 * (3.0 * i + 1) * (j + 1.0) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("i is " + i + " and j " + j
                    + ", expected i of at least 2, and 4 (3 i + 1) (j + 1) below 2147483648");
        }
        columns = 3 * i;
    }

    /**
     * Generates the benchmark's mesh: a C-mesh about a NACA 0012 aerofoil by way of a complex square root, whose
     * coordinates are rounded to six decimals. The standard mesh of the OP2 papers has i = 400 and j = 600.
     *
     * @param i cells along the aerofoil, and along each side of its wake; at least 2
     * @param j cells from there outwards, at least 1
     * @return a mesh of 3 i j cells
     * @throws IllegalArgumentException if a number is too small or the mesh too large for 32-bit indices
     */
    public static AirfoilMesh generate(int i, int j) {
        return new AirfoilGenerator(i, j).mesh();
    }

    private AirfoilMesh mesh() {
        int[] cellNodes = new int[4 * columns * j];
        int at = 0;
        for (int row = 0; row < j; row++) {
            for (int column = 0; column < columns; column++) {
                cellNodes[at++] = node(column, row);
                cellNodes[at++] = node(column + 1, row);
                cellNodes[at++] = node(column + 1, row + 1);
                cellNodes[at++] = node(column, row + 1);
            }
        }
        Edges interior = interiorEdges();
        Edges boundary = boundaryEdges();
        return new AirfoilMesh(coordinates(), cellNodes, interior.nodes, interior.cells, boundary.nodes,
                Arrays.copyOf(boundary.cells, boundary.count), Arrays.copyOf(boundary.kinds, boundary.count));
    }

    private int node(int column, int row) {
        return column + row * (columns + 1);
    }

    private int cell(int column, int row) {
        return column + row * columns;
    }

    /** Edges in the order in which they are added; boundary edges have one cell and a kind. */
    private static final class Edges {
        private final int[] nodes;
        private final int[] cells;
        private final int[] kinds;
        private int count;

        Edges(int size, boolean interior) {
            nodes = new int[2 * size];
            cells = new int[interior ? 2 * size : size];
            kinds = new int[interior ? 0 : size];
        }

        void interior(int node0, int node1, int cell0, int cell1) {
            cells[2 * count] = cell0;
            cells[2 * count + 1] = cell1;
            nodes[2 * count] = node0;
            nodes[2 * count++ + 1] = node1;
        }

        void boundary(int node0, int node1, int cell, int kind) {
            cells[count] = cell;
            kinds[count] = kind;
            nodes[2 * count] = node0;
            nodes[2 * count++ + 1] = node1;
        }
    }

    private Edges interiorEdges() {
        Edges edges = new Edges((columns - 1) * j + columns * (j - 1) + i, true);
        for (int row = 0; row < j; row++) {
            for (int column = 0; column < columns; column++) {
                if (row == 0 && column < i) {
                    edges.interior(node(column, 0), node(column + 1, 0), cell(columns - 1 - column, 0),
                            cell(column, 0));
                }
                if (row < j - 1) {
                    edges.interior(node(column, row + 1), node(column + 1, row + 1), cell(column, row),
                            cell(column, row + 1));
                }
                if (column < columns - 1) {
                    edges.interior(node(column + 1, row), node(column + 1, row + 1), cell(column + 1, row),
                            cell(column, row));
                }
            }
        }
        return edges;
    }

    private Edges boundaryEdges() {
        Edges edges = new Edges(4 * i + 2 * j, false);
        for (int column = i; column < 2 * i; column++) {
            edges.boundary(node(column + 1, 0), node(column, 0), cell(column, 0), AirfoilMesh.WALL);
        }
        for (int row = 0; row < j; row++) {
            edges.boundary(node(columns, row + 1), node(columns, row), cell(columns - 1, row), AirfoilMesh.FAR_FIELD);
        }
        for (int column = columns - 1; column >= 0; column--) {
            edges.boundary(node(column, j), node(column + 1, j), cell(column, j - 1), AirfoilMesh.FAR_FIELD);
        }
        for (int row = j - 1; row >= 0; row--) {
            edges.boundary(node(0, row), node(0, row + 1), cell(0, row), AirfoilMesh.FAR_FIELD);
        }
        return edges;
    }

    private double[] coordinates() {
        Spline outline = outline();
        double[] coordinates = new double[2 * (columns + 1) * (j + 1)];
        for (int column = 0; column <= columns; column++) {
            double xi = -HALF_WIDTH + column * (2 * HALF_WIDTH / columns);
            double base = column > i && column < 2 * i ? outline.at(xi) : 0;
            for (int row = 0; row <= j; row++) {
                double eta = base + row * ((HALF_WIDTH - base) / j);
                int at = 2 * node(column, row);
                // With one rounding less, as the compiler of the reference mesh did: it decides on the sign of zeros.
                coordinates[at] = AirfoilMesh.rounded(Math.fma(xi, xi, -(eta * eta)));
                coordinates[at + 1] = AirfoilMesh.rounded(2 * xi * eta);
            }
        }
        return coordinates;
    }

    /** The square root of the outline: Re ζ from −1 to 1, through 0 at the nose, and Im ζ. */
    private static Spline outline() {
        double[] x = new double[2 * OUTLINE - 1];
        double[] y = new double[2 * OUTLINE - 1];
        for (int k = 0; k < OUTLINE; k++) {
            double sine = Math.sin(k * Math.PI / (2 * OUTLINE - 2));
            double t = sine * sine;
            double re = t - NOSE;
            double im = k == OUTLINE - 1 ? 0 : halfThickness(t);
            double magnitude = Math.hypot(re, im);
            double rootRe = Math.sqrt((magnitude + re) / 2);
            double rootIm = Math.sqrt((magnitude - re) / 2);
            rootRe = k == 0 ? 0 : rootRe;
            x[OUTLINE - 1 - k] = -rootRe;
            x[OUTLINE - 1 + k] = rootRe;
            y[OUTLINE - 1 - k] = rootIm;
            y[OUTLINE - 1 + k] = rootIm;
        }
        return new Spline(x, y);
    }

    private static double halfThickness(double t) {
        return TAIL * (THICKNESS[0] * Math.sqrt(t) + t * (THICKNESS[1] + t * (THICKNESS[2] + t * (THICKNESS[3]
                + t * THICKNESS[4]))));
    }

    /** A cubic spline whose third derivative is continuous at the second point and the last but one (not-a-knot). */
    private static final class Spline {
        private final double[] x;
        private final double[] y;
        /** Second derivatives at the points. */
        private final double[] curvature;

        Spline(double[] x, double[] y) {
            this.x = x;
            this.y = y;
            int n = x.length;
            double[][] matrix = new double[n][n];
            double[] right = new double[n];
            for (int k = 1; k < n - 1; k++) {
                double before = x[k] - x[k - 1];
                double after = x[k + 1] - x[k];
                matrix[k][k - 1] = before;
                matrix[k][k] = 2 * (before + after);
                matrix[k][k + 1] = after;
                right[k] = 6 * ((y[k + 1] - y[k]) / after - (y[k] - y[k - 1]) / before);
            }
            for (int end : new int[]{0, n - 1}) {
                int k = end == 0 ? 1 : n - 2;
                double before = x[k] - x[k - 1];
                double after = x[k + 1] - x[k];
                matrix[end][k - 1] = after;
                matrix[end][k] = -(before + after);
                matrix[end][k + 1] = before;
            }
            curvature = solved(matrix, right);
        }

        /** Gaussian elimination with row exchanges; the system is small. */
        private static double[] solved(double[][] matrix, double[] right) {
            int n = right.length;
            for (int k = 0; k < n; k++) {
                int pivot = k;
                for (int row = k + 1; row < n; row++) {
                    pivot = Math.abs(matrix[row][k]) > Math.abs(matrix[pivot][k]) ? row : pivot;
                }
                double[] keptRow = matrix[k];
                matrix[k] = matrix[pivot];
                matrix[pivot] = keptRow;
                double kept = right[k];
                right[k] = right[pivot];
                right[pivot] = kept;
                for (int row = k + 1; row < n; row++) {
                    double factor = matrix[row][k] / matrix[k][k];
                    for (int column = k; factor != 0 && column < n; column++) {
                        matrix[row][column] -= factor * matrix[k][column];
                    }
                    right[row] -= factor * right[k];
                }
            }
            for (int k = n - 1; k >= 0; k--) {
                for (int column = k + 1; column < n; column++) {
                    right[k] -= matrix[k][column] * right[column];
                }
                right[k] /= matrix[k][k];
            }
            return right;
        }

        double at(double position) {
            int found = Arrays.binarySearch(x, position);
            int k = Math.clamp(found >= 0 ? found : -found - 2, 0, x.length - 2);
            double width = x[k + 1] - x[k];
            double a = (x[k + 1] - position) / width;
            double b = (position - x[k]) / width;
            return a * y[k] + b * y[k + 1]
                    + ((a * a * a - a) * curvature[k] + (b * b * b - b) * curvature[k + 1]) * width * width / 6;
        }
    }
}
