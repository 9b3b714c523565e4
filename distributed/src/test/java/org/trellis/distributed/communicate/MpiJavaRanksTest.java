package org.trellis.distributed.communicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.BackendUnavailableException;
import org.trellis.distributed.fakempi.Network;
import org.trellis.testing.TestSeed;

/** Ranks over a {@code mpi} package of others: stand-ins of both dialects, and MPJ Express where it is installed. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MpiJavaRanksTest {
    private static final String FAKES = "org.trellis.distributed.fakempi.";
    private static final Logger LOGGER = Logger.getLogger(MpiJavaJob.class.getName());
    private static final Path MPJ = Path.of("/usr/share/mpj");

    @TempDir
    private Path folder;

    private static <T> List<T> run(String dialect, int ranks, Duration patience, ThreadRanks.RankTask<T> task) {
        Network network = new Network(ranks);
        return ThreadRanks.run(ranks, thread -> {
            network.join(thread.rank());
            MpiJavaDialect library = MpiJavaDialect.start(MpiJavaDialect.find(FAKES + dialect));
            return MpiJavaRanks.run(new MpiJavaJob(library, new Backoff(patience, ranks), () -> {}), task);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "open"})
    void bothDialectsKeepTheContract(String dialect) {
        for (int ranks = 1; ranks <= 3; ranks++) {
            for (String check : CommunicatorContract.names()) {
                run(dialect, ranks, Duration.ofSeconds(30), communicator -> {
                    assertTrue(communicator.transport().startsWith("mpiJava ("));
                    CommunicatorContract.check(check, communicator);
                    return null;
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "open"})
    void productsHaveTheBitsOfThreads(String dialect) {
        assertEquals(ThreadRanks.run(2, MpiProgram::products).getFirst(),
                run(dialect, 2, Duration.ofSeconds(30), MpiProgram::products).getFirst());
    }

    /** Returns the first message that is logged; the other rank may fail first as far as its thread is concerned. */
    private static String failure(String dialect, long patience, ThreadRanks.RankTask<Void> task) {
        List<String> messages = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                messages.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.addHandler(handler);
        LOGGER.setUseParentHandlers(false);
        long began = System.nanoTime();
        try {
            assertThrows(JobFailedException.class, () -> run(dialect, 2, Duration.ofMillis(patience), task));
        } finally {
            LOGGER.removeHandler(handler);
            LOGGER.setUseParentHandlers(true);
        }
        assertTrue(System.nanoTime() - began < 20_000_000_000L, "it took too long to fail");
        return messages.getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "open"})
    void failuresEndTheJobWithAMessage(String dialect) {
        assertTrue(failure(dialect, 9_000, communicator -> {
            if (communicator.rank() == 0) {
                communicator.barrier();
            } else {
                communicator.allReduce(Reduction.MAX, new double[3]);
            }
            return null;
        }).contains("ranks called different collective operations: rank 0 barrier, rank 1 all-reduce of doubles by MAX "
                + "of 3 elements"));
        assertTrue(failure(dialect, 300, communicator -> {
            if (communicator.rank() == 0) {
                ReceiveChannel in = communicator.receiveFrom(1, 4, 16);
                in.start();
                in.await();
            }
            communicator.barrier();
            return null;
        }).matches(".*(receiving message 1 of 16 bytes|receiving from rank 0 in barrier).* waited 300 ms in vain.*"));
        assertTrue(failure(dialect, 9_000, communicator -> {
            if (communicator.rank() == 0) {
                ReceiveChannel in = communicator.receiveFrom(1, 4, 16);
                in.start();
                in.await();
            } else {
                communicator.sendTo(0, 4, 24).start();
            }
            communicator.barrier();
            return null;
        }).contains("got 24 bytes, expected 16"));
        assertTrue(failure(dialect, 9_000, communicator -> {
            if (communicator.rank() == 1) {
                throw new IllegalStateException("no more ink");
            }
            communicator.barrier();
            return null;
        }).contains("no more ink"));
    }

    @Test
    void withoutAPackageThereIsNone() {
        assumeTrue(!MpiJavaRanks.probe().available(), "an mpi.MPI is on the class path of the tests");
        assertTrue(MpiJavaRanks.probe().reason().contains("there is no class mpi.MPI on the class path"));
        assertFalse(MpiJavaRanks.probe().available());
        assertThrows(BackendUnavailableException.class, () -> MpiJavaDialect.find("java.lang"));
    }

    /**
     * MPJ Express's ranks in its multicore mode are threads of one process, each with classes of its own. Debian's jars
     * do not name the jars that they need, and the launcher passes no exit code on.
     */
    private String mpjExpress(String part) throws IOException {
        assumeTrue(Files.isRegularFile(MPJ.resolve("lib/starter.jar")),
                "MPJ Express is not installed (Debian's package is libmpj-java)");
        Path output = folder.resolve("mpj.txt");
        Path java = Path.of(System.getProperty("java.home"), "bin");
        ProcessBuilder builder = new ProcessBuilder(java.resolve("java").toString(), "-jar",
                MPJ.resolve("lib/starter.jar").toString(), "-np", "2", "-cp", System.getProperty("java.class.path"),
                MpiJavaProgram.class.getName(), part);
        builder.environment().put("MPJ_HOME", MPJ.toString());
        builder.environment().put("PATH", java + ":" + System.getenv("PATH"));
        builder.environment().put("JDK_JAVA_OPTIONS", "-Xbootclasspath/a:/usr/share/java/log4j-1.2.jar:"
                + "/usr/share/java/commons-codec.jar -Xmx256m -XX:TieredStopAtLevel=1 -ea "
                + "-Dtrellis.distributed.timeout=20 -D" + TestSeed.PROPERTY + "=" + TestSeed.value());
        builder.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        return MpiLauncher.finish(builder.start(), output, System.nanoTime()).output();
    }

    @Test
    void mpjExpressKeepsTheContract() throws IOException {
        String output = mpjExpress("contract");
        assertTrue(output.contains("16 checks on 2 ranks of mpiJava (mpiJava 1.2)"), output);
        String digests = ThreadRanks.run(2, MpiProgram::products).getFirst();
        assertTrue(output.contains(digests), () -> digests + ", but MPJ Express: " + output);
    }

    @Test
    void ranksOfMpjExpressThatFailEndTheJob() throws IOException {
        String output = mpjExpress("mismatch");
        assertTrue(output.contains("ranks called different collective operations"), output);
    }
}
