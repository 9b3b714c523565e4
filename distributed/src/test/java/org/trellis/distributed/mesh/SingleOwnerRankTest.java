package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.solve.VectorsLoops;
import org.trellis.testing.TestSeed;

/** One rank that has everything, while the others follow. */
class SingleOwnerRankTest {
    private static final int PROGRAMS = 12;

    private static double[] only(int rank, int ranks) {
        double[] shares = new double[ranks];
        shares[rank] = 1;
        return shares;
    }

    private static double[] shares(SplittableRandom random, int ranks) {
        if (random.nextInt(3) > 0) {
            return only(random.nextInt(ranks), ranks);
        }
        return random.doubles(ranks, 0.5, 2).toArray();
    }

    /** Everything goes to one rank, to another, to all; ranks look at globals when they like, and meet or not. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void randomProgramsAgreeWithOneRank(int ranks) {
        ThreadRanks.run(ranks, communicator -> {
            SplittableRandom random = TestSeed.random("soleRank" + ranks);
            try (Backend own = Backends.open(communicator.rank() % 2 == 0 ? "reference" : "threads",
                    Configuration.load());
                    Backend reference = Backends.open("reference", Configuration.load())) {
                for (int program = 0; program < PROGRAMS; program++) {
                    compare(communicator, own, reference, random.nextLong());
                }
            }
            return null;
        });
    }

    private static void compare(Communicator communicator, Backend own, Backend reference, long seed) {
        SplittableRandom alike = new SplittableRandom(seed + 1);
        SplittableRandom here = new SplittableRandom(seed * 31 + communicator.rank());
        RankOptions options = RankOptions.usual().withRings(2)
                .withDivision(Division.blocks().withShares(shares(alike, communicator.size())));
        try (Mesh one = Mesh.on(reference); Mesh several = DistributedMesh.on(own, communicator, options)) {
            RandomProgram expected = RandomProgram.restless(one, seed, null);
            RandomProgram actual = RandomProgram.restless(several, seed, null);
            List<double[]> seen = new ArrayList<>();
            expected.run(() -> seen.add(expected.globals().stream().mapToDouble(Global::get).toArray()));
            int[] step = {0};
            actual.run(() -> {
                look(actual, here, seen.get(step[0]), "step " + step[0] + " of program " + seed);
                step[0]++;
                if (alike.nextInt(4) == 0) {
                    communicator.barrier();
                }
                if (alike.nextInt(5) == 0) {
                    DistributedMesh.divideAgain(several, shares(alike, communicator.size()));
                }
            });
            List<double[]> wanted = expected.values();
            List<double[]> found = actual.values();
            for (int i = 0; i < wanted.size(); i++) {
                assertArrayEquals(wanted.get(i), found.get(i), "value " + i + " of program " + seed + " on "
                        + communicator.size() + " ranks, seed " + TestSeed.value() + "\n" + actual);
            }
        }
    }

    private static void look(RandomProgram program, SplittableRandom random, double[] expected, String where) {
        for (int g = 0; g < expected.length; g++) {
            if (random.nextInt(3) == 0) {
                assertEquals(expected[g], program.globals().get(g).get(),
                        program.globals().get(g).name() + " after " + where + ", seed " + TestSeed.value());
            }
        }
    }

    /** What a rank alone has seen of a sum that is set and added up again and again. */
    private static List<Double> sums(Communicator communicator, int looking, int iterations) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator, RankOptions.usual()
                        .withDivision(Division.blocks().withShares(only(1, communicator.size()))))) {
            MeshSet set = mesh.set("set", 5);
            Dat x = mesh.dat("x", set, 1, Precision.F64, new double[]{1, 2, 3, 4, 5});
            Global sum = mesh.global("sum", 0);
            Global count = mesh.intGlobal("unused", 3);
            LoopSequence sequence = mesh.sequence("sum")
                    .run(mesh.loop(VectorsLoops.SQUARE, set, x, sum)).build();
            List<Double> seen = new ArrayList<>();
            for (int i = 0; i < iterations; i++) {
                sequence.run();
                if (communicator.rank() == looking && i % 3 == 0) {
                    seen.add(sum.get());
                }
                if (i % 50 == 49) {
                    communicator.barrier();
                    sum.set(i);
                }
            }
            assertEquals(3, count.get());
            return seen;
        }
    }

    /** More values than are kept for ranks that are behind; the rank that has everything never looks. */
    @Test
    void othersLookAtWhatTheOneDoesNot() {
        List<List<Double>> seen = ThreadRanks.run(3, Duration.ofSeconds(60), own -> sums(own, 2, 500));
        assertTrue(seen.get(0).isEmpty() && seen.get(1).isEmpty());
        List<Double> expected = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < 500; i++) {
            sum += 55;
            if (i % 3 == 0) {
                expected.add(sum);
            }
            sum = i % 50 == 49 ? i : sum;
        }
        assertEquals(expected, seen.get(2));
    }

    /** A rank that waits for a value is notified when the one that was to bring it fails. */
    @Test
    void noRankWaitsForOneThatHasFailed() {
        JobFailedException failed = assertThrows(JobFailedException.class, () -> ThreadRanks.run(2, communicator -> {
            try (Backend backend = Backends.open("reference", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator, RankOptions.usual()
                            .withDivision(Division.blocks().withShares(only(1, 2))))) {
                MeshSet set = mesh.set("set", 2);
                Dat x = mesh.dat("x", set, 1, Precision.F64, new double[]{1, 2});
                Global sum = mesh.global("sum", 0);
                ParallelLoop loop = mesh.loop(VectorsLoops.SQUARE, set, x, sum);
                loop.prepare();
                if (communicator.rank() == 1) {
                    throw new IllegalStateException("stopped");
                }
                loop.run();
                return sum.get();
            }
        }));
        assertTrue(failed.getMessage().contains("stopped"), failed::toString);
    }

    /** Ranks that compute one after the other compute the same, and each of them is timed. */
    @Test
    void ranksTakeTurns() {
        ThreadRanks.run(3, communicator -> {
            long seed = TestSeed.random("turns").nextLong();
            try (Backend reference = Backends.open("reference", Configuration.load());
                    Mesh one = Mesh.on(reference);
                    Mesh several = DistributedMesh.on(reference, communicator)) {
                RandomProgram expected = new RandomProgram(one, seed);
                RandomProgram actual = new RandomProgram(several, seed);
                expected.run();
                int[] step = {0};
                actual.run(() -> DistributedMesh.takeTurns(several, step[0]++ % 3 == 0));
                List<double[]> wanted = expected.values();
                List<double[]> found = actual.values();
                for (int i = 0; i < wanted.size(); i++) {
                    assertArrayEquals(wanted.get(i), found.get(i), "value " + i + ", seed " + TestSeed.value());
                }
            }
            return null;
        });
    }

    @Test
    void whatNeedsTheOthersIsNamed() {
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh plain = Mesh.on(backend);
                Mesh lazy = Mesh.on(backend, MeshOptions.of(Configuration.load()).lazy())) {
            assertTrue(SingleOwnerRank.objection(plain).isEmpty());
            assertEquals("loops of the mesh are run in chains", SingleOwnerRank.objection(lazy).orElseThrow());
            plain.set("state", 1).replicate();
            assertTrue(SingleOwnerRank.objection(plain).orElseThrow().contains("'state'"));
            assertFalse(SingleOwnerRank.objection(plain).orElseThrow().contains("null"));
        }
    }
}
