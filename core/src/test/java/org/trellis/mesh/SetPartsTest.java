package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.loop.SetExtent;
import org.trellis.mesh.loop.SetParts;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.InterpretedKernel;

/** Sets with rings, and loops from one end of a part to another. */
class SetPartsTest {
    private static final LoopKernel COUNT = InterpretedKernel.named("count").dat(Access.INCREMENT, 1)
            .global(Access.SUM, 1).does(values -> {
                ((double[]) values[0])[0] += 1;
                ((double[]) values[1])[0] += 1;
            });

    @Test
    void levelsAreEnds() {
        SetParts parts = new SetParts(2, List.of(4, 5, 7, 9, 9));
        assertEquals(2, parts.rings());
        assertEquals(4, parts.owned());
        assertEquals(4, parts.executed(0));
        assertEquals(5, parts.executed(1));
        assertEquals(9, parts.executed(2));
        assertEquals(9, parts.total());
    }

    @Test
    void partsContainEachOther() {
        for (List<Integer> ends : List.of(List.of(3), List.of(3, 4), List.of(1, 2, 3), List.of(3, 5, 4))) {
            assertThrows(IllegalArgumentException.class, () -> new SetParts(2, ends), ends.toString());
        }
    }

    /** Both loops run five of seven edges, in tiles; four of them count in the sum, three in that of the second. */
    @ParameterizedTest
    @CsvSource({"reference,sparse", "reference,redundant", "threads,sparse", "threads,redundant", "simd,sparse",
        "cpu,redundant"})
    void tilesRunUpToAnEnd(String name, String tiling) {
        try (Backend backend = Backends.open(name, Configuration.load());
                Mesh mesh = Mesh.on(backend, MeshOptions.of(Configuration.load()).withCheckPlans(true))) {
            MeshSet edges = mesh.set("edges", new SetParts(2, List.of(4, 5, 7)));
            MeshSet nodes = mesh.set("nodes", 5);
            MeshMap to = mesh.map("to", edges, nodes, 1, new int[]{4, 3, 2, 1, 0});
            Dat runs = mesh.dat("runs", nodes, 1, Precision.F64);
            Global sum = mesh.global("sum", 0);
            Global second = mesh.global("second", 2);
            ParallelLoop loop = mesh.loop(COUNT, edges, runs.at(to, 0), sum);
            ParallelLoop fewer = mesh.loop(COUNT, edges, runs.at(to, 0), second);
            List<ChainLoop> chain = List.of(new ChainLoop(loop.declaration(), 5),
                    new ChainLoop(fewer.declaration(), 3));
            for (int size = 1; size <= 5; size++) {
                runs.fill(0);
                try (PreparedChain tiles = mesh.kernels().chain(chain, Tiling.of(tiling), size)) {
                    tiles.run();
                    tiles.copies().forEach(MeshChains::exchange);
                    tiles.reduce(0);
                    tiles.reduce(1);
                    assertEquals(8, tiles.statistics().elements());
                }
                assertArrayEquals(new double[]{1, 1, 2, 2, 2}, runs.toArray(), "tiles of " + size);
                assertEquals(4 * size, sum.get());
                assertEquals(2 + 3 * size, second.get());
            }
            assertThrows(IndexOutOfBoundsException.class, () -> new ChainLoop(loop.declaration(), 6));
        }
    }

    /** Seven elements of which five have rows; each adds to its own target, from one end to the next. */
    @ParameterizedTest
    @CsvSource({"reference", "threads", "simd", "cpu"})
    void runsFromOneEndToAnother(String name) {
        try (Backend backend = Backends.open(name, Configuration.load());
                Mesh mesh = Mesh.on(backend)) {
            MeshSet edges = mesh.set("edges", new SetParts(2, List.of(4, 5, 7)));
            MeshSet nodes = mesh.set("nodes", 5);
            MeshMap to = mesh.map("to", edges, nodes, 1, new int[]{4, 3, 2, 1, 0});
            Dat runs = mesh.dat("runs", nodes, 1, Precision.F64);
            Global sum = mesh.global("sum", 0);
            ParallelLoop loop = mesh.loop(COUNT, edges, runs.at(to, 0), sum);
            assertEquals(5, edges.withRows());
            assertArrayEquals(new int[]{2, 4, 5, 7}, edges.ends());
            assertEquals(5, edges.extent(SetExtent.EXECUTED));
            loop.run(0, 2);
            assertEquals(2, sum.get());
            assertArrayEquals(new double[]{0, 0, 0, 1, 1}, runs.toArray());
            loop.run(2, 5);
            // The fifth is run, but counts elsewhere.
            assertEquals(4, sum.get());
            assertArrayEquals(new double[]{1, 1, 1, 1, 1}, runs.toArray());
            loop.run(0, 0);
            assertEquals(4, sum.get());
            assertThrows(IllegalArgumentException.class, () -> loop.run(0, 7));
            assertArrayEquals(new int[]{4, 3, 2, 1, 0}, to.toArray());
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> mesh.renumber(edges, Permutation.identity(7)));
            assertTrue(refused.getMessage().contains("rings of other ranks' elements"), refused.getMessage());
        }
    }

    /** Blocks of a scheme that colours are cut at ends. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "simd"})
    void coloursRunFromOneEndToAnother(String name) {
        int[] targets = new int[900];
        Arrays.setAll(targets, e -> e / 3);
        try (Backend backend = Backends.open(name, Configuration.load());
                Mesh mesh = Mesh.on(backend, MeshOptions.of(Configuration.load()).withBlockSize(64))) {
            MeshSet edges = mesh.set("edges", new SetParts(333, List.of(700, 900, 1000)));
            MeshSet nodes = mesh.set("nodes", 300);
            MeshMap to = mesh.map("to", edges, nodes, 1, targets);
            Dat runs = mesh.dat("runs", nodes, 1, Precision.F64);
            ParallelLoop loop = mesh.loop(COUNT, edges, runs.at(to, 0), mesh.global("sum", 0));
            loop.run(0, 333);
            loop.run(333, 900);
            assertTrue(Arrays.stream(runs.toArray()).allMatch(count -> count == 3));
        }
    }
}
