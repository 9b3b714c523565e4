package org.trellis.adapt.geometry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.testing.TestSeed;

class TensorsTest {
    /** A random positive definite tensor with eigenvalues over six decades. */
    static double[] random(int d, SplittableRandom random) {
        double[] m = new double[Tensors.size(d)];
        for (int i = 0; i < m.length; i++) {
            m[i] = random.nextDouble(-1, 1);
        }
        double[] values = new double[d];
        double[] vectors = new double[d * d];
        Tensors.eigen(d, m, 0, values, vectors);
        for (int i = 0; i < d; i++) {
            values[i] = Math.pow(10, random.nextDouble(-3, 3));
        }
        Tensors.compose(d, values, vectors, m, 0);
        return m;
    }

    @Test
    void packsByRows() {
        assertEquals(1, Tensors.index(2, 1, 0));
        assertEquals(2, Tensors.index(2, 1, 1));
        assertEquals(3, Tensors.index(3, 1, 1));
        assertEquals(4, Tensors.index(3, 2, 1));
        assertEquals(5, Tensors.index(3, 2, 2));
    }

    @Test
    void findsEigenvaluesKnownByHand() {
        double[] values = new double[2];
        double[] vectors = new double[4];
        Tensors.eigen(2, new double[]{2, 1, 2}, 0, values, vectors);
        assertEquals(4, values[0] + values[1], 1e-14);
        assertEquals(3, values[0] * values[1], 1e-14);
        assertEquals(Math.sqrt(0.5), Math.abs(vectors[0]), 1e-15);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void composesWhatItTookApart(int d) {
        SplittableRandom random = TestSeed.random("tensors");
        for (int trial = 0; trial < 200; trial++) {
            double[] m = random(d, random);
            double[] again = m.clone();
            double product = 1;
            double[] values = new double[d];
            Tensors.eigen(d, m, 0, values, new double[d * d]);
            double largest = 0;
            for (double value : values) {
                product *= value;
                largest = Math.max(largest, value);
            }
            Tensors.map(d, again, 0, Math::log);
            Tensors.map(d, again, 0, Math::exp);
            double scale = 1e-9 * (Math.abs(m[0]) + Math.abs(m[Tensors.size(d) - 1]) + Math.abs(m[d]));
            assertArrayEquals(m, again, scale, () -> "seed " + TestSeed.value());
            // Both round in units of the largest entries, however small the product is.
            assertEquals(Tensors.determinant(d, m, 0), product, 1e-13 * Math.pow(largest, d),
                    () -> "seed " + TestSeed.value());
        }
    }

    @Test
    void intersectsAlongAxes() {
        double[] m = {4, 0, 1};
        Tensors.intersect(2, m, 0, new double[]{1, 0, 9}, 0);
        assertArrayEquals(new double[]{4, 0, 9}, m, 1e-14);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void intersectionAllowsNoLongerEdgesThanEither(int d) {
        SplittableRandom random = TestSeed.random("intersection");
        for (int trial = 0; trial < 200; trial++) {
            double[] m = random(d, random);
            double[] n = random(d, random);
            double[] both = m.clone();
            Tensors.intersect(d, both, 0, n, 0);
            double x = random.nextDouble(-1, 1);
            double y = random.nextDouble(-1, 1);
            double z = random.nextDouble(-1, 1);
            double wanted = Math.max(Tensors.length(d, m, 0, x, y, z), Tensors.length(d, n, 0, x, y, z));
            assertTrue(Tensors.length(d, both, 0, x, y, z) >= wanted * (1 - 1e-6), () -> "seed " + TestSeed.value());
        }
    }
}
