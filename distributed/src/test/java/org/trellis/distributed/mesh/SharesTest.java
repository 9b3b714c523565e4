package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.RandomMesh;
import org.trellis.mesh.loop.Layout;
import org.trellis.testing.TestSeed;

/** Ranks that have parts of different sizes, and meshes that are divided again between runs of their loops. */
class SharesTest {
    private static final MeshOptions OPTIONS = MeshOptions.of(Configuration.load()).withCheckPlans(true);

    /** A strip of squares. */
    private static int[] sizes(Division division, int ranks) {
        return ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("reference", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator,
                            RankOptions.usual().withMesh(OPTIONS).withDivision(division))) {
                int across = 20;
                int along = 100;
                MeshSet nodes = mesh.set("nodes", across * along);
                int[] ends = IntStream.range(0, (across - 1) * along)
                        .flatMap(edge -> IntStream.of(edge, edge + along)).toArray();
                int[] sides = IntStream.range(0, across * (along - 1)).map(edge -> edge / (along - 1) * along
                        + edge % (along - 1)).flatMap(node -> IntStream.of(node, node + 1)).toArray();
                MeshSet up = mesh.set("up", ends.length / 2);
                MeshSet right = mesh.set("right", sides.length / 2);
                mesh.map("ends", up, nodes, 2, ends);
                mesh.map("sides", right, nodes, 2, sides);
                int[] owners = DistributedMesh.owners(nodes);
                int[] sizes = new int[ranks];
                Arrays.stream(owners).forEach(owner -> sizes[owner]++);
                return sizes;
            }
        }).getFirst();
    }

    @Test
    void partsHaveTheirShares() {
        int[] sizes = sizes(Division.usual().withShares(5, 2, 1), 3);
        assertNear(new int[]{1250, 500, 250}, sizes);
        assertArrayEquals(new int[]{1250, 500, 250}, sizes(Division.blocks().withShares(5, 2, 1), 3));
        assertNear(new int[]{1500, 0, 500}, sizes(Division.usual().withShares(3, 0, 1), 3));
        assertArrayEquals(new int[]{0, 2000}, sizes(Division.blocks().withShares(0, 1), 2));
        assertNear(new int[]{1850, 150}, sizes(Division.usual().withShares(0.925, 0.075), 2));
    }

    /** No part is larger than the tolerance allows, and so none much smaller. */
    private static void assertNear(int[] expected, int... actual) {
        double excess = Division.USUAL_TOLERANCE - 1;
        for (int i = 0; i < expected.length; i++) {
            assertTrue(actual[i] <= (1 + excess) * expected[i] + 1
                    && actual[i] >= expected[i] - excess * Arrays.stream(expected).sum() - expected.length,
                    Arrays.toString(actual) + ", expected " + Arrays.toString(expected));
        }
    }

    private static void assertArrayEquals(int[] expected, int... actual) {
        assertEquals(Arrays.toString(expected), Arrays.toString(actual));
    }

    @Test
    void sharesThatAreNoneAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Division.usual().withShares(0, 0));
        assertThrows(IllegalArgumentException.class, () -> Division.usual().withShares(1, -1));
        assertThrows(IllegalArgumentException.class, () -> Division.usual().withShares(1e308, 1e308));
        assertThrows(RuntimeException.class, () -> sizes(Division.usual().withShares(1, 2), 3));
        assertThrows(RuntimeException.class,
                () -> sizes(Division.given("nodes", new int[2000]).withShares(1, 2), 2));
        assertThrows(RuntimeException.class, () -> ThreadRanks.run(2, communicator -> {
            try (Backend backend = Backends.open("reference", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                mesh.set("nodes", 4);
                DistributedMesh.divideAgain(mesh, 1, 2);
                return null;
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads"})
    void loopsGoOnWhenMeshesAreDividedAgain(String name) {
        long seed = TestSeed.random("divided again " + name).nextLong();
        ThreadRanks.run(3, communicator -> {
            try (Backend own = Backends.open(name, Configuration.load());
                    Backend reference = Backends.open("reference", Configuration.load())) {
                int number = 0;
                for (int[] size : RandomMesh.sizes()) {
                    RankOptions options = RankOptions.usual()
                            .withMesh(OPTIONS.withLayout(number % 2 == 0 ? Layout.AOS : Layout.SOA))
                            .withDivision(Division.usual().withShares(1, 1, 1));
                    try (LoopCases expected = new LoopCases(reference, OPTIONS, size, Precision.F64, seed + number);
                            Mesh mesh = DistributedMesh.on(own, communicator, options);
                            LoopCases actual = new LoopCases(mesh, size, Precision.F64, seed + number)) {
                        go(expected, actual, mesh);
                    }
                    number++;
                }
            }
            return null;
        });
    }

    private static void go(LoopCases expected, LoopCases actual, Mesh mesh) {
        List<double[]> shares = List.of(new double[]{3, 1, 2}, new double[]{0, 1, 1}, new double[]{1, 5, 1},
                new double[]{0, 0, 1});
        expected.restart();
        actual.restart();
        for (int loop = 0; loop < actual.loops().size(); loop++) {
            expected.restart();
            actual.restart();
            expected.loops().get(loop).run();
            actual.loops().get(loop).run();
            DistributedMesh.divideAgain(mesh, shares.get(loop % shares.size()));
            expected.loops().get(loop).run();
            actual.loops().get(loop).run();
            expected.requireSame(actual, actual.loops().get(loop) + " divided again, seed " + TestSeed.value());
        }
    }
}
