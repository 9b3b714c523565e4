package org.trellis.fem.element;

import java.util.Arrays;

/**
 * A Lagrange element: polynomials that are 1 at one of its nodes and 0 at the others. On squares and cubes they are
 * products of polynomials of the degree in each direction, and nodes are numbered with the first coordinate running
 * fastest; on triangles and tetrahedra they are all polynomials of the degree, and nodes are numbered the same way.
 */
public final class LagrangeElement {
    private static final int MOST_TENSOR = 8;
    private static final int MOST_SIMPLEX = 3;

    private final ElementShape shape;
    private final int degree;
    private final NodeFamily family;
    private final double[] line;
    private final int[] lattice;
    private final int[] cornerNodes;
    /** On simplices: coefficients of the basis functions in the monomials, one row for each function. */
    private final double[][] coefficients;

    private LagrangeElement(ElementShape shape, int degree, NodeFamily family) {
        this.shape = shape;
        this.degree = degree;
        this.family = family;
        this.line = family.points(degree);
        this.lattice = lattice(shape, degree);
        this.coefficients = shape.isTensor() ? null : invert(vandermonde());
        this.cornerNodes = new int[shape.corners()];
        int dimension = shape.dimension();
        for (int c = 0; c < cornerNodes.length; c++) {
            for (int i = 0; i < nodes(); i++) {
                boolean same = true;
                for (int d = 0; d < dimension; d++) {
                    same &= lattice[dimension * i + d] == degree * shape.corner(c, d);
                }
                cornerNodes[c] = same ? i : cornerNodes[c];
            }
        }
    }

    /**
     * Makes an element.
     *
     * @param shape  the cell
     * @param degree the degree of the polynomials: 1 to 8 on squares and cubes, 1 to 3 on simplices
     * @param family where nodes lie; simplices have them at equal distances
     * @return the element
     * @throws IllegalArgumentException if the degree is out of range, or nodes of a simplex of degree 3 are to lie
     *                                  elsewhere
     */
    public static LagrangeElement of(ElementShape shape, int degree, NodeFamily family) {
        int most = shape.isTensor() ? MOST_TENSOR : MOST_SIMPLEX;
        if (degree < 1 || degree > most) {
            throw new IllegalArgumentException("degree of a Lagrange element is " + degree + ", expected 1 to " + most
                    + " on a " + shape.name().toLowerCase(java.util.Locale.ROOT));
        }
        if (!shape.isTensor() && degree > 2 && family != NodeFamily.EQUISPACED) {
            throw new IllegalArgumentException("nodes are " + family.label() + " on a "
                    + shape.name().toLowerCase(java.util.Locale.ROOT) + " of degree " + degree
                    + ", expected equispaced");
        }
        return new LagrangeElement(shape, degree, family);
    }

    /**
     * Makes an element with the nodes that its shape usually has: Gauss-Lobatto points on squares and cubes, equal
     * distances on simplices.
     *
     * @param shape  the cell
     * @param degree the degree of the polynomials
     * @return the element
     * @throws IllegalArgumentException if the degree is out of range
     */
    public static LagrangeElement of(ElementShape shape, int degree) {
        return of(shape, degree, shape.isTensor() ? NodeFamily.GLL : NodeFamily.EQUISPACED);
    }

    private static int[] lattice(ElementShape shape, int degree) {
        int dimension = shape.dimension();
        int[] found = new int[dimension * (int) Math.pow(degree + 1, dimension)];
        int at = 0;
        for (int k = 0; k <= (dimension == 3 ? degree : 0); k++) {
            for (int j = 0; j <= degree; j++) {
                for (int i = 0; i <= degree; i++) {
                    if (shape.isTensor() || i + j + k <= degree) {
                        found[at] = i;
                        found[at + 1] = j;
                        if (dimension == 3) {
                            found[at + 2] = k;
                        }
                        at += dimension;
                    }
                }
            }
        }
        return Arrays.copyOf(found, at);
    }

