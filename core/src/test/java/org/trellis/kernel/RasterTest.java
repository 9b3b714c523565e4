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
        assertEquals(raster.get(0, 0), raster.linear(0, -5, -5));
        assertEquals(raster.get(0, 3 * 3 + 2), raster.linear(0, 9, 1e300));
        assertEquals(raster.linear(1, 1.3, 2.75), raster.linear(1, 1.3, 7), 1e-15);
        assertEquals(Double.NaN, raster.linear(0, Double.NaN, 2));
    }

    /** Values x y z + 2 z at points (i / 2, j, 3 k + 1), and what a kernel that does not know of layers sees. */
    @Test
    void isExactInSpace() {
        double[] values = new double[3 * 2 * 4];
        for (int p = 0; p < values.length; p++) {
            double z = 3 * (p / 6) + 1;
            values[p] = 0.5 * (p % 3) * (p / 3 % 2) * z + 2 * z;
        }
        Raster raster = new Raster(1, new int[]{3, 2, 4}, new double[]{0, 0, 1}, new double[]{0.5, 1, 3}, values);
        for (double x = 0; x <= 1; x += 0.125) {
            for (double z = 1; z <= 10; z += 0.5) {
                assertEquals(x * 0.75 * z + 2 * z, raster.linear(0, x, 0.75, z), 1e-13);
            }
        }
        assertEquals(raster.linear(0, 1, 1, 10), raster.linear(0, 7, 8, 99));
        assertEquals(raster.linear(0, 0.3, 0.4, 1), raster.linear(0, 0.3, 0.4));
        assertEquals(raster().linear(1, 1.3, 2.3), raster().linear(1, 1.3, 2.3, 55));
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
        assertThrows(IllegalArgumentException.class,
                () -> new Raster(1, new int[]{2, 2, 1}, new double[3], new double[]{1, 1, 1}, new double[4]));
        assertThrows(IllegalArgumentException.class,
                () -> new Raster(1, new int[]{2}, origin, new double[]{1, 1}, new double[2]));
    }
}
