package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.common.Predicates;

/** Moves one vertex at a time. The workspace of a thread. */
final class VertexSmoother {
    private static final double OFFSET = 0.01;
    private static final double RELAXATION = 0.5;
    private static final int HALVINGS = 1;

    private final CavityMesh mesh;
    private final Mobility mobility;
    private final VertexGraph graph;
    private final int dimension;
    private final double[] step;
    private final double[] before;
    private final double[] onShape = new double[3];
    private final double[] metricBefore;
    private final StarMetric carried;
    private final PainStep pain;
    private final PainStep balance;
    private final AscentStep ascent;
    /** Qualities around a vertex at a place that is tried. */
    private double[] tried = new double[64];
    /** Which element around the vertex is the worst. */
    private int worst;

    VertexSmoother(CavityMesh mesh, Mobility mobility, VertexGraph graph) {
        this.mesh = mesh;
        this.mobility = mobility;
        this.graph = graph;
        dimension = mesh.dimension;
        step = new double[dimension];
        before = new double[dimension];
        metricBefore = new double[mesh.tensorSize];
        carried = new StarMetric(mesh);
        pain = new PainStep(mesh, mobility, OFFSET, RELAXATION);
        balance = new PainStep(mesh, mobility, Double.NaN, 1);
        ascent = new AscentStep(mesh, mobility, this);
    }

    /**
     * Moves a vertex if that is allowed.
     *
     * @param vertex the vertex
     * @param method where to
     * @param smart  whether the worst element around must become better
     * @param gain   by how much at least, if it must
     * @return whether it has moved
     */
    boolean smooth(int vertex, SmoothingMethod method, boolean smart, double gain) {
        if (mobility.freedom(vertex) == 0) {
            return false;
        }
        if (method == SmoothingMethod.OPTIMISATION) {
            return ascent.climb(vertex, gain);
        }
        mobility.turn(mesh, vertex);
        switch (method) {
            case LAPLACIAN -> mean(vertex);
            case METRIC_LAPLACIAN -> balance.step(vertex, graph, step);
            case PAIN -> pain.step(vertex, graph, step);
            case OPTIMISATION -> throw new IllegalStateException("not a method with one step: " + method);
        }
        mobility.project(vertex, step);
        return advance(vertex, smart, gain);
    }

    /** Tries the step, then half of it: shorter ones are seldom better, and cost as much. */
    private boolean advance(int vertex, boolean smart, double gain) {
        keep(vertex);
        double floor = smart ? leastQuality(vertex) + gain : Double.NEGATIVE_INFINITY;
        double factor = 1;
        for (int trial = 0; trial <= HALVINGS; trial++) {
            if (tryAt(vertex, step, factor, floor) > floor) {
                accept(vertex);
                return true;
            }
            factor /= 2;
        }
        restore(vertex);
        return false;
    }

    /** Remembers where a vertex is. */
    void keep(int vertex) {
        System.arraycopy(mesh.coordinates, vertex * dimension, before, 0, dimension);
        System.arraycopy(mesh.metric, vertex * mesh.tensorSize, metricBefore, 0, mesh.tensorSize);
        if (mesh.degrees[vertex] > tried.length) {
            tried = new double[2 * mesh.degrees[vertex]];
        }
    }

    /** Puts a vertex back where it was remembered. */
    void restore(int vertex) {
        System.arraycopy(before, 0, mesh.coordinates, vertex * dimension, dimension);
        System.arraycopy(metricBefore, 0, mesh.metric, vertex * mesh.tensorSize, mesh.tensorSize);
    }

    /** Takes the qualities of the last trial, which must have been above its floor. */
    void accept(int vertex) {
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            mesh.quality[mesh.stars[vertex][i]] = tried[i];
        }
    }

    /** Returns the least quality around a vertex, and notes which element has it. */
    double leastQuality(int vertex) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            double quality = mesh.quality[mesh.stars[vertex][i]];
            if (quality < least) {
                least = quality;
                worst = i;
            }
        }
        return least;
    }

    /**
     * Puts a vertex at the remembered place plus a multiple of a step, or at the nearest point of its curve or surface,
     * with the metric there. The element that was worst is checked first, because it decides most trials.
     *
     * @param floor a quality that all elements around have to be above for the trial to be of use
     * @return the least quality around; or any number that is not above the floor, or NaN if an element would be flat
     *         or inverted; the vertex is there all the same
     */
    double tryAt(int vertex, double[] direction, double factor, double floor) {
        place(vertex, direction, factor);
        int[] star = mesh.stars[vertex];
        int degree = mesh.degrees[vertex];
        for (int i = 0; i < degree; i++) {
            if (Predicates.orientation(dimension, mesh.coordinates, mesh.corners, star[i] * mesh.width) <= 0) {
                return Double.NaN;
            }
        }
        if (mesh.source.isInterpolated()) {
            carried.write(vertex, before, metricBefore);
        } else {
            mesh.source.at(mesh.coordinates, vertex * dimension, mesh.metric, vertex * mesh.tensorSize);
        }
        int first = Math.min(worst, degree - 1);
        double least = Double.POSITIVE_INFINITY;
        for (int n = 0; n < degree; n++) {
            int i = n == 0 ? first : n <= first ? n - 1 : n;
            tried[i] = mesh.qualityOf(mesh.corners, star[i] * mesh.width);
            least = Math.min(least, tried[i]);
            if (least <= floor) {
                return least;
            }
        }
        return least;
    }

    private void place(int vertex, double[] direction, double factor) {
        for (int k = 0; k < dimension; k++) {
            mesh.coordinates[vertex * dimension + k] = before[k] + factor * direction[k];
        }
        BoundaryShape shape = mobility.shape(vertex);
        if (shape != null) {
            shape.nearest(mesh.coordinates, dimension * vertex, onShape);
            System.arraycopy(onShape, 0, mesh.coordinates, dimension * vertex, dimension);
        }
    }

    private void mean(int vertex) {
        int d = dimension;
        Arrays.fill(step, 0);
        int count = graph.offsets[vertex + 1] - graph.offsets[vertex];
        for (int i = graph.offsets[vertex]; i < graph.offsets[vertex + 1]; i++) {
            for (int k = 0; k < d; k++) {
                step[k] += (mesh.coordinates[graph.neighbours[i] * d + k] - mesh.coordinates[vertex * d + k]) / count;
            }
        }
    }

    /** Returns the length that the metric at a vertex gives to a vector. */
    double length(int vertex, double[] vector) {
        return Tensors.length(dimension, mesh.metric, vertex * mesh.tensorSize, vector[0], vector[1],
                dimension == 2 ? 0 : vector[2]);
    }
}
