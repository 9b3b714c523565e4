package org.trellis.examples.airfoil;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.examples.OpenMpi;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointAnalysis;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.CheckpointPolicy;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.mesh.checkpoint.DryRun;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** Checkpoints of Airfoil, its solver as it is, on one rank and several. */
final class AirfoilCheckpointTest {
    private static final AirfoilMesh MESH = AirfoilGenerator.generate(10, 12);
    private static final int ITERATIONS = 20;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** What a test kills a rank with. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static MeshOptions options() {
        return MeshOptions.of(Configuration.load());
    }

    private static Configuration oneThread() {
        return Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    }

    private Checkpoints every(int iterations) {
        return Checkpoints.to(folder.resolve("state")).withInterval(CheckpointInterval.iterations(iterations));
    }

    private static double[] flow(Mesh mesh, int rank, int kill) {
        AirfoilSolver solver = new AirfoilSolver(mesh, MESH, Precision.F64);
        double[] residuals = new double[ITERATIONS];
        for (int i = 0; i < ITERATIONS; i++) {
            residuals[i] = solver.iterate();
            if (i == kill && rank == 1) {
                throw new Killed();
            }
        }
        double[] state = solver.state().toArray();
        double[] all = Arrays.copyOf(residuals, ITERATIONS + state.length);
        System.arraycopy(state, 0, all, ITERATIONS, state.length);
        return all;
    }

