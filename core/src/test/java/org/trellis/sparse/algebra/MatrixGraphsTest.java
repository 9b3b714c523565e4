package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.mesh.plan.Colouring;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

class MatrixGraphsTest {
    private static CsrMatrix of(double[]... rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    private static Map<String, CsrMatrix> squares(String purpose) {
        SplittableRandom random = TestSeed.random(purpose);
        Map<String, CsrMatrix> all = new LinkedHashMap<>(AwkwardMatrices.all(Precision.F64, random));
        all.put("banded", AwkwardMatrices.bandedWithGaps(300, Precision.F64, random));
        all.put("sparse", AwkwardMatrices.random(900, 900, r -> random.nextInt(4), Precision.F64, random));
        all.values().removeIf(matrix -> matrix.rows() != matrix.columns());
        return all;
    }

    private static boolean[][] neighbours(CsrMatrix matrix) {
        boolean[][] near = new boolean[matrix.rows()][matrix.rows()];
        matrix.forEachEntry((i, j, value) -> {
            near[i][j] = true;
            near[j][i] = true;
        });
        return near;
    }

    @Test
    void coloursByHand() {
        // A path 0 - 1 - 2, of which one edge is known to one end only; 3 alone.
        CsrMatrix path = of(new double[]{1, 2, 0, 0}, new double[]{0, 1, 1, 0}, new double[]{0, 1, 1, 0},
                new double[]{0, 0, 0, 1});
        Colouring colouring = MatrixGraphs.firstFit(path);
        assertArrayEquals(new int[]{0, 1, 0, 0}, colouring.colours());
        assertEquals(2, colouring.count());
        assertArrayEquals(new int[]{0, 1, 2, 0}, MatrixGraphs.levels(path).colours());
        assertEquals(0, MatrixGraphs.firstFit(of()).count());
        assertThrows(IllegalArgumentException.class, () -> MatrixGraphs.firstFit(of(new double[]{1, 2})));
    }

    @Test
    void firstFitTakesTheLowestColourThatIsFree() {
        squares("firstFit").forEach((name, matrix) -> {
            boolean[][] near = neighbours(matrix);
            int[] colours = MatrixGraphs.firstFit(matrix).colours();
            for (int i = 0; i < colours.length; i++) {
                boolean[] taken = new boolean[i + 1];
                for (int j = 0; j < i; j++) {
                    if (near[i][j]) {
                        assertNotEquals(colours[j], colours[i], name + ", seed " + TestSeed.value());
                        taken[colours[j]] = true;
                    }
                }
                int lowest = 0;
                while (taken[lowest]) {
                    lowest++;
                }
                assertEquals(lowest, colours[i], name + ", row " + i + ", seed " + TestSeed.value());
            }
        });
    }

    @Test
    void levelsAreOneAboveTheHighestBefore() {
        squares("levels").forEach((name, matrix) -> {
            boolean[][] near = neighbours(matrix);
            int[] levels = MatrixGraphs.levels(matrix).colours();
            for (int i = 0; i < levels.length; i++) {
                int level = 0;
                for (int j = 0; j < i; j++) {
                    level = near[i][j] ? Math.max(level, levels[j] + 1) : level;
                }
                assertEquals(level, levels[i], name + ", row " + i + ", seed " + TestSeed.value());
            }
        });
    }

    @Test
    void setsAreIndependentMaximalAndTheSameEachTime() {
        squares("sets").forEach((name, matrix) -> {
            String context = name + ", seed " + TestSeed.value();
            boolean[][] near = neighbours(matrix);
            boolean[] one = IndependentSets.distance1(matrix, 7);
            boolean[] two = IndependentSets.distance2(matrix, 7);
            assertIndependentAndMaximal(near, one, context);
            assertIndependentAndMaximal(squared(near), two, context);
            boolean[] alone;
            try (ForkJoinPool pool = new ForkJoinPool(1)) {
                alone = pool.submit(() -> IndependentSets.distance2(matrix, 7)).join();
            }
            assertArrayEquals(two, alone, context);
            assertArrayEquals(one, IndependentSets.distance1(matrix, 7), context);
        });
    }

    private static boolean[][] squared(boolean[][] near) {
        boolean[][] result = new boolean[near.length][];
        for (int i = 0; i < near.length; i++) {
            result[i] = near[i].clone();
            for (int j = 0; j < near.length; j++) {
                for (int k = 0; near[i][j] && k < near.length; k++) {
                    result[i][k] |= near[j][k];
                }
            }
        }
        return result;
    }

    private static void assertIndependentAndMaximal(boolean[][] near, boolean[] chosen, String context) {
        for (int i = 0; i < chosen.length; i++) {
            boolean hasOne = chosen[i];
            for (int j = 0; j < chosen.length; j++) {
                if (j != i && near[i][j] && chosen[j]) {
                    assertFalse(chosen[i], context + ": " + i + " and " + j);
                    hasOne = true;
                }
            }
            assertTrue(hasOne, context + ": none near " + i);
        }
    }

    @Test
    void otherSeedsGiveOtherSets() {
        CsrMatrix matrix = AwkwardMatrices.stencil(30, 30, Precision.F64, TestSeed.random("seeds"));
        assertFalse(Arrays.equals(IndependentSets.distance1(matrix, 1), IndependentSets.distance1(matrix, 2)));
    }

    @Test
    void findsWhatIsNotSymmetric() {
        CsrMatrix symmetric = of(new double[]{4, 1, 0}, new double[]{1, 4, 2}, new double[]{0, 2, 4});
        assertSame(symmetric, MatrixGraphs.symmetric(symmetric));
        assertEquals(Optional.empty(), MatrixGraphs.firstAsymmetry(symmetric, 0));
        CsrMatrix values = of(new double[]{4, 1, 0}, new double[]{1, 4, 2}, new double[]{0, 2.5, 4});
        assertSame(values, MatrixGraphs.symmetric(values));
        assertEquals(Optional.of(1), MatrixGraphs.firstAsymmetry(values, 0.1));
        assertEquals(Optional.empty(), MatrixGraphs.firstAsymmetry(values, 0.21));
        CsrMatrix pattern = of(new double[]{4, 1, 3}, new double[]{1, 4, 0}, new double[]{0, 2, 4});
        assertEquals(Optional.of(0), MatrixGraphs.firstAsymmetry(pattern, 0.5));
        assertEquals(9, MatrixGraphs.symmetric(pattern).nonZeros());
    }

    /** What is found without a search, against the transpose. */
    @Test
    void exactSymmetryIsThatOfTheTranspose() {
        SplittableRandom random = TestSeed.random("exactSymmetry");
        for (int trial = 0; trial < 200; trial++) {
            int n = random.nextInt(1, 12);
            Precision precision = trial % 2 == 0 ? Precision.F64 : Precision.F32;
            double[][] rows = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    rows[i][j] = random.nextInt(3);
                    rows[j][i] = rows[i][j];
                }
            }
            if (trial % 3 != 0) {
                rows[random.nextInt(n)][random.nextInt(n)] = random.nextInt(3);
            }
            CsrMatrix matrix = DenseBlocks.fromRows(rows, precision);
            assertEquals(matrix.closeTo(matrix.transpose(), 0, 0), MatrixGraphs.firstAsymmetry(matrix, 0).isEmpty(),
                    matrix::toText);
            assertEquals(matrix.equals(MatrixGraphs.symmetric(matrix)),
                    matrix.mapValues((i, j, v) -> 1).sameAs(matrix.mapValues((i, j, v) -> 1).transpose()),
                    matrix::toText);
        }
        CsrMatrix nothing = of(new double[]{1, Double.NaN}, new double[]{Double.NaN, 1});
        assertEquals(Optional.of(0), MatrixGraphs.firstAsymmetry(nothing, 0));
    }

    @Test
    void cutsBlocks() {
        CsrMatrix matrix = of(new double[]{1, 2, 3}, new double[]{4, 5, 6}, new double[]{7, 8, 9});
        assertTrue(of(new double[]{1, 2, 0}, new double[]{4, 5, 0}, new double[]{0, 0, 9})
                .sameAs(MatrixGraphs.diagonalBlocks(matrix, 0, 2, 2, 3)));
        assertTrue(of(new double[]{0, 0, 3}, new double[]{0, 0, 6}, new double[]{7, 8, 0})
                .sameAs(MatrixGraphs.betweenBlocks(matrix, 0, 2, 3)));
        assertThrows(IllegalArgumentException.class, () -> MatrixGraphs.diagonalBlocks(matrix, 0, 2));
        assertThrows(IllegalArgumentException.class, () -> MatrixGraphs.diagonalBlocks(matrix, 0, 2, 1, 3));
    }
}
