package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.adapt.geometry.CircleShape;
import org.trellis.adapt.geometry.CurvedBoundary;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SplineShape;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.common.ProgressListener;

/** Meshes whose sides stand for curves. */
class CurvedAdaptationTest {
    private static final double INNER = 0.4;

    private static AdaptedMesh adapt(SimplexMesh mesh, MetricSource source, int threads) {
        AdaptedMesh adapted = new Adaptation(mesh, source, AdaptOptions.DEFAULT.withSweeps(8).withThreads(threads),
                ProgressListener.NONE).run();
        adapted.mesh().verify();
        assertEquals(0, adapted.quality().inverted());
        return adapted;
    }

    private static double distance(SimplexMesh mesh, int vertex, double radius) {
        return Math.abs(Math.hypot(mesh.coordinates()[2 * vertex], mesh.coordinates()[2 * vertex + 1]) - radius);
    }

    /** From a ring of twelve corners: the area converges to the ring's, by the square of the edges' length. */
    @Test
    void areaOfARingConverges() {
        SimplexMesh start = CurvedBoundary.of(SweepCases.ring(12, 2, 2 * Math.PI),
                List.of(new CircleShape(0, 0, 1), new CircleShape(0, 0, INNER)), 0);
        assertEquals(3, start.patchTags().length);
        double exact = Math.PI * (1 - INNER * INNER);
        double[] errors = new double[2];
        for (int i = 0; i < 2; i++) {
            AdaptedMesh adapted = adapt(start, AnalyticMetrics.uniform(2, 0.12 / (1 << i)), 1);
            errors[i] = Math.abs(adapted.mesh().measure() / exact - 1);
            assertTrue(adapted.quality().mean() > 0.9 && adapted.quality().minimum() > 0.6,
                    adapted.quality().toString());
            int[] facet = new int[2];
            for (int f = 0; f < adapted.mesh().patches().length; f++) {
                if (adapted.mesh().patches()[f] != 0) {
                    adapted.mesh().facet(f / 3, f % 3, facet);
                    assertTrue(Math.min(distance(adapted.mesh(), facet[0], 1),
                            distance(adapted.mesh(), facet[0], INNER)) < 1e-14);
                }
            }
        }
        assertTrue(Math.abs(start.measure() / exact - 1) > 0.04);
        assertTrue(errors[0] < 0.004 && errors[1] < errors[0] / 2.5, errors[0] + " and " + errors[1]);
    }

    /** A quarter of a ring: two curves and two straight sides; the corners between them stay. Bits for all threads. */
    @Test
    void splinesEndAtCorners() {
        SimplexMesh plain = SweepCases.ring(10, 3, Math.PI / 2);
        SimplexMesh start = CurvedBoundary.of(plain, List.of(), 30);
        assertEquals(5, start.patchTags().length);
        int curves = 0;
        for (int patch = 1; patch < 5; patch++) {
            curves += start.shapes()[patch] == null ? 0 : 1;
        }
        assertEquals(2, curves);
        assertNull(plain.shapes()[1]);
        MetricSource source = AnalyticMetrics.uniform(2, 0.05);
        AdaptedMesh one = adapt(start, source, 1);
        AdaptedMesh two = adapt(start, source, 2);
        assertArrayEquals(one.mesh().coordinates(), two.mesh().coordinates());
        assertArrayEquals(one.mesh().corners(), two.mesh().corners());
        double exact = Math.PI / 4 * (1 - INNER * INNER);
        assertTrue(Math.abs(one.mesh().measure() / exact - 1) < 1e-3, "area " + one.mesh().measure());
        int corners = 0;
        for (int v = 0; v < one.mesh().vertices(); v++) {
            double px = one.mesh().coordinates()[2 * v];
            double py = one.mesh().coordinates()[2 * v + 1];
            corners += (px == 1 || px == INNER) && py == 0 ? 1 : 0;
        }
        assertEquals(2, corners);
        AdaptedMesh coarse = adapt(start, AnalyticMetrics.uniform(2, 2), 1);
        assertTrue(coarse.mesh().elements() < 20, coarse.mesh().toString());
        assertTrue(Math.abs(coarse.mesh().measure() / exact - 1) < 0.15, "area " + coarse.mesh().measure());
    }

    /** Points of a circle, and the nearest ones to others: off by the third power of the spacing, not at knots. */
    @Test
    void splinesAreNearTheirCurve() {
        double[] worst = new double[2];
        for (int i = 0; i < 2; i++) {
            int n = 16 << i;
            double[] knots = new double[2 * n];
            for (int k = 0; k < n; k++) {
                knots[2 * k] = Math.cos(2 * Math.PI * k / n);
                knots[2 * k + 1] = Math.sin(2 * Math.PI * k / n);
            }
            SplineShape spline = new SplineShape(knots, true);
            double[] point = new double[2];
            double[] tangent = new double[2];
            for (int k = 0; k < n; k++) {
                spline.nearest(knots, 2 * k, point);
                assertEquals(knots[2 * k], point[0]);
                assertEquals(knots[2 * k + 1], point[1]);
            }
            for (double angle = 0.01; angle < 6.28; angle += 0.037) {
                double[] near = {1.07 * Math.cos(angle), 1.07 * Math.sin(angle)};
                spline.nearest(near, 0, point);
                spline.tangent(near, 0, tangent);
                worst[i] = Math.max(worst[i], Math.hypot(point[0] - Math.cos(angle), point[1] - Math.sin(angle)));
                assertEquals(0, tangent[0] * (near[0] - point[0]) + tangent[1] * (near[1] - point[1]), 1e-6);
            }
        }
        assertTrue(worst[0] < 0.01 && worst[1] < worst[0] / 6, worst[0] + " and " + worst[1]);
        SplineShape line = new SplineShape(new double[]{0, 0, 2, 2}, false);
        double[] point = new double[2];
        line.nearest(new double[]{2, 0}, 0, point);
        assertArrayEquals(new double[]{1, 1}, point, 1e-12);
        line.nearest(new double[]{5, 5}, 0, point);
        assertArrayEquals(new double[]{2, 2}, point);
    }

    @Test
    void refusesWhatDoesNotFit() {
        SimplexMesh ring = SweepCases.ring(8, 1, 2 * Math.PI);
        assertThrows(IllegalArgumentException.class, () -> CurvedBoundary.of(SimplexMesh.cube(1), List.of(), 10));
        assertThrows(IllegalArgumentException.class, () -> CurvedBoundary.of(ring, List.of(), 90));
        List<CircleShape> elsewhere = List.of(new CircleShape(3, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> CurvedBoundary.of(ring, elsewhere, 0));
        assertThrows(IllegalArgumentException.class, () -> new CircleShape(0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new SplineShape(new double[]{0, 0, 0, 0}, false));
        assertThrows(IllegalArgumentException.class, () -> new SplineShape(new double[]{0, 0, 1, 0}, true));
        assertNotNull(CurvedBoundary.of(ring, List.of(), 50).shapes()[1]);
    }
}
