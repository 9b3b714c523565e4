package org.trellis.adapt.geometry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.testing.TestSeed;

class SimplexMeshTest {
    @Test
    void squareAndCubeHaveTheirSides() {
        SimplexMesh square = SimplexMesh.square(3);
        assertEquals(18, square.elements());
        assertEquals(5, square.patchTags().length);
        assertEquals(12, Arrays.stream(square.patches()).filter(patch -> patch != 0).count());
        assertEquals(1, square.measure(), 1e-15);
        assertEquals(4, square.boundaryMeasure(), 1e-14);
        square.verify();
        SimplexMesh cube = SimplexMesh.cube(2);
        assertEquals(48, cube.elements());
        assertEquals(7, cube.patchTags().length);
        assertEquals(48, Arrays.stream(cube.patches()).filter(patch -> patch != 0).count());
        assertEquals(1, cube.measure(), 1e-15);
        assertEquals(6, cube.boundaryMeasure(), 1e-14);
        cube.verify();
    }

    @Test
    void turnsElementsRound() {
        SimplexMesh mesh = SimplexMesh.of(2, new double[]{0, 0, 1, 0, 0, 1}, new int[]{0, 2, 1});
        assertEquals(0, mesh.inverted());
        assertEquals(0.5, mesh.measure());
    }

    /** Two regions side by side: four sides of the square, of which two are in two parts, and the interface. */
    @Test
    void regionsHavePatchesBetweenThem() {
        SimplexMesh plain = SimplexMesh.square(2);
        int[] regions = {0, 0, 1, 1, 0, 0, 1, 1};
        SimplexMesh mesh = SimplexMesh.of(2, plain.coordinates(), plain.corners(), regions, new int[0], new int[0]);
        assertEquals(1 + 7, mesh.patchTags().length);
        assertEquals(4 + 2, mesh.boundaryMeasure(), 1e-14);
    }

    @Test
    void tagsMakePatches() {
        SimplexMesh plain = SimplexMesh.square(2);
        SimplexMesh mesh = SimplexMesh.of(2, plain.coordinates(), plain.corners(), new int[8], new int[]{0, 1},
                new int[]{7});
        assertEquals(1 + 5, mesh.patchTags().length);
        assertEquals(1, Arrays.stream(mesh.patchTags()).filter(tag -> tag == 7).count());
    }

    @Test
    void refusesWhatIsNoMesh() {
        double[] x = {0, 0, 1, 0, 0, 1, 1, 1};
        String flat = assertThrows(IllegalArgumentException.class,
                () -> SimplexMesh.of(2, new double[]{0, 0, 1, 1, 2, 2}, new int[]{0, 1, 2})).getMessage();
        assertTrue(flat.contains("element 0 is flat"), flat);
        String unused = assertThrows(IllegalArgumentException.class,
                () -> SimplexMesh.of(2, x, new int[]{0, 1, 2})).getMessage();
        assertTrue(unused.contains("vertex 3"), unused);
        double[] fan = {0, 0, 1, 0, 0, 1, 0.5, 2, 1, 1};
        String shared = assertThrows(IllegalArgumentException.class,
                () -> SimplexMesh.of(2, fan, new int[]{0, 1, 2, 0, 1, 3, 0, 1, 4})).getMessage();
        assertTrue(shared.contains("share a facet"), shared);
        String unknown = assertThrows(IllegalArgumentException.class, () -> SimplexMesh.of(2, x,
                new int[]{0, 1, 2, 1, 3, 2}, new int[2], new int[]{0, 3}, new int[]{1})).getMessage();
        assertTrue(unknown.contains("no facet"), unknown);
    }

    @Test
    void findsElements() {
        SimplexMesh mesh = SimplexMesh.cube(3);
        ElementLocator locator = new ElementLocator(mesh);
        double[] weights = new double[4];
        for (double[] point : new double[][]{{0.1, 0.2, 0.3}, {0.99, 0.5, 0.01}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}) {
            int element = locator.locate(point, 0, weights);
            for (int k = 0; k < 3; k++) {
                double sum = 0;
                for (int c = 0; c < 4; c++) {
                    sum += weights[c] * mesh.coordinates()[3 * mesh.corners()[4 * element + c] + k];
                }
                assertEquals(point[k], sum, 1e-14);
            }
        }
        locator.locate(new double[]{2, 0.5, 0.5}, 0, weights);
        assertEquals(1, Arrays.stream(weights).sum(), 1e-14);
    }

    /** Weights by gradients against those by areas or volumes, on elements moved at random. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void bothWaysFindElements(int d) {
        SplittableRandom random = TestSeed.random("find" + d);
        SimplexMesh plain = d == 2 ? SimplexMesh.square(7) : SimplexMesh.cube(4);
        double[] x = Arrays.stream(plain.coordinates())
                .map(at -> at > 0 && at < 1 ? at + random.nextDouble(-0.02, 0.02) : at).toArray();
        ElementLocator locator = new ElementLocator(SimplexMesh.of(d, x, plain.corners()));
        for (int trial = 0; trial < 500; trial++) {
            double[] point = random.doubles(d + 1, -0.1, 1.1).toArray();
            boolean inside = Arrays.stream(point).skip(1).allMatch(at -> at > 0 && at < 1);
            boolean outside = Arrays.stream(point).skip(1).anyMatch(at -> at < -0.03 || at > 1.03);
            int found = locator.find(point, 1);
            assertTrue(inside ? found >= 0 : !outside || found == -1, "seed " + TestSeed.value());
            if (found >= 0) {
                double[] weights = new double[d + 1];
                locator.weights(found, point, 1, weights);
                for (int c = 1; c <= d; c++) {
                    assertEquals(weights[c], locator.weight(found, c, point, 1), 1e-12, "seed " + TestSeed.value());
                }
                assertTrue(Arrays.stream(weights).allMatch(weight -> weight > -1e-11), "seed " + TestSeed.value());
            }
        }
    }

    @Test
    void hugeSquaresAndCubesAreRefusedBeforeAnythingIsAllocated() {
        for (int n : new int[]{18_919, 40_000, 46_341, 100_000, Integer.MAX_VALUE}) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> SimplexMesh.square(n)).getMessage()
                    .startsWith("corners of all triangles needs an array of "));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> SimplexMesh.cube(n)).getMessage()
                    .startsWith("corners of all tetrahedra needs an array of "));
        }
        assertThrows(IllegalArgumentException.class, () -> SimplexMesh.cube(1290));
    }
}
