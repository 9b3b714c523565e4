package org.trellis.adapt.geometry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.Predicates;

class SimplexQualityTest {
    private static final double HALF_ROOT = Math.sqrt(3) / 2;

    private static double plane(double[] x, double... m) {
        double[] metric = new double[9];
        for (int i = 0; i < 9; i++) {
            metric[i] = m[i % 3];
        }
        return SimplexQuality.of(2, x, metric, new int[]{0, 1, 2}, 0);
    }

    private static double[] scaled(double factor) {
        return new double[]{0, 0, factor, 0, factor / 2, factor * HALF_ROOT};
    }

    /** Values by hand and of another implementation, for constant metrics. */
    @Test
    void hasKnownValuesInThePlane() {
        assertEquals(1, plane(scaled(1), 1, 0, 1), 1e-15);
        assertEquals(0.421875, plane(scaled(2), 1, 0, 1), 1e-15);
        assertEquals(0.421875, plane(scaled(0.5), 1, 0, 1), 1e-15);
        assertEquals(0.852729583886622, plane(new double[]{0, 0, 1, 0, 0, 1}, 1, 0, 1), 1e-14);
        assertEquals(0.0725211702876129, plane(new double[]{0, 0, 3, 0, 0, 4}, 1, 0, 1), 1e-15);
        assertEquals(0.401680124214788, plane(scaled(1), 4, 0, 0.25), 1e-14);
        assertEquals(0.0108113379808762, plane(scaled(1), 100, 30, 25), 1e-15);
        assertEquals(0.0193125755334485, plane(new double[]{0, 0, 1, 0, 2, 0.1}, 2, 0.5, 1), 1e-15);
        assertTrue(plane(new double[]{0, 0, 0, 1, 1, 0}, 1, 0, 1) < 0);
    }

    @Test
    void hasKnownValuesInSpace() {
        double[] x = {0, 0, 0, 1, 0, 0, 0.5, HALF_ROOT, 0, 0.5, HALF_ROOT / 3, Math.sqrt(2.0 / 3)};
        double[] metric = {1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1};
        int[] corners = {0, 1, 2, 3};
        assertEquals(1, SimplexQuality.of(3, x, metric, corners, 0), 1e-14);
        assertEquals(Math.sqrt(2) / 12, SimplexQuality.measure(3, x, corners, 0), 1e-15);
        for (int i = 0; i < x.length; i++) {
            x[i] *= 2;
        }
        assertEquals(0.421875, SimplexQuality.of(3, x, metric, corners, 0), 1e-14);
        assertEquals(1, Predicates.orientation(3, x, corners, 0));
    }

    @Test
    void measuresEdgesInTheMeanMetric() {
        double[] x = {0, 0, 1, 1};
        assertEquals(Math.sqrt(2), SimplexQuality.edgeLength(2, x, new double[]{1, 0, 1, 1, 0, 1}, 0, 1));
        assertEquals(Math.sqrt(5), SimplexQuality.edgeLength(2, x, new double[]{1, 0, 1, 4, 0, 4}, 0, 1), 1e-15);
    }
}
