package org.trellis.adapt.geometry;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.trellis.common.Checks;

/**
 * Finds the element that contains a point: a regular grid over the mesh knows for each of its cells the elements
 * whose boxes touch
 * it. Immutable, so that any number of threads may ask.
 */
public final class ElementLocator {
    private static final double ELEMENTS_PER_CELL = 2;
    private static final double INSIDE = -1e-12;

    private final SimplexMesh mesh;
    private final int dimension;
    private final double[] origin;
    private final double[] cellSize;
    private final int[] cells;
    private final int[] offsets;
    private final int[] lists;
    /** For each element a corner and, for each other one, the gradient of its weight. */
    private final double[] slopes;

    /**
     * Sorts the elements of a mesh into cells. Takes time proportional to the mesh, unless elements are much longer
     * than wide.
     *
     * @param mesh the mesh
     * @throws IllegalArgumentException if the lists of elements or their coefficients would be too long for an array
     */
    public ElementLocator(SimplexMesh mesh) {
        this.mesh = mesh;
        dimension = mesh.dimension();
        origin = new double[dimension];
        cellSize = new double[dimension];
        cells = new int[dimension];
        frame();
        int total = 1;
        for (int count : cells) {
            total *= count;
        }
        int[] counts = new int[total + 1];
        forEachTouched((element, cell) -> counts[cell + 1]++);
        for (int cell = 0; cell < total; cell++) {
            counts[cell + 1] = Checks.arrayLength("elements in cells", (long) counts[cell] + counts[cell + 1]);
        }
        offsets = counts;
        int[] next = counts.clone();
        lists = new int[counts[total]];
        forEachTouched((element, cell) -> lists[next[cell]++] = element);
        slopes = new double[Checks.arrayLength("slopes of weights", (long) mesh.elements() * stride())];
        for (int e = 0; e < mesh.elements(); e++) {
            findSlopes(e);
        }
    }

    private int stride() {
        return dimension * (dimension + 1);
    }

    private void findSlopes(int element) {
        int d = dimension;
        double[] x = mesh.coordinates();
        int first = mesh.corners()[element * (d + 1)] * d;
        int o = element * stride();
        double[] edges = new double[9];
        for (int i = 0; i < d; i++) {
            slopes[o + i] = x[first + i];
            for (int k = 0; k < d; k++) {
                edges[3 * i + k] = x[mesh.corners()[element * (d + 1) + i + 1] * d + k] - x[first + k];
            }
        }
        if (d == 2) {
            edges[8] = 1;
        }
        for (int i = 0; i < d; i++) {
            int p = 3 * ((i + 1) % 3);
            int q = 3 * ((i + 2) % 3);
            double measure = 0;
            double[] normal = new double[3];
            for (int k = 0; k < 3; k++) {
                normal[k] = edges[p + (k + 1) % 3] * edges[q + (k + 2) % 3]
                        - edges[p + (k + 2) % 3] * edges[q + (k + 1) % 3];
                measure += normal[k] * edges[3 * i + k];
            }
            for (int k = 0; k < d; k++) {
                slopes[o + d * (i + 1) + k] = normal[k] / measure;
            }
        }
    }

    private void frame() {
        double[] high = new double[dimension];
        Arrays.fill(origin, Double.POSITIVE_INFINITY);
        Arrays.fill(high, Double.NEGATIVE_INFINITY);
        double[] x = mesh.coordinates();
        for (int i = 0; i < x.length; i++) {
            origin[i % dimension] = Math.min(origin[i % dimension], x[i]);
            high[i % dimension] = Math.max(high[i % dimension], x[i]);
        }
        double product = 1;
        for (int k = 0; k < dimension; k++) {
            product *= high[k] - origin[k];
        }
        double side = Math.pow(product * ELEMENTS_PER_CELL / mesh.elements(), 1.0 / dimension);
        for (int k = 0; k < dimension; k++) {
            cells[k] = (int) Math.max(1, Math.min(1 << 9, (high[k] - origin[k]) / side));
            cellSize[k] = (high[k] - origin[k]) / cells[k];
        }
    }

    /** Receives an element and a cell that its box touches. */
    private interface Touch {
        void touches(int element, int cell);
    }

    private int cell(int k, double coordinate) {
        return Math.clamp((long) Math.floor((coordinate - origin[k]) / cellSize[k]), 0, cells[k] - 1);
    }

