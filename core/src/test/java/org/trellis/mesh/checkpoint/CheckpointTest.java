package org.trellis.mesh.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** Programs that are killed and start again, with checkpoints of every kind, whole and damaged. */
class CheckpointTest {
    private static final int SIZE = 37;
    private static final int ITERATIONS = 40;
    /** The iteration before which the one checkpoint of a test of layouts is taken. */
    private static final int TURN = 5;

    @TempDir
    private Path folder;

    /** What a test kills a program with. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static MeshOptions options() {
        return new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false);
    }

    private static double[] run(MeshOptions options, String backend, long seed, Walk.Killer killer) {
        try (Backend opened = Backends.open(backend, Configuration.load());
                Mesh mesh = Mesh.on(opened, options)) {
            return new Walk(mesh, SIZE, seed).run(ITERATIONS, killer);
        }
    }

    private static double[] plain(String backend, long seed) {
        return run(options(), backend, seed, i -> {});
    }

    private Path file() {
        return folder.resolve("state");
    }

    private Checkpoints every(int iterations, CheckpointPolicy policy) {
        return Checkpoints.to(file()).withInterval(CheckpointInterval.iterations(iterations)).withPolicy(policy);
    }

    private static void killAt(int iteration, int now) {
        if (now == iteration) {
            throw new Killed();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "speculative", "marked:step"})
    void aKilledProgramEndsWithTheSameBits(String policy) {
        SplittableRandom random = TestSeed.random("checkpoints " + policy);
        for (String backend : List.of("reference", "threads", "cpu")) {
            long seed = random.nextLong();
            double[] expected = plain(backend, seed);
            int kill = ITERATIONS / 2 + random.nextInt(ITERATIONS / 2);
            Checkpoints first = every(1 + random.nextInt(4), CheckpointPolicy.of(policy))
                    .withCompression(random.nextBoolean());
            assertThrows(Killed.class,
                    () -> run(options().withCheckpoints(first), backend, seed, i -> killAt(kill, i)));
            assertFalse(first.reports().isEmpty(), "no checkpoint, seed " + TestSeed.value());
            Checkpoints second = first.withRestart(file());
            int again = kill + random.nextInt(ITERATIONS - kill);
            assertThrows(Killed.class,
                    () -> run(options().withCheckpoints(second), backend, seed, i -> killAt(again, i)));
            double[] after = run(options().withCheckpoints(second), backend, seed, i -> {});
            assertArrayEquals(expected, after, "seed " + TestSeed.value());
            assertArrayEquals(expected, run(options().withCheckpoints(Checkpoints.from(file())), backend, seed,
                    i -> {}), "restarted for reading only, seed " + TestSeed.value());
        }
    }

    static Stream<Arguments> chains() {
        ChainOptions lazy = ChainOptions.EAGER.withLazy(true);
        return Stream.of(Arguments.of("reference", lazy), Arguments.of("threads", lazy.withLimit(3)),
                Arguments.of("threads", ChainOptions.EAGER.withFusion(Fusion.ON)),
                Arguments.of("simd", lazy.withFusion(Fusion.ON)),
                Arguments.of("threads", lazy.withTiling(Tiling.SPARSE, 5)),
                Arguments.of("reference", ChainOptions.EAGER.withTiling(Tiling.SPARSE, 7)),
                Arguments.of("threads", lazy.withTiling(Tiling.REDUNDANT, 6)));
    }

    /** Killed twice, with loops that wait, run as one or run in tiles. */
    @ParameterizedTest
    @MethodSource("chains")
    void aKilledProgramWithChainsEndsWithTheSameBits(String backend, ChainOptions chains) {
        SplittableRandom random = TestSeed.random("checkpoints and chains" + backend + chains);
        MeshOptions options = options().withChains(chains);
        long seed = random.nextLong();
        double[] expected = run(options, backend, seed, i -> {});
        for (CheckpointPolicy policy : List.of(CheckpointPolicy.local(), CheckpointPolicy.speculative())) {
            Checkpoints first = every(1 + random.nextInt(3), policy);
            int kill = ITERATIONS / 2 + random.nextInt(ITERATIONS / 2);
            assertThrows(Killed.class,
                    () -> run(options.withCheckpoints(first), backend, seed, i -> killAt(kill, i)));
            assertFalse(first.reports().isEmpty(), "no checkpoint, seed " + TestSeed.value());
            Checkpoints second = first.withRestart(file());
            int again = kill + random.nextInt(ITERATIONS - kill);
            assertThrows(Killed.class,
                    () -> run(options.withCheckpoints(second), backend, seed, i -> killAt(again, i)));
            assertArrayEquals(expected, run(options.withCheckpoints(second), backend, seed, i -> {}),
                    policy + " seed " + TestSeed.value());
        }
        String refused =
                refusal(() -> run(options().withCheckpoints(Checkpoints.from(file())), backend, seed, i -> {}));
        assertTrue(refused.contains("chains of the options"), refused);
    }

