package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.ElementLocator;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;

/**
 * The intersection of two simplices, as simplices. A point is kept as its weights in both: clipping by a facet of the
 * second is
 * clipping where a weight is negative, and all else is linear in weights. A simplex cut by a plane leaves a simplex
 * or a prism
 * with simplices for its ends, which falls into as many simplices as such an end has corners.
 */
final class SimplexClip {
    private static final int MAX_PIECES = 512;

    private final ElementLocator locator;
    private final int width;
    /** Weights in the first simplex, then in the second, of each corner of each piece. */
    private double[] pieces;
    private double[] next;
    private int count;
    private int nextCount;
    private double firstMeasure;
    private final int[] inside;
    private final int[] outside;
    private final double[] ends;

    /**
     * Creates the workspace.
     *
     * @param dimension 2 or 3
     * @param locator   knows the second mesh
     */
    SimplexClip(int dimension, ElementLocator locator) {
        this.locator = locator;
        width = dimension + 1;
        pieces = new double[MAX_PIECES * width * 2 * width];
        next = new double[pieces.length];
        inside = new int[width];
        outside = new int[width];
        ends = new double[2 * width * 2 * width];
    }

    private int pointSize() {
        return 2 * width;
    }

    /** Intersects an element of one mesh with one of another; returns the number of pieces. */
    int intersect(SimplexMesh one, int element, int old) {
        int d = width - 1;
        firstMeasure = SimplexQuality.measure(d, one.coordinates(), one.corners(),
                element * width);
        count = 1;
        double[] weights = new double[width];
        for (int k = 0; k < width; k++) {
            int point = k * pointSize();
            Arrays.fill(pieces, point, point + width, 0);
            pieces[point + k] = 1;
            locator.weights(old, one.coordinates(), one.corners()[element * width + k] * d, weights);
            System.arraycopy(weights, 0, pieces, point + width, width);
        }
        for (int facet = 0; facet < width && count > 0; facet++) {
            nextCount = 0;
            for (int piece = 0; piece < count; piece++) {
                cut(piece, width + facet);
            }
            double[] kept = pieces;
            pieces = next;
            next = kept;
            count = nextCount;
        }
        return count;
    }

    /** Keeps what is on the side of a piece where a weight is positive. */
    private void cut(int piece, int weight) {
        int in = 0;
        int out = 0;
        for (int k = 0; k < width; k++) {
            if (pieces[at(piece, k) + weight] > 0) {
                inside[in++] = at(piece, k);
            } else {
                outside[out++] = at(piece, k);
            }
        }
        if (in == 0) {
            return;
        }
        if (out == 0) {
            System.arraycopy(pieces, at(piece, 0), next, at(nextCount++, 0), width * pointSize());
            return;
        }
        if (in == 1) {
            System.arraycopy(pieces, inside[0], ends, 0, pointSize());
            for (int k = 0; k < out; k++) {
                cross(inside[0], outside[k], weight, k + 1);
            }
            System.arraycopy(ends, 0, next, at(nextCount++, 0), width * pointSize());
            return;
        }
        prism(in, out, weight);
    }

    private int at(int piece, int corner) {
        return (piece * width + corner) * pointSize();
    }

    /** Puts the point where an edge crosses the plane among the ends. */
    private void cross(int from, int to, int weight, int place) {
        double share = pieces[from + weight] / (pieces[from + weight] - pieces[to + weight]);
        for (int i = 0; i < pointSize(); i++) {
            ends[place * pointSize() + i] = pieces[from + i] + share * (pieces[to + i] - pieces[from + i]);
        }
        ends[place * pointSize() + weight] = 0;
    }

    /** Two ends of as many corners as the dimension: corner i of one is joined to corner i of the other. */
    private void prism(int in, int out, int weight) {
        int d = width - 1;
        if (out == 1) {
            for (int k = 0; k < d; k++) {
                System.arraycopy(pieces, inside[k], ends, k * pointSize(), pointSize());
                cross(inside[k], outside[0], weight, d + k);
            }
        } else {
            for (int end = 0; end < in; end++) {
                System.arraycopy(pieces, inside[end], ends, end * d * pointSize(), pointSize());
                for (int k = 0; k < out; k++) {
                    cross(inside[end], outside[k], weight, end * d + k + 1);
                }
            }
        }
        for (int i = 0; i < d; i++) {
            System.arraycopy(ends, i * pointSize(), next, at(nextCount, 0), width * pointSize());
            nextCount++;
        }
    }

    /** Returns area or volume of a piece: that of the first simplex times the determinant of weights. */
    double measure(int piece) {
        double[] a = new double[width * width];
        for (int k = 0; k < width; k++) {
            System.arraycopy(pieces, at(piece, k), a, k * width, width);
        }
        return Math.abs(determinant(a)) * firstMeasure;
    }

    private double determinant(double[] a) {
        double determinant = 1;
        for (int k = 0; k < width; k++) {
            int pivot = k;
            for (int i = k + 1; i < width; i++) {
                pivot = Math.abs(a[i * width + k]) > Math.abs(a[pivot * width + k]) ? i : pivot;
            }
            double head = a[pivot * width + k];
            if (head == 0) {
                return 0;
            }
            determinant *= head;
            for (int j = 0; j < width; j++) {
                double kept = a[pivot * width + j];
                a[pivot * width + j] = a[k * width + j];
                a[k * width + j] = kept;
            }
            for (int i = k + 1; i < width; i++) {
                double factor = a[i * width + k] / head;
                for (int j = k; j < width; j++) {
                    a[i * width + j] -= factor * a[k * width + j];
                }
            }
        }
        return determinant;
    }

    /** Returns the sum over a piece's corners of a weight in the first simplex. */
    double sum(int piece, int weight) {
        double sum = 0;
        for (int k = 0; k < width; k++) {
            sum += pieces[at(piece, k) + weight];
        }
        return sum;
    }

    /** The same of a weight in the second simplex. */
    double oldSum(int piece, int weight) {
        return sum(piece, width + weight);
    }

    /** Returns the sum over a piece's corners of products of a weight in the first and one in the second simplex. */
    double product(int piece, int first, int second) {
        double sum = 0;
        for (int k = 0; k < width; k++) {
            sum += pieces[at(piece, k) + first] * pieces[at(piece, k) + width + second];
        }
        return sum;
    }
}
