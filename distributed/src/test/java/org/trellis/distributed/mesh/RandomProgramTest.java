package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.TestSeed;

/**
 * Random programs on several ranks, declared whole or by rows that ranks bring, against one. How many there are is
 * {@code -Dtrellis.test.programs}.
 */
class RandomProgramTest {
    private static final int PROGRAMS = Integer.getInteger("trellis.test.programs", 12);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void agreesWithOneRank(int ranks) {
        ThreadRanks.run(ranks, communicator -> {
            SplittableRandom random = TestSeed.random("agreesWithOneRank" + ranks);
            try (Backend own = Backends.open(communicator.rank() % 2 == 0 ? "reference" : "threads",
                    Configuration.load());
                    Backend reference = Backends.open("reference", Configuration.load())) {
                for (int program = 0; program < PROGRAMS; program++) {
                    compare(communicator, own, reference, random.nextLong(), options(random), false);
                }
            }
            return null;
        });
    }

    /** Layouts change between chains, and sets have been renumbered before the mesh is divided. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void agreesWhereLayoutsAndNumberingsChange(int ranks) {
        ThreadRanks.run(ranks, communicator -> {
            SplittableRandom random = TestSeed.random("agreesWhereLayoutsAndNumberingsChange" + ranks);
            String[] backends = {"reference", "threads", "simd", "cpu"};
            try (Backend own = Backends.open(backends[(communicator.rank() + ranks) % 4], Configuration.load());
                    Backend reference = Backends.open("reference", Configuration.load())) {
                for (int program = 0; program < PROGRAMS; program++) {
                    compare(communicator, own, reference, random.nextLong(), options(random), true);
                }
            }
            return null;
        });
    }

    private static RankOptions options(SplittableRandom random) {
        RankOptions usual = RankOptions.usual().withRings(random.nextInt(1, 5));
        MeshOptions mesh = random.nextBoolean() ? usual.mesh() : usual.mesh().lazy();
        RankOptions options = usual.withMesh(random.nextInt(3) == 0 ? mesh : mesh.fusion(Fusion.ON));
        if (random.nextBoolean()) {
            Tiling tiling = random.nextBoolean() ? Tiling.SPARSE : Tiling.REDUNDANT;
            int size = random.nextInt(5) == 0 ? 0 : random.nextInt(1, 20);
            ChainOptions chains = options.mesh().chains().withTiling(tiling, size);
            options = options.withMesh(options.mesh().withChains(chains).withCheckPlans(true));
        }
        return random.nextBoolean() ? options : options.withDivision(Division.blocks());
    }

    private static void compare(Communicator communicator, Backend own, Backend reference, long seed,
            RankOptions options, boolean restless) {
        try (Mesh one = Mesh.on(reference); Mesh several = DistributedMesh.on(own, communicator, options)) {
            SplittableRandom dealer = seed % 2 == 0 ? new SplittableRandom(~seed) : null;
            RandomProgram expected = restless
                    ? RandomProgram.restless(one, seed, null)
                    : new RandomProgram(one, seed);
            RandomProgram actual = restless
                    ? RandomProgram.restless(several, seed, dealer)
                    : new RandomProgram(several, seed, dealer);
            expected.run();
            actual.run();
            List<double[]> wanted = expected.values();
            List<double[]> found = actual.values();
            for (int i = 0; i < wanted.size(); i++) {
                assertArrayEquals(wanted.get(i), found.get(i), "value " + i + " of program " + seed + " on "
                        + communicator.size() + " ranks, seed " + TestSeed.value() + "\n" + actual);
            }
        }
    }
}
