package org.trellis.examples.airfoil;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.trellis.examples.OpenMpi;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Tiling;

/**
 * Airfoil in a process of its own that is killed by SIGKILL again and again, at random moments and so also while a
 * checkpoint is written, and started again each time.
 *
 * <p>Run by hand: {@code KilledProgram FOLDER KILLS RANKS}, with a negative number for processes of MPI, one of which
 * is killed; the test runs a few.
 */
final class KilledProgram {
    private static final int ACROSS = 12;
    private static final int TILE = 60;
    private static final int ITERATIONS = 300;
    private static final String WORK = "work";
    /** Where a program that has ended says from what it went on. */
    private static final String STARTED = "started";
    /** How many starts are allowed beyond the kills asked for, where kills come before the first checkpoint. */
    private static final int MORE_STARTS = 20;
    private static final int LONGEST_MILLISECONDS = 150;
    private static final int LONGEST_WAITS = 4000;
    private static final int LOOKS = 300;
    private static final int LIMIT_SECONDS = 240;

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

    /** Runs a job, or kills jobs: {@code work FILE RESULT RANKS TILING} is what child processes are given. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        if (arguments[0].equals(WORK)) {
            work(Path.of(arguments[1]), Path.of(arguments[2]), Integer.parseInt(arguments[3]),
                    Tiling.of(arguments[4]));
            return;
        }
        int wanted = Integer.parseInt(arguments[1]);
        int ranks = Integer.parseInt(arguments[2]);
        SplittableRandom random = new SplittableRandom();
        Outcome sum = new Outcome(0, 0, 0, 0, true);
        for (int round = 0; sum.kills() < wanted; round++) {
            Path folder = Files.createDirectories(Path.of(arguments[0], "round" + round));
            Outcome one = killed(folder, Math.min(20, wanted - sum.kills()), ranks, Tiling.NONE, random);
            sum = new Outcome(sum.kills() + one.kills(), sum.starts() + one.starts(), sum.writing() + one.writing(),
                    sum.restarts() + one.restarts(), sum.same() && one.same());
            System.out.println(ranks + " ranks so far: " + sum);
            for (int others : new int[]{1, 2, 3}) {
                System.out.println("on " + others + " ranks from the last checkpoint: differs by at most "
                        + elsewhere(folder, others, Tiling.NONE));
            }
        }
    }

    /**
     * Starts from the last checkpoint in a folder on another number of ranks, threads of this process, and compares
     * with the result that is there.
     *
     * @param folder where a program has ended
     * @param ranks  how many
     * @param tiling how its chains were cut into tiles
     * @return the greatest difference of two values
     */
    static double elsewhere(Path folder, int ranks, Tiling tiling) throws IOException {
        String text = Files.readString(folder.resolve("result"), StandardCharsets.US_ASCII);
        double[] expected = Stream.of(text.substring(1, text.length() - 1).split(", ", -1))
                .mapToDouble(one -> Double.longBitsToDouble(Long.parseLong(one))).toArray();
        double[] values = run(options(tiling).withCheckpoints(Checkpoints.from(folder.resolve("state"))), ranks);
        double most = values.length == expected.length ? 0 : Double.POSITIVE_INFINITY;
        for (int i = 0; i < Math.min(values.length, expected.length); i++) {
            most = Math.max(most, Math.abs(values[i] - expected[i]));
        }
        return most;
    }

