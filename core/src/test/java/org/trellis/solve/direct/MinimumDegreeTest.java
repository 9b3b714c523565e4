package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.mesh.order.Graph;
import org.trellis.testing.TestSeed;

/** The approximate order against a minimum degree order whose degrees are counted in the eliminated graph itself. */
class MinimumDegreeTest {
    /** Share of entries that the approximation of degrees may cost on many graphs together. */
    private static final double APPROXIMATION = 1.02;

    @Test
    void leavesGoBeforeTheirStarAndAPathFillsNothing() {
        int n = 9;
        Graph star = Graph.ofTargets(n, IntStream.range(1, n).flatMap(v -> IntStream.of(0, v)).toArray(), 2);
        int[] order = MinimumDegree.order(star);
        assertTrue(order[n - 1] == 0 || order[n - 2] == 0, Arrays.toString(order));
        assertEquals(2 * n - 1, entries(star, n, order));
        Graph path = Graph.ofTargets(n, IntStream.range(1, n).flatMap(v -> IntStream.of(v - 1, v)).toArray(), 2);
        assertEquals(2 * n - 1, entries(path, n, MinimumDegree.order(path)));
        assertEquals(0, MinimumDegree.order(new Graph(new int[]{0}, new int[0])).length);
        assertPermutation(5, MinimumDegree.order(new Graph(new int[6], new int[0])));
    }

    @Test
    void graphsOfAnyStructureFillAsByExactDegrees() {
        SplittableRandom random = TestSeed.random("graphsOfAnyStructureFillAsByExactDegrees");
        long found = 0;
        long exact = 0;
        for (int round = 0; round < 300; round++) {
            int n = 1 + random.nextInt(round % 10 == 0 ? 150 : 30);
            Graph graph = graph(random, n, round % 3 == 0);
            int[] order = MinimumDegree.order(graph);
            assertPermutation(n, order);
            assertArrayEquals(order, MinimumDegree.order(graph));
            found += entries(graph, n, order);
            exact += entries(graph, n, byExactDegrees(graph, n));
        }
        assertTrue(found <= APPROXIMATION * exact, found + " entries, by exact degrees " + exact + seed());
    }

    /** The search ends exactly where a factor, or both, would have one entry more than they may. */
    @Test
    void endsWhereThereAreMoreEntriesThanThereMayBe() {
        SplittableRandom random = TestSeed.random("endsWhereThereAreMoreEntriesThanThereMayBe");
        for (int round = 0; round < 200; round++) {
            int n = 1 + random.nextInt(round % 10 == 0 ? 150 : 30);
            Graph graph = graph(random, n, round % 3 == 0);
            int[] order = MinimumDegree.order(graph);
            long one = entries(graph, n, order);
            boolean both = random.nextBoolean();
            int before = random.nextInt(5);
            double all = before + (both ? 2 * one - n : one);
            assertArrayEquals(order, MinimumDegree.order(graph, meter(all), before, both), () -> all + seed());
            FactorisationException e = assertThrows(FactorisationException.class,
                    () -> MinimumDegree.order(graph, meter(all - 0.5), before, both), () -> all + seed());
            assertEquals(FactorisationException.Reason.MEMORY, e.reason());
            assertTrue(e.getMessage().contains("of which there may be " + (long) (all - 0.5)), e.getMessage());
        }
    }

    private static FactorMeter meter(double entries) {
        return new FactorMeter("analysis", FactorLimits.ofHeap().ofEntries(entries));
    }

    /** Vertices of the halo count as neighbours of those that are ordered, and come last. */
    @Test
    void haloIsCountedAndNotOrdered() {
        SplittableRandom random = TestSeed.random("haloIsCountedAndNotOrdered");
        long found = 0;
        long exact = 0;
        for (int round = 0; round < 200; round++) {
            int n = 1 + random.nextInt(round % 10 == 0 ? 150 : 30);
            int inner = random.nextInt(n + 1);
            Graph graph = withoutEdgesFrom(graph(random, n, false), inner);
            int[] order = MinimumDegree.order(graph, inner);
            assertPermutation(inner, order);
            found += entries(graph, inner, order);
            exact += entries(graph, inner, byExactDegrees(graph, inner));
        }
        assertTrue(found <= APPROXIMATION * exact, found + " entries, by exact degrees " + exact + seed());
    }

