package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

class PredicatesTest {
    private static final int TRIALS = 3000;

    private static BigDecimal[] exact(double[] x) {
        BigDecimal[] values = new BigDecimal[x.length];
        for (int i = 0; i < x.length; i++) {
            values[i] = new BigDecimal(x[i]);
        }
        return values;
    }

    private static BigDecimal cross(BigDecimal a, BigDecimal b, BigDecimal c, BigDecimal d) {
        return a.multiply(d).subtract(b.multiply(c));
    }

    private static int planeSign(double[] x) {
        BigDecimal[] v = exact(x);
        return cross(v[2].subtract(v[0]), v[3].subtract(v[1]), v[4].subtract(v[0]), v[5].subtract(v[1])).signum();
    }

    private static int spaceSign(double[] x) {
        BigDecimal[] v = exact(x);
        BigDecimal[] p = new BigDecimal[9];
        for (int i = 0; i < 9; i++) {
            p[i] = v[3 + i].subtract(v[i % 3]);
        }
        return p[0].multiply(cross(p[4], p[5], p[7], p[8])).subtract(p[1].multiply(cross(p[3], p[5], p[6], p[8])))
                .add(p[2].multiply(cross(p[3], p[4], p[6], p[7]))).signum();
    }

    @Test
    void knowsSimpleOnes() {
        assertEquals(1, Predicates.orientation(0, 0, 1, 0, 0, 1));
        assertEquals(-1, Predicates.orientation(0, 0, 0, 1, 1, 0));
        assertEquals(0, Predicates.orientation(0.1, 0.1, 0.2, 0.2, 0.3, 0.3));
        double[] tetrahedron = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        assertEquals(1, Predicates.orientation(tetrahedron, 0, 1, 2, 3));
        assertEquals(-1, Predicates.orientation(tetrahedron, 1, 0, 2, 3));
        double[] flat = {0, 0, 0.1, 1, 0, 0.1, 0, 1, 0.1, 7, 7, 0.1};
        assertEquals(0, Predicates.orientation(flat, 0, 1, 2, 3));
    }

    /** Points that are almost in line, or in a plane, moved by a few units in the last place. */
    @Test
    void agreesWithExactArithmeticWherePointsAreAlmostDegenerate() {
        SplittableRandom random = TestSeed.random("predicates");
        int zeros = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double slope = random.nextInt(1, 9) / 8.0;
            double[] plane = new double[6];
            double[] space = new double[12];
            for (int i = 0; i < 4; i++) {
                double s = random.nextInt(1 << 20) / (double) (1 << random.nextInt(12, 24));
                double t = random.nextInt(1 << 20) / (double) (1 << 20);
                if (i < 3) {
                    plane[2 * i] = s;
                    plane[2 * i + 1] = slope * s + random.nextInt(-1, 2) * Math.ulp(s);
                }
                space[3 * i] = s;
                space[3 * i + 1] = t;
                space[3 * i + 2] = slope * s + t + random.nextInt(-1, 2) * Math.ulp(s);
            }
            assertEquals(planeSign(plane), Predicates.orientation(plane, 0, 1, 2), () -> "seed " + TestSeed.value());
            assertEquals(spaceSign(space), Predicates.orientation(space, 0, 1, 2, 3),
                    () -> "seed " + TestSeed.value());
            zeros += planeSign(plane) == 0 ? 1 : 0;
        }
        assertEquals(true, zeros > 0, "no degenerate case among " + TRIALS);
    }
}