    /** It writes nowhere, and says on this thread if it cannot. */
    @Test
    void theFirstCheckpointIsRehearsed() {
        assertDoesNotThrow(CheckpointStart::rehearse);
    }

    @Test
    void requestsAndSecondsAreHeard() {
        Checkpoints asked = Checkpoints.to(file());
        double[] expected = plain("reference", 3);
        assertArrayEquals(expected, run(options().withCheckpoints(asked), "reference", 3, i -> {
            if (i % 10 == 5) {
                asked.request();
            }
        }));
        assertTrue(asked.reports().size() >= 1, asked.reports()::toString);
        assertTrue(asked.reports().stream().allMatch(report -> report.failure().isEmpty()
                && report.fileBytes() > report.bytes() && report.blocked() <= report.seconds()),
                asked.reports()::toString);
        Checkpoints timed = Checkpoints.to(file()).withInterval(CheckpointInterval.of("1e-6"));
        run(options().withCheckpoints(timed), "reference", 3, i -> {});
        assertFalse(timed.reports().isEmpty());
        assertArrayEquals(expected, run(options().withCheckpoints(Checkpoints.from(file())), "reference", 3, i -> {}));
    }

    @Test
    void oldFilesGo() throws IOException {
        for (int i = 0; i < 3; i++) {
            run(options().withCheckpoints(every(2, CheckpointPolicy.local())), "reference", 7, k -> {});
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(path -> path.getFileName().toString()).sorted().toList();
            assertEquals(4, names.size(), names::toString);
            assertEquals(List.of("state", "state.previous"), names.stream()
                    .filter(name -> !name.endsWith(".log") && !name.endsWith(".log.copy")).toList());
        }
    }

    @Test
    void everyTruncationAndEveryChangedByteIsFound() throws IOException {
        double[] expected = plain("reference", 11);
        run(options().withCheckpoints(every(5, CheckpointPolicy.local())), "reference", 11, i -> {});
        byte[] good = Files.readAllBytes(file());
        Path previous = CheckpointFiles.previous(file());
        byte[] older = Files.readAllBytes(previous);
        Files.delete(previous);
        int step = TestLength.cases(5, 1);
        for (int length = 0; length < good.length; length += length < 200 ? 1 : step) {
            Files.write(file(), Arrays.copyOf(good, length));
            CheckpointException refused = assertThrows(CheckpointException.class, () -> SavedState.find(file()));
            assertTrue(refused.getMessage().contains("truncated"), refused.getMessage());
        }
        for (int at = 0; at < good.length; at += at < 200 ? 1 : step) {
            byte[] changed = good.clone();
            changed[at] ^= (byte) (1 << (at % Byte.SIZE));
            Files.write(file(), changed);
            assertThrows(CheckpointException.class, () -> SavedState.find(file()), "changed byte " + at);
        }
        Files.write(file(), "something else altogether".getBytes(StandardCharsets.UTF_8));
        assertTrue(assertThrows(CheckpointException.class, () -> SavedState.find(file())).getMessage()
                .contains("no checkpoint of Trellis"));
        Files.write(previous, older);
        assertTrue(SavedState.find(file()).older());
        Checkpoints again = every(5, CheckpointPolicy.local()).withRestart(file());
        assertArrayEquals(expected, run(options().withCheckpoints(again), "reference", 11, i -> {}));
        Files.delete(file());
        assertTrue(SavedState.find(file()).older(), "killed between the two renamings");
        Files.delete(previous);
        assertTrue(assertThrows(CheckpointException.class, () -> SavedState.find(file())).getMessage()
                .contains("does not exist"));
    }

