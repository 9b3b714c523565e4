package org.trellis.bench.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;
import org.trellis.testing.JsonSchemas;
import org.xml.sax.InputSource;

/** Scaling as a user meets it, and its arithmetic by hand. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ScalingCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    private static List<String> texts(JsonNode array, String name) {
        List<String> found = new ArrayList<>();
        array.forEach(each -> found.add(each.get(name).asText()));
        return found;
    }

    @Test
    void everyProgramOnEveryNumberOfRanks() throws Exception {
        Path json = folder.resolve("scaling.json");
        Path html = folder.resolve("scaling.html");
        assertEquals(ExitCode.OK, run("scaling", "poisson2d:nx=6", "poisson2d:nx=12", "--ranks", "3,1", "--programs",
                "chebyshev,products,cg,amg-cg", "--seconds", "0", "--steps", "6", "--rounds", "1", "--iterations",
                "20", "--rings", "1,2,auto", "--json", json.toString(), "--html", html.toString(), "--transports",
                "-q"),
                err::toString);
        JsonNode root = new ObjectMapper().readTree(Files.readString(json));
        assertEquals("trellis-scaling-results", root.get("format").asText());
        JsonNode cases = root.get("cases");
        assertEquals(2 * 2 * 5, cases.size(), "set-up and solution of multigrid are two");
        assertEquals(List.of("chebyshev", "products", "cg", "amg-cg", "amg-cg"), texts(cases, "program").subList(0, 5));
        assertEquals(List.of("step", "step", "iteration", "set-up", "solution"), texts(cases, "unit").subList(5, 10));
        JsonNode alone = cases.get(0);
        JsonNode three = cases.get(5);
        assertEquals(List.of("1"), texts(alone.get("variants"), "rings"));
        assertEquals(1, alone.get("variants").get(0).get("speedUp").asDouble(), "compared with itself");
        assertEquals(3, three.get("ranks").asInt());
        assertEquals(List.of("false", "false", "true"), texts(three.get("variants"), "chosen"));
        assertTrue(three.get("variants").get(1).get("predictedSeconds").asDouble() > 0);
        double speedUp = alone.get("variants").get(0).get("medianSeconds").asDouble()
                / three.get("variants").get(0).get("medianSeconds").asDouble();
        assertEquals(speedUp, three.get("variants").get(0).get("speedUp").asDouble(), 1e-12 * speedUp);
        assertTrue(cases.get(4).get("iterations").asInt() > 0);
        assertEquals(5, root.get("crossovers").size());
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(
                new InputSource(new StringReader(Files.readString(html).replaceFirst("<!DOCTYPE html>", ""))));
        assertTrue(out.toString().contains("cg, an iteration"), out::toString);
        assertEquals(List.of("3"), texts(root.get("transports"), "ranks"), "one rank sends nothing");
        JsonNode transports = root.get("transports").get(0).get("measured");
        assertEquals(List.of("channel"), texts(transports, "transport"), "ranks on the host have no other");
        assertTrue(
                transports.get(0).get("latencySeconds").asDouble() > 0 && transports.get(0).get("messages").size() > 1,
                transports::toString);
        assertTrue(out.toString().contains("messages between 3 ranks over threads"), out::toString);
    }

    @Test
    void matricesGrowWithRanks() throws Exception {
        Path json = folder.resolve("weak.json");
        assertEquals(ExitCode.OK, run("scaling", "poisson2d:nx=5", "--weak", "--ranks", "1,4", "--programs", "products",
                "--seconds", "0", "--steps", "2", "--rings", "1", "--json", json.toString()), err::toString);
        JsonNode cases = new ObjectMapper().readTree(Files.readString(json)).get("cases");
        assertEquals(List.of("25", "100"), texts(cases, "rows"));
        JsonNode variant = cases.get(1).get("variants").get(0);
        assertEquals(4 * variant.get("efficiency").asDouble(), variant.get("speedUp").asDouble(), 1e-12);
    }

    private static Case of(long nonZeros, int ranks, double one, double chosen) {
        List<Variant> variants = ranks == 1
                ? List.of(new Variant(1, false, one, one, Double.NaN))
                : List.of(new Variant(1, false, one, one, 2 * one), new Variant(4, true, chosen, chosen, chosen));
        return new Case("g", "g:n=" + nonZeros, nonZeros, nonZeros, "products", "step", ranks, "threads", variants, 0,
                null, null);
    }

    /** Gains of 1/2 and 2 cross in the middle of the logarithms of 100 and 10,000, which is 1000. */
    @Test
    void sizesAreFoundBetweenThoseThatWereTried() {
        ScalingReport report = new ScalingReport(new ScalingReport.Setup("blocks", "f64", 1, 4, false),
                List.of(of(10_000, 1, 4, 0), of(10_000, 2, 2, 1), of(100, 1, 1, 0), of(100, 2, 2, 0.5)), List.of());
        List<Crossover> found = Crossover.of(report);
        assertEquals(1, found.size());
        assertEquals(1000, found.getFirst().plain(), 1e-6);
        assertEquals(0, found.getFirst().chosen(), "faster at both sizes");
        assertEquals("from 1,000 non-zeros on", ScalingText.from(found.getFirst(), found.getFirst().plain()));
        assertEquals("for all of 100 to 10,000 non-zeros", ScalingText.from(found.getFirst(), 0));
        Case two = report.cases().get(1);
        assertEquals(4, report.speedUp(two, two.best().orElseThrow()), 1e-15);
        assertEquals(2, report.efficiency(two, two.best().orElseThrow()), 1e-15);
        assertEquals(1, two.variants().getFirst().error(), 1e-15);
        ScalingReport slower = new ScalingReport(report.setup(),
                List.of(of(10, 1, 1, 0), of(10, 2, 2, 2), of(20, 1, 1, 0), of(20, 2, 2, 2)), List.of());
        assertEquals(Double.POSITIVE_INFINITY, Crossover.of(slower).getFirst().plain());
    }

    @Test
    void whatCannotBeRunIsSaidAndTheRestIs() throws Exception {
        Path json = folder.resolve("some.json");
        // Rows of a random matrix seldom meet the diagonal.
        assertEquals(ExitCode.FAILED, run("scaling", "random:rows=40,mean=3", "--ranks", "2", "--programs",
                "jacobi,products", "--seconds", "0", "--steps", "2", "--rings", "1", "--json", json.toString()));
        JsonNode cases = new ObjectMapper().readTree(Files.readString(json)).get("cases");
        assertTrue(cases.get(0).get("refusal").asText().contains("no element on the diagonal"), cases::toString);
        assertEquals(1, cases.get(1).get("variants").size());
        assertTrue(out.toString().contains("jacobi on 2 ranks, random:rows=40,mean=3: not run"), out::toString);
    }

    @Test
    void emptyMatricesAreRefused() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.mtx"),
                "%%MatrixMarket matrix coordinate real general\n3 3 0\n");
        assertEquals(ExitCode.FAILED, run("scaling", empty.toString(), "-q"));
        assertTrue(err.toString().contains("has no entries, expected one or more"), err::toString);
    }

    @Test
    void solutionsThatDoNotConvergeAreSaid() {
        assertEquals(ExitCode.NOT_CONVERGED, run("scaling", "poisson2d:nx=40", "--ranks", "1", "--programs", "amg-cg",
                "--rounds", "1", "--iterations", "1"));
        assertTrue(out.toString().contains("amg-cg on 1 rank, poisson2d:nx=40:"), out::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "scaling x --ranks 1,0 | number of ranks is 0, expected 1 to 1024",
        "scaling x --programs sums | program is 'sums', expected one of products, jacobi, chebyshev, cg",
        "scaling x --rings many | number of rings is 'many', expected 1 to 64, or auto",
        "scaling x --steps 0 | number of steps is 0, expected at least 1",
        "scaling x --transport mpi | --transport mpi of scaling, expected threads or gpus",
        "scaling x --partitioner zzz | zzz",
        "scaling bcsstk10 --weak | bcsstk10",
        "scaling x --transport gpus --latency 1us | a latency of 1 us between GPUs"
    })
    void wrongOptionsAreRefused(String line, String message) {
        assertEquals(ExitCode.USAGE, run(line.split(" ", -1)));
        assertTrue(err.toString().contains(message), err::toString);
    }
}
