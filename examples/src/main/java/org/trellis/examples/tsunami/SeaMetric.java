package org.trellis.examples.tsunami;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.metric.BackgroundMetric;
import org.trellis.adapt.metric.HessianRecovery;
import org.trellis.adapt.metric.MetricBounds;
import org.trellis.adapt.metric.MetricInterpolation;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.VertexMetrics;

/**
 * The metric that follows the water: half of the elements by the second derivatives of the level, half by those of the
 * bed, where these are not flat. Where both are flat, elements are as large as allowed.
 */
final class SeaMetric {
    private static final int STATE = 4;
    private static final int BED = 3;
    private static final int CORNERS = 3;
    /** A field that varies by less than this share of its greatest value is flat but for rounding. */
    private static final double NOISE = 1e-6;
    private static final double NORM = 1;
    private static final double FINEST = 8;
    private static final double COARSEST = 8;
    /** The share of the greatest second derivative below which all are alike. */
    private static final double FLOOR = 1e-4;

    private final SimplexMesh mesh;
    private final SeaAdaptOptions.Plan plan;
    private final Settings settings;

    SeaMetric(SimplexMesh mesh, SeaAdaptOptions.Plan plan, Settings settings) {
        this.mesh = mesh;
        this.plan = plan;
        this.settings = settings;
    }

    /**
     * Makes the metric.
     *
     * @param state (η, hu, hv, z) of each cell
     * @return the metric, linear in between the vertices
     */
    MetricSource of(double[] state) {
        double spacing = Math.sqrt(mesh.measure() / plan.elements());
        double[] metric = uniform(spacing);
        double[] level = ofField(vertexValues(state, 0, true), 0.5);
        double[] bed = ofField(vertexValues(state, BED, false), level == null ? 1 : 0.5);
        if (level != null) {
            metric = bed == null ? ofField(vertexValues(state, 0, true), 1) : level;
        } else if (bed != null) {
            metric = bed;
        }
        if (level != null && bed != null) {
            VertexMetrics.intersect(2, metric, bed);
        }
        MetricBounds bounds = MetricBounds.NONE.withLengths(plan.shortest().orElse(spacing / FINEST),
                plan.longest().orElse(spacing * COARSEST)).withAspect(plan.aspect());
        VertexMetrics.rescale(mesh, metric, plan.elements());
        for (int o = 0; o < metric.length; o += CORNERS) {
            bounds.apply(2, metric, o);
        }
        VertexMetrics.gradate(mesh, metric, plan.gradation());
        VertexMetrics.rescale(mesh, metric, plan.elements());
        return BackgroundMetric.of(mesh, metric, MetricInterpolation.LINEAR);
    }

    private double[] uniform(double length) {
        double[] metric = new double[CORNERS * mesh.vertices()];
        for (int o = 0; o < metric.length; o += CORNERS) {
            metric[o] = 1 / (length * length);
            metric[o + 2] = metric[o];
        }
        return metric;
    }

    /** Returns the metric of a field, scaled to a share of the elements; null if the field is flat. */
    private double[] ofField(double[] values, double share) {
        double least = Arrays.stream(values).min().orElseThrow();
        double greatest = Arrays.stream(values).max().orElseThrow();
        double range = greatest - least;
        if (!(range > NOISE * Math.max(Math.abs(least), Math.abs(greatest)))) {
            return null;
        }
        double[] hessians = HessianRecovery.doubleProjection(mesh, values);
        double steepest = 0;
        for (double entry : hessians) {
            steepest = Math.max(steepest, Math.abs(entry));
        }
        if (!(steepest * mesh.measure() > NOISE * range)) {
            return null;
        }
        for (int i = 0; i < hessians.length; i++) {
            hessians[i] /= steepest;
        }
        double[] metric = HessianRecovery.metric(2, hessians, 1, NORM,
                MetricBounds.NONE.withLengths(0, 1 / Math.sqrt(FLOOR)));
        VertexMetrics.rescale(mesh, metric, share * plan.elements());
        return metric;
    }

    /** Means over the cells around each vertex, of level only those under water; on dry land it is the sea's. */
    private double[] vertexValues(double[] state, int component, boolean ofWater) {
        double[] sums = new double[mesh.vertices()];
        double[] areas = new double[mesh.vertices()];
        for (int cell = 0; cell < mesh.elements(); cell++) {
            if (ofWater && !(state[STATE * cell] - state[STATE * cell + BED] > settings.minimumDepth())) {
                continue;
            }
            double area = SimplexQuality.measure(2, mesh.coordinates(), mesh.corners(), CORNERS * cell);
            for (int corner = 0; corner < CORNERS; corner++) {
                int vertex = mesh.corners()[CORNERS * cell + corner];
                sums[vertex] += area * (state[STATE * cell + component] - settings.seaLevel());
                areas[vertex] += area;
            }
        }
        Arrays.setAll(sums, vertex -> areas[vertex] > 0 ? sums[vertex] / areas[vertex] : 0);
        return sums;
    }
}
