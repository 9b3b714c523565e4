package org.trellis.mesh.tile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** Tiles of a line of cells with edges between them, by hand. */
final class TilePlanTest {
    private static final int CELLS = 12;

    /** State flows through edges, then cells take it over: one layer of dependency for each pair of loops. */
    private static final class Line implements AutoCloseable {
        private final Backend backend;
        private final Mesh mesh;
        private final List<ChainLoop> loops = new ArrayList<>();

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Line(int size) {
            backend = Backends.open("reference", Configuration.load());
            mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true));
            MeshSet cells = mesh.set("cells", size);
            MeshSet edges = mesh.set("edges", size - 1);
            int[] table = new int[2 * (size - 1)];
            for (int e = 0; e < size - 1; e++) {
                table[2 * e] = e;
                table[2 * e + 1] = e + 1;
            }
            MeshMap ends = mesh.map("ends", edges, cells, 2, table);
            Dat state = mesh.dat("state", cells, 1, Precision.F64);
            Dat change = mesh.dat("change", cells, 1, Precision.F64);
            loops.add(ChainLoop.whole(mesh.loop(InterpretedKernel.named("flow").dat(Access.READ, 1).dat(Access.READ, 1)
                    .dat(Access.INCREMENT, 1).dat(Access.INCREMENT, 1).does(v -> {}), edges, state.at(ends, 0),
                    state.at(ends, 1), change.at(ends, 0), change.at(ends, 1)).declaration()));
            loops.add(ChainLoop
                    .whole(mesh.loop(InterpretedKernel.named("take").dat(Access.READ_WRITE, 1).dat(Access.READ_WRITE, 1)
                            .does(v -> {}), cells, change, state).declaration()));
        }

        List<ChainLoop> times(int count) {
            List<ChainLoop> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.addAll(loops);
            }
            return all;
        }

        @Override
        public void close() {
            mesh.close();
            backend.close();
        }
    }

    private static int[] tile(TilePlan plan, int loop, int tile) {
        int[] offsets = plan.offsets(loop);
        return Arrays.copyOfRange(plan.elements(loop), offsets[tile], offsets[tile + 1]);
    }

    @Test
    void sparseTilesShrinkAndGrow() {
        try (Line line = new Line(CELLS)) {
            TilePlan plan = TilePlans.of(line.times(2), Tiling.SPARSE, 6, 1);
            assertEquals(2, plan.tiles());
            assertArrayEquals(new int[]{0, 1, 2, 3, 4, 5}, tile(plan, 0, 0), "edges that begin in the first tile");
            assertArrayEquals(new int[]{0, 1, 2, 3, 4, 5}, tile(plan, 1, 0), "cell 6 waits for edge 6");
            assertArrayEquals(new int[]{0, 1, 2, 3, 4}, tile(plan, 2, 0), "edge 5 needs the new cell 6");
            assertArrayEquals(new int[]{0, 1, 2, 3, 4}, tile(plan, 3, 0), "cell 5 waits for edge 5");
            assertArrayEquals(new int[]{5, 6, 7, 8, 9, 10, 11}, tile(plan, 3, 1));
            assertEquals(1, plan.order().levels());
            assertArrayEquals(new int[]{0, 2}, plan.order().strandOffsets(), "tiles that touch are in one strand");
            assertEquals(0, plan.statistics().redundancy());
            assertTrue(plan.statistics().bytesSaved() > 0);
        }
    }

    @Test
    void sparseTilesThatDoNotTouchRunAtOnce() {
        try (Line line = new Line(40)) {
            TilePlan plan = TilePlans.of(line.times(2), Tiling.SPARSE, 5, 2);
            assertEquals(8, plan.tiles());
            assertArrayEquals(new int[]{0, 2, 3}, plan.order().levelOffsets(), "two strands, then what joins them");
            assertArrayEquals(new int[]{0, 3, 7, 8}, plan.order().strandOffsets());
            assertArrayEquals(new int[]{0, 1, 2, 3, 4, 5, 6, 7}, plan.order().tiles());
            assertArrayEquals(new int[]{14, 15, 16, 17, 18, 19, 20}, tile(plan, 2, 7), "edges that it has gained");
        }
    }

    /** Plans are checked when they are made: see the options of the mesh. */
    @Test
    void largeTilesTakeGroupsOfElements() {
        try (Line line = new Line(10_007)) {
            for (int size : new int[]{600, 1100, 2500, 5000}) {
                TilePlan plan = TilePlans.of(line.times(3), Tiling.SPARSE, size, 2);
                assertEquals(Math.ceilDiv(10_007, size), plan.tiles());
                for (int loop = 0; loop < plan.loops(); loop++) {
                    int[] all = plan.elements(loop).clone();
                    Arrays.sort(all);
                    assertArrayEquals(IntStream.range(0, loop % 2 == 0 ? 10_006 : 10_007).toArray(), all);
                    assertTrue(Arrays.stream(tile(plan, loop, 0)).allMatch(e -> e < size + 16), "stays in its place");
                }
            }
        }
    }

    @Test
    void groupsOfElementsThatLeadAnywhereAreInOrder() {
        SplittableRandom random = TestSeed.random("groups of elements");
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(backend,
                        new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true))) {
            MeshSet nodes = mesh.set("nodes", 4001);
            MeshSet edges = mesh.set("edges", 9003);
            int[] table = new int[2 * edges.size()];
            for (int i = 0; i < table.length; i++) {
                int near = (int) ((long) i * nodes.size() / table.length) + random.nextInt(40);
                table[i] = random.nextInt(500) == 0 ? random.nextInt(nodes.size()) : Math.min(near, nodes.size() - 1);
            }
            MeshMap ends = mesh.map("ends", edges, nodes, 2, table);
            Dat x = mesh.dat("x", nodes, 1, Precision.F64);
            Dat y = mesh.dat("y", edges, 1, Precision.F64);
            ChainLoop gather = ChainLoop.whole(mesh.loop(InterpretedKernel.named("gather").dat(Access.READ, 1)
                    .dat(Access.WRITE, 1).does(v -> {}), edges, x.at(ends, 0), y).declaration());
            ChainLoop scatter = ChainLoop.whole(mesh.loop(InterpretedKernel.named("scatter").dat(Access.READ, 1)
                    .dat(Access.INCREMENT, 1).does(v -> {}), edges, y, x.at(ends, 1)).declaration());
            TilePlan plan = TilePlans.of(List.of(gather, scatter, gather, scatter), Tiling.SPARSE, 3000, 2);
            assertEquals(4L * edges.size(), plan.statistics().executed());
        }
    }

    /** Chunks are checked like tiles; a launch for each run of elements wants few of them. */
    @Test
    void chunksAreFewRunsOfElements() {
        try (Line line = new Line(10_007)) {
            TilePlan plan = TilePlans.chunks(line.times(3), 2600);
            assertEquals(4, plan.tiles());
            assertArrayEquals(new int[]{0, 1}, plan.order().levelOffsets());
            assertArrayEquals(new int[]{0, 4}, plan.order().strandOffsets(), "one after the other");
            for (int loop = 0; loop < plan.loops(); loop++) {
                for (int tile = 0; tile < plan.tiles(); tile++) {
                    int[] elements = tile(plan, loop, tile);
                    assertEquals(elements.length - 1, elements[elements.length - 1] - elements[0], "one run");
                }
            }
            int[] first = tile(plan, 5, 0);
            assertTrue(first.length > 1500 && first.length < 2600, first.length + " cells are left of the first chunk");
        }
    }

    @Test
    void theModelSaysWhenChunksDoNotPay() {
        try (Line line = new Line(2_000_000)) {
            ChainAccess chain = ChainAccess.of(line.times(8));
            assertTrue(TileModel.proposeChunks(chain, 1 << 30).reason().contains("fit the device's cache"));
            TileProposal pays = TileModel.proposeChunks(chain, 40_000_000);
            assertEquals(1, pays.sizes().size(), "half of the cache is too little for a chunk, " + pays);
            assertTrue(pays.sizes().getFirst() > 300_000 && pays.sizes().getFirst() < 1_000_000, pays.toString());
            TileProposal dear = TileModel.proposeChunks(ChainAccess.of(line.times(1)), 40_000_000);
            assertTrue(dear.sizes().isEmpty() && dear.reason().contains("launches would cost more"), dear.reason());
        }
    }

    @Test
    void redundantTilesRunWhatTheyDependOn() {
        try (Line line = new Line(CELLS)) {
            TilePlan plan = TilePlans.of(line.times(1), Tiling.REDUNDANT, 6, 4);
            TileCopies second = plan.copies().get(1);
            MeshSet cells = line.loops.get(1).loop().set();
            assertEquals(6, second.own().get(cells));
            assertArrayEquals(new int[]{6, 7, 8, 9, 10, 11, 5}, second.elements().get(cells),
                    "its own cells, and the one that it reads");
            assertEquals(6, tile(plan, 1, 1).length, "takes over its own cells only");
            assertEquals(6, tile(plan, 0, 1).length, "the edge between the tiles runs in both");
            TileStatistics figures = plan.statistics();
            assertEquals(23, figures.elements());
            assertEquals(24, figures.executed(), "edge 5 runs in both tiles");
        }
    }

    @Test
    void chainsWithTheSameAccessShareAPlan() {
        try (Line line = new Line(CELLS)) {
            TilePlan one = TilePlans.of(line.times(1), Tiling.SPARSE, 4, 1);
            assertSame(one, TilePlans.of(line.times(1), Tiling.SPARSE, 4, 1));
            assertTrue(one != TilePlans.of(line.times(1), Tiling.SPARSE, 5, 1));
            assertThrows(IllegalArgumentException.class, () -> TilePlans.of(line.times(1), Tiling.NONE, 4, 1));
        }
    }

    @Test
    void wrongPlansAreFound() {
        try (Line line = new Line(CELLS)) {
            ChainAccess chain = ChainAccess.of(line.times(2));
            TilePlan plan = TilePlans.of(line.times(2), Tiling.SPARSE, 6, 1);
            TileChecker.check(chain, plan);
            int[] cells = plan.elements(3);
            int kept = cells[0];
            cells[0] = cells[1];
            assertThrows(IllegalStateException.class, () -> TileChecker.check(chain, plan), "an element twice");
            cells[0] = kept;
            plan.offsets(3)[1]++;
            assertThrows(IllegalStateException.class, () -> TileChecker.check(chain, plan), "a cell too early");
            plan.offsets(3)[1]--;
            plan.order().tiles()[0] = 1;
            plan.order().tiles()[1] = 0;
            assertThrows(IllegalStateException.class, () -> TileChecker.check(chain, plan), "tiles in reverse");
            plan.order().tiles()[0] = 0;
            plan.order().tiles()[1] = 1;
            TilePlan together = new TilePlan(chain, elements(plan), offsets(plan), TileOrder.free(2), List.of(),
                    plan.statistics());
            assertThrows(IllegalStateException.class, () -> TileChecker.check(chain, together), "neighbours at once");
            TileChecker.check(chain, plan);
        }
    }

    @Test
    void wrongCopiesAreFound() {
        try (Line line = new Line(CELLS)) {
            ChainAccess chain = ChainAccess.of(line.times(2));
            TilePlan plan = TilePlans.of(line.times(2), Tiling.REDUNDANT, 6, 4);
            TileChecker.check(chain, plan);
            int[] kept = plan.offsets(0).clone();
            plan.offsets(0)[1]--;
            assertThrows(IllegalStateException.class, () -> TileChecker.check(chain, plan), "an edge is missing");
            plan.offsets(0)[1] = kept[1];
            MeshMap map = line.loops.getFirst().loop().map(0);
            int[] column = plan.copies().getFirst().maps().get(map).columns()[0];
            column[0]++;
            assertThrows(IllegalStateException.class, () -> TileChecker.check(chain, plan), "another target");
        }
    }

    private static int[][] elements(TilePlan plan) {
        int[][] all = new int[plan.loops()][];
        Arrays.setAll(all, plan::elements);
        return all;
    }

    private static int[][] offsets(TilePlan plan) {
        int[][] all = new int[plan.loops()][];
        Arrays.setAll(all, plan::offsets);
        return all;
    }

    @Test
    void theModelSaysWhenTilesDoNotPay() {
        try (Line line = new Line(4000)) {
            ChainAccess chain = ChainAccess.of(line.times(3));
            TileProposal fits = TileModel.propose(chain, Tiling.SPARSE, 2, 1 << 20);
            assertTrue(fits.sizes().isEmpty() && fits.reason().contains("not much larger than the caches"),
                    fits.reason());
            TileProposal pays = TileModel.propose(chain, Tiling.SPARSE, 1, 1 << 12);
            assertTrue(pays.sizes().getFirst() > 1 && pays.sizes().getFirst() < 100, pays.toString());
            ChainAccess one = ChainAccess.of(line.loops.subList(0, 1));
            TileProposal little = TileModel.propose(one, Tiling.SPARSE, 1, 1 << 12);
            assertTrue(little.sizes().isEmpty() && little.reason().contains("too little"), little.reason());
        }
    }
}
