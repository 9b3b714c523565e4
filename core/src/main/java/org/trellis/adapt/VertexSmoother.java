package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Tensors;

/** Moves one vertex at a time. The workspace of a thread. */
final class VertexSmoother {
    private static final double OFFSET = 0.01;
    private static final double RELAXATION = 0.5;
    private static final int HALVINGS = 4;
    private static final double GAIN = 1e-10;

    private final CavityMesh mesh;
    private final Mobility mobility;
    private final Cavity cavity;
    private final int dimension;
    private final double[] step;
    private final double[] before;
    private final double[] onShape = new double[2];
    private final double[] metricBefore;
    private final PainStep pain;
    private final PainStep balance;
    private final AscentStep ascent;
    private double[] qualityBefore = new double[64];

    VertexSmoother(CavityMesh mesh, Mobility mobility) {
        this.mesh = mesh;
        this.mobility = mobility;
        cavity = new Cavity(mesh);
        dimension = mesh.dimension;
        step = new double[dimension];
        before = new double[dimension];
        metricBefore = new double[mesh.tensorSize];
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
     * @return whether it has moved
     */
    boolean smooth(int vertex, SmoothingMethod method, boolean smart) {
        if (mobility.freedom(vertex) == 0) {
            return false;
        }
        if (method == SmoothingMethod.OPTIMISATION) {
            return ascent.climb(vertex);
        }
        mobility.turn(mesh, vertex);
        cavity.collectNeighbours(vertex);
        switch (method) {
            case LAPLACIAN -> mean(vertex);
            case METRIC_LAPLACIAN -> balance.step(vertex, cavity, step);
            case PAIN -> pain.step(vertex, cavity, step);
            case OPTIMISATION -> throw new IllegalStateException("not a method with one step: " + method);
        }
        mobility.project(vertex, step);
        return advance(vertex, smart);
    }

    /** Tries the step, then half of it and so on. */
    private boolean advance(int vertex, boolean smart) {
        keep(vertex);
        double least = smart ? leastQuality(vertex) : 0;
        double factor = 1;
        for (int trial = 0; trial <= HALVINGS; trial++) {
            double reached = tryAt(vertex, step, factor);
            if (smart ? reached > least + GAIN : !Double.isNaN(reached)) {
                return true;
            }
            factor /= 2;
        }
        restore(vertex);
        return false;
    }

    /** Remembers a vertex as it is. */
    void keep(int vertex) {
        System.arraycopy(mesh.coordinates, vertex * dimension, before, 0, dimension);
        System.arraycopy(mesh.metric, vertex * mesh.tensorSize, metricBefore, 0, mesh.tensorSize);
        if (mesh.degrees[vertex] > qualityBefore.length) {
            qualityBefore = new double[2 * mesh.degrees[vertex]];
        }
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            qualityBefore[i] = mesh.quality[mesh.stars[vertex][i]];
        }
    }

    /** Puts a vertex back where it was remembered. */
    void restore(int vertex) {
        System.arraycopy(before, 0, mesh.coordinates, vertex * dimension, dimension);
        System.arraycopy(metricBefore, 0, mesh.metric, vertex * mesh.tensorSize, mesh.tensorSize);
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            mesh.quality[mesh.stars[vertex][i]] = qualityBefore[i];
        }
    }

    double leastQuality(int vertex) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            least = Math.min(least, mesh.quality[mesh.stars[vertex][i]]);
        }
        return least;
    }

    /**
     * Puts a vertex at the remembered place plus a multiple of a step, or at the nearest point of its curve, with
     * the metric and the qualities there.
     *
     * @return the least quality around, or NaN if an element would be flat or inverted; the vertex is there all the
     *         same
     */
    double tryAt(int vertex, double[] direction, double factor) {
        for (int k = 0; k < dimension; k++) {
            mesh.coordinates[vertex * dimension + k] = before[k] + factor * direction[k];
        }
        BoundaryShape shape = mobility.shape(vertex);
        if (shape != null) {
            shape.nearest(mesh.coordinates, 2 * vertex, onShape);
            System.arraycopy(onShape, 0, mesh.coordinates, 2 * vertex, 2);
        }
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            if (SimplexQuality.orientation(dimension, mesh.coordinates, mesh.corners,
                    mesh.stars[vertex][i] * mesh.width) <= 0) {
                return Double.NaN;
            }
        }
        mesh.source.at(mesh.coordinates, vertex * dimension, mesh.metric, vertex * mesh.tensorSize);
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            int element = mesh.stars[vertex][i];
            double quality = mesh.qualityOf(mesh.corners, element * mesh.width);
            mesh.quality[element] = quality;
            least = Math.min(least, quality);
        }
        return least;
    }

    private void mean(int vertex) {
        int d = dimension;
        Arrays.fill(step, 0);
        for (int i = 0; i < cavity.vertexCount; i++) {
            for (int k = 0; k < d; k++) {
                step[k] += (mesh.coordinates[cavity.vertices[i] * d + k] - mesh.coordinates[vertex * d + k])
                        / cavity.vertexCount;
            }
        }
    }

    /** Returns the length that the metric at a vertex gives to a vector. */
    double length(int vertex, double[] vector) {
        return Tensors.length(dimension, mesh.metric, vertex * mesh.tensorSize, vector[0], vector[1],
                dimension == 2 ? 0 : vector[2]);
    }
}
