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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.testing.JsonSchemas;
import org.xml.sax.SAXException;

/** Methods by name, comparisons, configurations and pages on the command line. */
class SolveCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "solve";
        all[1] = "-q";
        all[2] = "--backend";
        all[3] = "reference";
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), all), all);
    }

    private Path unsymmetric() throws IOException {
        return Files.writeString(folder.resolve("upper.mtx"),
                "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 4\n2 2 4\n3 3 4\n1 2 1\n2 3 1\n");
    }

    @Test
    void saysAtOnceThatConjugateGradientsDoNotApply() throws IOException {
        assertEquals(ExitCode.FAILED, run(unsymmetric().toString(), "--method", "cg"));
        assertTrue(err.toString().contains("which is not symmetric: the method does not apply; gmres, bicgstab and "
                + "idr do, and --method auto chooses"), err::toString);
        for (String method : new String[]{"gmres", "fgmres", "bicgstab", "idr", "richardson", "lsqr", "auto"}) {
            assertEquals(ExitCode.OK, run(unsymmetric().toString(), "--method", method), err::toString);
        }
        assertTrue(out.toString().contains("auto: the matrix is not symmetric"), out::toString);
    }

    @Test
    void tunesItself() throws IOException {
        Path profile = folder.resolve("tuned.json");
        Path json = folder.resolve("run.json");
        for (String begin : new String[]{"the diagonal dominates", "by the profile"}) {
            out.getBuffer().setLength(0);
            assertEquals(ExitCode.OK, run(unsymmetric().toString(), "--method", "tuned", "--rounds", "4", "--profile",
                    profile.toString(), "--json", json.toString()), err::toString);
            assertTrue(out.toString().contains(begin) && out.toString().contains("chosen  "), out::toString);
        }
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals("converged", root.findValue("status").asText());
        assertTrue(root.at("/tuning/firstGuess").asText().contains("by the profile"), root::toString);
        assertEquals(4, root.at("/tuning/tried").valueStream().filter(step -> step.get("progress").asDouble() == 1)
                .mapToInt(step -> step.get("solve").asInt()).distinct().count(), root::toString);
        assertTrue(out.toString().contains("chosen            " + root.at("/tuning/chosen").asText()), out::toString);
        assertTrue(out.toString().contains("method            tuned, at first "), out::toString);
        assertEquals(ExitCode.USAGE, run(unsymmetric().toString(), "--method", "tuned", "--preconditioner", "ilu0"));
        assertTrue(err.toString().contains("--method tuned with --preconditioner, which it chooses"), err::toString);
    }

    @Test
    void saysWhatTuningLeavesNoChoiceOf() {
        for (String[] given : new String[][]{{"--option", "restart=5"}, {"--preconditioner-option", "drop=0.1"},
            {"--cycle", "w"}, {"--compare", "cg,gmres"}, {"--preset", "spd"}, {"--config", "none.json"},
            {"--save-config", "some.json"}, {"--mixed-precision"}, {"--survey"}, {"--rings", "2"},
            {"--peer", "guessing"}}) {
            List<String> arguments = new ArrayList<>(List.of("poisson2d:nx=3", "--method", "tuned"));
            arguments.addAll(List.of(given));
            usage("--method tuned with " + given[0] + ", ", arguments.toArray(String[]::new));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tuned", "auto", "cg"})
    void tooLittleTimeIsNoError(String method) {
        assertEquals(ExitCode.NOT_CONVERGED, run("poisson2d:nx=300", "--method", method, "--max-seconds", "1e-6"),
                err::toString);
        assertTrue(out.toString().contains("result            time limit: residual "), out::toString);
    }

    @Test
    void factorises() throws IOException {
        Path json = folder.resolve("direct.json");
        assertEquals(ExitCode.OK, run(unsymmetric().toString(), "--method", "direct", "--rounds", "2", "--json",
                json.toString()), err::toString);
        assertTrue(out.toString().contains("reciprocal about"), out::toString);
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals("product", root.get("matching").asText());
        assertEquals(5, root.get("factorNonZeros").asInt());
        assertTrue(root.get("backwardError").asDouble() < 1e-15, root::toString);
        for (String key : new String[]{"ordering", "flops", "analyseSeconds", "factoriseSeconds", "refactoriseSeconds",
            "solveSeconds", "reciprocalCondition"}) {
            assertTrue(root.hasNonNull(key), key);
        }
        assertEquals(ExitCode.OK, run(unsymmetric().toString(), "--method", "direct", "--option",
                "order=column-minimum-degree", "--option", "pivot-tolerance=1"), err::toString);
        assertTrue(run(unsymmetric().toString(), "--method", "direct", "--option", "order=best") != ExitCode.OK);
        assertTrue(err.toString().contains("--option order=best: expected one of [automatic, natural"), err::toString);
        assertTrue(run(unsymmetric().toString(), "--method", "direct", "--tolerance", "1e-3") != ExitCode.OK);
        Path singular = Files.writeString(folder.resolve("singular.mtx"),
                "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4\n2 1 4\n");
        assertEquals(ExitCode.FAILED, run(singular.toString(), "--method", "direct"));
        assertTrue(err.toString().contains("the structural rank is 1 of 2"), err::toString);
    }

    @Test
    void solvesLeastSquaresOfAnyShape() throws Exception {
        Path wide = Files.writeString(folder.resolve("wide.mtx"),
                "%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 1\n1 2 1\n");
        Path solution = folder.resolve("x.mtx");
        Path json = folder.resolve("qr.json");
        assertEquals(ExitCode.OK, run(wide.toString(), "--method", "qr", "--output", solution.toString(), "--json",
                json.toString()), err::toString);
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals(1, root.get("rank").asInt());
        assertTrue(root.get("backwardError").asDouble() < 1e-15, root::toString);
        // The least norm shares alike; a basic solution has a zero.
        assertEquals(List.of("1", "1"), numbers(solution));
        assertEquals(ExitCode.OK, run(wide.toString(), "--method", "qr", "--option", "solution=basic", "--output",
                solution.toString()), err::toString);
        assertTrue(numbers(solution).contains("0") && numbers(solution).contains("2"), numbers(solution)::toString);
        assertTrue(run(wide.toString(), "--method", "qr", "--option", "solution=least") != ExitCode.OK);
        assertTrue(err.toString().contains("expected one of [automatic, basic, minimum-norm]"), err::toString);
        assertTrue(run(wide.toString(), "--method", "qr", "--preconditioner", "ilu0") != ExitCode.OK);
    }

    /** The elements of a vector, to twelve digits. */
    private static List<String> numbers(Path vector) throws Exception {
        return Files.readAllLines(vector).stream().filter(line -> !line.startsWith("%")).skip(1)
                .map(line -> Long.toString(Math.round(Double.parseDouble(line) * 1e12)))
                .map(number -> number.replaceAll("0{12}$", "")).map(number -> number.isEmpty() ? "0" : number).toList();
    }

    @Test
    void surveysAFolder() throws Exception {
        unsymmetric();
        Files.writeString(folder.resolve("wide.mtx"),
                "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 3 1\n");
        Files.writeString(folder.resolve("torn.mtx"), "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n");
        Path json = folder.resolve("survey.json");
        assertEquals(ExitCode.NOT_CONVERGED, run(folder.resolve("*.mtx").toString(), "--survey", "--method", "auto",
                "--max-seconds", "60", "--json", json.toString()), err::toString);
        assertTrue(out.toString().contains("1 of 3 solved"), out::toString);
        assertTrue(out.toString().contains("is not square"), out::toString);
        JsonNode matrices = new ObjectMapper().readTree(json.toFile()).get("matrices");
        assertEquals(3, matrices.size());
        for (JsonNode row : matrices) {
            if (row.get("matrix").asText().startsWith("upper")) {
                assertEquals("converged", row.get("status").asText());
                assertTrue(row.get("relativeResidual").asDouble() <= 1e-8);
                assertTrue(row.get("solver").asText().startsWith("direct + LU"), row::toString);
            } else {
                assertEquals("not solved", row.get("status").asText());
                assertTrue(!row.get("problem").asText().isEmpty());
            }
        }
        usage("expected one way of solving", folder.toString(), "--survey", "--compare", "cg,gmres");
    }

    @Test
    void comparesInTurnsAndWritesWhatItFound() throws Exception {
        Path json = folder.resolve("solve.json");
        Path html = folder.resolve("solve.html");
        Path plot = folder.resolve("plot.png");
        Path time = folder.resolve("time.png");
        assertEquals(ExitCode.OK, run("poisson2d:nx=12", "--compare", "cg,cg+none,gmres+ssor,auto", "--rounds", "2",
                "--json", json.toString(), "--html", html.toString(), "--plot", plot.toString(), "--plot-time",
                time.toString()), err::toString);
        assertTrue(out.toString().contains("gmres + ssor"), out::toString);
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        assertEquals(4, document.get("contenders").size());
        for (JsonNode contender : document.get("contenders")) {
            assertTrue(contender.get("relativeResidual").asDouble() <= 1e-8, contender::toString);
            assertTrue(contender.get("setupSeconds").asDouble() > 0, contender::toString);
            assertTrue(contender.get("solveSeconds").asDouble() > 0, contender::toString);
            assertEquals(2, contender.get("allSolveSeconds").size());
            assertEquals(contender.get("iterations").asInt(), contender.get("iterationSeconds").size());
            assertEquals(contender.get("iterations").asInt() + 1, contender.get("residualHistory").size());
        }
        assertEquals("cg", document.get("method").asText());
        assertTrue(document.get("contenders").get(3).get("notes").size() > 1);
        assertTrue(Files.size(plot) > 1000 && Files.size(time) > 1000);
        String page = Files.readString(html);
        checkPage(page);
        String happened = page.substring(page.indexOf("What happened"), page.indexOf(">Where<"));
        assertTrue(happened.contains("recomputed residual"), happened);
        assertFalse(Pattern.compile("\\d\\.\\d{9}").matcher(happened).find(), happened);
    }

    /** A single way, too, is prepared and solves in each round. */
    @Test
    void reportsColdAndWarmApart() throws Exception {
        Path json = folder.resolve("rounds.json");
        assertEquals(ExitCode.OK, run("poisson2d:nx=12", "--preconditioner", "ssor", "--rounds", "4", "--json",
                json.toString()), err::toString);
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        List<Double> setups = numbers(document.get("allSetupSeconds"));
        List<Double> solutions = numbers(document.get("allSolveSeconds"));
        assertEquals(4, setups.size());
        assertEquals(4, solutions.size());
        assertEquals(setups.getFirst(), document.get("cold").get("setupSeconds").asDouble());
        assertEquals(solutions.getFirst(), document.get("cold").get("solveSeconds").asDouble());
        assertEquals(1, document.get("cold").get("solutions").asInt());
        // Of three the one in the middle.
        assertEquals(setups.stream().skip(1).sorted().toList().get(1),
                document.get("warm").get("setupSeconds").asDouble());
        assertEquals(solutions.stream().skip(1).sorted().toList().get(1),
                document.get("warm").get("solveSeconds").asDouble());
        assertEquals(3, document.get("warm").get("solutions").asInt());
        assertTrue(out.toString().contains("median of 3"), out::toString);
        assertEquals(ExitCode.OK, run("poisson2d:nx=12", "--json", json.toString()), err::toString);
        assertTrue(new ObjectMapper().readTree(json.toFile()).path("warm").isMissingNode());
    }

    private static List<Double> numbers(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asDouble).toList();
    }

    private static void checkPage(String page) throws ParserConfigurationException, SAXException, IOException {
        String markup = page.substring(page.indexOf('\n') + 1);
        assertEquals("html", DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(markup.getBytes(StandardCharsets.UTF_8))).getDocumentElement()
                .getTagName());
        assertTrue(page.contains("Residual over time") && page.contains("gmres + ssor"), page);
    }

    @Test
    void readsAndWritesConfigurations() throws IOException {
        Path config = folder.resolve("stack.json");
        assertEquals(ExitCode.OK, run("poisson2d:nx=9", "--method", "gmres", "--option", "restart=11",
                "--preconditioner", "none", "--save-config", config.toString()), err::toString);
        assertTrue(Files.readString(config).contains("\"restart\" : \"11\""));
        assertEquals(ExitCode.OK, run("poisson2d:nx=9", "--config", config.toString(), "--tolerance", "1e-4"),
                err::toString);
        assertTrue(out.toString().contains("method            gmres, preconditioner none"), out::toString);
        assertEquals(ExitCode.OK, run("poisson2d:nx=9", "--preset", "spd"), err::toString);
        assertTrue(out.toString().contains("preconditioner ic0"), out::toString);
        assertEquals(ExitCode.OK, run("poisson2d:nx=9", "--mixed-precision", "--tolerance", "1e-12"), err::toString);
    }

    @Test
    void refusesWhatDoesNotGoTogether() throws IOException {
        usage("expected one of cg, fcg", "poisson2d:nx=3", "--method", "sor");
        usage("expected one of none, jacobi", "poisson2d:nx=3", "--preconditioner", "nothing");
        usage("expected one of restart", "poisson2d:nx=3", "--method", "gmres", "--option", "m=3");
        usage("expected either", "poisson2d:nx=3", "--method", "cg", "--compare", "cg");
        usage("expected one of them", "poisson2d:nx=3", "--preset", "spd", "--config", "x.json");
        usage("expected constants", "poisson2d:nx=3", "--null-space", "rotations");
        for (String method : new String[]{"cg", "tuned", "direct"}) {
            usage("--rounds is 0, expected at least 1", "poisson2d:nx=3", "--method", method, "--rounds", "0");
        }
        usage("expected none", "poisson2d:nx=3", "--method", "lsqr", "--preconditioner", "jacobi");
        assertEquals(ExitCode.FAILED, run("poisson2d:nx=3", "--null-space", "constants"));
        assertTrue(err.toString().contains("expected 0 up to rounding"), err::toString);
    }

    private void usage(String expected, String... arguments) {
        err.getBuffer().setLength(0);
        assertEquals(ExitCode.USAGE, run(arguments), err::toString);
        assertTrue(err.toString().contains(expected), err::toString);
    }
}