    private void forEachTouched(Touch touch) {
        int[] low = new int[3];
        int[] high = new int[3];
        double[] x = mesh.coordinates();
        int width = dimension + 1;
        for (int e = 0; e < mesh.elements(); e++) {
            for (int k = 0; k < dimension; k++) {
                low[k] = Integer.MAX_VALUE;
                high[k] = 0;
                for (int c = 0; c < width; c++) {
                    int at = cell(k, x[mesh.corners()[e * width + c] * dimension + k]);
                    low[k] = Math.min(low[k], at);
                    high[k] = Math.max(high[k], at);
                }
            }
            for (int k = low[2]; k <= high[2]; k++) {
                for (int j = low[1]; j <= high[1]; j++) {
                    for (int i = low[0]; i <= high[0]; i++) {
                        touch.touches(e, (k * cells[1] + j) * cells[0] + i);
                    }
                }
            }
        }
    }

    /**
     * Finds an element that contains a point, without making anything. Costs some ten operations for each element of
     * the point's cell.
     *
     * @param x coordinates
     * @param o where those of the point start
     * @return the first element of the point's cell that contains it, or -1 if it is outside the mesh, or nearly
     */
    public int find(double[] x, int o) {
        int cell = cell(1, x[o + 1]) * cells[0] + cell(0, x[o]);
        if (dimension == 2) {
            return findPlane(cell, x[o], x[o + 1]);
        }
        cell += cell(2, x[o + 2]) * cells[1] * cells[0];
        for (int i = offsets[cell]; i < offsets[cell + 1]; i++) {
            int element = lists[i];
            double first = weight(element, 1, x, o);
            double second = weight(element, 2, x, o);
            double third = weight(element, 3, x, o);
            if (first >= INSIDE && second >= INSIDE && third >= INSIDE && 1 - first - second - third >= INSIDE) {
                return element;
            }
        }
        return -1;
    }

    private int findPlane(int cell, double x, double y) {
        for (int i = offsets[cell]; i < offsets[cell + 1]; i++) {
            int s = 6 * lists[i];
            double dx = x - slopes[s];
            double dy = y - slopes[s + 1];
            double first = slopes[s + 2] * dx + slopes[s + 3] * dy;
            double second = slopes[s + 4] * dx + slopes[s + 5] * dy;
            if (first >= INSIDE && second >= INSIDE && 1 - first - second >= INSIDE) {
                return lists[i];
            }
        }
        return -1;
    }

    /**
     * Computes the weight of a corner in the sum that makes a point, as {@link #find} does.
     *
     * @param element the element
     * @param corner  the corner, from 1; that of corner 0 is what the others lack to a sum of 1
     * @param x       coordinates
     * @param o       where those of the point start
     * @return the weight, 1 at the corner and 0 at the others; negative where the point is outside
     */
    public double weight(int element, int corner, double[] x, int o) {
        int s = element * stride();
        double sum = 0;
        for (int k = 0; k < dimension; k++) {
            sum += slopes[s + dimension * corner + k] * (x[o + k] - slopes[s + k]);
        }
        return sum;
    }

    /**
     * Finds an element.
     *
     * @param x       coordinates
     * @param o       where those of the point start
     * @param weights gets the weights of the element's corners that make the point; for a point outside the mesh,
     *                those of
     *                the nearest element, cut to what is inside and scaled to a sum of 1
     * @return the element
     */
    public int locate(double[] x, int o, double[] weights) {
        int[] at = new int[3];
        int reach = 1;
        for (int k = 0; k < dimension; k++) {
            at[k] = cell(k, x[o + k]);
            reach = Math.max(reach, cells[k]);
        }
        int best = search((at[2] * cells[1] + at[1]) * cells[0] + at[0], x, o, weights, -1);
        for (int ring = 1; best < 0 && ring < reach; ring++) {
            best = searchAround(at, ring, x, o, weights);
        }
        double sum = 0;
        for (int k = 0; k <= dimension; k++) {
            weights[k] = Math.max(0, weights[k]);
            sum += weights[k];
        }
        for (int k = 0; k <= dimension; k++) {
            weights[k] /= sum;
        }
        return best;
    }

