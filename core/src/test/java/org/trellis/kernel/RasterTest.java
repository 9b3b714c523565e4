package org.trellis.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RasterTest {
    /** Points (1, 2), (1.5, 2) and so on; values 10 x + y and x y, which is linear along both axes. */
    private static Raster raster() {
        double[] values = new double[2 * 3 * 4];
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < 3; i++) {
                double x = 1 + 0.5 * i;
                double y = 2 + 0.25 * j;
                values[2 * (3 * j + i)] = 10 * x + y;
                values[2 * (3 * j + i) + 1] = x * y;
            }
        }
        return new Raster(2, 3, 4, new double[]{1, 2}, new double[]{0.5, 0.25}, values);
    }

    @Test
    void isExactForWhatIsLinearAlongBothAxes() {
        Raster raster = raster();
        for (double x = 1; x <= 2; x += 0.125) {
            for (double y = 2; y <= 2.75; y += 0.0625) {
                assertEquals(10 * x + y, raster.linear(0, x, y), 1e-13);
                assertEquals(x * y, raster.linear(1, x, y), 1e-13);
            }
        }
    }

    @Test
    void hasTheNearestValueOutside() {
        Raster raster = raster();
        assertEquals(raster.get(0, 0, 0), raster.linear(0, -5, -5));
        assertEquals(raster.get(0, 2, 3), raster.linear(0, 9, 1e300));
        assertEquals(raster.linear(1, 1.3, 2.75), raster.linear(1, 1.3, 7), 1e-15);
        assertEquals(Double.NaN, raster.linear(0, Double.NaN, 2));
    }

    @Test
    void refusesWhatIsNoGrid() {
        double[] origin = new double[2];
        assertThrows(IllegalArgumentException.class,
                () -> new Raster(1, 1, 2, origin, new double[]{1, 1}, new double[2]));
        assertThrows(IllegalArgumentException.class,
                () -> new Raster(1, 2, 2, origin, new double[]{1, 0}, new double[4]));
        assertThrows(IllegalArgumentException.class,
                () -> new Raster(2, 2, 2, origin, new double[]{1, 1}, new double[4]));
    }
}
