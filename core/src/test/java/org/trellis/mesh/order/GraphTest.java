package org.trellis.mesh.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.testing.TestSeed;

class GraphTest {
    /** Two triangles that share the side 1-2, and an isolated vertex. */
    private static final int[] TRIANGLES = {0, 1, 2, 1, 2, 3};

    private static List<Integer> neighbours(Graph graph, int vertex) {
        return IntStream.range(graph.offsets()[vertex], graph.offsets()[vertex + 1])
                .mapToObj(i -> graph.neighbours()[i]).sorted().toList();
    }

    @Test
    void targetsOfAnElementAreJoined() {
        Graph graph = Graph.ofTargets(5, TRIANGLES, 3);
        assertEquals(List.of(1, 2), neighbours(graph, 0));
        assertEquals(List.of(0, 2, 3), neighbours(graph, 1));
        assertEquals(List.of(0, 1, 3), neighbours(graph, 2));
        assertEquals(List.of(1, 2), neighbours(graph, 3));
        assertEquals(List.of(), neighbours(graph, 4));
        assertEquals(5, graph.edges());
        assertEquals(3, graph.degree(1));
        assertEquals("graph of 5 vertices and 5 edges", graph.toString());
    }

    @Test
    void elementsAtOneTargetAreJoined() {
        Graph graph = Graph.ofElements(new int[]{0, 1, 1, 2, 2, 3, 5, 5}, 2, 6);
        assertEquals(List.of(1), neighbours(graph, 0));
        assertEquals(List.of(0, 2), neighbours(graph, 1));
        assertEquals(List.of(1), neighbours(graph, 2));
        assertEquals(List.of(), neighbours(graph, 3));
    }

    @Test
    void tablesAreUnited() {
        Graph graph = new GraphBuilder(4).joinTargets("edges", new int[]{0, 1, 1, 0, 3, 3}, 2)
                .joinTargets("cells", new int[]{0, 1, 2}, 3)
                .joinElements("vertices to regions", new int[]{7, 0, 0, 7}, 1, 8).build();
        assertEquals(List.of(1, 2, 3), neighbours(graph, 0));
        assertEquals(List.of(0, 2), neighbours(graph, 1));
        assertEquals(List.of(0, 1), neighbours(graph, 2));
        assertEquals(List.of(0), neighbours(graph, 3));
        assertTrue(graph.isSymmetric());
    }

    @Test
    void randomTablesGiveThePairsThatMeet() {
        SplittableRandom random = TestSeed.random("GraphTest");
        for (int round = 0; round < 40; round++) {
            int targets = 1 + random.nextInt(30);
            int arity = 1 + random.nextInt(5);
            int[] table = IntStream.range(0, arity * random.nextInt(20)).map(i -> random.nextInt(targets)).toArray();
            Graph graph = Graph.ofTargets(targets, table, arity);
            for (int v = 0; v < targets; v++) {
                TreeSet<Integer> expected = new TreeSet<>();
                for (int i = 0; i < table.length; i++) {
                    for (int j = i - i % arity; table[i] == v && j < i - i % arity + arity; j++) {
                        expected.add(table[j]);
                    }
                }
                expected.remove(v);
                assertEquals(List.copyOf(expected), neighbours(graph, v), "seed " + TestSeed.value());
            }
            assertTrue(graph.isSymmetric());
        }
    }

    @Test
    void renumberedGraphsHaveTheSameEdges() {
        SplittableRandom random = TestSeed.random("GraphTest renumbered");
        Permutation order = Permutation.random(5, random);
        Graph graph = Graph.ofTargets(5, TRIANGLES, 3).renumbered(order);
        Graph expected = Graph.ofTargets(5, Meshes.renumbered(TRIANGLES, order), 3);
        for (int v = 0; v < 5; v++) {
            assertEquals(neighbours(expected, v), neighbours(graph, v), "seed " + TestSeed.value());
        }
    }

    @Test
    void emptyGraphs() {
        assertEquals(0, Graph.ofTargets(0, new int[0], 4).vertices());
        assertEquals(0, new GraphBuilder(3).build().edges());
        assertEquals(0, Graph.ofElements(new int[0], 2, 0).vertices());
    }

    @Test
    void wrongTablesAreNamed() {
        GraphBuilder builder = new GraphBuilder(4);
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> builder.joinTargets("edge nodes", new int[]{0, 1, 2, 4}, 2)).getMessage()
                .contains("edge nodes: target 1 of element 1 is 4, expected 0 to 3"));
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> builder.joinTargets("edge nodes", new int[3], 2)).getMessage().contains("3 entries"));
        assertThrows(IllegalArgumentException.class,
                () -> builder.joinElements("edge nodes", new int[]{0, 1}, 2, 2));
        assertThrows(IllegalArgumentException.class, () -> new GraphBuilder(-1));
    }

    @Test
    void wrongArraysAreNamed() {
        assertThrows(IllegalArgumentException.class, () -> new Graph(new int[0], new int[0]));
        assertThrows(IllegalArgumentException.class, () -> new Graph(new int[]{1, 1}, new int[1]));
        assertThrows(IllegalArgumentException.class, () -> new Graph(new int[]{0, 2, 1}, new int[1]));
        assertThrows(IllegalArgumentException.class, () -> new Graph(new int[]{0, 1}, new int[]{1}));
        assertThrows(IllegalArgumentException.class, () -> new Graph(new int[]{0, 1}, new int[2]));
        Graph oneWay = new Graph(new int[]{0, 1, 1}, new int[]{1});
        assertFalse(oneWay.isSymmetric());
        assertEquals(new Graph(new int[]{0, 1, 1}, new int[]{1}), oneWay);
    }

    @Test
    void measuresByHand() {
        // Edges 0-1, 0-3, 1-2 of four vertices; then with 3 and 1 exchanged.
        Graph graph = Graph.ofTargets(4, new int[]{0, 1, 0, 3, 1, 2}, 2);
        assertEquals(new OrderMeasures(3, 5, 5.0 / 3), OrderMeasures.of(graph));
        Permutation exchanged = Permutation.ofNewIndices(0, 3, 2, 1);
        assertEquals(new OrderMeasures(3, 4, 5.0 / 3), OrderMeasures.of(graph, exchanged));
        assertEquals(new OrderMeasures(0, 0, 0), OrderMeasures.of(new GraphBuilder(3).build()));
        assertArrayEquals(new int[]{0, 3, 2, 1}, exchanged.toArray());
    }
}
