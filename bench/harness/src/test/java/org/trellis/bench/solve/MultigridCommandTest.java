package org.trellis.bench.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.testing.JsonSchemas;

/** Multigrid on the command line: options, files, what is refused, and the levels in reports. */
class MultigridCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] all = new String[arguments.length + 4];
        all[0] = "solve";
        all[1] = "-q";
        all[2] = "--backend";
        all[3] = "threads";
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), all), all);
    }

    private JsonNode solved(String... arguments) throws IOException {
        Path json = folder.resolve("solve.json");
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--json";
        all[arguments.length + 1] = json.toString();
        assertEquals(ExitCode.OK, run(all), err::toString);
        return new ObjectMapper().readTree(json.toFile());
    }

    @Test
    void reportsLevels() throws Exception {
        Path html = folder.resolve("levels.html");
        JsonNode document = solved("poisson2d:nx=40", "--method", "multigrid", "--cycle", "w", "--smoother",
                "ssor,order=natural", "--preconditioner-option", "coarse-rows=20", "--html", html.toString());
        assertEquals("multigrid", document.get("method").asText());
        assertEquals("amg", document.get("preconditioner").asText());
        assertEquals("W(1,1)", document.get("cycle").asText());
        JsonNode levels = document.get("levels");
        assertTrue(levels.size() >= 3, document::toString);
        double rows = 0;
        double nonZeros = 0;
        for (JsonNode level : levels) {
            rows += level.get("rows").asInt();
            nonZeros += level.get("nonZeros").asInt();
            assertTrue(level.get("secondsPerCycle").asDouble() > 0 && level.get("bytes").asLong() > 0, level::toString);
            assertFalse(level.get("product").asText().isEmpty());
        }
        assertTrue(levels.get(0).get("smoother").asText().startsWith("ssor"), levels::toString);
        assertEquals("inverse", levels.get(levels.size() - 1).get("smoother").asText());
        assertEquals(rows / 1600, document.get("gridComplexity").asDouble(), 1e-12);
        assertEquals(nonZeros / 7840, document.get("operatorComplexity").asDouble(), 1e-12);
        for (String phase : new String[]{"strength", "aggregation", "prolongator", "galerkin"}) {
            assertTrue(document.get("multigridSetupSeconds").get(phase).asDouble() > 0, phase);
        }
        assertEquals(0, document.get("cycleVisits").get(0).asInt());
        assertTrue(out.toString().contains("operator complexity"), out::toString);
        String page = Files.readString(html);
        assertTrue(page.contains("A cycle with the time of each level"), page);
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(
                page.substring(page.indexOf('\n') + 1).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void takesCoarseningAndPreset() throws IOException {
        JsonNode classical = solved("poisson2d:nx=30", "--preset", "multigrid", "--coarsening", "classical");
        assertEquals("classical", classical.get("coarsening").asText());
        JsonNode reduced = solved("convection2d:nx=40,epsilon=1e-4", "--method", "gmres", "--preconditioner", "amg",
                "--coarsening", "air", "--smoother", "fc-gauss-seidel,f-sweeps=1");
        assertEquals("air", reduced.get("coarsening").asText());
        assertEquals("V(0,1)", reduced.get("cycle").asText());
        assertTrue(reduced.get("levels").get(0).get("smoother").asText().startsWith("fc-gauss-seidel"),
                reduced::toString);
        JsonNode plain = solved("poisson2d:nx=30", "--method", "fcg", "--preconditioner", "amg", "--coarsening",
                "aggregation");
        assertTrue(plain.get("cycle").asText().startsWith("K"), plain::toString);
        assertEquals(ExitCode.OK,
                run("poisson2d:nx=12", "--compare", "cg,fcg+amg,multigrid", "--rounds", "1",
                        "--cycle", "f"),
                err::toString);
    }

    @Test
    void automaticTakesMultigridWhereItFits() throws IOException {
        JsonNode large = solved("poisson2d:nx=150", "--method", "auto");
        assertTrue(large.get("notes").toString().contains("cg with amg, since couplings are mostly negative"),
                large::toString);
        assertTrue(large.get("levels").size() > 1 && large.get("iterations").asInt() < 20, large::toString);
        JsonNode small = solved("poisson2d:nx=20", "--method", "auto");
        assertFalse(small.get("notes").toString().contains("amg"), small::toString);
    }

    /** Writes coordinates of the free nodes of {@code elasticity2d:nx=n}, whose left side is fixed. */
    private Path coordinates(int n) throws IOException {
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix array real general\n" + n * (n + 1) + " 2\n");
        for (int direction = 0; direction < 2; direction++) {
            for (int node = 0; node < n * (n + 1); node++) {
                text.append(direction == 0 ? node % n + 1 : node / n).append('\n');
            }
        }
        return Files.writeString(folder.resolve("nodes.mtx"), text);
    }

    @Test
    void rigidBodyModesNeedAThirdOfTheIterations() throws IOException {
        String[] problem = {"elasticity2d:nx=24", "--preconditioner", "amg"};
        int without = solved(problem).get("iterations").asInt();
        String nodes = coordinates(24).toString();
        JsonNode with = solved("elasticity2d:nx=24", "--preconditioner", "amg", "--near-null-space", "rigid-body",
                "--coordinates", nodes);
        assertTrue(3 * with.get("iterations").asInt() <= without, with.get("iterations") + " and " + without);
        assertEquals(0, with.get("levels").get(1).get("rows").asInt() % 3);
        assertEquals(ExitCode.USAGE, run("elasticity2d:nx=24", "--method", "cg", "--near-null-space", "rigid-body",
                "--coordinates", nodes));
        assertEquals(ExitCode.FAILED, run("elasticity2d:nx=23", "--preconditioner", "amg", "--near-null-space",
                "rigid-body", "--coordinates",
                nodes));
        assertTrue(
                err.toString().contains("coordinates of 600 nodes in 2 dimensions for a matrix of 1104 rows, "
                        + "expected 2 unknowns a node, one after the other, so 552 nodes"),
                err::toString);
    }

    @Test
    void readsANearNullSpace() throws IOException {
        Path file = Files.writeString(folder.resolve("space.mtx"),
                "%%MatrixMarket matrix array real general\n64 1\n" + "1\n".repeat(64));
        int one = solved("poisson2d:nx=8", "--preconditioner", "amg", "--near-null-space", file.toString(),
                "--preconditioner-option", "coarse-rows=5").get("iterations").asInt();
        int other = solved("poisson2d:nx=8", "--preconditioner", "amg", "--near-null-space", "constants",
                "--preconditioner-option", "coarse-rows=5").get("iterations").asInt();
        assertEquals(other, one);
        assertEquals(ExitCode.FAILED, run("poisson2d:nx=9", "--preconditioner", "amg", "--near-null-space",
                file.toString()));
        assertTrue(err.toString().contains("near null space of 64 rows and 1 columns, expected as many rows as the "
                + "matrix, 81"), err::toString);
        assertEquals(ExitCode.FAILED, run("elasticity2d:nx=4", "--preconditioner", "amg", "--near-null-space",
                "rigid-body", "--coordinates", file.toString()));
        assertTrue(err.toString().contains("64 rows and 1 columns, expected 2 columns (x, y) or 3"), err::toString);
    }

    @Test
    void refusesWhatMeansNothing() {
        usage("--cycle with preconditioner auto, expected --preconditioner amg or --method multigrid", "--cycle", "v");
        usage("--near-null-space with preconditioner jacobi", "--method", "cg", "--near-null-space", "constants");
        usage("--smoother with preconditioner auto", "--method", "auto", "--smoother", "ssor");
        usage("cycle k of amg, which varies with what it is applied to, expected cycle v or w, or method fcg",
                "--preconditioner", "amg", "--coarsening", "aggregation");
        usage("cycle f of amg, which is not symmetric", "--preconditioner", "amg", "--cycle", "f");
        usage("expected v, w, f or k", "--preconditioner", "amg", "--cycle", "x");
        usage("expected one of smoothed-aggregation", "--preconditioner", "amg", "--coarsening", "odd");
        usage("of multigrid has no option 'sweeps'", "--preconditioner", "amg", "--smoother", "jacobi,sweeps=2");
        usage("rigid-body without --coordinates", "--preconditioner", "amg", "--near-null-space", "rigid-body");
        usage("--coordinates without --near-null-space", "--preconditioner", "amg", "--coordinates", "x.mtx");
        usage("expected one of them", "--preconditioner", "amg", "--cycle", "v", "--preconditioner-option", "cycle=w");
        usage("method multigrid with preconditioner ssor, expected amg", "--method", "multigrid", "--preconditioner",
                "ssor");
        usage("expected one of cg, fcg", "--method", "amg");
        usage("complex-bicgstab, multigrid, s-step, s-step-gmres, direct, qr, tuned, or auto, which chooses",
                "--method", "amg");
    }

    private void usage(String expected, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "poisson2d:nx=4";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        assertEquals(ExitCode.USAGE, run(all), err::toString);
        assertTrue(err.toString().contains(expected), err::toString);
    }

    @Test
    void saysWhatIsWrongWithLevels() {
        assertEquals(ExitCode.OK, run("poisson3d:nx=8,points=27", "--preconditioner", "amg", "--preconditioner-option",
                "theta=0.25", "--preconditioner-option", "coarse-rows=10"), err::toString);
        assertTrue(out.toString().contains("512 of 512 nodes have no strong coupling")
                && out.toString().contains("would be followed by one of 0 rows and is the last; a smaller theta"),
                out::toString);
    }
}
