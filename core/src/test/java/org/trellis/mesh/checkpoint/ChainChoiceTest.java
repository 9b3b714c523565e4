package org.trellis.mesh.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.TestSeed;

/**
 * Chains that find out by trials how they run, which differs from run to run: a program that starts again runs them as
 * it did before. States are copied while one run goes on that is not killed; each copy has to lead to its results.
 */
class ChainChoiceTest {
    /** Large enough for the model to propose tiles, where a core's second-level cache has a megabyte. */
    private static final int SIZE = 1 << 16;
    private static final int ITERATIONS = 36;
    private static final int LATE = 27;

    @TempDir
    private Path folder;

    private final List<List<String>> decisions = new ArrayList<>();

    /** A program whose sweeps go in one chain, and one more kind of sweep from some iteration on. */
    private double[] run(MeshOptions options, String backend, long seed, IntConsumer after) {
        Configuration one = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
        SplittableRandom random = new SplittableRandom(seed);
        try (Backend opened = Backends.open(backend, one); Mesh mesh = Mesh.on(opened, options)) {
            MeshSet cells = mesh.set("cells", SIZE);
            MeshSet edges = mesh.set("edges", SIZE);
            int[] targets = new int[2 * SIZE];
            for (int e = 0; e < SIZE; e++) {
                targets[2 * e] = e;
                targets[2 * e + 1] = e < SIZE - 3 ? e + 1 + random.nextInt(3) : random.nextInt(SIZE);
            }
            MeshMap ends = mesh.map("ends", edges, cells, 2, targets);
            Dat value = mesh.dat("value", cells, 1, Precision.F64, random.doubles(SIZE).toArray());
            Dat before = mesh.dat("before", cells, 1, Precision.F64, random.doubles(SIZE).toArray());
            Dat gain = mesh.dat("gain", cells, 1, Precision.F64);
            Dat flow = mesh.dat("flow", edges, 1, Precision.F64);
            Global change = mesh.global("change", 0);
            Global most = mesh.global("most", 0);
            ParallelLoop slope = mesh.loop(WalkKernelsLoops.SLOPE, edges, value.at(ends, 0), value.at(ends, 1), flow);
            ParallelLoop spread = mesh.loop(WalkKernelsLoops.SPREAD, edges, flow, gain.at(ends, 0), gain.at(ends, 1));
            ParallelLoop step = mesh.loop(WalkKernelsLoops.STEP, cells, before, gain, value,
                    mesh.constant("factor", 0.1), change, most);
            LoopSequence sweeps = mesh.sequence("sweeps").set(change, 0).run(slope).run(spread).run(slope).run(spread)
                    .run(step).build();
            LoopSequence late = mesh.sequence("late").run(spread).run(slope).run(spread).run(slope).build();
            double[] heard = new double[ITERATIONS];
            for (int i = 0; i < ITERATIONS; i++) {
                sweeps.run();
                if (i >= LATE) {
                    late.run();
                }
                heard[i] = change.get();
                after.accept(i);
            }
            decisions.add(MeshChains.reports(mesh).stream().map(ChainReport::decision).toList());
            double[] all = Arrays.copyOf(value.toArray(), SIZE + ITERATIONS);
            System.arraycopy(heard, 0, all, SIZE, ITERATIONS);
            return all;
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectories(to);
            // The log grows: it is copied last. A name may be given to another file while this runs.
            for (Path file : files.sorted((a, b) -> Boolean.compare(isLog(a), isLog(b))).toList()) {
                try {
                    Files.copy(file, to.resolve(file.getFileName()));
                } catch (NoSuchFileException e) {
                    assertFalse(isLog(file), () -> "the log is gone: " + e);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file is put in place by another thread. */
    private static void await(Path file) {
        for (int i = 0; i < 1000 && !SavedState.exists(file); i++) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static boolean isLog(Path file) {
        return file.toString().endsWith(".log");
    }

    @ParameterizedTest
    @CsvSource({"simd,sparse,false,off", "threads,redundant,true,tuned", "simd,none,true,tuned"})
    void everyCopyOfTheStateLeadsToTheResultsOfTheRun(String backend, String tiling, boolean lazy, String fusion)
            throws IOException {
        SplittableRandom random = TestSeed.random("choices " + backend + " " + tiling);
        MeshOptions options = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false)
                .withChains(ChainOptions.EAGER.withTiling(Tiling.of(tiling), 0).withLazy(lazy)
                        .withFusion(Fusion.of(fusion)));
        Path live = Files.createDirectories(folder.resolve("live"));
        // Short: before the trials are over; long: after them.
        int every = random.nextBoolean() ? 2 + random.nextInt(4) : 22;
        Checkpoints checkpoints = Checkpoints.to(live.resolve("state"))
                .withInterval(CheckpointInterval.iterations(every)).withPolicy(CheckpointPolicy.local());
        long seed = random.nextLong();
        double[] expected = run(options.withCheckpoints(checkpoints), backend, seed, i -> {
            if (i == ITERATIONS - 1) {
                await(live.resolve("state"));
            }
            if (i % 3 == 2 && SavedState.exists(live.resolve("state"))) {
                copy(live, folder.resolve("at" + i));
            }
        });
        assertFalse(checkpoints.reports().isEmpty());
        List<Path> copies;
        try (Stream<Path> all = Files.list(folder)) {
            copies = all.filter(one -> one.getFileName().toString().startsWith("at")).sorted().toList();
        }
        assertFalse(copies.isEmpty());
        for (int i = 0; i < (tiling.equals("sparse") ? 2 : 1); i++) {
            Path state = copies.get(random.nextInt(copies.size())).resolve("state");
            assertArrayEquals(expected,
                    run(options.withCheckpoints(Checkpoints.from(state)), backend, seed, k -> {}),
                    () -> state + ", every " + every + ", seed " + TestSeed.value() + ", decisions " + decisions);
        }
        if (!tiling.equals("none")) {
            for (List<String> again : decisions.subList(1, decisions.size())) {
                assertEquals(decisions.getFirst().size(), again.size(), decisions::toString);
            }
            assertTrue(decisions.getLast().stream().anyMatch(one -> one.contains("as before the checkpoint")),
                    decisions::toString);
        }
    }

    @Test
    void chainsThatAreMissingAreNamed() {
        try (Backend opened = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(opened, MeshOptions.of(Configuration.load()))) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                    () -> MeshChains.repeat(mesh, Map.of("0: flux, update", new double[]{0, 0})));
            assertTrue(e.getMessage().contains("flux, update"), e.getMessage());
        }
    }
}
