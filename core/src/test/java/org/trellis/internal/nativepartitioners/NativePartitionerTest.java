package org.trellis.internal.nativepartitioners;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.common.BackendUnavailableException;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.GraphBuilder;
import org.trellis.mesh.order.Meshes;
import org.trellis.mesh.partition.MultilevelPartitioner;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.testing.TestSeed;

/** Compares the installed libraries with the built-in method. */
class NativePartitionerTest {
    private static final double TOLERANCE = 1.03;

    static List<Partitioner> libraries() {
        return List.of(new MetisPartitioner(), new ScotchPartitioner());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("libraries")
    void cutsAreComparable(Partitioner library) {
        assumeTrue(library.probe().available(), () -> library.name() + ": " + library.probe().reason());
        SplittableRandom random = TestSeed.random("NativePartitionerTest");
        Graph grid = Meshes.shuffledGrid(120, 95, random);
        for (int parts : new int[]{2, 6, 32, 180}) {
            Partition theirs = library.partition(grid, parts, TOLERANCE);
            Partition ours = new MultilevelPartitioner().partition(grid, parts, TOLERANCE);
            assertEquals(parts, theirs.parts());
            assertTrue(theirs.imbalance() < 1.2, library.name() + ": imbalance " + theirs.imbalance());
            long theirCut = theirs.edgeCut(grid);
            long ourCut = ours.edgeCut(grid);
            String message = parts + " parts: " + library.name() + " cuts " + theirCut + " edges, the built-in method "
                    + ourCut + ", seed " + TestSeed.value();
            assertTrue(ourCut <= 1.6 * theirCut, message);
            assertTrue(theirCut <= 1.6 * ourCut, message);
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("libraries")
    void oddGraphs(Partitioner library) {
        assumeTrue(library.probe().available(), () -> library.name() + ": " + library.probe().reason());
        assertEquals(0, library.partition(new GraphBuilder(0).build(), 3, 1).vertices());
        assertEquals(5, library.partition(new GraphBuilder(5).build(), 1, 1).vertices());
        Graph loops = new Graph(new int[]{0, 2, 5, 7}, new int[]{0, 1, 0, 2, 1, 1, 2});
        assertEquals(3, library.partition(loops, 2, TOLERANCE).vertices());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("libraries")
    void verticesAreOrderedForElimination(Partitioner library) {
        assumeTrue(library.probe().available(), () -> library.name() + ": " + library.probe().reason());
        Graph grid = Meshes.shuffledGrid(40, 30, TestSeed.random("elimination"));
        for (Graph graph : List.of(grid, new GraphBuilder(0).build(), new GraphBuilder(5).build(),
                new Graph(new int[]{0, 2, 5, 7}, new int[]{0, 1, 0, 2, 1, 1, 2}))) {
            int[] order = library.eliminationOrder(graph).orElseThrow();
            assertEquals(graph.vertices(), Arrays.stream(order).distinct().filter(v -> v < graph.vertices()).count());
        }
        assertTrue(new MultilevelPartitioner().eliminationOrder(grid).isEmpty());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("libraries")
    void wrongArgumentsAreNamedAndAbsenceSaid(Partitioner library) {
        Graph graph = new GraphBuilder(5).build();
        assertThrows(IllegalArgumentException.class, () -> library.partition(graph, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> library.partition(graph, 2, 0.5));
        if (!library.probe().available()) {
            assertThrows(BackendUnavailableException.class, () -> library.partition(graph, 2, 1));
        }
    }
}
