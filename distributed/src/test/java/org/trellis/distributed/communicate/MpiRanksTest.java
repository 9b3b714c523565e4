package org.trellis.distributed.communicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.mesh.Mesh;
import org.trellis.testing.TestLength;

/** Ranks that are processes under MPI; each test starts its own, and is skipped where the library is not installed. */
class MpiRanksTest {
    private static final int PATIENT = 60;

    @TempDir
    private Path folder;

    private static void assumeInstalled(MpiLauncher launcher) {
        assumeTrue(launcher.isInstalled(), () -> launcher.command() + " is not installed (Debian's packages are "
                + "openmpi-bin with libopenmpi-dev, and mpich)");
    }

    /** How jobs end and where messages lie is our own code, whichever library carries it. */
    static List<MpiLauncher> launchers() {
        return List.of(MpiLauncher.values()).subList(0, TestLength.cases(1, MpiLauncher.values().length));
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheContractAndTheBitsOfThreads(MpiLauncher launcher) {
        assumeInstalled(launcher);
        // Processes wait busily, those of MPICH without a pause: more of them than processors take a second a message.
        for (int ranks = 2; ranks <= (launcher == MpiLauncher.OPEN_MPI ? TestLength.cases(2, 3) : 2); ranks++) {
            MpiLauncher.Result result = launcher.run(ranks, PATIENT, "contract");
            assertEquals(0, result.code(), result.output());
            assertTrue(result.output().contains("16 checks on " + ranks + " ranks of mpi ("), result.output());
            String digests = ThreadRanks.run(ranks, MpiProgram::products).getFirst();
            assertTrue(result.output().contains(digests), () -> digests + ", but MPI: " + result.output());
        }
    }

    /**
     * Messages beside those of a C program that does the same in the same run, each of which checks what has come. What
     * they take is in measurements/distributed.md; times of a few are no more than printed here.
     */
    @Test
    @Tag("nightly")
    void messagesAreThoseOfACProgram() throws Exception {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        Path library = folder.resolve("libexchange.so");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mpicc.openmpi")), "mpicc.openmpi is not installed");
        Process compiler = new ProcessBuilder("/usr/bin/mpicc.openmpi", "-O2", "-shared", "-fPIC", "-o",
                library.toString(), Path.of("src/test/c/exchange.c").toAbsolutePath().toString()).inheritIO().start();
        assertEquals(0, compiler.waitFor(), "the C program does not compile");
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.run(2, PATIENT, "timing", library.toString(), "3");
        assertEquals(0, result.code(), result.output());
        Matcher lines = Pattern.compile("exchange of (\\d+) bytes: .* ratio ([0-9.]+)").matcher(result.output());
        int sizes = 0;
        while (lines.find()) {
            assertEquals(new int[]{8, 1024, 8192}[sizes++], Integer.parseInt(lines.group(1)), result.output());
            assertTrue(Double.parseDouble(lines.group(2)) > 0, result.output());
        }
        assertEquals(3, sizes, result.output());
    }

    @Test
    void meshesHaveTheBitsOfThreads() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.run(3, PATIENT, "mesh");
        assertEquals(0, result.code(), result.output());
        String digests = ThreadRanks.run(3, MpiProgram::meshes).getFirst();
        assertTrue(result.output().contains(digests), () -> digests + ", but MPI: " + result.output());
    }

