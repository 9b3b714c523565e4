package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;
import org.trellis.matrices.generate.GeometricGraph.Weights;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.MatrixStatistics;

class GeometricGraphTest {
    private static final long SEED = seed();

    private static long seed() {
        String text = System.getProperty("trellis.test.seed", "");
        long seed = text.isEmpty() ? System.nanoTime() : Long.parseLong(text);
        System.out.println("GeometricGraphTest: trellis.test.seed=" + seed);
        return seed;
    }

    private static GeometricGraph graph(int points, int dimensions, double mean, boolean shuffle, Weights weights) {
        return new GeometricGraph(points, dimensions, mean, shuffle, weights, SEED);
    }

    /** Draws the points as documented, and compares each pair. */
    private static int[] degrees(GeometricGraph graph, int points, int dimensions) {
        double[][] places = new double[points][dimensions];
        for (int p = 0; p < points; p++) {
            SplitMix chance = SplitMix.of(SplitMix.hash(SEED, 1), p);
            Arrays.setAll(places[p], d -> chance.nextDouble());
        }
        int[] degrees = new int[points];
        for (int p = 0; p < points; p++) {
            for (int q = 0; q < points; q++) {
                double sum = 0;
                for (int d = 0; d < dimensions; d++) {
                    sum += (places[p][d] - places[q][d]) * (places[p][d] - places[q][d]);
                }
                degrees[p] += p != q && sum <= graph.radius() * graph.radius() ? 1 : 0;
            }
        }
        return degrees;
    }

    private static int[] lengths(CsrMatrix matrix) {
        int[] lengths = new int[matrix.rows()];
        matrix.forEachEntry((i, j, value) -> lengths[i] += i == j ? 0 : 1);
        return lengths;
    }

    @ParameterizedTest
    @CsvSource({"0,2,3", "1,2,3", "1,3,0", "2,3,1", "7,2,100", "50,3,1000", "300,2,0", "300,2,1", "500,2,9", "500,3,9",
        "701,3,40", "640,2,200"})
    void neighboursAreThePairsWithinTheRadius(int points, int dimensions, double mean) {
        for (boolean shuffle : new boolean[]{false, true}) {
            GeometricGraph graph = graph(points, dimensions, mean, shuffle, Weights.ONES);
            int[] expected = degrees(graph, points, dimensions);
            int[] actual = lengths(graph.generate(Precision.F64));
            Arrays.sort(expected);
            Arrays.sort(actual);
            assertArrayEquals(expected, actual, "shuffle " + shuffle);
        }
    }

    @Test
    void matricesAreSymmetricAndDefinite() {
        for (Weights weights : new Weights[]{Weights.LAPLACIAN, Weights.DOMINANT}) {
            for (boolean shuffle : new boolean[]{false, true}) {
                CsrMatrix matrix = graph(120, 2, 8, shuffle, weights).generate(Precision.F64);
                double[][] dense = Dense.of(matrix);
                matrix.forEachEntry((i, j, value) -> assertEquals(value, dense[j][i]));
                assertTrue(Dense.isPositiveDefinite(matrix), weights.toString());
            }
        }
    }

    @Test
    void rowsOfTheLaplacianSumToOne() {
        double[] sums = Dense.rowSums(graph(400, 3, 10, true, Weights.LAPLACIAN).generate(Precision.F64));
        double[] ones = new double[400];
        Arrays.fill(ones, 1);
        assertArrayEquals(ones, sums);
    }

    @ParameterizedTest
    @CsvSource({"2, 12", "3, 12", "2, 40"})
    void meanIsThatOfPointsInside(int dimensions, double mean) {
        MatrixStatistics facts =
                graph(40_000, dimensions, mean, false, Weights.ONES).generate(Precision.F32).statistics();
        double degree = facts.meanRowLength() - 1;
        // Points near the boundary have fewer; they are 2·d·radius of all, and lose less than half.
        double border = 2 * dimensions * graph(40_000, dimensions, mean, false, Weights.ONES).radius();
        assertTrue(degree < 1.03 * mean && degree > mean * (1 - border / 2) * 0.97, "mean degree " + degree);
    }

    @Test
    void shufflingRenumbersTheSameGraph() {
        CsrMatrix near = graph(3000, 2, 10, false, Weights.ONES).generate(Precision.F64);
        CsrMatrix far = graph(3000, 2, 10, true, Weights.ONES).generate(Precision.F64);
        assertEquals(near.nonZeros(), far.nonZeros());
        assertTrue(distance(near) * 5 < distance(far));
    }

    /** The sum of the distances of entries from the diagonal. */
    private static long distance(CsrMatrix matrix) {
        long[] sum = new long[1];
        matrix.forEachEntry((i, j, value) -> sum[0] += Math.abs(i - j));
        return sum[0];
    }

    @Test
    void seedsMakeGraphs() {
        CsrMatrix first = new GeometricGraph(200, 2, 6, false, Weights.UNIFORM, 4).generate(Precision.F64);
        CsrMatrix same = new GeometricGraph(200, 2, 6, false, Weights.UNIFORM, 4).generate(Precision.F64);
        CsrMatrix other = new GeometricGraph(200, 2, 6, false, Weights.UNIFORM, 5).generate(Precision.F64);
        assertArrayEquals(Dense.of(first), Dense.of(same));
        assertNotEquals(Arrays.deepToString(Dense.of(first)), Arrays.deepToString(Dense.of(other)));
    }

    @Test
    void mistakesAreNamed() {
        StencilsTest.assertMessage("points", () -> graph(-1, 2, 3, false, Weights.ONES));
        StencilsTest.assertMessage("dimensions is 4, expected 2 or 3", () -> graph(5, 4, 3, false, Weights.ONES));
        StencilsTest.assertMessage("mean is NaN, expected 0", () -> graph(5, 2, Double.NaN, false, Weights.ONES));
        StencilsTest.assertMessage("mean is -1.0, expected 0", () -> graph(5, 2, -1, false, Weights.ONES));
    }
}
