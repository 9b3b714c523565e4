package org.trellis.mesh.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.GraphBuilder;
import org.trellis.testing.TestSeed;

class VertexSeparatorTest {
    private static int[] ones(int n) {
        int[] ones = new int[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** A grid of nx × ny × nz vertices, each joined to the next along the axes. */
    private static Graph grid(int nx, int ny, int nz) {
        int count = 0;
        int[] pairs = new int[6 * nx * ny * nz];
        for (int v = 0; v < nx * ny * nz; v++) {
            int[] next = {v % nx + 1 < nx ? v + 1 : v, v / nx % ny + 1 < ny ? v + nx : v,
                v / (nx * ny) + 1 < nz ? v + nx * ny : v};
            for (int other : next) {
                if (other != v) {
                    pairs[count++] = v;
                    pairs[count++] = other;
                }
            }
        }
        return Graph.ofTargets(nx * ny * nz, Arrays.copyOf(pairs, count), 2);
    }

    /** Returns the weights of side 0, side 1 and the separator, after a check that no edge joins the sides. */
    private static long[] weights(Graph graph, int... vertexWeights) {
        byte[] side = VertexSeparator.of(graph, vertexWeights);
        long[] weights = new long[3];
        for (int v = 0; v < graph.vertices(); v++) {
            weights[side[v]] += vertexWeights[v];
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                int other = graph.neighbours()[k];
                assertTrue(side[v] == VertexSeparator.SEPARATOR || side[other] != 1 - side[v],
                        "edge from " + v + " to " + other);
            }
        }
        return weights;
    }

    @Test
    void oneVertexSeparatesAPathAndAStar() {
        Graph path = grid(301, 1, 1);
        assertEquals(1, weights(path, ones(301))[2]);
        Graph star = Graph.ofTargets(5, new int[]{2, 0, 2, 1, 2, 3, 2, 4}, 2);
        long[] weights = weights(star, ones(5));
        assertEquals(1, weights[2]);
        assertTrue(Math.min(weights[0], weights[1]) > 0, Arrays.toString(weights));
    }

    /** The least separators of a square are its rows, columns and diagonals, those of a cube are slanted planes. */
    @Test
    void gridsHaveSmallSeparators() {
        long[] square = weights(grid(40, 40, 1), ones(1600));
        assertTrue(square[2] <= 40, Arrays.toString(square));
        assertTrue(Math.max(square[0], square[1]) <= 960, Arrays.toString(square));
        long[] cube = weights(grid(14, 14, 14), ones(2744));
        assertTrue(cube[2] <= 0.85 * 196, Arrays.toString(cube));
        assertTrue(Math.max(cube[0], cube[1]) <= 0.6 * 2744, Arrays.toString(cube));
    }

    /** The column in the middle weighs 6, those beside it 3: both sides are within the limit there, too. */
    @Test
    void weightsCount() {
        int[] heavy = ones(33);
        for (int row = 0; row < 3; row++) {
            heavy[11 * row + 5] = 2;
        }
        long[] weights = weights(grid(11, 3, 1), heavy);
        assertEquals(3, weights[2], Arrays.toString(weights));
    }

    @Test
    void disconnectedGraphsNeedNoSeparator() {
        Graph two = Graph.ofTargets(6, new int[]{0, 1, 1, 2, 0, 2, 3, 4, 4, 5, 3, 5}, 2);
        assertArrayEquals(new long[]{3, 3, 0}, weights(two, ones(6)));
        assertEquals(0, VertexSeparator.of(new Graph(new int[]{0}, new int[0]), new int[0]).length);
        assertThrows(IllegalArgumentException.class, () -> VertexSeparator.of(two, new int[2]));
    }

    @Test
    void randomGraphsAreSeparated() {
        SplittableRandom random = TestSeed.random("randomGraphsAreSeparated");
        for (int round = 0; round < 60; round++) {
            int n = 1 + random.nextInt(round < 50 ? 60 : 900);
            GraphBuilder builder = new GraphBuilder(n);
            int[] pairs = random.ints(2L * random.nextInt(3 * n), 0, n).toArray();
            Graph graph = builder.joinTargets("edges", pairs, 2).build();
            int[] weight = random.ints(n, 1, 2 + round % 7).toArray();
            long[] weights = weights(graph, weight);
            assertEquals(Arrays.stream(weight).asLongStream().sum(), weights[0] + weights[1] + weights[2],
                    "seed " + TestSeed.value() + " round " + round);
            assertArrayEquals(VertexSeparator.of(graph, weight), VertexSeparator.of(graph, weight));
        }
    }
}