    private double[][] vandermonde() {
        int n = nodes();
        double[][] matrix = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int m = 0; m < n; m++) {
                matrix[i][m] = monomial(m, node(i), -1);
            }
        }
        return matrix;
    }

    /** The value, or a derivative, of the monomial whose exponents are a lattice point. */
    private double monomial(int m, double[] x, int derivative) {
        double value = 1;
        for (int d = 0; d < x.length; d++) {
            int exponent = lattice[x.length * m + d];
            if (d == derivative) {
                value *= exponent == 0 ? 0 : exponent * Math.pow(x[d], exponent - 1.0);
            } else {
                value *= Math.pow(x[d], exponent);
            }
        }
        return value;
    }

    /** Inverts by Gauss-Jordan elimination with row pivots, and transposes. */
    private static double[][] invert(double[][] a) {
        int n = a.length;
        double[][] work = new double[n][2 * n];
        for (int i = 0; i < n; i++) {
            System.arraycopy(a[i], 0, work[i], 0, n);
            work[i][n + i] = 1;
        }
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int i = k + 1; i < n; i++) {
                pivot = Math.abs(work[i][k]) > Math.abs(work[pivot][k]) ? i : pivot;
            }
            double[] row = work[pivot];
            work[pivot] = work[k];
            work[k] = row;
            double scale = 1 / row[k];
            for (int j = 0; j < 2 * n; j++) {
                row[j] *= scale;
            }
            for (int i = 0; i < n; i++) {
                double factor = work[i][k];
                for (int j = 0; i != k && j < 2 * n; j++) {
                    work[i][j] -= factor * row[j];
                }
            }
        }
        double[][] inverse = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                inverse[j][i] = work[i][n + j];
            }
        }
        return inverse;
    }

    /**
     * Returns the shape.
     *
     * @return that of the cells
     */
    public ElementShape shape() {
        return shape;
    }

    /**
     * Returns the degree.
     *
     * @return at least 1
     */
    public int degree() {
        return degree;
    }

    /**
     * Returns where nodes lie.
     *
     * @return the family
     */
    public NodeFamily family() {
        return family;
    }

    /**
     * Returns the number of nodes, which is that of basis functions.
     *
     * @return at least 3
     */
    public int nodes() {
        return lattice.length / shape.dimension();
    }

    /**
     * Returns a coordinate of a node in steps from the origin of the reference cell.
     *
     * @param node      which node
     * @param direction which coordinate
     * @return 0 to the degree
     */
    public int lattice(int node, int direction) {
        return lattice[shape.dimension() * node + direction];
    }

    /**
     * Returns the node at a corner.
     *
     * @param corner which corner
     * @return a node
     */
    public int cornerNode(int corner) {
        return cornerNodes[corner];
    }

    /**
     * Returns where a node lies.
     *
     * @param node which node
     * @return its coordinates in the reference cell, a new array
     */
    public double[] node(int node) {
        double[] x = new double[shape.dimension()];
        Arrays.setAll(x, d -> line[lattice(node, d)]);
        return x;
    }

    /**
     * Evaluates basis functions and their derivatives in the reference cell.
     *
     * @param points coordinates of points, those of the first point first
     * @return the table
     */
    public Tabulation tabulate(double... points) {
        int dimension = shape.dimension();
        int count = points.length / dimension;
        int n = nodes();
        double[] values = new double[count * n];
        double[] gradients = new double[count * dimension * n];
        for (int q = 0; q < count; q++) {
            double[] x = Arrays.copyOfRange(points, dimension * q, dimension * (q + 1));
            for (int i = 0; i < n; i++) {
                values[q * n + i] = basis(i, x, -1);
                for (int d = 0; d < dimension; d++) {
                    gradients[(q * dimension + d) * n + i] = basis(i, x, d);
                }
            }
        }
        return new Tabulation(count, n, dimension, values, gradients);
    }

    private double basis(int i, double[] x, int derivative) {
        if (shape.isTensor()) {
            double product = 1;
            for (int d = 0; d < x.length; d++) {
                product *= lineBasis(line, lattice(i, d), x[d], d == derivative);
            }
            return product;
        }
        double sum = 0;
        for (int m = 0; m < nodes(); m++) {
            sum += coefficients[i][m] * monomial(m, x, derivative);
        }
        return sum;
    }

    /** A Lagrange polynomial of points on an interval, or its derivative. */
    private static double lineBasis(double[] points, int i, double x, boolean derivative) {
        if (!derivative) {
            double product = 1;
            for (int k = 0; k < points.length; k++) {
                product *= k == i ? 1 : (x - points[k]) / (points[i] - points[k]);
            }
            return product;
        }
        double sum = 0;
        for (int left = 0; left < points.length; left++) {
            if (left == i) {
                continue;
            }
            double product = 1 / (points[i] - points[left]);
            for (int k = 0; k < points.length; k++) {
                product *= k == i || k == left ? 1 : (x - points[k]) / (points[i] - points[k]);
            }
            sum += product;
        }
        return sum;
    }

    /**
     * Evaluates the basis of the interval of which that of a square or cube is a product.
     *
     * @param points points of [0, 1]
     * @return value of function i at point q at {@code q * (degree + 1) + i}
     */
    public double[] lineValues(double... points) {
        double[] values = new double[points.length * line.length];
        for (int q = 0; q < points.length; q++) {
            for (int i = 0; i < line.length; i++) {
                values[q * line.length + i] = lineBasis(line, i, points[q], false);
            }
        }
        return values;
    }

    /**
     * Computes the derivatives at some points of the polynomials that are 1 at one of these points and 0 at the others.
     *
     * @param points distinct points, n of them
     * @return derivative of polynomial i at point q at {@code q * n + i}
     */
    public static double[] differentiation(double... points) {
        double[] slopes = new double[points.length * points.length];
        for (int q = 0; q < points.length; q++) {
            for (int i = 0; i < points.length; i++) {
                slopes[q * points.length + i] = lineBasis(points, i, points[q], true);
            }
        }
        return slopes;
    }

    @Override
    public String toString() {
        return (shape.isTensor() ? "Q" : "P") + degree + " on a "
                + shape.name().toLowerCase(java.util.Locale.ROOT);
    }

    /**
     * Values and derivatives of basis functions at points. The arrays are not copied and not to be changed.
     *
     * @param points    the number of points
     * @param functions the number of functions, n
     * @param dimension the number of directions
     * @param values    function i at point q at {@code q * n + i}
     * @param gradients its derivative in direction d at {@code (q * dimension + d) * n + i}
     */
    public record Tabulation(int points, int functions, int dimension, double[] values, double[] gradients) {}
}