    private static MeshOptions options(Tiling tiling) {
        return MeshOptions.of(Configuration.load()).withChains(
                ChainOptions.EAGER.withTiling(tiling, tiling == Tiling.NONE ? 0 : TILE));
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
            AirfoilSolver solver = new AirfoilSolver(mesh, AirfoilGenerator.generate(ACROSS, ACROSS), Precision.F64);
            double[] residuals = new double[ITERATIONS];
            Arrays.setAll(residuals, i -> solver.iterate());
            double[] state = solver.state().toArray();
            double[] all = Arrays.copyOf(residuals, ITERATIONS + state.length);
            System.arraycopy(state, 0, all, ITERATIONS, state.length);
            return all;
        }
    }

    private static void work(Path file, Path result, int ranks, Tiling tiling) throws IOException {
        Checkpoints checkpoints = Checkpoints.to(file).withInterval(CheckpointInterval.iterations(1));
        if (hasCheckpoint(file)) {
            checkpoints = checkpoints.withRestart(file);
        }
        MeshOptions options = options(tiling).withCheckpoints(checkpoints);
        boolean first = ranks > 0 || MpiRanks.launched().orElseThrow().rank() == 0;
        double[] all = ranks > 0
                ? run(options, ranks)
                : MpiRanks.run(Configuration.load(), communicator -> flow(communicator, options));
        if (first) {
            Files.writeString(result.resolveSibling(STARTED), checkpoints.startedFrom().orElse(""));
            Files.write(result, bits(all));
        }
    }

    private static byte[] bits(double... values) {
        return Arrays.toString(Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Kills a program so many times, lets it end, and compares what it has computed with a run in this process. A kill
     * may come before the first checkpoint is in place: then there are more, so that the run that may end goes on from
     * one. A program that ends before it could be killed so begins anew.
     *
     * @throws IllegalStateException if a run fails, if what earlier runs have saved is gone, or if a run ends without
     *                               having gone on from the checkpoint that was there
     */
    static Outcome killed(Path folder, int wanted, int ranks, Tiling tiling, SplittableRandom random)
            throws IOException, InterruptedException {
        Path file = folder.resolve("state");
        Path result = folder.resolve("result");
        int kills = 0;
        int writing = 0;
        int starts = 0;
        int restarts = 0;
        while (!Files.exists(result)) {
            boolean saved = hasCheckpoint(file);
            if ((restarts > 0 && !saved) || starts > wanted + MORE_STARTS) {
                throw new IllegalStateException("no checkpoint in " + folder + " after " + kills + " kills and "
                        + starts + " starts, " + restarts + " of them from one; expected one by then, and for ever");
            }
            restarts += saved ? 1 : 0;
            starts++;
            // What a kill has left only says that it came while something was written.
            for (Path left : writing(folder)) {
                Files.delete(left);
            }
            if (runs(folder, ranks, tiling, kills < wanted || !saved, starts > 1, random)) {
                compareStart(Files.readString(folder.resolve(STARTED)), saved);
                if (!saved) {
                    clear(folder);
                }
            } else {
                kills++;
                writing += writing(folder).isEmpty() ? 0 : 1;
            }
        }
        boolean same = Arrays.equals(expected(folder, ranks, tiling), Files.readAllBytes(result));
        return new Outcome(kills, starts, writing, restarts, same);
    }

    /** Runs a program, or kills it at a random moment; says whether it has come to its end. */
    private static boolean runs(Path folder, int ranks, Tiling tiling, boolean kill, boolean maybeShort,
            SplittableRandom random) throws IOException, InterruptedException {
        Path file = folder.resolve("state");
        Process process = start(file, folder.resolve("result"), ranks, tiling);
        try {
            long limit = kill ? wait(file, maybeShort, random) : TimeUnit.SECONDS.toMillis(LIMIT_SECONDS);
            if (process.waitFor(limit, TimeUnit.MILLISECONDS)) {
                if (process.exitValue() != 0) {
                    throw new IllegalStateException("the program ended with " + process.exitValue() + ": "
                            + Files.readString(folder.resolve("printed")));
                }
                return true;
            }
            if (!kill) {
                throw new IllegalStateException("the program has not ended within " + LIMIT_SECONDS + " s");
            }
            kill(process, ranks, random);
            return false;
        } finally {
            process.destroyForcibly();
        }
    }

    /** The last checkpoint is not in place for a moment, while the next one takes it; then the one before counts. */
    private static boolean hasCheckpoint(Path file) {
        return Files.exists(file) || Files.exists(previous(file));
    }

    private static Path previous(Path file) {
        return file.resolveSibling(file.getFileName() + ".previous");
    }

    private static void compareStart(String said, boolean saved) {
        if (said.isEmpty() == saved) {
            throw new IllegalStateException("a program went on from '" + said + "', expected "
                    + (saved ? "a checkpoint, which was there" : "nothing, since nothing was saved"));
        }
    }

    /** Removes what a program has left that ended before it was killed. */
    private static void clear(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    /** What a run that is not killed gives; processes of MPI add up in another order than threads do. */
    private static byte[] expected(Path folder, int ranks, Tiling tiling)
            throws IOException, InterruptedException {
        if (ranks > 0) {
            return bits(run(options(tiling), ranks));
        }
        Path whole = Files.createDirectories(folder.resolve("whole"));
        Process process = start(whole.resolve("state"), whole.resolve("result"), ranks, tiling);
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the program has not ended within " + LIMIT_SECONDS + " s");
            }
            return Files.readAllBytes(whole.resolve("result"));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Waits until the program has put a checkpoint in place, now and then not, and returns how long to wait on. */
    private static long wait(Path file, boolean maybeShort, SplittableRandom random)
            throws IOException, InterruptedException {
        long before = file.toFile().lastModified();
        int waits = random.nextInt(10) == 0 && maybeShort ? 10 : LONGEST_WAITS;
        for (int i = 0; i < waits && file.toFile().lastModified() == before; i++) {
            Thread.sleep(5);
        }
        if (random.nextBoolean()) {
            for (int i = 0; i < LOOKS && writing(file.getParent()).isEmpty(); i++) {
                Thread.sleep(1);
            }
            return 0;
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

    private static Process start(Path file, Path result, int ranks, Tiling tiling) throws IOException {
        return OpenMpi.start(Math.max(0, -ranks), file.resolveSibling("printed").toFile(), KilledProgram.class, WORK,
                file.toString(), result.toString(), Integer.toString(ranks), tiling.label());
    }
}