    /** Damage anywhere in the log costs neither the last checkpoint nor the one before: there is a copy. */
    @Test
    void aDamagedLogIsFoundAndItsCopyTaken() throws IOException {
        double[] expected = plain("reference", 13);
        run(options().withCheckpoints(every(5, CheckpointPolicy.local())), "reference", 13, i -> {});
        SavedState state = SavedState.find(file());
        Path file = state.log();
        Path copy = CheckpointFiles.copy(file);
        byte[] log = Files.readAllBytes(file);
        assertArrayEquals(log, Files.readAllBytes(copy));
        int logged = Math.toIntExact(state.head().logged());
        assertTrue(logged > 100);
        for (int at = 0; at < logged; at += 37) {
            byte[] changed = log.clone();
            changed[at] ^= 4;
            Files.write(file, changed);
            SavedState found = SavedState.find(file());
            assertEquals(copy, found.log(), "changed byte " + at);
            assertFalse(found.older());
            Files.write(copy, changed);
            Files.write(file, log);
            assertEquals(file, SavedState.find(file()).log());
            Files.write(file, changed);
            int changedAt = at;
            CheckpointException both = assertThrows(CheckpointException.class,
                    () -> requireOlder(SavedState.find(file())), () -> "changed byte " + changedAt);
            assertTrue(both.getMessage().contains("; and its copy: "), both.getMessage());
            Files.write(copy, log);
        }
        Files.write(file, Arrays.copyOf(log, logged - 1));
        Checkpoints again = every(5, CheckpointPolicy.local()).withRestart(file());
        assertThrows(Killed.class,
                () -> run(options().withCheckpoints(again), "reference", 13, i -> killAt(ITERATIONS - 1, i)));
        assertArrayEquals(Arrays.copyOf(log, logged), Arrays.copyOf(Files.readAllBytes(file), logged), "mended");
        Files.delete(copy);
        assertArrayEquals(expected, run(options().withCheckpoints(again), "reference", 13, i -> {}));
        assertTrue(Files.exists(copy));
    }

    /** Damage to the part that only the last checkpoint needs leaves the one before. */
    private static void requireOlder(SavedState found) {
        assertTrue(found.older());
        throw new CheckpointException("; and its copy: damaged for the last checkpoint");
    }

    /** A chain is one step: not every loop of it where a checkpoint may begin begins one. */
    @Test
    void aChainBeginsOneCheckpoint() {
        MeshOptions tiled = options().withChains(ChainOptions.EAGER.withLazy(true).withTiling(Tiling.SPARSE, 5));
        for (String policy : List.of("local", "speculative", "marked:step")) {
            Checkpoints timed = Checkpoints.to(file()).withInterval(CheckpointInterval.seconds(1e-9))
                    .withPolicy(CheckpointPolicy.of(policy));
            run(tiled.withCheckpoints(timed), "reference", 3, i -> {});
            List<Long> positions = timed.reports().stream().map(CheckpointReport::step).toList();
            assertEquals(positions.stream().distinct().toList(), positions, policy);
        }
    }

    @Test
    void aSecondMeshOnOneFileIsRefused() throws IOException {
        Checkpoints first = every(5, CheckpointPolicy.local());
        double[] expected = plain("reference", 31);
        double[] found = run(options().withCheckpoints(first), "reference", 31, i -> {
            if (i == ITERATIONS / 2) {
                String refused = refusal(() -> run(options().withCheckpoints(every(3, CheckpointPolicy.local())),
                        "reference", 31, k -> {}));
                assertTrue(refused.contains("another mesh of this program, expected one program for a file"),
                        refused);
                refused = refusal(() -> run(options().withCheckpoints(first.withRestart(file())), "reference", 31,
                        k -> {}));
                assertTrue(refused.contains("another mesh of this program"), refused);
            }
        });
        assertArrayEquals(expected, found);
        assertFalse(Files.exists(CheckpointFiles.lock(file())));
        assertArrayEquals(expected, run(options().withCheckpoints(first.withRestart(file())), "reference", 31,
                i -> {}));
    }

