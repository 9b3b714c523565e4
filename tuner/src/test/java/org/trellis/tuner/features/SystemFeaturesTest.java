package org.trellis.tuner.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;

/** Features of the values of small matrices that can be checked by hand. */
class SystemFeaturesTest {
    private static CsrMatrix tridiagonal(int n, double below, double diagonal, double above) {
        Entries a = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            a.add(i, i, diagonal);
            if (i > 0) {
                a.add(i, i - 1, below);
            }
            if (i < n - 1) {
                a.add(i, i + 1, above);
            }
        }
        return a.build();
    }

    @Test
    void ofASecondDifference() {
        SystemFeatures found = SystemFeatures.of(tridiagonal(5, -1, 2, -1));
        assertEquals(5, found.rows());
        assertEquals(13.0 / 5, found.meanRowLength(), 1e-12);
        assertEquals(1, found.symmetric());
        assertEquals(0, found.asymmetry());
        assertEquals(1, found.positiveDiagonal());
        assertEquals(1, found.dominantRows());
        assertEquals((3 * 0.5 + 2 * 2.0 / 3) / 5, found.dominance(), 1e-12);
        assertEquals(0, found.positiveCouplings());
        assertEquals(Math.sqrt(2.0 / (3 * 16 + 2 * 9)), found.constants(), 1e-12);
        assertEquals(8.0 / 13 / 5, found.bandwidth(), 1e-12);
        // All five eigenvalues, 1 - cos(k pi / 6), come out of five steps.
        assertEquals(1 - Math.cos(Math.PI / 6), found.leastRitz(), 1e-8);
        assertEquals(1 + Math.cos(Math.PI / 6), found.greatestRitz(), 1e-8);
        // So few columns are one dense triangle of 15 entries, beside 13 of the matrix.
        assertEquals(15.0 / 13, found.fill(), 1e-12);
    }

    @Test
    void ofUnsymmetricAndIndefiniteOnes() {
        SystemFeatures upwind = SystemFeatures.of(tridiagonal(6, -1, 1, 0));
        assertEquals(0, upwind.symmetric());
        // Differences: 10 entries of 1; sums: 6 diagonals of 2, 10 of 1.
        assertEquals(Math.sqrt(10.0 / (6 * 4 + 10)), upwind.asymmetry(), 1e-12);
        assertTrue(SystemFeatures.of(tridiagonal(9, 2, 1, 2)).leastRitz() < 0);
        assertEquals(0, SystemFeatures.of(tridiagonal(4, 1, -2, 1)).positiveDiagonal());
    }

    @Test
    void fillIsThatOfFactorsUnlessFewIterationsWillDo() {
        // Both factors have as many entries as the matrix: nothing fills.
        SystemFeatures general = SystemFeatures.of(tridiagonal(50, -1.2, 2, -0.8));
        assertEquals(0.5, general.fill(), 1e-12, general::toString);
        SystemFeatures narrow = SystemFeatures.of(tridiagonal(50, -1, 20, -1));
        assertTrue(narrow.fill() < 4 && narrow.takesFewIterations(), narrow::toString);
        int n = 2000;
        SplittableRandom random = new SplittableRandom(7);
        Entries wide = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            wide.add(i, i, 30);
            for (int k = 0; k < 8; k++) {
                wide.add(i, random.nextInt(n), 1);
            }
        }
        assertEquals(SystemFeatures.MOST_FILL, SystemFeatures.of(wide.build(), symmetric -> 1).fill(), "not analysed");
        Entries none = new Entries(2, 2);
        none.add(0, 0, 1);
        none.add(1, 0, 1);
        assertEquals(SystemFeatures.MOST_FILL, SystemFeatures.of(none.build()).fill(), "structurally singular");
        Map<String, Number> older = new LinkedHashMap<>(general.toMap());
        older.remove("fill");
        assertEquals(0, SystemFeatures.fromMap(older).fill());
    }

    @Test
    void scaleDoesNotMatter() {
        CsrMatrix a = tridiagonal(40, -1.5, 3, -1);
        double[] one = SystemFeatures.of(a).vector();
        double[] other = SystemFeatures.of(a.scaled(1024)).vector();
        assertArrayEquals(one, other, 1e-9, () -> Arrays.toString(one) + Arrays.toString(other));
        assertEquals(SystemFeatures.vectorNames().size(), one.length);
    }

    @Test
    void dimensionGrowsWithTheMesh() {
        double line = SystemFeatures.of(tridiagonal(200, -1, 2, -1)).dimension();
        assertEquals(1, line, 0.1);
        int side = 30;
        Entries grid = new Entries(side * side, side * side);
        for (int i = 0; i < side * side; i++) {
            grid.add(i, i, 4);
            for (int j : new int[]{i % side > 0 ? i - 1 : -1, i % side < side - 1 ? i + 1 : -1, i - side, i + side}) {
                if (j >= 0 && j < side * side) {
                    grid.add(i, j, -1);
                }
            }
        }
        assertEquals(2, SystemFeatures.of(grid.build()).dimension(), 0.4);
    }

    @Test
    void awkwardOnesAndNames() {
        for (CsrMatrix a : new CsrMatrix[]{new Entries(0, 0).build(), new Entries(3, 3).build(),
            tridiagonal(1, 0, 5, 0)}) {
            SystemFeatures found = SystemFeatures.of(a);
            assertEquals(found, SystemFeatures.fromMap(found.toMap()));
            assertTrue(Arrays.stream(found.vector()).allMatch(Double::isFinite), found::toString);
        }
        assertThrows(IllegalArgumentException.class, () -> SystemFeatures.of(new Entries(2, 3).build()));
    }
}
