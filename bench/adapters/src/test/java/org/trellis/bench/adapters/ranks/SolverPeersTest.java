package org.trellis.bench.adapters.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.peer.solver.SolverPeers;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.memory.HostVector;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** hypre and PETSc where they are installed; skipped elsewhere. */
class SolverPeersTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static SolverPeer installed(String name) {
        SolverPeer peer = SolverPeers.named(name);
        assumeTrue(peer.probe().available(), () -> name + ": " + peer.probe().reason());
        return peer;
    }

    private static boolean canStartTwo() {
        return MpiLauncher.find(MpiLauncher.OPEN_MPI, Optional.ofNullable(System.getenv("PATH")).orElse(""))
                .isPresent();
    }

    private JsonNode solve(String... arguments) throws IOException {
        Path json = folder.resolve("solve.json");
        String[] all = new String[arguments.length + 6];
        String[] first = {"solve", "-q", "--backend", "reference", "--json", json.toString()};
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(arguments, 0, all, first.length, arguments.length);
        int code = TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), all);
        assertEquals(ExitCode.OK, code, () -> err + "\n" + out);
        return new ObjectMapper().readTree(json.toFile());
    }

    private static void check(JsonNode document, int contenders, int processes) {
        assertEquals(contenders, document.get("contenders").size(), document::toString);
        for (JsonNode one : document.get("contenders")) {
            assertTrue(one.get("converged").asBoolean(), one::toString);
            assertTrue(one.get("relativeResidual").asDouble() <= 1e-8, one::toString);
            assertTrue(one.get("largestError").asDouble() < 1e-4, one::toString);
            if (one.has("peer")) {
                assertEquals(processes, one.get("peerProcesses").asInt());
                assertEquals(2, one.get("allSetupSeconds").size(), one::toString);
                assertEquals(2, one.get("allSolveSeconds").size(), one::toString);
                assertTrue(one.get("solveSeconds").asDouble() > 0 && one.get("setupSeconds").asDouble() > 0,
                        one::toString);
            }
        }
    }

    /** Conjugate gradients are the same in exact arithmetic, in any library. */
    @Test
    void takesAsManyIterationsAsWeDo() throws IOException {
        compareIterations("hypre");
    }

    @Test
    @Tag("nightly")
    void petscTakesAsManyIterationsAsWeDo() throws IOException {
        compareIterations("petsc");
    }

    private void compareIterations(String name) throws IOException {
        installed(name);
        JsonNode document = solve("poisson2d:nx=25", "--peer", name, "--peer-processes", "1", "--compare",
                "cg,cg+amg", "--rounds", "2");
        check(document, 4, 1);
        JsonNode own = document.get("contenders").get(0);
        JsonNode other = document.get("contenders").get(2);
        assertEquals(own.get("iterations").asInt(), other.get("iterations").asInt(), 1, other::toString);
        assertEquals(own.get("preconditioner"), other.get("preconditioner"));
        assertTrue(other.get("name").asText().startsWith(name + ": "), other::toString);
        assertTrue(document.get("contenders").get(3).get("iterations").asInt() < 20, document::toString);
    }

    /** A convection from one end of a line to the other. */
    private Path unsymmetric() throws IOException {
        int rows = 400;
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real general\n");
        text.append(rows).append(' ').append(rows).append(' ').append(3 * rows - 2).append('\n');
        for (int i = 1; i <= rows; i++) {
            text.append(i).append(' ').append(i).append(" 3\n");
            if (i < rows) {
                text.append(i).append(' ').append(i + 1).append(" -0.5\n");
                text.append(i + 1).append(' ').append(i).append(" -2\n");
            }
        }
        return Files.writeString(folder.resolve("convection.mtx"), text);
    }

    @Test
    void dividesASystemAmongProcesses() throws IOException {
        installed("hypre");
        assumeTrue(canStartTwo(), "no launcher of Open MPI is installed");
        check(solve("elasticity3d:nx=3", "--peer", "hypre", "--peer-processes", "2", "--preconditioner", "amg",
                "--preconditioner-option", "block-size=3", "--rounds", "2"), 2, 2);
    }

    @Test
    @Tag("nightly")
    void dividesSystemsAmongProcesses() throws IOException {
        divide("hypre");
    }

    /** By the same protocol. */
    @Test
    @Tag("nightly")
    void petscDividesSystemsAmongProcesses() throws IOException {
        divide("petsc");
    }

    private void divide(String name) throws IOException {
        installed(name);
        assumeTrue(canStartTwo(), "no launcher of Open MPI is installed");
        // Elasticity has three unknowns a node.
        check(solve(unsymmetric().toString(), "--peer", name, "--peer-processes", "2", "--compare",
                "gmres+ilu0,bicgstab+jacobi", "--rounds", "2"), 4, 2);
        check(solve("elasticity3d:nx=5", "--peer", name, "--peer-processes", "2", "--preconditioner", "amg",
                "--preconditioner-option", "block-size=3", "--rounds", "2"), 2, 2);
    }

    @Test
    void takesOptionsAndSaysWhatItLacks() throws IOException {
        installed("hypre");
        JsonNode document = solve("poisson3d:nx=12", "--peer", "hypre", "--peer-processes", "1", "--preconditioner",
                "amg", "--peer-option", "hypre.strong_threshold=0.4", "--rounds", "2");
        check(document, 2, 1);
        String notes = document.get("contenders").get(1).get("notes").toString();
        assertTrue(notes.contains("strong_threshold=0.4") && notes.contains("coarsen_type=10"), notes);
        SolverPeer hypre = SolverPeers.named("hypre");
        try (PeerSystem system = new PeerSystem(CsrMatrix.identity(4, Precision.F64),
                HostVector.zeros(Precision.F64, 4), true)) {
            PeerSettings settings = new PeerSettings(1, 1, Map.of("strength", "1"));
            SolverConfig stack = SolverConfig.of("cg", "jacobi");
            String message = assertThrows(IllegalArgumentException.class,
                    () -> hypre.describe(stack, system, settings)).getMessage();
            assertTrue(message.contains("no option 'strength', expected one of [strong_threshold"), message);
            assertTrue(hypre.objection(SolverConfig.of("cg", "ssor"), system).orElseThrow()
                    .contains("expected one of none, jacobi, ilu0, amg"));
            assertTrue(SolverPeers.named("petsc").objection(SolverConfig.of("cg", "ssor"), system).isEmpty());
            assertTrue(hypre.objection(SolverConfig.of("minres", "none"), system).orElseThrow()
                    .contains("nothing to set against method minres"));
        }
    }

    /** Something that no tolerance ends, and a process that goes in the middle of it. */
    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"hypre", "petsc"})
    void saysThatAProcessWasKilled(String name) throws Exception {
        SolverPeer peer = installed(name);
        int processes = canStartTwo() ? 2 : 1;
        CsrMatrix matrix = new MatrixLocator(Configuration.load(),
                ReadOptions.DEFAULT).locate("poisson2d:nx=300").getFirst()
                .load(ProgressListener.NONE);
        SolverConfig stack = new SolverConfig("gmres", Map.of(), "none", Map.of(),
                StoppingCriteria.relative(1e-300, Integer.MAX_VALUE), false, false);
        try (PeerSystem system = new PeerSystem(matrix, matrix.multiply(HostVector.zeros(Precision.F64,
                matrix.rows()).fill(1)), true);
                PeerSession session = peer.open(stack, system,
                        new PeerSettings(processes, 1, Map.of()))) {
            assertTrue(Files.size(system.file()) > matrix.nonZeros() * Double.BYTES);
            ProcessHandle victim = ProcessHandle.of(((RankSession) session).job().hello().pid()).orElseThrow();
            Thread killer = new Thread(() -> {
                sleep();
                victim.destroyForcibly();
            });
            killer.start();
            String message = assertThrows(PeerFailedException.class, () -> session.solve(60)).getMessage();
            assertTrue(message.startsWith("peer " + name + " (" + processes + " process")
                    && message.contains("lost a process in the middle of a solution"), message);
            killer.join();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(300);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
