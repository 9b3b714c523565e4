package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.common.Precision;

/** Three groups of generated kernels that run as one, with all that arguments of a whole can be. */
public final class FusedCase {
    private static final int NODES = 150;
    private static final int EDGES = 320;

    private final Mesh mesh;
    private final Global sum;
    private final LoopSequence sequence;

    /**
     * Declares them.
     *
     * @param mesh an empty mesh
     * @param seed of values and maps
     */
    public FusedCase(Mesh mesh, long seed) {
        this.mesh = mesh;
        SplittableRandom random = new SplittableRandom(seed);
        MeshSet nodes = mesh.set("nodes", NODES);
        MeshSet edges = mesh.set("edges", EDGES);
        MeshMap ends = mesh.map("ends", edges, nodes, 2, RandomMesh.table(EDGES, 2, NODES, random));
        int[] offsets = RandomMesh.offsets(NODES, random);
        MeshMap rows = mesh.map("rows", nodes, edges, offsets,
                RandomMesh.table(offsets[NODES], 1, EDGES, random));
        List<Dat> node = new ArrayList<>();
        List<Dat> edge = new ArrayList<>();
        for (int d = 0; d < 4; d++) {
            node.add(mesh.dat("node" + d, nodes, 2, Precision.F64, RandomMesh.values(2 * NODES, random)));
            edge.add(mesh.dat("edge" + d, edges, 2, Precision.F64, RandomMesh.values(2 * EDGES, random)));
        }
        sum = mesh.global("sum", 2);
        Dat from = node.get(0);
        sequence = mesh.sequence("fused")
                .run(mesh.loop(ChainKernelsLoops.DIFFERENCE, edges, from.at(ends, 1), from.at(ends, 0), edge.get(0)))
                .run(mesh.loop(ChainKernelsLoops.ADD, edges, edge.get(1), edge.get(0)))
                .run(mesh.loop(ChainKernelsLoops.SCATTER, edges, edge.get(0), node.get(1).at(ends, 0),
                        node.get(1).at(ends, 1)))
                .run(mesh.loop(ChainKernelsLoops.ROWS, nodes, edge.get(2).at(rows), node.get(2)))
                .run(mesh.loop(ChainKernelsLoops.COPY, nodes, node.get(2), node.get(3)))
                .run(mesh.loop(ChainKernelsLoops.ADD, nodes, from, node.get(3)))
                .run(mesh.loop(ChainKernelsLoops.COPY, nodes, node.get(3), node.get(2)))
                .set(sum, 5).run(mesh.loop(ChainKernelsLoops.MEASURE, nodes, node.get(2), sum,
                        mesh.global("least", 9), mesh.global("most", -9)))
                .run(mesh.loop(ChainKernelsLoops.SHIFT, nodes, node.get(3), sum)).build();
    }

    /** Runs the loops four times, so that a device that can is given all of them at once. */
    public void run() {
        for (int i = 0; i < 4; i++) {
            sequence.run();
        }
    }

    /**
     * Requires the values of another one.
     *
     * @param expected what has done the same
     */
    public void requireSame(FusedCase expected) {
        for (int i = 0; i < mesh.dats().size(); i++) {
            assertArrayEquals(expected.mesh.dats().get(i).toArray(), mesh.dats().get(i).toArray(),
                    mesh.dats().get(i).toString());
        }
        assertEquals(expected.sum.get(), sum.get());
    }

    /** Requires that loops ran as one. */
    public void requireFused() {
        assertEquals(List.of("fused.difference.add.scatter", "fused.rows.copy.add.copy.measure"),
                MeshChains.reports(mesh).getFirst().fused());
    }
}
