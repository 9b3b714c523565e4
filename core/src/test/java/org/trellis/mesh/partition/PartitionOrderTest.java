package org.trellis.mesh.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Availability;
import org.trellis.common.Permutation;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.GraphBuilder;
import org.trellis.mesh.order.Meshes;
import org.trellis.testing.TestSeed;

class PartitionOrderTest {

    /** A partitioner that gives prepared parts, and keeps what it was asked. */
    private static final class Prepared implements Partitioner {
        private final int[] partOf;
        private int parts;
        private double tolerance;

        Prepared(int... partOf) {
            this.partOf = partOf;
        }

        @Override
        public String name() {
            return "prepared";
        }

        @Override
        public Availability probe() {
            return Availability.yes("for tests");
        }

        @Override
        public Partition partition(Graph graph, int wantedParts, double wantedTolerance) {
            parts = wantedParts;
            tolerance = wantedTolerance;
            return new Partition(partOf, Math.max(wantedParts, 1 + Arrays.stream(partOf).max().orElse(0)));
        }
    }

    @Test
    void elementsOfABlockComeTogether() {
        PartitionOrder order = PartitionOrder.of(new GraphBuilder(6).build(), 3, 1, new Prepared(1, 0, 1, 0, 1, 0));
        assertArrayEquals(new int[]{3, 0, 4, 1, 5, 2}, order.order().toArray());
        assertArrayEquals(new int[]{0, 3, 6}, order.blockOffsets());
        assertArrayEquals(new int[]{1, 0, 1, 0, 1, 0}, order.blockOfElements());
    }

    @Test
    void thePartitionerIsAskedForSmallerBlocks() {
        Prepared prepared = new Prepared(new int[1000]);
        PartitionOrder order = PartitionOrder.of(new GraphBuilder(1000).build(), 103, 1.03, prepared);
        // S' = 100, so 10 parts, and l' = 103.5 / 100.
        assertEquals(10, prepared.parts);
        assertEquals(1.035, prepared.tolerance, 1e-12);
        // All are in one part of 1000 without neighbours: the rest goes to further blocks.
        assertEquals(10, order.blocks());
        for (int block = 0; block < order.blocks(); block++) {
            assertTrue(order.blockOffsets()[block + 1] - order.blockOffsets()[block] <= 103);
        }
    }

    @Test
    void whatIsTooMuchGoesToANeighbourWithRoom() {
        // A path of six elements in parts of four and two; at most three are allowed.
        Graph path = Graph.ofTargets(6, new int[]{0, 1, 1, 2, 2, 3, 3, 4, 4, 5}, 2);
        PartitionOrder order = PartitionOrder.of(path, 3, 1, new Prepared(0, 0, 0, 0, 1, 1));
        assertArrayEquals(new int[]{0, 0, 0, 1, 1, 1}, order.blockOfElements());
    }

    @Test
    void targetsAreSortedByTheBlocksThatTouchThem() {
        // Blocks {0, 1}, {2, 3}, {4}; targets: 0 by all, 1 by block 2, 2 by 0 and 1, 3 by none, 4 by 0, 5 by 0 and 2.
        int[] table = {0, 2, 4, 0, 2, 5, 0, 2, 2, 2, 2, 2, 0, 1, 5};
        PartitionOrder order = PartitionOrder.of(new GraphBuilder(5).build(), 2, 1, new Prepared(0, 0, 1, 1, 2));
        Permutation targets = order.targetOrder(table, 3, 6);
        assertArrayEquals(new int[]{3, 4, 1, 2, 5, 0}, targets.inverse().toArray());
    }

    @Test
    void blocksOfAGridAreFullAndShareLittle() {
        SplittableRandom random = TestSeed.random("PartitionOrderTest");
        int[] table = Meshes.renumbered(Meshes.quadrilaterals(70, 61), Permutation.random(71 * 62, random));
        Graph cells = Graph.ofElements(table, 4, 71 * 62);
        PartitionOrder order =
                PartitionOrder.of(cells, 64, PartitionOrder.DEFAULT_IMBALANCE, new MultilevelPartitioner());
        int loads = 0;
        int[] blockOf = order.blockOfElements();
        TreeSet<Long> seen = new TreeSet<>();
        for (int i = 0; i < table.length; i++) {
            loads += seen.add((long) blockOf[i / 4] << 32 | table[i]) ? 1 : 0;
        }
        for (int block = 0; block < order.blocks(); block++) {
            assertTrue(order.blockOffsets()[block + 1] - order.blockOffsets()[block] <= 64);
        }
        // A square of 8 x 8 cells has 81 corners.
        assertTrue(order.blocks() <= 1.1 * 70 * 61 / 64 + 1, order + ", seed " + TestSeed.value());
        assertTrue(loads <= 1.12 * 81 / 64 * 70 * 61, loads + " loads, seed " + TestSeed.value());
        assertEquals(71 * 62, order.targetOrder(table, 4, 71 * 62).size());
    }

    @Test
    void nothingAndWrongArguments() {
        Partitioner multilevel = new MultilevelPartitioner();
        assertEquals(0, PartitionOrder.of(new GraphBuilder(0).build(), 8, 1, multilevel).blocks());
        Graph graph = new GraphBuilder(3).build();
        assertThrows(IllegalArgumentException.class, () -> PartitionOrder.of(graph, 0, 1, multilevel));
        assertThrows(IllegalArgumentException.class, () -> PartitionOrder.of(graph, 4, 0.5, multilevel));
        assertThrows(IllegalArgumentException.class, () -> PartitionOrder.of(graph, 4, 5, multilevel));
        PartitionOrder order = PartitionOrder.of(graph, 1, 1, multilevel);
        assertEquals(3, order.blocks());
        assertThrows(IllegalArgumentException.class, () -> order.targetOrder(new int[]{0, 1}, 1, 2));
        assertThrows(IllegalArgumentException.class, () -> order.targetOrder(new int[]{0, 1, 2}, 1, 2));
    }
}