    @Test
    void columnsAreOrderedAsTheProductWithTheTranspose() {
        SplittableRandom random = TestSeed.random("columnsAreOrderedAsTheProductWithTheTranspose");
        long found = 0;
        long exact = 0;
        for (int round = 0; round < 200; round++) {
            int columns = 1 + random.nextInt(40);
            int rows = random.nextInt(2 * columns);
            IntStream.Builder places = IntStream.builder();
            int[] start = new int[columns + 1];
            for (int j = 0; j < columns; j++) {
                int[] own = IntStream.range(0, rows).filter(_ -> random.nextInt(columns) < 3).toArray();
                Arrays.stream(own).forEach(places);
                start[j + 1] = start[j] + own.length;
            }
            int[] row = places.build().toArray();
            ColumnStructure matrix = new ColumnStructure(rows, columns, start, row, new int[row.length]);
            int[] order = MinimumDegree.orderColumns(matrix);
            assertPermutation(columns, order);
            Graph product = product(matrix);
            found += entries(product, columns, order);
            exact += entries(product, columns, byExactDegrees(product, columns));
        }
        assertTrue(found <= 1.05 * exact, found + " entries, by exact degrees " + exact + seed());
    }

    /** The lists of a cube outgrow the array, so that they are moved together. */
    @Test
    void cubesAreOrderedInTheRoomOfTheirEdges() {
        int side = 12;
        IntStream.Builder pairs = IntStream.builder();
        for (int v = 0; v < side * side * side; v++) {
            int[] behind = {v % side + 1 < side ? v + 1 : v, v / side % side + 1 < side ? v + side : v,
                v / (side * side) + 1 < side ? v + side * side : v};
            for (int other : behind) {
                pairs.add(v).add(other);
            }
        }
        Graph cube = Graph.ofTargets(side * side * side, pairs.build().toArray(), 2);
        int[] order = MinimumDegree.order(cube);
        assertPermutation(cube.vertices(), order);
        long entries = entries(cube, cube.vertices(), order);
        assertTrue(entries < 80_000, entries + " entries");
    }

    private static Graph graph(SplittableRandom random, int n, boolean hub) {
        int[] pairs = random.ints(2L * random.nextInt(4 * n), 0, n).toArray();
        for (int k = 0; hub && k < pairs.length / 3; k++) {
            pairs[k] = random.nextInt(1 + n / 10);
        }
        return Graph.ofTargets(n, pairs, 2);
    }

    private static Graph withoutEdgesFrom(Graph graph, int inner) {
        int[] offsets = new int[graph.vertices() + 1];
        IntStream.Builder kept = IntStream.builder();
        for (int v = 0; v < graph.vertices(); v++) {
            offsets[v + 1] = offsets[v];
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                if (v < inner || graph.neighbours()[k] < inner) {
                    kept.add(graph.neighbours()[k]);
                    offsets[v + 1]++;
                }
            }
        }
        return new Graph(offsets, kept.build().toArray());
    }

    private static Graph product(ColumnStructure matrix) {
        ColumnStructure byRows = matrix.transpose();
        IntStream.Builder pairs = IntStream.builder();
        for (int r = 0; r < matrix.rows(); r++) {
            for (int k = byRows.start()[r]; k < byRows.start()[r + 1]; k++) {
                for (int l = byRows.start()[r]; l < k; l++) {
                    pairs.add(byRows.row()[k]).add(byRows.row()[l]);
                }
            }
        }
        return Graph.ofTargets(matrix.columns(), pairs.build().toArray(), 2);
    }

    private static BitSet[] neighbours(Graph graph) {
        BitSet[] near = new BitSet[graph.vertices()];
        for (int v = 0; v < near.length; v++) {
            near[v] = new BitSet(near.length);
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                near[v].set(graph.neighbours()[k]);
            }
            near[v].clear(v);
        }
        return near;
    }

    /** Joins the neighbours of a vertex, takes it out, and returns how many they were. */
    private static int eliminate(BitSet[] near, int v) {
        BitSet clique = near[v];
        for (int w = clique.nextSetBit(0); w >= 0; w = clique.nextSetBit(w + 1)) {
            near[w].or(clique);
            near[w].clear(w);
            near[w].clear(v);
        }
        return clique.cardinality();
    }

    private static long entries(Graph graph, int count, int... order) {
        BitSet[] near = neighbours(graph);
        return count + Arrays.stream(order, 0, count).mapToLong(v -> eliminate(near, v)).sum();
    }

    private static int[] byExactDegrees(Graph graph, int count) {
        BitSet[] near = neighbours(graph);
        int[] order = new int[count];
        BitSet left = new BitSet();
        left.set(0, count);
        for (int k = 0; k < count; k++) {
            int best = left.nextSetBit(0);
            for (int v = best; v >= 0; v = left.nextSetBit(v + 1)) {
                best = near[v].cardinality() < near[best].cardinality() ? v : best;
            }
            order[k] = best;
            left.clear(best);
            eliminate(near, best);
        }
        return order;
    }

    private static void assertPermutation(int size, int... order) {
        int[] sorted = order.clone();
        Arrays.sort(sorted);
        assertArrayEquals(IntStream.range(0, size).toArray(), sorted, MinimumDegreeTest::seed);
    }

    private static String seed() {
        return ", seed " + TestSeed.value();
    }
}