    /**
     * Visits the elements whose boxes may meet a box; some may be visited several times, and some that do not meet it.
     *
     * @param low     least coordinates of the box
     * @param high    greatest coordinates
     * @param visitor receives the elements
     */
    public void visit(double[] low, double[] high, IntConsumer visitor) {
        int[] from = new int[3];
        int[] to = new int[3];
        for (int k = 0; k < dimension; k++) {
            from[k] = cell(k, low[k]);
            to[k] = cell(k, high[k]);
        }
        for (int k = from[2]; k <= to[2]; k++) {
            for (int j = from[1]; j <= to[1]; j++) {
                for (int i = from[0]; i <= to[0]; i++) {
                    int cell = (k * cells[1] + j) * cells[0] + i;
                    for (int e = offsets[cell]; e < offsets[cell + 1]; e++) {
                        visitor.accept(lists[e]);
                    }
                }
            }
        }
    }

    /**
     * Computes which weights of an element's corners make a point.
     *
     * @param element the element
     * @param x       coordinates
     * @param o       where those of the point start
     * @param weights gets a weight for each corner, of sum 1; one is negative where the point is outside
     */
    public void weights(int element, double[] x, int o, double[] weights) {
        barycentric(element, x, o, weights);
    }

    private int searchAround(int[] at, int ring, double[] x, int o, double[] weights) {
        int best = -1;
        int[] low = new int[3];
        int[] high = new int[3];
        for (int k = 0; k < dimension; k++) {
            low[k] = Math.max(0, at[k] - ring);
            high[k] = Math.min(cells[k] - 1, at[k] + ring);
        }
        for (int k = low[2]; k <= high[2]; k++) {
            for (int j = low[1]; j <= high[1]; j++) {
                for (int i = low[0]; i <= high[0]; i++) {
                    best = search((k * cells[1] + j) * cells[0] + i, x, o, weights, best);
                }
            }
        }
        return best;
    }

    /**
     * Looks through a cell for an element that contains the point, or else is less far from that than the best so
     * far.
     */
    private int search(int cell, double[] x, int o, double[] weights, int found) {
        int best = found;
        double least = found < 0 ? Double.NEGATIVE_INFINITY : minimum(weights);
        double[] trial = new double[dimension + 1];
        for (int i = offsets[cell]; i < offsets[cell + 1] && least < INSIDE; i++) {
            barycentric(lists[i], x, o, trial);
            double minimum = minimum(trial);
            if (minimum > least) {
                least = minimum;
                best = lists[i];
                System.arraycopy(trial, 0, weights, 0, trial.length);
            }
        }
        return best;
    }

    private static double minimum(double[] weights) {
        double least = weights[0];
        for (double weight : weights) {
            least = Math.min(least, weight);
        }
        return least;
    }

    private void barycentric(int element, double[] x, int o, double[] weights) {
        int[] corners = mesh.corners();
        double[] y = mesh.coordinates();
        int first = element * (dimension + 1);
        if (dimension == 2) {
            double area = 0;
            for (int k = 0; k < 3; k++) {
                int p = 2 * corners[first + (k + 1) % 3];
                int q = 2 * corners[first + (k + 2) % 3];
                weights[k] = (y[p] - x[o]) * (y[q + 1] - x[o + 1]) - (y[p + 1] - x[o + 1]) * (y[q] - x[o]);
                area += weights[k];
            }
            for (int k = 0; k < 3; k++) {
                weights[k] /= area;
            }
            return;
        }
        double volume = 0;
        for (int k = 0; k < 4; k++) {
            int p = 3 * corners[first + (k == 0 ? 1 : 0)];
            int q = 3 * corners[first + (k <= 1 ? 2 : 1)];
            int r = 3 * corners[first + (k <= 2 ? 3 : 2)];
            weights[k] = (k % 2 == 0 ? 1 : -1) * triple(x, o, y, p, q, r);
            volume += weights[k];
        }
        for (int k = 0; k < 4; k++) {
            weights[k] /= volume;
        }
    }

    /** The determinant of three points seen from another. */
    private static double triple(double[] x, int o, double[] y, int p, int q, int r) {
        double px = y[p] - x[o];
        double py = y[p + 1] - x[o + 1];
        double pz = y[p + 2] - x[o + 2];
        double qx = y[q] - x[o];
        double qy = y[q + 1] - x[o + 1];
        double qz = y[q + 2] - x[o + 2];
        double rx = y[r] - x[o];
        double ry = y[r + 1] - x[o + 1];
        double rz = y[r + 2] - x[o + 2];
        return px * (qy * rz - qz * ry) - py * (qx * rz - qz * rx) + pz * (qx * ry - qy * rx);
    }
}
