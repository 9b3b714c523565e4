package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.OrderMeasures;
import org.trellis.mesh.order.Orderings;
import org.trellis.mesh.partition.Partitioners;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** Orders of whole meshes: a shuffled grid of squares becomes narrow again, and nothing that the user sees changes. */
class MeshOrderTest {
    private static final int WIDTH = 12;
    private static final int HEIGHT = 40;

    private final Backend backend =
            Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
    private final Mesh mesh = Mesh.on(backend);

    @AfterEach
    void close() {
        mesh.close();
        backend.close();
    }

    private MeshSet[] grid() {
        MeshSet nodes = mesh.set("nodes", (WIDTH + 1) * (HEIGHT + 1));
        MeshSet cells = mesh.set("cells", WIDTH * HEIGHT);
        MeshSet marks = mesh.set("marks", 2 * nodes.size());
        int[] corners = new int[4 * cells.size()];
        for (int y = 0, next = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int low = y * (WIDTH + 1) + x;
                for (int corner : new int[]{low, low + 1, low + WIDTH + 2, low + WIDTH + 1}) {
                    corners[next++] = corner;
                }
            }
        }
        mesh.map("corners", cells, nodes, 4, corners);
        int[] twice = new int[nodes.size()];
        Arrays.setAll(twice, i -> 2 * i);
        mesh.map("mark", nodes, marks, 1, twice);
        return new MeshSet[]{nodes, cells, marks};
    }

    private static List<double[]> values(Mesh mesh) {
        List<double[]> values = new ArrayList<>();
        mesh.dats().forEach(dat -> values.add(dat.toArray()));
        mesh.maps().forEach(map -> values.add(Arrays.stream(map.toArray()).asDoubleStream().toArray()));
        return values;
    }

    @Test
    void aShuffledGridBecomesNarrowAgain() {
        MeshSet[] sets = grid();
        SplittableRandom random = TestSeed.random("aShuffledGridBecomesNarrowAgain");
        for (MeshSet set : sets) {
            mesh.dat(set.name(), set, 2, Precision.F64, RandomMesh.values(2 * set.size(), random));
        }
        List<double[]> before = values(mesh);
        MeshOrder.shuffle(mesh, random);
        assertFalse(sets[1].inUserOrder());
        long wide = OrderMeasures.of(MeshOrder.graph(sets[0])).bandwidth();
        MeshOrder.reorder(sets[0], Orderings::gibbsPooleStockmeyer);
        long narrow = OrderMeasures.of(MeshOrder.graph(sets[0])).bandwidth();
        assertTrue(narrow <= 2 * (WIDTH + 3) && wide > 5 * narrow, narrow + " after " + wide);
        int[] first = mesh.maps().getFirst().column(0);
        int[] corners = mesh.maps().getFirst().column(2);
        for (int e = 1; e < first.length; e++) {
            assertTrue(Math.abs(first[e] - first[e - 1]) <= 4 * narrow, "cells " + (e - 1) + " and " + e);
            assertTrue(Math.abs(first[e] - corners[e]) <= narrow);
        }
        int[] marks = mesh.maps().get(1).column(0);
        for (int node = 0; node < marks.length; node++) {
            assertEquals(node, marks[node], "marks are numbered as they are first touched");
        }
        List<double[]> after = values(mesh);
        for (int i = 0; i < before.size(); i++) {
            assertArrayEquals(before.get(i), after.get(i));
        }
        MeshOrder.restore(mesh);
        for (MeshSet set : sets) {
            assertTrue(set.inUserOrder(), set.toString());
        }
        assertEquals(0, mesh.maps().getFirst().column(0)[0]);
    }

    @Test
    void blocksOfAPartitionShareLittle() {
        MeshSet[] sets = grid();
        SplittableRandom random = TestSeed.random("blocksOfAPartitionShareLittle");
        Dat sum = mesh.dat("sum", sets[0], 1, Precision.F64);
        MeshMap corners = mesh.maps().getFirst();
        MeshOrder.shuffle(mesh, random);
        List<double[]> before = values(mesh);
        int blocks = MeshOrder.blocks(corners, 40, Partitioners.named("multilevel"));
        assertEquals(blocks + 1, sets[1].blockOffsets().length);
        assertTrue(blocks >= WIDTH * HEIGHT / 40 && blocks <= 2 * WIDTH * HEIGHT / 40, "blocks: " + blocks);
        List<double[]> after = values(mesh);
        for (int i = 0; i < before.size(); i++) {
            assertArrayEquals(before.get(i), after.get(i));
        }
        LoopKernel add = InterpretedKernel.named("add").dat(Access.INCREMENT, 1, 4).does(v -> {
            for (double[] corner : (double[][]) v[0]) {
                corner[0]++;
            }
        });
        LoopReport report = mesh.loop(add, sets[1], sum.at(corners))
                .parameters(LoopParameters.of(LoopScheme.TWO_LEVEL).withBlockSize(0)).prepare().report();
        assertTrue(report.statistics().reuse() > 2.5, report.toString());
        assertEquals(blocks, report.statistics().blocks());
    }

    @Test
    void graphsComeFromAnyMap() {
        MeshSet nodes = mesh.set("nodes", 5);
        MeshSet rows = mesh.set("rows", 2);
        mesh.map("rows", rows, nodes, new int[]{0, 3, 3}, new int[]{4, 0, 2});
        mesh.map("next", nodes, nodes, 1, new int[]{1, 1, 2, 3, 3});
        assertEquals(new Graph(new int[]{0, 3, 4, 5, 6, 8}, new int[]{1, 2, 4, 0, 0, 4, 0, 3}), sorted(nodes));
        MeshSet loose = mesh.set("loose", 3);
        mesh.map("one", loose, nodes, 1, new int[]{0, 1, 0});
        assertEquals(new Graph(new int[]{0, 1, 1, 2}, new int[]{2, 0}), sorted(loose));
        MeshOrder.reorder(nodes, Orderings::reverseCuthillMcKee);
        assertArrayEquals(new int[]{4, 0, 2}, mesh.maps().getFirst().toArray());
    }

    private static Graph sorted(MeshSet set) {
        Graph graph = MeshOrder.graph(set);
        int[] neighbours = graph.neighbours().clone();
        for (int v = 0; v < graph.vertices(); v++) {
            Arrays.sort(neighbours, graph.offsets()[v], graph.offsets()[v + 1]);
        }
        return new Graph(graph.offsets(), neighbours);
    }
}
