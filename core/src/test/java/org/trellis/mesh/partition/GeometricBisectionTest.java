package org.trellis.mesh.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

class GeometricBisectionTest {

    @Test
    void theLongerAxisIsCutFirst() {
        // Four points in a wide rectangle, in the order: right above, left below, right below, left above.
        double[] points = {10, 1, 0, 0, 10, 0, 0, 1};
        assertArrayEquals(new int[]{1, 0, 1, 0}, GeometricBisection.coordinate(points, 2, 2).partOf());
        assertArrayEquals(new int[]{3, 0, 2, 1}, GeometricBisection.coordinate(points, 2, 4).partOf());
    }

    @Test
    void theDiagonalIsAnAxisOfInertia() {
        // Points along a diagonal band; a cut across the diagonal separates them, one across an axis does not.
        double[] points = {0, 1, 1, 0, 4, 5, 5, 4, 8, 9, 9, 8, 12, 13, 13, 12};
        int[] partOf = GeometricBisection.inertial(points, 2, 4).partOf();
        for (int i = 0; i < partOf.length; i += 2) {
            assertEquals(partOf[i], partOf[i + 1]);
        }
        double[] inSpace = {0, 0, 0, 3, 3, 3, 1, 1, 1, 2, 2, 2};
        int[] halves = GeometricBisection.inertial(inSpace, 3, 2).partOf();
        assertEquals(halves[0], halves[2]);
        assertEquals(halves[1], halves[3]);
    }

    @Test
    void sizesDifferByRoundingOnly() {
        SplittableRandom random = TestSeed.random("GeometricBisectionTest");
        for (int round = 0; round < 60; round++) {
            int dimensions = 1 + random.nextInt(3);
            int count = random.nextInt(400);
            int parts = 1 + random.nextInt(20);
            boolean coincide = round % 5 == 0;
            double[] points = IntStream.range(0, count * dimensions)
                    .mapToDouble(i -> coincide ? random.nextInt(2) : random.nextDouble()).toArray();
            for (Partition partition : new Partition[]{GeometricBisection.coordinate(points, dimensions, parts),
                GeometricBisection.inertial(points, dimensions, parts)}) {
                int largest = IntStream.of(partition.sizes()).max().orElse(0);
                int least = IntStream.of(partition.sizes()).min().orElse(0);
                assertTrue(largest - least <= 3, largest + " and " + least + ", seed " + TestSeed.value());
            }
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThrows(IllegalArgumentException.class, () -> GeometricBisection.coordinate(new double[3], 2, 2));
        assertThrows(IllegalArgumentException.class, () -> GeometricBisection.coordinate(new double[4], 0, 2));
        assertThrows(IllegalArgumentException.class, () -> GeometricBisection.coordinate(new double[4], 2, 0));
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> GeometricBisection.inertial(new double[]{0, 1, Double.NaN, 0}, 2, 2)).getMessage()
                .contains("coordinate 0 of point 1 is NaN"));
    }
}
