package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.testing.ErraticCommunicator;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.CheckpointPolicy;
import org.trellis.mesh.checkpoint.CheckpointReport;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.TestSeed;

/**
 * Random programs over ranks that are late at random places, with checkpoints of every kind: they end, with the values
 * of one rank, and so do those that are killed and go on, on any number of ranks.
 */
class CheckpointedRanksTest {
    private static final int PROGRAMS = 5;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    /** What a test kills a program with. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A program, and how it is run. */
    private record Case(long seed, long delays, RankOptions options, boolean layouts) {
        static Case of(SplittableRandom random) {
            long seed = random.nextLong();
            long delays = random.nextLong();
            RankOptions options = RankOptions.usual().withRings(random.nextInt(1, 4));
            MeshOptions mesh = random.nextBoolean() ? options.mesh() : options.mesh().lazy();
            mesh = random.nextInt(3) == 0 ? mesh.fusion(Fusion.ON) : mesh;
            if (random.nextInt(4) > 0) {
                ChainOptions chains = mesh.chains().withTiling(
                        random.nextBoolean() ? Tiling.SPARSE : Tiling.REDUNDANT,
                        random.nextInt(4) == 0 ? 0 : random.nextInt(1, 20));
                mesh = mesh.withChains(chains);
            }
            return new Case(seed, delays, options.withMesh(mesh), random.nextBoolean());
        }

        List<double[]> run(Mesh mesh, int kill) {
            RandomProgram program = layouts
                    ? RandomProgram.restless(mesh, seed, null)
                    : new RandomProgram(mesh, seed);
            int[] step = {0};
            program.run(() -> {
                if (step[0]++ == kill) {
                    throw new Killed();
                }
            });
            return program.values();
        }

        List<double[]> alone() {
            try (Backend reference = Backends.open("reference", Configuration.load());
                    Mesh one = Mesh.on(reference)) {
                return run(one, -1);
            }
        }

        List<double[]> on(int ranks, Checkpoints checkpoints, int kill) {
            MeshOptions mesh = checkpoints == null ? options.mesh() : options.mesh().withCheckpoints(checkpoints);
            return ThreadRanks.run(ranks, LIMIT, communicator -> {
                Communicator late = ErraticCommunicator.of(communicator,
                        new SplittableRandom(delays + communicator.rank()), 200);
                try (Backend own = Backends.open("reference", Configuration.load());
                        Mesh several = DistributedMesh.on(own, late, options.withMesh(mesh))) {
                    return run(several, kill);
                }
            }).getFirst();
        }

        void requireSame(List<double[]> wanted, List<double[]> found, String how) {
            assertEquals(wanted.size(), found.size());
            for (int i = 0; i < wanted.size(); i++) {
                assertArrayEquals(wanted.get(i), found.get(i),
                        "value " + i + " of " + this + " " + how + ", seed " + TestSeed.value());
            }
        }
    }

    private static Checkpoints kind(Checkpoints checkpoints, SplittableRandom random) {
        CheckpointInterval interval = random.nextInt(3) == 0
                ? CheckpointInterval.iterations(random.nextInt(1, 3))
                : CheckpointInterval.seconds(random.nextBoolean() ? 1e-6 : 1e-3);
        return checkpoints.withInterval(interval).withPolicy(
                random.nextBoolean() ? CheckpointPolicy.local() : CheckpointPolicy.speculative());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void lateRanksDecideAlike(int ranks) {
        SplittableRandom random = TestSeed.random("lateRanksDecideAlike" + ranks);
        int done = 0;
        for (int program = 0; program < PROGRAMS; program++) {
            Case one = Case.of(random);
            List<double[]> expected = one.alone();
            Path file = folder.resolve("state" + program);
            Checkpoints saving = kind(Checkpoints.to(file), random);
            one.requireSame(expected, one.on(ranks, saving, -1), "on " + ranks + " ranks");
            requireAlike(saving.reports(), ranks, one);
            done += saving.reports().size();
            int kill = random.nextInt(6, 12);
            Checkpoints killed = kind(Checkpoints.to(file), random);
            try {
                one.on(ranks, killed, kill);
            } catch (JobFailedException e) {
                assertTrue(e.getCause() instanceof Killed, e::toString);
            }
            if (saving.reports().isEmpty() && killed.reports().isEmpty()) {
                continue;
            }
            one.requireSame(expected, one.on(ranks, killed.withRestart(file), -1), "again on " + ranks + " ranks");
            int others = 1 + (ranks + random.nextInt(3)) % 4;
            if (!one.options().mesh().chains().lazy()) {
                one.requireSame(expected, one.on(others, Checkpoints.from(file), -1), "again on " + others
                        + " ranks after " + ranks);
            }
        }
        assertTrue(done > 0, "no checkpoint, seed " + TestSeed.value());
    }

    /** All ranks begin the same checkpoints before the same steps, each before another step, and all succeed. */
    private static void requireAlike(List<CheckpointReport> reports, int ranks, Case one) {
        List<String> begun = new ArrayList<>();
        for (CheckpointReport report : reports) {
            assertTrue(report.failure().isEmpty(), report + " of " + one);
            begun.add(report.generation() + " before " + report.step());
        }
        long generations = reports.stream().map(CheckpointReport::generation).distinct().count();
        assertEquals(generations, begun.stream().distinct().count(), () -> begun + " of " + one);
        assertEquals(generations, reports.stream().map(CheckpointReport::step).distinct().count(),
                () -> begun + " of " + one);
        assertEquals(generations * ranks, reports.size(), () -> begun + " of " + one);
    }
}
