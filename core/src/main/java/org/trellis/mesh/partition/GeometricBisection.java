package org.trellis.mesh.partition;

import java.util.Arrays;
import org.trellis.common.Checks;

/**
 * Recursive bisection of points: the points are sorted along a direction and cut so that the two halves have sizes in
 * proportion to the parts that each is to become, and so on. Part sizes differ by little more than rounding whatever
 * the points are; points at the same place are distinguished by their index. Takes O(n log parts) time.
 */
public final class GeometricBisection {
    /** Rotations of all planes in turn; a handful suffices, convergence is quadratic. */
    private static final int JACOBI_SWEEPS = 20;

    private final double[] coordinates;
    private final int dimensions;
    private final boolean inertial;
    private final int[] points;
    private final double[] keys;
    private final int[] partOf;

    private GeometricBisection(double[] coordinates, int dimensions, boolean inertial) {
        this.coordinates = coordinates;
        this.dimensions = dimensions;
        this.inertial = inertial;
        int count = coordinates.length / dimensions;
        points = new int[count];
        Arrays.setAll(points, i -> i);
        keys = new double[count];
        partOf = new int[count];
    }

    /**
     * Cuts along the axis in which the points of a piece extend farthest (M. J. Berger, S. H. Bokhari, "A partitioning
     * strategy for nonuniform problems on multiprocessors", 1987).
     *
     * @param coordinates coordinates of the points, {@code dimensions} each; all finite
     * @param dimensions  coordinates of a point, at least 1
     * @param parts       number of parts, at least 1
     * @return the parts
     * @throws IllegalArgumentException if a number is out of range or a coordinate is not finite
     */
    public static Partition coordinate(double[] coordinates, int dimensions, int parts) {
        return run(coordinates, dimensions, parts, false);
    }

    /**
     * Cuts across the principal axis of inertia of the points of a piece, the direction in which they scatter most (H.
     * D. Simon, "Partitioning of unstructured problems for parallel processing", 1991).
     *
     * @param coordinates coordinates of the points, {@code dimensions} each; all finite
     * @param dimensions  coordinates of a point, at least 1
     * @param parts       number of parts, at least 1
     * @return the parts
     * @throws IllegalArgumentException if a number is out of range or a coordinate is not finite
     */
    public static Partition inertial(double[] coordinates, int dimensions, int parts) {
        return run(coordinates, dimensions, parts, true);
    }

    private static Partition run(double[] coordinates, int dimensions, int parts, boolean inertial) {
        Checks.positive("number of dimensions", dimensions);
        Checks.positive("number of parts", parts);
        if (coordinates.length % dimensions != 0) {
            throw new IllegalArgumentException(
                    "there are " + coordinates.length + " coordinates, expected a multiple of "
                            + dimensions + ", the number of dimensions");
        }
        for (int i = 0; i < coordinates.length; i++) {
            if (!Double.isFinite(coordinates[i])) {
                throw new IllegalArgumentException("coordinate " + i % dimensions + " of point " + i / dimensions
                        + " is " + coordinates[i] + ", expected a finite number");
            }
        }
        GeometricBisection bisection = new GeometricBisection(coordinates, dimensions, inertial);
        bisection.divide(0, bisection.points.length, 0, parts);
        return new Partition(bisection.partOf, parts);
    }

    private void divide(int from, int to, int firstPart, int parts) {
        if (parts == 1 || from == to) {
            for (int i = from; i < to; i++) {
                partOf[points[i]] = firstPart;
            }
            return;
        }
        int lowerParts = parts / 2;
        int middle = from + (int) Math.round((to - from) * (double) lowerParts / parts);
        double[] direction = inertial ? principalAxis(from, to) : longestAxis(from, to);
        for (int i = from; i < to; i++) {
            double key = 0;
            for (int d = 0; d < dimensions; d++) {
                key += direction[d] * coordinates[points[i] * dimensions + d];
            }
            keys[i] = key;
        }
        select(from, to, middle);
        divide(from, middle, firstPart, lowerParts);
        divide(middle, to, firstPart + lowerParts, parts - lowerParts);
    }