    @SuppressWarnings("MustBeClosed") // closed by what runs the programs
    @Test
    void randomMeshProgramsAreThoseOfOneRank() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.run(TestLength.cases(2, 3), PATIENT, "random");
        assertEquals(0, result.code(), result.output());
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            String expected = MpiProgram.random(() -> Mesh.on(reference));
            assertTrue(result.output().contains(expected), () -> expected + ", but MPI: " + result.output());
        }
    }

    /** The library would wait for it in MPI_Init without end. */
    @ParameterizedTest
    @MethodSource("launchers")
    void rankThatNeverComesEndsAll(MpiLauncher launcher) {
        assumeInstalled(launcher);
        MpiLauncher.Result result = launcher.runWithout(2, 2, "throw");
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("the job of 2 ranks failed: rank 0 ")
                && result.output().contains("trellis.distributed.timeout"), result.output());
        assertTrue(result.seconds() < 45, result.seconds() + " s");
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void rankThatThrowsEndsAllWithItsMessage(MpiLauncher launcher) {
        assumeInstalled(launcher);
        MpiLauncher.Result result = launcher.run(2, PATIENT, "throw");
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("the job of 2 ranks failed: rank 1 ended with "
                + "java.lang.IllegalStateException: no more ink"), result.output());
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void differentCollectivesEndAllWithOneMessage(MpiLauncher launcher) {
        assumeInstalled(launcher);
        MpiLauncher.Result result = launcher.run(2, PATIENT, "mismatch");
        assertNotEquals(0, result.code(), result.output());
        String message = "ranks called different collective operations: rank 0 barrier, rank 1 all-reduce of doubles "
                + "by MAX of 3 elements";
        int at = result.output().indexOf(message);
        assertTrue(at >= 0, result.output());
    }

    @Test
    void rankThatExitsEarlyEndsAll() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.run(2, PATIENT, "exit");
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("rank 1's process ended before its task did"), result.output());
    }

    @Test
    void messageThatDoesNotComeEndsAll() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.run(2, 1, "late");
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("waited 1 s in vain"), result.output());
    }

    @Test
    void messagesOfAnotherSizeEndAll() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.run(2, PATIENT, "sizes");
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("MPI_Test returned"), result.output());
        assertTrue(result.output().contains("runcate"), result.output());
    }

    /** Such processes would otherwise be jobs of one rank each, without a word. */
    @Test
    void libraryOfAnotherLauncherIsRefused() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        assumeInstalled(MpiLauncher.MPICH);
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.runWith("libmpich.so.12", 2, PATIENT, "contract");
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("Open MPI's mpirun has started 2 processes, but libmpich.so.12 (MPICH "
                + "Version: "), result.output());
        assertTrue(result.output().contains("sees 1, expected the library of the launcher: name it in "
                + "trellis.mpi.library"), result.output());
        assertTrue(result.seconds() < 60, () -> "took " + result.seconds() + " s");
    }

    /** A rank that is killed takes the others with it within ten seconds. */
    @Test
    void rankThatIsKilledEndsAll() throws IOException, InterruptedException {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        Path output = folder.resolve("output.txt");
        Process process = MpiLauncher.OPEN_MPI.start(2, PATIENT, output, "wait");
        Pattern line = Pattern.compile("process of rank 1: (\\d+);");
        Matcher found = line.matcher("");
        for (int i = 0; i < 600 && !found.find(); i++) {
            Thread.sleep(50);
            found = line.matcher(Files.readString(output));
        }
        assertTrue(found.reset().find(), () -> "no process of rank 1 in: " + process);
        long began = System.nanoTime();
        ProcessHandle.of(Long.parseLong(found.group(1))).orElseThrow().destroyForcibly();
        MpiLauncher.Result result = MpiLauncher.finish(process, output, began);
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.seconds() < 10, () -> "took " + result.seconds() + " s");
    }

    @Test
    void withoutLauncherThereIsNoMpi() {
        assumeTrue(MpiEnvironment.of(System.getenv()).isEmpty(), "the tests themselves run under MPI");
        assertFalse(MpiRanks.probe().available());
        BackendUnavailableException thrown = assertThrows(BackendUnavailableException.class,
                () -> MpiRanks.run(Configuration.load(), communicator -> null));
        assertTrue(thrown.getMessage().contains("no launcher of MPI has started this process"), thrown.getMessage());
    }

    @Test
    void launchersAreToldByTheirVariables() {
        assertEquals(Optional.empty(), MpiEnvironment.of(Map.of("PATH", "/bin")));
        assertEquals(Optional.empty(), MpiEnvironment.of(Map.of("PMI_SIZE", "many")));
        assertEquals(Optional.empty(), MpiEnvironment.of(Map.of("SLURM_NTASKS", "4")));
        MpiEnvironment open = MpiEnvironment.of(Map.of("OMPI_COMM_WORLD_SIZE", "6",
                "OMPI_COMM_WORLD_LOCAL_SIZE", "3", "OMPI_COMM_WORLD_RANK", "5")).orElseThrow();
        assertEquals(6, open.size());
        assertEquals(5, open.rank());
        assertEquals(3, open.localSize());
        assertTrue(open.libraries().getFirst().startsWith("libmpi.so.40"));
        MpiEnvironment mpich = MpiEnvironment.of(Map.of("PMI_SIZE", "2")).orElseThrow();
        assertEquals(2, mpich.localSize());
        assertEquals(-1, mpich.rank());
        assertTrue(mpich.libraries().getFirst().startsWith("libmpich"));
        assertEquals(5, MpiEnvironment.of(Map.of("SLURM_NTASKS", "5", "SLURM_PROCID", "0", "PMIX_RANK", "0"))
                .orElseThrow().size());
    }

    @Test
    void missingLibrariesAreNamed() {
        BackendUnavailableException thrown = assertThrows(BackendUnavailableException.class,
                () -> MpiLibrary.load(List.of("libno-such-mpi.so")));
        assertTrue(thrown.getMessage().contains("libno-such-mpi.so"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("trellis.mpi.library"), thrown.getMessage());
    }

    /** A graph that no rank has whole, divided by a library that calls MPI itself. */
    @Test
    void ptScotchDividesWhatNoRankHas() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        requireDivided("ptscotch", MpiLauncher.OPEN_MPI.run(3, PATIENT, "ptscotch"));
    }

    /** A library that takes the memory of devices; that of emulated ones is the host's. */
    @ParameterizedTest
    @MethodSource("launchers")
    void sendsFromTheMemoryOfDevices(MpiLauncher launcher) {
        assumeInstalled(launcher);
        MpiLauncher.Result result = launcher.run(2, PATIENT, "devices");
        assumeFalse(result.output().contains("no C++ compiler"), result.output());
        assertEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("transport mpi, from the device's memory by the host's library, right "
                + "to 1e-12: true, 4 messages"), result.output());
    }

    /** Debian's libraries are built without CUDA, and report it. */
    @Test
    void devicesAreRefusedByLibrariesThatDoNotTakeThem() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        MpiLauncher.Result result = MpiLauncher.OPEN_MPI.run(2, PATIENT, "not asked");
        assumeFalse(result.output().contains("no C++ compiler") || result.code() == 0, result.output());
        assertTrue(result.output().contains("does not say that it takes their memory"), result.output());
    }

    /** It asks for the graph by calls back. */
    @Test
    @Tag("nightly")
    void zoltanDividesWhatNoRankHas() {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        requireDivided("zoltan", MpiLauncher.OPEN_MPI.run(3, PATIENT, "zoltan"));
    }

    /** Where ParMETIS is not installed, PT-Scotch's function of the same name and arguments stands in for it. */
    @Test
    @Tag("nightly")
    void parMetisDividesWhatNoRankHas(@TempDir Path folder) throws IOException {
        assumeInstalled(MpiLauncher.OPEN_MPI);
        if (!ParallelPartitioner.PARMETIS.installed().available()) {
            Path scotch = Path.of(ParallelPartitioner.PTSCOTCH.installed().reason());
            Path standIn = scotch.resolveSibling(scotch.getFileName().toString().replace("libptscotch",
                    "libptscotchparmetisv3"));
            assumeTrue(Files.exists(standIn), "neither ParMETIS nor " + standIn + " is there");
            Files.createSymbolicLink(folder.resolve("libparmetis.so"), standIn);
        }
        requireDivided("parmetis", MpiLauncher.OPEN_MPI.runWith(folder, 3, PATIENT, "parmetis"));
    }

    private static void requireDivided(String partitioner, MpiLauncher.Result result) {
        assertEquals(0, result.code(), result.output());
        assumeFalse(result.output().contains("not available"), result.output());
        Matcher lines = Pattern.compile("(\\w+) cut (\\d+) counted (\\d+) imbalance ([0-9.]+) sum ([0-9.]+)")
                .matcher(result.output());
        int count = 0;
        int[] cuts = new int[3];
        while (lines.find()) {
            assertEquals(count < 2 ? partitioner : "multilevel", lines.group(1), result.output());
            cuts[count++] = Integer.parseInt(lines.group(2));
            assertEquals(lines.group(2), lines.group(3), result.output());
            assertTrue(Double.parseDouble(lines.group(4)) < 1.06, result.output());
            assertEquals(3600 * 3599 / 2.0, Double.parseDouble(lines.group(5)), result.output());
        }
        assertEquals(3, count, result.output());
        // Straight cuts are of 120 edges, the best have some 100. The library's parts are not the same each time.
        assertTrue(cuts[0] < 180 && cuts[1] < 180 && cuts[2] < 180, result.output());
        Matcher matrix =
                Pattern.compile("matrix entries (\\d+) cut (\\d+) imbalance ([0-9.]+)").matcher(result.output());
        assertTrue(matrix.find(), result.output());
        assertEquals(5 * 3600 - 4 * 60, Integer.parseInt(matrix.group(1)), result.output());
        assertTrue(Integer.parseInt(matrix.group(2)) < 180 && Double.parseDouble(matrix.group(3)) < 1.06,
                result.output());
    }

    /** Its handles mean nothing to another library. */
    @Test
    @Tag("nightly")
    void ptScotchOfAnotherLibraryIsRefused() {
        assumeInstalled(MpiLauncher.MPICH);
        MpiLauncher.Result result = MpiLauncher.MPICH.run(2, PATIENT, "ptscotch");
        for (int again = 0; again < 3 && result.code() != 0 && result.output().isBlank(); again++) {
            // The launcher ends all processes when one fails, at times before it has passed on what that one said.
            result = MpiLauncher.MPICH.run(2, PATIENT, "ptscotch");
        }
        assumeFalse(result.output().contains("not available") || result.output().contains("ptscotch cut"),
                result.output());
        assertNotEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("was built for another MPI library"), result.output());
    }

    @Test
    void ptScotchIsRefusedOnThreads() {
        ThreadRanks.run(2, communicator -> {
            assertTrue(assertThrows(BackendUnavailableException.class,
                    () -> ParallelPartitioner.PTSCOTCH.partition(communicator, new int[]{0}, new int[0], 2, 1.1))
                    .getMessage()
                    .contains("ranks communicate by threads"));
            assertThrows(IllegalArgumentException.class,
                    () -> ParallelPartitioner.PTSCOTCH.partition(communicator, new int[]{0}, new int[0], 0, 1.1));
            assertThrows(IllegalArgumentException.class,
                    () -> ParallelPartitioner.PTSCOTCH.partition(communicator, new int[]{0}, new int[0], 2, 0.9));
            return null;
        });
    }
}
