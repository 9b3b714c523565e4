package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.DokMatrix;
import org.trellis.testing.TestSeed;

/** Components, paths, forests, matchings and Laplacians, by hand and against plain methods on dense matrices. */
final class GraphAlgorithmsTest {
    private static CsrMatrix of(double[][] rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    private static CsrMatrix random(int n, long edges, double least, SplittableRandom random) {
        return RandomMatrices.uniform(n, n, Math.min(edges, (long) n * n), least, 1, Precision.F64, random);
    }

    /** Lengths of all shortest paths by Floyd and Warshall. */
    private static double[][] allDistances(CsrMatrix a) {
        int n = a.rows();
        double[][] d = new double[n][n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(d[i], Double.POSITIVE_INFINITY);
            d[i][i] = 0;
        }
        a.forEachEntry((i, j, value) -> d[i][j] = Math.min(d[i][j], value));
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
                }
            }
        }
        return d;
    }

    @Test
    void componentsAreThoseThatReachEachOther() {
        CsrMatrix a = of(new double[][]{{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}});
        assertArrayEquals(new int[]{0, 0, 0, 1}, GraphComponents.connected(a).labels());
        GraphComponents strong = GraphComponents.strong(a);
        assertArrayEquals(new int[]{0, 1, 1, 2}, strong.labels());
        assertArrayEquals(new int[]{1, 2, 1}, strong.sizes());
        assertArrayEquals(new int[]{1, 2}, strong.vertices(1));
        assertThrows(IndexOutOfBoundsException.class, () -> strong.vertices(3));
        SplittableRandom random = TestSeed.random("components");
        for (int n : new int[]{0, 1, 2, 30, 60}) {
            CsrMatrix graph = random(n, n + n / 2, 0.5, random);
            double[][] d = allDistances(graph);
            double[][] both = allDistances(graph.plus(graph.transpose()));
            int[] labels = GraphComponents.strong(graph).labels();
            int[] connected = GraphComponents.connected(graph).labels();
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    assertEquals(Double.isFinite(d[i][j] + d[j][i]), labels[i] == labels[j]);
                    assertEquals(Double.isFinite(both[i][j]), connected[i] == connected[j]);
                }
            }
        }
    }

    /** A path of so many vertices that a recursive search would overflow its stack. */
    @Test
    void deepGraphsDoNotOverflow() {
        int n = 300_000;
        CsrMatrix path = CsrMatrix.diagonals(n, n, Precision.F64, new int[]{1}, new double[]{1});
        assertEquals(n, GraphComponents.strong(path).count());
        assertEquals(1, GraphComponents.connected(path).count());
        assertEquals(n - 1, GraphPaths.breadthFirst(path, 0).distances()[n - 1]);
        assertEquals(n - 1, BipartiteMatching.maximum(path).size());
        CsrMatrix circle = path.plus(path.transpose());
        assertEquals(1, GraphComponents.strong(circle).count());
        assertEquals(n, BipartiteMatching.maximum(circle).size());
    }

    @Test
    void pathsAreShortest() {
        CsrMatrix a = of(new double[][]{{0, 5, 2, 0}, {0, 0, 0, 1}, {0, 1, 0, 7}, {0, 0, 0, 0}});
        GraphPaths paths = GraphPaths.shortest(a, 0);
        assertArrayEquals(new double[]{0, 3, 2, 4}, paths.distances());
        assertArrayEquals(new int[]{0, 2, 1, 3}, paths.to(3));
        assertArrayEquals(new double[]{0, 1, 1, 2}, GraphPaths.breadthFirst(a, 0).distances());
        assertEquals(0, GraphPaths.shortest(a, 3).to(0).length);
        SplittableRandom random = TestSeed.random("paths");
        for (int n : new int[]{1, 2, 40}) {
            CsrMatrix graph = random(n, 3L * n, 0, random);
            double[] potentials = random.doubles(n, 0, 1).toArray();
            // Lengths with potentials added have the same shortest paths, and are negative for some edges.
            CsrMatrix negative = graph.mapValues((i, j, value) -> value + potentials[i] - potentials[j]);
            double[][] d = allDistances(graph);
            double[][] steps = allDistances(graph.mapValues(value -> 1));
            for (int source = 0; source < n; source++) {
                assertArrayEquals(d[source], GraphPaths.shortest(graph, source).distances(), 1e-12);
                assertArrayEquals(steps[source], GraphPaths.breadthFirst(graph, source).distances());
                double[] shifted = GraphPaths.shortest(negative, source).distances();
                for (int i = 0; i < n; i++) {
                    assertEquals(d[source][i], shifted[i] - potentials[source] + potentials[i], 1e-12);
                }
            }
        }
    }

    @Test
    void circlesOfNegativeLengthAreRefused() {
        CsrMatrix a = of(new double[][]{{0, 1, 0, 0}, {0, 0, -2, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}});
        assertTrue(assertThrows(IllegalArgumentException.class, () -> GraphPaths.shortest(a, 0)).getMessage()
                .contains("negative"));
        assertEquals(0, GraphPaths.shortest(a, 3).distances()[3]);
        assertThrows(IllegalArgumentException.class, () -> GraphPaths.shortest(
                CsrMatrix.identity(2, Precision.F64).mapValues(value -> Double.NaN), 0));
        assertThrows(IndexOutOfBoundsException.class, () -> GraphPaths.breadthFirst(a, 4));
        assertThrows(IllegalArgumentException.class, () -> GraphPaths.breadthFirst(a.selectRows(0), 0));
    }

    @Test
    void forestsAreLightest() {
        CsrMatrix a = of(new double[][]{{0, 8, 0, 3}, {0, 0, 2, 5}, {0, 0, 0, 6}, {0, 0, 0, 0}});
        CsrMatrix tree = SpanningForest.minimum(a);
        assertTrue(tree.sameAs(of(new double[][]{{0, 0, 0, 3}, {0, 0, 2, 5}, {0, 0, 0, 0}, {0, 0, 0, 0}})),
                tree.toText());
        SplittableRandom random = TestSeed.random("forests");
        for (int n : new int[]{1, 2, 50}) {
            CsrMatrix graph = random(n, 2L * n, 0, random);
            CsrMatrix forest = SpanningForest.minimum(graph);
            assertArrayEquals(GraphComponents.connected(graph).labels(), GraphComponents.connected(forest).labels());
            assertEquals(n - GraphComponents.connected(graph).count(), forest.nonZeros());
            assertEquals(prim(graph.plus(graph.transpose()), graph), Reductions.sum(forest), 1e-12);
        }
    }

    /** The weight of a forest, by adding the nearest vertex. */
    private static double prim(CsrMatrix pattern, CsrMatrix weights) {
        int n = pattern.rows();
        boolean[] in = new boolean[n];
        double[] nearest = new double[n];
        Arrays.fill(nearest, Double.POSITIVE_INFINITY);
        double total = 0;
        for (int turn = 0; turn < n; turn++) {
            int best = -1;
            for (int i = 0; i < n; i++) {
                if (!in[i] && (best < 0 || nearest[i] < nearest[best])) {
                    best = i;
                }
            }
            total += Double.isFinite(nearest[best]) ? nearest[best] : 0;
            in[best] = true;
            for (int j = 0; j < n; j++) {
                double there = weights.get(best, j) == 0 ? Double.POSITIVE_INFINITY : weights.get(best, j);
                double back = weights.get(j, best) == 0 ? Double.POSITIVE_INFINITY : weights.get(j, best);
                nearest[j] = Math.min(nearest[j], Math.min(there, back));
            }
        }
        return total;
    }

    @Test
    void matchingsHaveMostPairs() {
        SplittableRandom random = TestSeed.random("matchings");
        for (int trial = 0; trial < 60; trial++) {
            int rows = random.nextInt(30);
            int columns = random.nextInt(30);
            CsrMatrix a = RandomMatrices.uniform(rows, columns, Math.min((long) rows * columns, random.nextInt(60)),
                    1, 2, Precision.F64, random);
            BipartiteMatching matching = BipartiteMatching.maximum(a);
            int pairs = 0;
            for (int i = 0; i < rows; i++) {
                int column = matching.columnOfRow()[i];
                if (column >= 0) {
                    pairs++;
                    assertTrue(a.get(i, column) != 0);
                    assertEquals(i, matching.rowOfColumn()[column]);
                }
            }
            assertEquals(pairs, matching.size());
            assertEquals(simpleMatching(a), matching.size());
        }
    }

    private static int simpleMatching(CsrMatrix a) {
        int[] rowOf = new int[a.columns()];
        Arrays.fill(rowOf, -1);
        int size = 0;
        for (int i = 0; i < a.rows(); i++) {
            size += place(a, i, rowOf, new boolean[a.columns()]) ? 1 : 0;
        }
        return size;
    }

    private static boolean place(CsrMatrix a, int row, int[] rowOf, boolean[] seen) {
        for (int j = 0; j < a.columns(); j++) {
            if (a.get(row, j) != 0 && !seen[j]) {
                seen[j] = true;
                if (rowOf[j] < 0 || place(a, rowOf[j], rowOf, seen)) {
                    rowOf[j] = row;
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void laplaciansAreByTheBook() {
        CsrMatrix w = of(new double[][]{{9, 1, 3, 0}, {1, 0, 0, 0}, {3, 0, 0, 0}, {0, 0, 0, 0}});
        assertTrue(GraphLaplacian.COMBINATORIAL.of(w).closeTo(
                of(new double[][]{{4, -1, -3, 0}, {-1, 1, 0, 0}, {-3, 0, 3, 0}, {0, 0, 0, 0}}), 0, 0));
        assertTrue(GraphLaplacian.SIGNLESS.of(w).closeTo(
                of(new double[][]{{4, 1, 3, 0}, {1, 1, 0, 0}, {3, 0, 3, 0}, {0, 0, 0, 0}}), 0, 0));
        double r = Math.sqrt(12);
        assertTrue(GraphLaplacian.NORMALISED.of(w).closeTo(
                of(new double[][]{{1, -0.5, -3 / r, 0}, {-0.5, 1, 0, 0}, {-3 / r, 0, 1, 0}, {0, 0, 0, 0}}), 1e-15, 0));
        assertTrue(GraphLaplacian.RANDOM_WALK.of(w).closeTo(
                of(new double[][]{{1, -0.25, -0.75, 0}, {-1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 0, 0, 0}}), 1e-15, 0));
        DokMatrix negative = new DokMatrix(2, 2);
        negative.set(0, 1, -1);
        assertThrows(IllegalArgumentException.class,
                () -> GraphLaplacian.NORMALISED.of(negative.toCsr(Precision.F64)));
        assertThrows(IllegalArgumentException.class, () -> GraphLaplacian.SIGNLESS.of(w.selectRows(0)));
    }
}