    private double[] longestAxis(int from, int to) {
        int longest = 0;
        double greatest = -1;
        for (int d = 0; d < dimensions; d++) {
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                double x = coordinates[points[i] * dimensions + d];
                low = Math.min(low, x);
                high = Math.max(high, x);
            }
            if (high - low > greatest) {
                greatest = high - low;
                longest = d;
            }
        }
        double[] direction = new double[dimensions];
        direction[longest] = 1;
        return direction;
    }

    private double[] principalAxis(int from, int to) {
        double[] mean = new double[dimensions];
        for (int i = from; i < to; i++) {
            for (int d = 0; d < dimensions; d++) {
                mean[d] += coordinates[points[i] * dimensions + d] / (to - from);
            }
        }
        double[][] scatter = new double[dimensions][dimensions];
        double[] offset = new double[dimensions];
        for (int i = from; i < to; i++) {
            for (int d = 0; d < dimensions; d++) {
                offset[d] = coordinates[points[i] * dimensions + d] - mean[d];
                for (int e = 0; e <= d; e++) {
                    scatter[d][e] += offset[d] * offset[e];
                    scatter[e][d] = scatter[d][e];
                }
            }
        }
        return eigenvectorOfGreatest(scatter);
    }

    /** Jacobi's method: rotations in all coordinate planes until the matrix is diagonal. */
    private double[] eigenvectorOfGreatest(double[][] matrix) {
        int n = matrix.length;
        double[][] vectors = new double[n][n];
        for (int i = 0; i < n; i++) {
            vectors[i][i] = 1;
        }
        for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    rotate(matrix, vectors, p, q);
                }
            }
        }
        int greatest = 0;
        for (int i = 1; i < n; i++) {
            greatest = matrix[i][i] > matrix[greatest][greatest] ? i : greatest;
        }
        double[] direction = new double[n];
        for (int i = 0; i < n; i++) {
            direction[i] = vectors[i][greatest];
        }
        return direction;
    }

    private static void rotate(double[][] matrix, double[][] vectors, int p, int q) {
        if (matrix[p][q] == 0) {
            return;
        }
        double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
        double tangent = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
        double cosine = 1 / Math.hypot(tangent, 1);
        double sine = tangent * cosine;
        for (int i = 0; i < matrix.length; i++) {
            double a = matrix[i][p];
            double b = matrix[i][q];
            matrix[i][p] = cosine * a - sine * b;
            matrix[i][q] = sine * a + cosine * b;
        }
        for (int i = 0; i < matrix.length; i++) {
            double a = matrix[p][i];
            double b = matrix[q][i];
            matrix[p][i] = cosine * a - sine * b;
            matrix[q][i] = sine * a + cosine * b;
            double u = vectors[i][p];
            double v = vectors[i][q];
            vectors[i][p] = cosine * u - sine * v;
            vectors[i][q] = sine * u + cosine * v;
        }
    }

    /** Moves the points with the lowest keys to the front: Hoare's selection, points with equal keys by index. */
    private void select(int begin, int end, int middle) {
        int from = begin;
        int to = end;
        while (to - from > 1 && middle > from && middle < to) {
            int pivotAt = medianOfThree(from, from + (to - from) / 2, to - 1);
            double pivotKey = keys[pivotAt];
            int pivotPoint = points[pivotAt];
            int low = from;
            int high = to - 1;
            while (low <= high) {
                while (isBefore(low, pivotKey, pivotPoint)) {
                    low++;
                }
                while (isAfter(high, pivotKey, pivotPoint)) {
                    high--;
                }
                if (low <= high) {
                    swap(low++, high--);
                }
            }
            if (middle <= high) {
                to = high + 1;
            } else if (middle >= low) {
                from = low;
            } else {
                return;
            }
        }
    }

    private boolean isBefore(int at, double key, int point) {
        return keys[at] < key || (keys[at] == key && points[at] < point);
    }

    private boolean isAfter(int at, double key, int point) {
        return keys[at] > key || (keys[at] == key && points[at] > point);
    }

    private int medianOfThree(int a, int b, int c) {
        int low = isBefore(a, keys[b], points[b]) ? a : b;
        int high = low == a ? b : a;
        if (isBefore(c, keys[low], points[low])) {
            return low;
        }
        return isBefore(c, keys[high], points[high]) ? c : high;
    }

    private void swap(int a, int b) {
        double key = keys[a];
        keys[a] = keys[b];
        keys[b] = key;
        int point = points[a];
        points[a] = points[b];
        points[b] = point;
    }
}