    private static double[] onRanks(int ranks, MeshOptions options, int kill) {
        List<double[]> flows = ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("threads", oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator, RankOptions.usual().withMesh(options))) {
                return flow(mesh, communicator.rank(), kill);
            }
        });
        flows.forEach(flow -> assertArrayEquals(flows.getFirst(), flow));
        return flows.getFirst();
    }

    private static double[] alone(MeshOptions options) {
        try (Backend backend = Backends.open("threads", oneThread()); Mesh mesh = Mesh.on(backend, options)) {
            return flow(mesh, 0, -1);
        }
    }

    /** As figure 6.1 of the thesis, but that update reads the time step, which the figure leaves out. */
    @Test
    void unitsAreThoseOfTheFigure() {
        DryRun dry = new DryRun();
        alone(options().withCheckpoints(dry));
        List<CheckpointAnalysis.Row> loops = dry.analysis().rows().stream()
                .filter(row -> !row.use().touches().isEmpty()).toList();
        int first = IntStream.range(0, loops.size())
                .filter(r -> loops.get(r).use().name().endsWith("saveSolution")).findFirst().orElseThrow();
        assertEquals(List.of(8, 12, 13, 13, 9, 12, 13, 13, 9), IntStream.range(0, loops.size())
                .mapToObj(r -> loops.get((first + r) % loops.size()).units()).toList());
        Checkpoints speculative = every(5);
        alone(options().withCheckpoints(speculative));
        assertFalse(speculative.reports().isEmpty());
        speculative.reports().forEach(report -> assertEquals(8, report.units(), report::toString));
        Checkpoints marked = every(5).withPolicy(CheckpointPolicy.marked("flux"));
        alone(options().withCheckpoints(marked));
        marked.reports().forEach(report -> assertEquals(13, report.units(), report::toString));
    }

    /** Numbers of ranks that a checkpoint is of. */
    static IntStream ranks() {
        return TestLength.isLong() ? IntStream.of(1, 2, 4) : IntStream.of(2);
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void ranksStartAgain(int ranks) {
        double[] expected = onRanks(ranks, options(), -1);
        Checkpoints first = every(4);
        if (ranks > 1) {
            JobFailedException failed = assertThrows(JobFailedException.class,
                    () -> onRanks(ranks, options().withCheckpoints(first), 11));
            assertTrue(failed.getCause() instanceof Killed, failed::toString);
        } else {
            assertArrayEquals(expected, onRanks(ranks, options().withCheckpoints(first), -1));
        }
        assertTrue(first.reports().size() >= ranks, first.reports()::toString);
        MeshOptions again = options().withCheckpoints(Checkpoints.from(folder.resolve("state")));
        assertArrayEquals(expected, onRanks(ranks, again, -1), "the same number of ranks");
        for (int others : new int[]{1, 3}) {
            assertArrayEquals(expected, onRanks(others, again, -1), 1e-11, others + " ranks");
        }
        assertArrayEquals(expected, alone(again), 1e-11, "one mesh");
    }

    /** Whether a chain exchanges once or loop by loop is found by ten runs, and kept for the run that goes on. */
    @ParameterizedTest
    @ValueSource(ints = {4, 12})
    void waysOfChainsAreKeptOnRanks(int every) {
        MeshOptions options = options().withChains(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 0));
        Checkpoints saving = every(every);
        double[] expected = onRanks(2, options.withCheckpoints(saving), -1);
        assertFalse(saving.reports().isEmpty());
        MeshOptions again = options.withCheckpoints(Checkpoints.from(folder.resolve("state")));
        assertArrayEquals(expected, onRanks(2, again, -1));
        assertArrayEquals(expected, onRanks(3, again, -1), 1e-11);
        assertArrayEquals(expected, alone(again), 1e-11);
    }

    @Test
    void oneMeshGoesOnOnRanks() {
        double[] expected = alone(options());
        alone(options().withCheckpoints(every(6)));
        assertArrayEquals(expected, onRanks(3,
                options().withCheckpoints(Checkpoints.from(folder.resolve("state"))), -1), 1e-11);
        Checkpoints timed = Checkpoints.to(folder.resolve("timed")).withInterval(CheckpointInterval.seconds(1e-4));
        assertArrayEquals(onRanks(3, options(), -1), onRanks(3, options().withCheckpoints(timed), -1));
        assertFalse(timed.reports().isEmpty());
    }

    @Test
    void aProcessThatIsKilledEndsWithTheSameBits() throws IOException, InterruptedException {
        kill(1, 2, "none");
    }

    /** Two ranks in one process, with tiles; four; two processes of MPI, one of which is killed. */
    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"2,1,sparse", "4,3,none", "-2,1,none"})
    void ranksThatAreKilledEndWithTheSameBits(int ranks, int kills, String tiles)
            throws IOException, InterruptedException {
        kill(ranks, kills, tiles);
    }

    private void kill(int ranks, int kills, String tiles) throws IOException, InterruptedException {
        assumeTrue(ranks > 0 || OpenMpi.isInstalled(), "Open MPI is not installed (Debian: openmpi-bin)");
        Tiling tiling = Tiling.of(tiles);
        KilledProgram.Outcome outcome =
                KilledProgram.killed(folder, kills, ranks, tiling, TestSeed.random("killed" + ranks));
        assertTrue(outcome.same() && outcome.restarts() > 0, () -> outcome + ", seed " + TestSeed.value());
        assertEquals(0, KilledProgram.elsewhere(folder, 3, tiling), 1e-11, "on three ranks");
    }

    private String run(int code, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        assertEquals(code, TrellisCommand.run(
                new Console(new PrintWriter(out, true), new PrintWriter(err, true), false), arguments), err::toString);
        return out.toString();
    }

    /** Returns the lines that say something of the flow. */
    private static List<String> residuals(String printed) {
        return printed.lines().filter(line -> line.matches(" *\\d+ \\d\\.\\d+e.*")).toList();
    }

    @Test
    void devicesShareAMesh() throws IOException {
        String[] words = {"example", "airfoil", "c-mesh:i=10,j=12", "--iterations", "60", "--round", "6", "-q",
            "--threads", "1"};
        List<String> alone = residuals(run(ExitCode.OK, words));
        String[] two = Arrays.copyOf(words, words.length + 6);
        Path page = folder.resolve("balance.html");
        System.arraycopy(new String[]{"--devices", "reference,threads", "--shares", "1,2", "--balance-html",
            page.toString()}, 0, two, words.length, 6);
        String printed = run(ExitCode.OK, two);
        assertTrue(Files.readString(page).contains("share of reference"));
        assertTrue(printed.contains("the model says") && printed.contains("shares 0.333:0.667"), printed);
        List<String> together = residuals(printed);
        assertEquals(alone.size(), together.size());
        for (int i = 0; i < alone.size(); i++) {
            double[] values = {Double.parseDouble(alone.get(i).strip().split(" ")[1]),
                Double.parseDouble(together.get(i).strip().split(" ")[1])};
            assertEquals(1, values[1] / values[0], 1e-10);
        }
        run(ExitCode.USAGE, "example", "airfoil", "c-mesh:i=8,j=10", "--shares", "1,2");
        run(ExitCode.USAGE, "example", "airfoil", "c-mesh:i=8,j=10", "--devices", "cpu");
        run(ExitCode.USAGE, "example", "airfoil", "c-mesh:i=8,j=10", "--balance-html", page.toString());
        run(ExitCode.USAGE, "run", "example", "airfoil", "c-mesh:i=8,j=10", "--devices", "cpu,cpu");
        String sea = run(ExitCode.OK, "example", "tsunami", "basin:n=12", "--iterations", "100", "-q", "--devices",
                "reference,threads", "--threads", "1");
        assertTrue(sea.contains("the model says"), sea);
    }

    @Test
    void commandsSaveAndGoOn() throws IOException {
        String state = folder.resolve("command").toString();
        String[] words = {"example", "airfoil", "c-mesh:i=8,j=10", "--iterations", "30", "-q", "--backend",
            "reference"};
        List<String> expected = residuals(run(ExitCode.OK, words));
        assertTrue(expected.size() > 4);
        String[] saving = Arrays.copyOf(words, words.length + 4);
        System.arraycopy(new String[]{"--checkpoint", state, "--checkpoint-every", "8iterations"}, 0, saving,
                words.length, 4);
        String saved = run(ExitCode.OK, saving);
        assertEquals(expected, residuals(saved));
        assertTrue(saved.contains("checkpoints written to " + state) && saved.contains("8 units"), saved);
        String[] again = Arrays.copyOf(words, words.length + 2);
        System.arraycopy(new String[]{"--restart", state}, 0, again, words.length, 2);
        String gone = run(ExitCode.OK, again);
        assertEquals(expected, residuals(gone));
        assertTrue(gone.contains("went on from checkpoint 3 in " + state), gone);
        assertTrue(gone.contains("no iteration was timed: all rounds of 10 began before the checkpoint"), gone);
        run(ExitCode.OK, with(saving, "--round", "4"));
        gone = run(ExitCode.OK, with(again, "--round", "4"));
        assertEquals(expected, residuals(gone));
        assertTrue(gone.contains(" an iteration, median of 1 rounds of 4"), gone);
        String[] dry = Arrays.copyOf(words, words.length + 2);
        Path page = folder.resolve("dry.html");
        System.arraycopy(new String[]{"--dry-run-html", page.toString()}, 0, dry, words.length, 2);
        String table = run(ExitCode.OK, dry);
        assertTrue(Files.readString(page).contains("Airfoil.saveSolution: 8 units"));
        assertTrue(table.contains("<- least") && table.contains("Never changed, never saved: x"), table);
        run(ExitCode.USAGE, "example", "airfoil", "c-mesh:i=8,j=10", "--dry-run", "--restart", state);
        assertTrue(err.toString().contains("--dry-run saves nothing"), err::toString);
        run(ExitCode.USAGE, "example", "airfoil", "c-mesh:i=8,j=10", "--checkpoint", state, "--checkpoint-policy",
                "best");
        assertTrue(err.toString().contains("marked:LOOP"), err::toString);
    }

    private static String[] with(String[] words, String... more) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void optionsThatDoNotFitAreRefused() {
        String state = folder.resolve("refused").toString();
        refused("are for --checkpoint FILE, expected it too", "--checkpoint-every", "5");
        refused("are for --checkpoint FILE, expected it too", "--restart", state, "--checkpoint-policy", "local");
        refused("every '-3iterations', expected", "--checkpoint", state, "--checkpoint-every", "-3iterations");
        refused("every '0', expected", "--checkpoint", state, "--checkpoint-every", "0");
        refused("--devices cpu,reference with --backend", "--devices", "cpu,reference", "--backend", "cpu");
        refused("--devices cpu,quantum: backend 'quantum' is unknown", "--devices", "cpu,quantum");
    }

    private void refused(String message, String... options) {
        List<String> words = new ArrayList<>(List.of("example", "airfoil", "c-mesh:i=8,j=10", "-q"));
        words.addAll(List.of(options));
        run(ExitCode.USAGE, words.toArray(String[]::new));
        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void anotherMeshAndOtherChainsAreNamed() {
        String state = folder.resolve("other").toString();
        run(ExitCode.OK, "example", "airfoil", "c-mesh:i=8,j=10", "--iterations", "12", "-q", "--checkpoint", state,
                "--checkpoint-every", "4iterations");
        run(ExitCode.FAILED, "example", "airfoil", "c-mesh:i=8,j=12", "--iterations", "12", "-q", "--restart", state);
        assertTrue(err.toString().matches("(?s).*set 'cells' is 288 elements[^;]*, expected 240 .*; and \\d+ more\\R"),
                err::toString);
        run(ExitCode.FAILED, "example", "airfoil", "c-mesh:i=8,j=10", "--iterations", "12", "-q", "--lazy",
                "--restart", state);
        assertTrue(err.toString().matches("(?s).*chains of the options are .*, expected none\\R"), err::toString);
    }
}
