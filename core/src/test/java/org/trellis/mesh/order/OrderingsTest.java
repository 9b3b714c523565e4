package org.trellis.mesh.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Permutation;
import org.trellis.testing.TestSeed;

class OrderingsTest {
    /** The orders of vertices. */
    enum Order {
        REVERSE_CUTHILL_MCKEE(Orderings::reverseCuthillMcKee), GIBBS_POOLE_STOCKMEYER(Orderings::gibbsPooleStockmeyer);

        private final Function<Graph, Permutation> function;

        Order(Function<Graph, Permutation> function) {
            this.function = function;
        }

        Permutation of(Graph graph) {
            return function.apply(graph);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPathBecomesAPath(Order order) {
        // 3-0-4-1-2: numbers along the path, from either end.
        Graph path = Graph.ofTargets(5, new int[]{3, 0, 0, 4, 4, 1, 1, 2}, 2);
        int[] numbers = order.of(path).toArray();
        int[] along = {numbers[3], numbers[0], numbers[4], numbers[1], numbers[2]};
        int[] up = {0, 1, 2, 3, 4};
        int[] down = {4, 3, 2, 1, 0};
        assertTrue(Arrays.equals(up, along) || Arrays.equals(down, along), Arrays.toString(along));
    }

    @Test
    void aStarHasItsCentreAtTheEndOrInTheMiddle() {
        int[] rays = IntStream.range(1, 60).flatMap(i -> IntStream.of(0, i)).toArray();
        Graph star = Graph.ofTargets(60, rays, 2);
        assertEquals(59, OrderMeasures.of(star, Orderings.reverseCuthillMcKee(star)).profile());
        assertEquals(30, OrderMeasures.of(star, Orderings.gibbsPooleStockmeyer(star)).bandwidth());
    }

    @ParameterizedTest
    @EnumSource
    void aShuffledGridBecomesNarrow(Order order) {
        SplittableRandom random = TestSeed.random("OrderingsTest grid");
        int[][] sizes = {{1, 1}, {1, 9}, {7, 3}, {13, 40}, {31, 30}};
        for (int[] size : sizes) {
            Graph grid = Meshes.shuffledGrid(size[0], size[1], random);
            OrderMeasures measures = OrderMeasures.of(grid, order.of(grid));
            int narrow = Math.min(size[0], size[1]) + 1;
            assertTrue(measures.bandwidth() <= 2 * narrow + 2,
                    size[0] + " x " + size[1] + ": " + measures + ", seed " + TestSeed.value());
            assertTrue(measures.profile() <= (long) grid.vertices() * (2 * narrow + 2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyGraphIsOrderedAndTwiceTheSame(Order order) {
        SplittableRandom random = TestSeed.random("OrderingsTest any");
        for (int round = 0; round < 200; round++) {
            int vertices = 1 + random.nextInt(round < 100 ? 12 : 300);
            int[] pairs = Meshes.pairs(vertices, random.nextInt(2 * vertices), random);
            Graph graph = Graph.ofTargets(vertices, pairs, 2);
            Permutation numbers = order.of(graph);
            assertEquals(vertices, numbers.size());
            assertEquals(numbers, order.of(graph));
            assertComponentsAreContiguous(graph, numbers);
        }
    }

    private static void assertComponentsAreContiguous(Graph graph, Permutation numbers) {
        int[] componentOf = new int[graph.vertices()];
        Arrays.setAll(componentOf, i -> i);
        for (int pass = 0; pass < graph.vertices(); pass++) {
            for (int v = 0; v < graph.vertices(); v++) {
                for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
                    componentOf[v] = Math.min(componentOf[v], componentOf[graph.neighbours()[i]]);
                }
            }
        }
        int[] inOrder = IntStream.range(0, graph.vertices()).boxed().sorted(Comparator.comparingInt(numbers::newIndex))
                .mapToInt(v -> componentOf[v]).toArray();
        long changes = IntStream.range(1, inOrder.length).filter(i -> inOrder[i] != inOrder[i - 1]).count();
        assertEquals(Arrays.stream(inOrder).distinct().count() - 1, changes, "seed " + TestSeed.value());
    }

    @ParameterizedTest
    @EnumSource
    void loopsRepeatedEdgesAndNoEdges(Order order) {
        assertEquals(0, order.of(new GraphBuilder(0).build()).size());
        assertEquals(1, order.of(new GraphBuilder(1).build()).size());
        assertEquals(4, order.of(new GraphBuilder(4).build()).size());
        // 0-0 (loop), 0-1 twice, 2 with a loop only.
        Graph odd = new Graph(new int[]{0, 4, 6, 7}, new int[]{0, 1, 0, 1, 0, 0, 2});
        assertEquals(3, order.of(odd).size());
    }

    @Test
    void gibbsPooleStockmeyerIsNarrowerThanCuthillMcKeeOnARing() {
        // A ring of 40: levels of two searches from opposite ends agree, two vertices each.
        int[] ring = IntStream.range(0, 40).flatMap(i -> IntStream.of(i, (i + 1) % 40)).toArray();
        Graph graph = Graph.ofTargets(40, ring, 2);
        assertEquals(2, OrderMeasures.of(graph, Orderings.gibbsPooleStockmeyer(graph)).bandwidth());
    }

    @Test
    void elementsAreSortedByTheirSortedTargets() {
        int[] table = {5, 1, 0, 2, 1, 5, 2, 0, 0, 1};
        // Words: 15, 02, 15, 02, 01. Sorted: element 4, 1, 3, 0, 2.
        assertArrayEquals(new int[]{3, 1, 4, 2, 0}, Orderings.lexicographic(table, 2, 6).toArray());
        // With target t becoming 5 - t, the words are 04, 35, 04, 35, 45.
        Permutation reversed = Permutation.ofNewIndices(5, 4, 3, 2, 1, 0);
        assertArrayEquals(new int[]{0, 2, 1, 3, 4}, Orderings.lexicographic(table, 2, reversed).toArray());
        assertEquals(0, Orderings.lexicographic(new int[0], 3, 0).size());
    }

    @Test
    void lexicographicOrderEqualsAComparisonSort() {
        SplittableRandom random = TestSeed.random("OrderingsTest lexicographic");
        for (int arity : new int[]{1, 2, 3, 8, 30}) {
            int[] table = random.ints(arity * 57L, 0, 9).toArray();
            Integer[] elements = IntStream.range(0, 57).boxed().toArray(Integer[]::new);
            Arrays.sort(elements, (a, b) -> Arrays.compare(word(table, arity, a), word(table, arity, b)));
            int[] expected = Arrays.stream(elements).mapToInt(i -> i).toArray();
            assertEquals(Permutation.ofOldIndices(expected), Orderings.lexicographic(table, arity, 9),
                    "seed " + TestSeed.value());
        }
    }

    private static int[] word(int[] table, int arity, int element) {
        int[] word = Arrays.copyOfRange(table, element * arity, (element + 1) * arity);
        Arrays.sort(word);
        return word;
    }

    @Test
    void wrongTablesAreNamed() {
        assertThrows(IllegalArgumentException.class, () -> Orderings.lexicographic(new int[3], 2, 1));
        assertThrows(IllegalArgumentException.class, () -> Orderings.lexicographic(new int[3], 0, 1));
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> Orderings.lexicographic(new int[]{0, 7}, 2, 7)).getMessage()
                .contains("target 1 of element 0 is 7, expected 0 to 6"));
    }
}
