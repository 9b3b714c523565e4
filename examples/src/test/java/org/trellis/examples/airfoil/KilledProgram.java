package org.trellis.examples.airfoil;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.Checkpoints;

/**
 * Airfoil in a process of its own that is killed by SIGKILL again and again, at random moments and so also while a
 * checkpoint is written, and started again each time.
 *
 * <p>Run by hand: {@code KilledProgram FOLDER KILLS RANKS}, with a negative number for processes of MPI, one of which
 * is killed; the test runs a few.
 */
final class KilledProgram {
    private static final int ACROSS = 12;
    private static final int ITERATIONS = 300;
    private static final String WORK = "work";
    private static final int LONGEST_MILLISECONDS = 150;
    private static final int LONGEST_WAITS = 4000;
    private static final int LIMIT_SECONDS = 120;

    private KilledProgram() {}

    /** How a program was killed and what it did then. */
    record Outcome(int kills, int starts, int writing, int restarts, boolean same) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT,
                    "%d kills, %d of them while a checkpoint was written, %d starts, %d from a checkpoint: the same "
                            + "bits %s",
                    kills, writing, starts, restarts, same);
        }
    }

    /** Runs a job, or kills jobs: {@code work FILE RESULT RANKS} is what child processes are given. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        if (arguments[0].equals(WORK)) {
            work(Path.of(arguments[1]), Path.of(arguments[2]), Integer.parseInt(arguments[3]));
            return;
        }
        int wanted = Integer.parseInt(arguments[1]);
        int ranks = Integer.parseInt(arguments[2]);
        SplittableRandom random = new SplittableRandom();
        Outcome sum = new Outcome(0, 0, 0, 0, true);
        for (int round = 0; sum.kills() < wanted; round++) {
            Path folder = Files.createDirectories(Path.of(arguments[0], "round" + round));
            Outcome one = killed(folder, Math.min(20, wanted - sum.kills()), ranks, random);
            sum = new Outcome(sum.kills() + one.kills(), sum.starts() + one.starts(), sum.writing() + one.writing(),
                    sum.restarts() + one.restarts(), sum.same() && one.same());
            System.out.println(ranks + " ranks so far: " + sum);
        }
    }

    private static double[] run(MeshOptions options, int ranks) {
        return ThreadRanks.run(ranks, communicator -> flow(communicator, options)).getFirst();
    }

    private static double[] flow(Communicator communicator, MeshOptions options) {
        Configuration one = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
        try (Backend backend = Backends.open("threads", one);
                Mesh mesh = communicator.size() == 1
                        ? Mesh.on(backend, options)
                        : DistributedMesh.on(backend, communicator, RankOptions.usual().withMesh(options))) {
            AirfoilSolver solver = new AirfoilSolver(mesh, AirfoilMesh.generate(ACROSS, ACROSS), Precision.F64);
            double[] residuals = new double[ITERATIONS];
            Arrays.setAll(residuals, i -> solver.iterate());
            double[] state = solver.state().toArray();
            double[] all = Arrays.copyOf(residuals, ITERATIONS + state.length);
            System.arraycopy(state, 0, all, ITERATIONS, state.length);
            return all;
        }
    }

    private static void work(Path file, Path result, int ranks) throws IOException {
        Checkpoints checkpoints = Checkpoints.to(file).withInterval(CheckpointInterval.iterations(1));
        Path previous = file.resolveSibling(file.getFileName() + ".previous");
        if (Files.exists(file) || Files.exists(previous)) {
            checkpoints = checkpoints.withRestart(file);
        }
        MeshOptions options = MeshOptions.of(Configuration.load()).withCheckpoints(checkpoints);
        if (ranks > 0) {
            Files.write(result, bits(run(options, ranks)));
            return;
        }
        boolean first = MpiRanks.launched().orElseThrow().rank() == 0;
        double[] all = MpiRanks.run(Configuration.load(), communicator -> flow(communicator, options));
        if (first) {
            Files.write(result, bits(all));
        }
    }

    private static byte[] bits(double... values) {
        return Arrays.toString(Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Kills a program so many times, lets it end, and compares what it has computed with a run in this process. */
    static Outcome killed(Path folder, int wanted, int ranks, SplittableRandom random)
            throws IOException, InterruptedException {
        Path file = folder.resolve("state");
        Path result = folder.resolve("result");
        int kills = 0;
        int writing = 0;
        int starts = 0;
        int restarts = 0;
        while (!Files.exists(result)) {
            restarts += Files.exists(file) ? 1 : 0;
            starts++;
            // What a kill has left only says that it came while something was written.
            for (Path left : writing(folder)) {
                Files.delete(left);
            }
            Process process = start(file, result, ranks);
            try {
                boolean end = kills == wanted;
                long limit = end ? TimeUnit.SECONDS.toMillis(LIMIT_SECONDS) : wait(file, random);
                if (process.waitFor(limit, TimeUnit.MILLISECONDS)) {
                    if (process.exitValue() != 0) {
                        throw new IllegalStateException("the program ended with " + process.exitValue() + ": "
                                + Files.readString(folder.resolve("printed")));
                    }
                } else if (end) {
                    throw new IllegalStateException("the program has not ended within " + LIMIT_SECONDS + " s");
                } else {
                    kill(process, ranks, random);
                    kills++;
                    writing += writing(folder).isEmpty() ? 0 : 1;
                }
            } finally {
                process.destroyForcibly();
            }
        }
        boolean same = Arrays.equals(expected(folder, ranks), Files.readAllBytes(result));
        return new Outcome(kills, starts, writing, restarts, same);
    }

    /** What a run that nobody kills gives; processes of MPI add up in another order than threads do. */
    private static byte[] expected(Path folder, int ranks) throws IOException, InterruptedException {
        if (ranks > 0) {
            return bits(run(MeshOptions.of(Configuration.load()), ranks));
        }
        Path whole = Files.createDirectories(folder.resolve("whole"));
        Process process = start(whole.resolve("state"), whole.resolve("result"), ranks);
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the program has not ended within " + LIMIT_SECONDS + " s");
            }
            return Files.readAllBytes(whole.resolve("result"));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Waits until the program has put a checkpoint in place, and returns how long to wait on. */
    private static long wait(Path file, SplittableRandom random) throws InterruptedException {
        long before = file.toFile().lastModified();
        int waits = random.nextInt(10) == 0 ? 10 : LONGEST_WAITS;
        for (int i = 0; i < waits && file.toFile().lastModified() == before; i++) {
            Thread.sleep(5);
        }
        return random.nextInt(LONGEST_MILLISECONDS);
    }

    private static List<Path> writing(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.toString().endsWith(".new")).toList();
        }
    }

    /** Kills a program; of processes of MPI one, whose launcher ends the others. */
    private static void kill(Process process, int ranks, SplittableRandom random) throws InterruptedException {
        if (ranks < 0) {
            List<ProcessHandle> processes = process.descendants()
                    .filter(one -> one.info().command().orElse("").endsWith("java")).toList();
            if (!processes.isEmpty()) {
                processes.get(random.nextInt(processes.size())).destroyForcibly();
                process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor();
    }

    private static Process start(Path file, Path result, int ranks) throws IOException {
        List<String> command = new ArrayList<>();
        if (ranks < 0) {
            command.addAll(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", Integer.toString(-ranks)));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                KilledProgram.class.getName(), WORK, file.toString(), result.toString(), Integer.toString(ranks)));
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(file.resolveSibling("printed").toFile()).start();
    }
}
