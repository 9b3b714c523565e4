package org.trellis.mesh.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.BackendUnavailableException;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.GraphBuilder;
import org.trellis.mesh.order.Meshes;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

class PartitionTest {
    private static final double TOLERANCE = 1.03;

    private final Partitioner multilevel = new MultilevelPartitioner();

    private static Graph twoSquares() {
        // Two complete graphs of four vertices, joined by the edge 3-4.
        return new GraphBuilder(8).joinTargets("squares", new int[]{0, 1, 2, 3, 4, 5, 6, 7}, 4)
                .joinTargets("bridge", new int[]{3, 4}, 2).build();
    }

    @Test
    void countsByHand() {
        Partition partition = new Partition(new int[]{0, 0, 0, 2, 2, 0, 2, 2}, 3);
        assertArrayEquals(new int[]{4, 0, 4}, partition.sizes());
        assertEquals(1.5, partition.imbalance());
        // 3-0, 3-1, 3-2 on the left; 5-4, 5-6, 5-7 on the right.
        assertEquals(6, partition.edgeCut(twoSquares()));
        assertEquals(new Partition(partition.partOf().clone(), 3), partition);
        assertNotEquals(new Partition(partition.partOf().clone(), 4), partition);
        assertThrows(IllegalArgumentException.class, () -> new Partition(new int[]{0, 3}, 3));
        assertThrows(IllegalArgumentException.class, () -> partition.edgeCut(new GraphBuilder(2).build()));
    }

    @Test
    void theBridgeIsCut() {
        Partition partition = multilevel.partition(twoSquares(), 2, 1);
        assertEquals(1, partition.edgeCut(twoSquares()));
        assertArrayEquals(new int[]{4, 4}, partition.sizes());
    }

    @Test
    void gridsAreCutIntoBlocks() {
        SplittableRandom random = TestSeed.random("PartitionTest grids");
        Graph grid = Meshes.shuffledGrid(79, 63, random);
        for (int parts : new int[]{2, 3, 4, 7, 16, 40, 150}) {
            Partition partition = multilevel.partition(grid, parts, TOLERANCE);
            // Squares of n / parts vertices have this perimeter; each vertex of it has three edges across.
            double ideal = 3 * 2 * Math.sqrt((double) grid.vertices() / parts) * parts;
            long cut = partition.edgeCut(grid);
            String message = parts + " parts, cut " + cut + ", seed " + TestSeed.value();
            assertTrue(cut <= 1.3 * ideal, message);
            assertTrue(partition.imbalance() <= Math.max(TOLERANCE, 1.0 * parts / grid.vertices()
                    * Math.ceilDiv(grid.vertices(), parts)), message + ", imbalance " + partition.imbalance());
            assertEquals(partition, multilevel.partition(grid, parts, TOLERANCE));
        }
    }

    /** What METIS 5.1 cuts, of the same graph with the same tolerance; the best are 120 and 60. */
    @Test
    void smallGridsAreCutNoWorseThanByMetis() {
        Graph grid = grid(60, 60);
        assertTrue(multilevel.partition(grid, 4, 1.02).edgeCut(grid) <= 143);
        assertTrue(multilevel.partition(grid, 2, 1.02).edgeCut(grid) <= 66);
    }

    private static Graph grid(int width, int height) {
        GraphBuilder builder = new GraphBuilder(width * height);
        builder.joinTargets("rows", IntStream.range(0, width * height).filter(v -> v % width > 0)
                .flatMap(v -> IntStream.of(v - 1, v)).toArray(), 2);
        builder.joinTargets("columns", IntStream.range(width, width * height)
                .flatMap(v -> IntStream.of(v - width, v)).toArray(), 2);
        return builder.build();
    }

    @Test
    void anyGraphIsPartitioned() {
        SplittableRandom random = TestSeed.random("PartitionTest any");
        for (int round = 0; round < TestLength.cases(50, 150); round++) {
            int vertices = random.nextInt(round % 3 < 2 ? 30 : 3000);
            int[] pairs = Meshes.pairs(Math.max(1, vertices), vertices == 0 ? 0 : random.nextInt(3 * vertices), random);
            Graph graph = Graph.ofTargets(vertices, pairs, 2);
            int parts = 1 + random.nextInt(12);
            Partition partition = multilevel.partition(graph, parts, TOLERANCE);
            assertEquals(vertices, partition.vertices());
            assertEquals(parts, partition.parts());
            int largest = IntStream.of(partition.sizes()).max().orElse(0);
            assertTrue(largest <= 1.5 * vertices / parts + 1, "largest of " + parts + " parts of " + vertices + " is "
                    + largest + ", seed " + TestSeed.value());
        }
    }

    @Test
    void starsLoopsAndNoEdges() {
        int[] rays = IntStream.range(1, 2000).flatMap(i -> IntStream.of(0, i)).toArray();
        Partition star = multilevel.partition(Graph.ofTargets(2000, rays, 2), 4, TOLERANCE);
        assertTrue(star.imbalance() <= 1.06, "imbalance " + star.imbalance());
        Partition isolated = multilevel.partition(new GraphBuilder(1000).build(), 10, TOLERANCE);
        assertTrue(isolated.imbalance() <= TOLERANCE, "imbalance " + isolated.imbalance());
        Graph loops = new Graph(new int[]{0, 2, 4}, new int[]{0, 1, 1, 0});
        assertEquals(1, multilevel.partition(loops, 2, 1).edgeCut(loops));
        assertEquals(0, multilevel.partition(new GraphBuilder(0).build(), 3, 1).vertices());
        assertEquals(1, multilevel.partition(new GraphBuilder(1).build(), 3, 1).vertices());
    }

    @Test
    void wrongArgumentsAreNamed() {
        Graph graph = twoSquares();
        assertThrows(IllegalArgumentException.class, () -> multilevel.partition(graph, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> multilevel.partition(graph, 2, 0.9));
        assertThrows(IllegalArgumentException.class, () -> multilevel.partition(graph, 2, Double.NaN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"metis", "scotch"})
    void librariesAreFoundOrTheReasonSaid(String name) {
        Partitioner library = Partitioners.all().stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
        if (library.probe().available()) {
            assertEquals(name, Partitioners.named(name).name());
        } else {
            assertTrue(assertThrows(BackendUnavailableException.class, () -> Partitioners.named(name)).getMessage()
                    .contains(library.probe().reason()));
        }
        assertEquals("multilevel", Partitioners.named("multilevel").name());
        assertTrue(assertThrows(BackendUnavailableException.class, () -> Partitioners.named("chaco")).getMessage()
                .contains("multilevel: available"));
    }
}
