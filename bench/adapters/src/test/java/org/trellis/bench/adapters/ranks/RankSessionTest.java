package org.trellis.bench.adapters.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSolution;
import org.trellis.solve.StoppingCriteria;

/** What processes say, and what becomes of those that do not, without any library. */
class RankSessionTest {
    @TempDir
    private Path folder;

    @MustBeClosed
    private RankSession start(String say) throws IOException {
        Path system = folder.resolve("system.bin");
        if (!Files.exists(system)) {
            Files.createFile(system);
        }
        RankChoice choice = new RankChoice("guessing", "none", Map.of(FakeRank.SAY, say), 1,
                StoppingCriteria.relative(1e-8, 100));
        return RankSession.start(
                new RankSession.Plan("fake", FakeRank.class, List.of("fake"), 1, Optional.empty()), choice, system, 3,
                List.of("a note"));
    }

    @Test
    void readsWhatAProcessSays() throws IOException {
        try (RankSession session = start("answer")) {
            for (int round = 0; round < 2; round++) {
                PeerSolution solution = session.solve(60);
                assertEquals(0.25, solution.setupSeconds());
                assertEquals(1.5, solution.solveSeconds());
                assertEquals(12, solution.iterations());
                assertTrue(solution.converged());
                assertTrue(Double.isNaN(solution.residual()));
                assertEquals("fine", solution.reason());
            }
            assertEquals("fake 1", session.library());
            assertEquals(List.of("a note", "fake 1 under no MPI with say=answer"), session.notes());
        }
    }

    @ParameterizedTest
    @CsvSource({"no hello,ended with 5 before its processes were there", "no library,cannot begin: no such file",
        "stranger,was called by a process that is none of its own"})
    void saysWhyNothingBegan(String say, String expected) {
        String message = assertThrows(PeerFailedException.class, () -> {
            try (RankSession session = start(say)) {
                session.solve(1);
            }
        }).getMessage();
        assertTrue(message.startsWith("peer fake (1 process) " + expected), message);
        assertTrue(message.endsWith("its last words:\nmy last words"), message);
    }

    @ParameterizedTest
    @CsvSource({"die,lost a process in the middle of a solution", "error,failed: HYPRE_Oops returned 1",
        "garbage,'said ''done, I think'', expected a Answer as JSON'"})
    void saysWhyASolutionFailed(String say, String expected) throws IOException {
        try (RankSession session = start(say)) {
            String message = assertThrows(PeerFailedException.class, () -> session.solve(60)).getMessage();
            assertTrue(message.startsWith("peer fake (1 process) " + expected), message);
        }
    }

    @Test
    void endsAProcessThatIsNotDone() throws IOException {
        long pid;
        try (RankSession session = start("sleep")) {
            pid = session.job().hello().pid();
            assertTrue(ProcessHandle.of(pid).isPresent());
            String message = assertThrows(PeerFailedException.class, () -> session.solve(0.2)).getMessage();
            assertTrue(message.contains("was not done after 0.2 s, the time that is allowed"), message);
        }
        assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    }

    @Test
    void looksForLibrariesInAProcess() {
        assertEquals("fake 1", RankJvm.find(FakeRank.class, List.of("any")).library());
        String error = RankJvm.find(FakeRank.class, List.of("nothing")).error();
        assertTrue(error.startsWith("the process that looked for it ended with 7"), error);
    }

    @Test
    void findsTheLauncherOfAFamily() throws IOException {
        for (String name : List.of("mpirun", "mpiexec.mpich", "mpirun.openmpi")) {
            assertTrue(Files.createFile(folder.resolve(name)).toFile().setExecutable(true));
        }
        String path = "/no/such/folder" + java.io.File.pathSeparator + folder;
        assertEquals(folder.resolve("mpiexec.mpich"), MpiLauncher.find("mpich", path).orElseThrow().command());
        MpiLauncher openMpi = MpiLauncher.find("openmpi", path).orElseThrow();
        assertEquals(folder.resolve("mpirun.openmpi"), openMpi.command());
        assertTrue(openMpi.line(3).containsAll(List.of("-n", "3", "--bind-to")), openMpi.line(3)::toString);
        assertTrue(MpiLauncher.find("mpich", "/no/such/folder").isEmpty());
        Map<String, String> environment = new HashMap<>(Map.of("OMPI_COMM_WORLD_SIZE", "4", "OMPI_MCA_pml", "ucx",
                "PMI_RANK", "1", "PATH", "/bin", "OMP_NUM_THREADS", "8"));
        MpiLauncher.prepare(environment);
        assertFalse(environment.containsKey("OMPI_COMM_WORLD_SIZE") || environment.containsKey("PMI_RANK"));
        assertEquals("ucx", environment.get("OMPI_MCA_pml"));
        assertEquals("1", environment.get("OMP_NUM_THREADS"));
    }
}
