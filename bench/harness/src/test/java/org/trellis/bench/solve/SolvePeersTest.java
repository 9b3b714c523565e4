package org.trellis.bench.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.testing.JsonSchemas;

/** Other libraries beside Trellis on the command line, in the shape of {@link FakePeers}. */
class SolvePeersTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 5];
        String[] first = {"solve", "-q", "--backend", "reference", "poisson2d:nx=8"};
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(arguments, 0, all, first.length, arguments.length);
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), all), all);
    }

    @Test
    void solveInTurnsAndAreJudgedHere() throws IOException {
        Path json = folder.resolve("solve.json");
        Path html = folder.resolve("solve.html");
        Path plot = folder.resolve("plot.png");
        assertEquals(ExitCode.OK, run("--peer", "guessing", "--peer-processes", "5", "--peer-option",
                "guessing.hue=pink", "--compare", "cg,cg+none", "--json", json.toString(), "--html", html.toString(),
                "--plot", plot.toString()), err::toString);
        JsonNode contenders = new ObjectMapper().readTree(json.toFile()).get("contenders");
        // Both variants of conjugate gradients are the same to it.
        assertEquals(3, contenders.size());
        assertEquals("cg + jacobi", contenders.get(0).get("name").asText());
        assertFalse(contenders.get(0).has("peer"));
        assertEquals(3, contenders.get(0).get("allSetupSeconds").size());
        JsonNode guess = contenders.get(2);
        assertEquals("guessing: guess", guess.get("name").asText());
        assertEquals("guessing", guess.get("peer").asText());
        assertEquals("Crystal Ball 1.0", guess.get("peerLibrary").asText());
        assertEquals(5, guess.get("peerProcesses").asInt());
        assertEquals("with {hue=pink}", guess.get("notes").get(0).asText());
        assertEquals(7, guess.get("iterations").asInt());
        assertEquals(0, guess.get("relativeResidual").asDouble());
        assertEquals(0, guess.get("largestError").asDouble());
        // The first of three rounds does not count.
        assertEquals("[2.0,4.0,6.0]", guess.get("allSolveSeconds").toString());
        assertEquals(5, guess.get("solveSeconds").asDouble());
        assertEquals(1.25, guess.get("setupSeconds").asDouble());
        assertEquals(2, guess.get("residualHistory").size());
        assertTrue(Files.readString(html).contains("guessing: guess") && Files.size(plot) > 1000);
    }

    @Test
    void convergeByTheRecomputedResidual() throws IOException {
        Path json = folder.resolve("solve.json");
        assertEquals(ExitCode.NOT_CONVERGED, run("--method", "cg", "--peer", "wrong", "--rounds", "1",
                "--json", json.toString()));
        JsonNode wrong = new ObjectMapper().readTree(json.toFile()).get("contenders").get(1);
        assertEquals("stagnated", wrong.get("status").asText());
        assertEquals(1, wrong.get("relativeResidual").asDouble());
        assertTrue(wrong.get("detail").asText().startsWith(
                "Crystal Ball 1.0 says 'guessed' with a relative residual of 1.000e-09; that recomputed from its "
                        + "solution is 1.000e+00"),
                wrong::toString);
    }

    @Test
    void oneThatFailsIsLeftOutAndTheOthersGoOn() {
        assertEquals(ExitCode.FAILED, run("--method", "cg", "--peer", "missing,failing,guessing"));
        assertTrue(err.toString().contains("peer missing is left out: its library is not installed, "
                + "`apt-get install libmissing` brings it"), err::toString);
        assertTrue(err.toString().contains(
                "peer failing beside cg with jacobi is left out: lost a process in the middle of a solution"),
                err::toString);
        assertTrue(out.toString().contains("guessing: guess") && out.toString().contains("cg + jacobi"), out::toString);
        assertFalse(out.toString().contains("failing:"), out::toString);
        assertEquals(ExitCode.FAILED, run("--peer", "guessing", "--method", "gmres"));
        assertTrue(err.toString().contains("peer guessing beside gmres with jacobi is left out: it has nothing to set "
                + "against method gmres"), err::toString);
    }

    @Test
    void refusesWhatDoesNotGoTogether() {
        usage("peer 'nope' solves no systems, expected one of", "--peer", "nope");
        usage("without --peer", "--peer-processes", "2");
        usage("is -1, expected at least 1", "--peer", "guessing", "--peer-processes", "-1");
        usage("expected f64: peers know no other", "--peer", "guessing", "--precision", "f32");
        usage("--peer-option other.x is for none of [guessing]", "--peer", "guessing", "--peer-option", "other.x=1");
    }

    private void usage(String expected, String... arguments) {
        assertEquals(ExitCode.USAGE, run(arguments), err::toString);
        assertTrue(err.toString().contains(expected), err::toString);
    }
}