    /** Another process has the lock, is named, and is killed; what it leaves keeps no process away. */
    @Test
    void anotherProcessIsNamedAndItsRemainsAreIgnored() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), LockHolder.class.getName(), file().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            assertEquals("held", other.inputReader().readLine());
            String refused = refusal(() -> run(options().withCheckpoints(every(3, CheckpointPolicy.local())),
                    "reference", 37, k -> {}));
            assertTrue(refused.contains("written by process " + other.pid()), refused);
            assertTrue(Files.exists(CheckpointFiles.lock(file())), "the other one's");
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertTrue(Files.exists(CheckpointFiles.lock(file())), "left by the killed process");
        run(options().withCheckpoints(every(3, CheckpointPolicy.local())), "reference", 37, k -> {});
        assertFalse(Files.exists(CheckpointFiles.lock(file())));
    }

    /** Fails once so many bytes have been written. */
    private static final class FullDisk extends FilterOutputStream {
        private final long[] left;

        FullDisk(OutputStream out, long... left) {
            super(out);
            this.left = left;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int now = (int) Math.min(length, left[0]);
            out.write(bytes, offset, now);
            left[0] -= now;
            if (now < length) {
                throw new IOException("no space left");
            }
        }
    }

    @Test
    void writingThatFailsAnywhereLosesNothing() {
        double[] expected = plain("reference", 17);
        run(options().withCheckpoints(every(6, CheckpointPolicy.local())), "reference", 17, i -> {});
        long length = file().toFile().length();
        for (long space = 0; space < 6 * length; space += 1 + length / 7) {
            long[] left = {space};
            Checkpoints full = every(6, CheckpointPolicy.local()).withSink(out -> new FullDisk(out, left));
            double[] all = run(options().withCheckpoints(full), "reference", 17, i -> {});
            assertArrayEquals(expected, all, "the program goes on");
            assertTrue(full.reports().stream().anyMatch(report -> report.failure().isPresent()));
            assertFalse(Files.exists(CheckpointFiles.fresh(file())), "nothing half-written stays");
            assertArrayEquals(expected, run(options().withCheckpoints(Checkpoints.from(file())), "reference", 17,
                    i -> {}), "the last good one is used, after " + space + " bytes");
        }
    }

    private String refusal(Runnable run) {
        return assertThrows(CheckpointException.class, run::run).getMessage();
    }

    /** A loop that is not there is missed when the steps repeat themselves, not after the first interval. */
    @Test
    void marksThatNoLoopHasAreRefusedEarly() {
        int[] iterations = new int[1];
        Checkpoints never = Checkpoints.to(file()).withInterval(CheckpointInterval.seconds(1e6))
                .withPolicy(CheckpointPolicy.marked("nosuch"));
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> run(options().withCheckpoints(never), "reference", 23, i -> iterations[0] = i));
        assertTrue(refused.getMessage().contains("loop 'nosuch', expected one of ["), refused.getMessage());
        assertTrue(refused.getMessage().contains("step"), refused.getMessage());
        assertTrue(iterations[0] < 6, "after " + iterations[0] + " iterations");
    }

    private void runOther(MeshOptions options, int size, long seed, double factor, Precision precision,
            int iterations) {
        try (Backend opened = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(opened, options)) {
            Walk walk = new Walk(mesh, size, seed, factor, precision);
            mesh.loops().getFirst().prepare();
            if (iterations > 0) {
                walk.run(iterations, i -> {});
            }
        }
    }

    @Test
    void whatHasChangedIsNamed() {
        Checkpoints first = every(5, CheckpointPolicy.local());
        run(options().withCheckpoints(first), "reference", 19, i -> {});
        MeshOptions again = options().withCheckpoints(Checkpoints.from(file()));
        String size = refusal(() -> runOther(again, SIZE + 1, 19, 0.1, Precision.F64, ITERATIONS));
        assertTrue(size.contains("set 'cells' is 38 elements") && size.contains("expected 37"), size);
        String values = refusal(() -> runOther(again, SIZE, 20, 0.1, Precision.F64, ITERATIONS));
        assertTrue(values.contains("dat 'value'") && !values.contains("set 'cells'"), values);
        String precision = refusal(() -> runOther(again, SIZE, 19, 0.1, Precision.F32, ITERATIONS));
        assertTrue(precision.contains("f32"), precision);
        String constant = refusal(() -> runOther(again, SIZE, 19, 0.2, Precision.F64, ITERATIONS));
        assertTrue(constant.contains("0.2") && constant.contains("0.1"), constant);
        String layout = refusal(() -> runOther(again.withLayout(Layout.SOA), SIZE, 19, 0.1, Precision.F64, 1));
        assertTrue(layout.contains("layout of the options"), layout);
        String early = refusal(() -> runOther(again, SIZE, 19, 0.1, Precision.F64, 2));
        assertTrue(early.contains("the program reads dat 'value'"), early);
        String ended = refusal(() -> runOther(again, SIZE, 19, 0.1, Precision.F64, 0));
        assertTrue(ended.contains("has ended after 0 steps"), ended);
        String backend = refusal(() -> run(again, "threads", 19, i -> {}));
        assertTrue(backend.contains("backend is threads, expected reference"), backend);
        String mark = assertThrows(IllegalArgumentException.class,
                () -> run(options().withCheckpoints(every(1, CheckpointPolicy.marked("stop"))), "reference", 19,
                        i -> {}))
                .getMessage();
        assertTrue(mark.contains("'stop'") && mark.contains("spread"), mark);
    }

    @Test
    void givenValuesThatDifferAreFound() {
        run(options().withCheckpoints(every(5, CheckpointPolicy.local())), "reference", 23, i -> {});
        try (Backend opened = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(opened, options().withCheckpoints(Checkpoints.from(file())))) {
            Walk walk = new Walk(mesh, SIZE, 23);
            mesh.loops().getFirst().prepare();
            mesh.dats().getFirst().set(3, 0, 0.5);
            String message = refusal(() -> walk.run(ITERATIONS, i -> {}));
            assertTrue(message.contains("given dat 'value' other values"), message);
        }
    }

    /** A loop that is bound through a map, and then not, changes two dats in turn; the one is not changed again. */
    private static double[] rebound(MeshOptions options, boolean killed) {
        try (Backend opened = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(opened, options)) {
            MeshSet cells = mesh.set("cells", SIZE);
            MeshMap same = mesh.map("same", cells, cells, 1, IntStream.range(0, SIZE).toArray());
            double[] given = new double[SIZE];
            Arrays.setAll(given, i -> 1 + i);
            Dat from = mesh.dat("from", cells, 1, Precision.F64, given);
            Dat often = mesh.dat("often", cells, 1, Precision.F64);
            Dat once = mesh.dat("once", cells, 1, Precision.F64);
            ParallelLoop copy = mesh.loop(WalkKernelsLoops.COPY_TO, cells, from, often);
            for (int i = 0; i < ITERATIONS; i++) {
                if (i == 2) {
                    copy.bind(from.at(same, 0), once);
                }
                copy.run();
                copy.bind(from, often);
                killAt(killed ? ITERATIONS / 2 : -1, i);
            }
            return once.toArray();
        }
    }

    @Test
    void loopsMayBeBoundToOtherDats() {
        double[] expected = rebound(options(), false);
        Checkpoints first = every(3, CheckpointPolicy.local());
        assertThrows(Killed.class, () -> rebound(options().withCheckpoints(first), true));
        assertFalse(first.reports().isEmpty());
        assertArrayEquals(expected, rebound(options().withCheckpoints(first.withRestart(file())), false));
        assertEquals(SIZE, expected[SIZE - 1]);
    }

    /** Writes nothing before the program lets it. */
    private static final class Held extends FilterOutputStream {
        private final CountDownLatch gate;

        Held(OutputStream out, CountDownLatch gate) {
            super(out);
            this.gate = gate;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                assertTrue(gate.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            out.write(bytes, offset, length);
        }
    }

    /** Looks at a dat, gives it another layout while it is still being written, and only then changes it. */
    private static double[] turned(MeshOptions options, CountDownLatch gate, int kill) {
        InterpretedKernel look = InterpretedKernel.named("look").dat(Access.READ, 3).dat(Access.WRITE, 1)
                .cuda("// hosts only")
                .does(values -> ((double[]) values[1])[0] = ((double[]) values[0])[2]);
        InterpretedKernel grow = InterpretedKernel.named("grow").cuda("// hosts only").dat(Access.READ_WRITE, 3)
                .does(values -> {
                    double[] all = (double[]) values[0];
                    all[0] += 1;
                    all[1] *= 0.5;
                    all[2] -= all[0];
                });
        try (Backend opened = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(opened, options)) {
            MeshSet cells = mesh.set("cells", (1 << 16) + 3);
            Dat many = mesh.dat("many", cells, 3, Precision.F64,
                    IntStream.range(0, 3 * cells.size()).asDoubleStream().toArray());
            Dat last = mesh.dat("last", cells, 1, Precision.F64);
            ParallelLoop first = mesh.loop(look, cells, many, last);
            ParallelLoop second = mesh.loop(grow, cells, many);
            for (int i = 0; i < 8; i++) {
                first.run();
                many.layout(i % 2 == 0 ? Layout.SOA : Layout.AOS);
                if (i == TURN) {
                    gate.countDown();
                }
                killAt(kill, i);
                second.run();
            }
            return many.toArray();
        }
    }

    @Test
    void layoutsMayChangeWhileValuesAreWritten() {
        CountDownLatch gate = new CountDownLatch(1);
        double[] expected = turned(options(), new CountDownLatch(1), -1);
        Checkpoints held = every(TURN, CheckpointPolicy.local()).withSink(out -> new Held(out, gate));
        assertThrows(Killed.class, () -> turned(options().withCheckpoints(held), gate, TURN + 1));
        assertEquals(1, held.reports().size());
        assertArrayEquals(expected, turned(options().withCheckpoints(Checkpoints.from(file())), gate, -1));
    }

    /** Bytes that the thread allocates for a run of a loop, once it has run for a while. */
    private static double allocated(MeshOptions options) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Backend opened = Backends.open("threads", Configuration.load());
                Mesh mesh = Mesh.on(opened, options)) {
            MeshSet cells = mesh.set("cells", 4);
            Dat from = mesh.dat("from", cells, 1, Precision.F64);
            Dat to = mesh.dat("to", cells, 1, Precision.F64);
            ParallelLoop copy = mesh.loop(WalkKernelsLoops.COPY_TO, cells, from, to);
            int runs = 4000;
            long before = 0;
            for (int i = 0; i < 2 * runs; i++) {
                before = i == runs ? threads.getCurrentThreadAllocatedBytes() : before;
                copy.run();
            }
            return (double) (threads.getCurrentThreadAllocatedBytes() - before) / runs;
        }
    }

    @Test
    void stepsAllocateNothingWhileNoCheckpointIsDue() {
        double without = allocated(options());
        double with = allocated(options().withCheckpoints(Checkpoints.to(file())
                .withInterval(CheckpointInterval.seconds(3600))));
        assertTrue(with < without + 4, () -> with + " bytes a run, without checkpoints " + without);
    }

    @Test
    void whatWouldNotBeSeenIsRefused() {
        try (Backend opened = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(opened, options().withCheckpoints(every(5, CheckpointPolicy.local())))) {
            Walk walk = new Walk(mesh, SIZE, 29);
            MeshSet cells = mesh.sets().getFirst();
            assertThrows(IllegalStateException.class, () -> mesh.dats().getFirst().vector().part(0, 1));
            assertThrows(IllegalStateException.class, () -> mesh.dats().getFirst().vector().numbering());
            assertThrows(IllegalStateException.class, () -> mesh.loops().getFirst().run(0, 3));
            mesh.renumber(cells, cells.order());
            walk.run(3, i -> {});
            assertThrows(IllegalStateException.class, () -> mesh.renumber(cells, cells.order()));
            assertThrows(IllegalStateException.class, () -> mesh.change(edit -> {}));
        }
        assertThrows(IllegalArgumentException.class, () -> CheckpointInterval.of("often"));
        assertThrows(IllegalArgumentException.class, () -> CheckpointInterval.of("0iterations"));
        assertThrows(IllegalArgumentException.class, () -> CheckpointInterval.seconds(0));
        assertThrows(IllegalArgumentException.class, () -> CheckpointPolicy.of("best"));
        assertEquals("marked:flux", CheckpointPolicy.of("marked:flux").toString());
        assertEquals("12iterations", CheckpointInterval.of("12 iterations").toString());
    }
}
