package org.trellis.bench.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.testing.JsonSchemas;
import org.xml.sax.InputSource;

/** Predictions as a user meets them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ModelCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    /** Everything at once: the numbers that do not depend on a clock, and that all of it is in both documents. */
    @Test
    void predictsAndChecks() throws Exception {
        Path json = folder.resolve("model.json");
        Path html = folder.resolve("model.html");
        assertEquals(ExitCode.OK, run("model", "poisson2d:nx=24", "--ranks", "1,16", "--network",
                "latency=1ms,bandwidth=1GB/s,overhead=0s,node=4:latency=0us", "--rings", "1,2,4", "--weak",
                "--levels", "aggregation", "--check", "2", "--partitioner", "blocks", "--json", json.toString(),
                "--html", html.toString(), "--copies", "1"), err::toString);
        JsonNode root = new ObjectMapper().readTree(Files.readString(json));
        assertEquals("trellis-model-results", root.get("format").asText());
        assertEquals(List.of(1, 16), root.get("strong").findValues("ranks").stream().map(JsonNode::asInt).toList());
        JsonNode many = root.get("strong").get(1);
        // Two millisecond all-reduces: two stages within nodes cost nothing, two between them 1 ms each.
        assertEquals(4e-3, many.get("iteration").get("reductionSeconds").asDouble(), 1e-9);
        double[] seconds = many.get("products").findValues("seconds").stream().mapToDouble(JsonNode::asDouble)
                .toArray();
        assertEquals(3, seconds.length);
        assertTrue(seconds[0] > 1e-3 && seconds[0] < 2e-3, () -> many.toString());
        assertTrue(seconds[1] > 0.5e-3 && seconds[1] < 0.8 * seconds[0], () -> many.toString());
        assertEquals(576, root.get("weak").get(0).get("rows").asInt());
        assertEquals(96 * 96, root.get("weak").get(1).get("rows").asInt());
        assertEquals(576, root.get("levels").get(0).get("rows").asInt());
        assertTrue(root.get("levels").get(1).get("fewerRanks").asBoolean());
        assertEquals(7, root.get("checks").size());
        root.get("checks").forEach(check -> assertTrue(
                check.get("measuredSeconds").asDouble() > 1e-3 / check.get("rings").asInt(), check::toString));
        assertTrue(out.toString().contains("error             median "), out::toString);
        String page = Files.readString(html);
        assertTrue(page.contains("Weak scaling, a product") && page.contains("Predicted and measured"));
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.substring(page.indexOf('\n')))));
    }

    /** Solvers are replayed for each number of rings, and beside what they take here. */
    @Test
    void replaysSolvers() throws Exception {
        Path json = folder.resolve("model.json");
        Path html = folder.resolve("model.html");
        assertEquals(ExitCode.OK, run("model", "poisson2d:nx=24", "--ranks", "1", "--network",
                "latency=20us,bandwidth=1GB/s,overhead=0s", "--rings", "1,2", "--solvers", "s-step,amg-cg",
                "--steps", "2", "--degree", "3", "--check", "2", "--partitioner", "blocks", "--json",
                json.toString(), "--html", html.toString(), "--copies", "1"), err::toString);
        JsonNode root = new ObjectMapper().readTree(Files.readString(json));
        List<String> expected = List.of("s-step 1", "s-step 2", "amg-cg 1", "amg-cg 2", "amg-cg 0");
        for (JsonNode scale : root.get("strong")) {
            assertEquals(expected, StreamSupport.stream(scale.get("solvers").spliterator(), false)
                    .map(one -> one.get("program").asText() + " " + one.get("rings").asInt()).toList());
        }
        assertEquals(0, root.get("strong").get(0).get("solvers").get(2).get("messages").asDouble());
        List<String> checked = StreamSupport.stream(root.get("checks").spliterator(), false)
                .map(one -> one.get("program").asText() + " " + one.get("rings").asInt())
                .filter(name -> name.contains("replayed")).toList();
        assertEquals(List.of("s-step, replayed 1", "s-step, replayed 2", "amg-cg, replayed 1",
                "amg-cg, replayed 2"), checked);
        root.get("checks").forEach(check -> assertTrue(check.get("measuredSeconds").asDouble() > 0
                && check.get("predictedSeconds").asDouble() > 0, check::toString));
        assertTrue(out.toString().contains("strong scaling, iterations of solvers, replayed"), out::toString);
        String page = Files.readString(html);
        assertTrue(page.contains("Strong scaling, iterations of solvers, replayed"));
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.substring(page.indexOf('\n')))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --solvers cg,gmres | solvers [gmres] to predict",
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --solvers s-step --steps 0 | number of steps is 0",
        "--ranks 0 --network latency=1us,bandwidth=1GB/s | number of ranks is 0, expected 1 to",
        "--ranks 4 --network latency=1us | has no bandwidth",
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --rings 0..3 | numbers of rings are '0..3', expected 1 to 64",
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --rings few | expected a range such as 1..5",
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --check 0 | number of ranks to check is 0",
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --weak-matrix rmat:scale=4 | cannot grow",
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --levels smooth | coarsening 'smooth'",
        "--ranks 4 --network latency=1us,bandwidth=1GB/s --levels air | on one rank only"
    })
    void wrongOptionsAreRefused(String line, String message) {
        assertEquals(ExitCode.USAGE, run(("model poisson2d:nx=9 " + line).split(" ", -1)));
        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void rectanglesAreRefused() {
        assertEquals(ExitCode.FAILED, run("model", "random:rows=30,columns=20,mean=3", "--ranks", "2", "--network",
                "latency=1us,bandwidth=1GB/s"));
        assertTrue(err.toString().contains("columns of a matrix to partition is 20, expected 30"), err::toString);
    }

    /** Without entries there is nothing to time, and no number to predict. */
    @Test
    void matricesWithoutEntriesAreRefused() throws Exception {
        for (String size : List.of("0 0 0", "3 3 0")) {
            Path file = Files.writeString(folder.resolve("empty.mtx"),
                    "%%MatrixMarket matrix coordinate real general\n" + size + "\n");
            assertEquals(ExitCode.FAILED, run("model", file.toString(), "--ranks", "4", "--network",
                    "latency=1us,bandwidth=1GB/s"), out::toString);
            assertTrue(err.toString().contains("has no entries, expected one or more to be timed"), err::toString);
            assertEquals("", out.toString());
            err.getBuffer().setLength(0);
        }
    }

    @Test
    void matricesGrow() {
        assertEquals("poisson2d:nx=20,ny=8", ModelRun.grown(MatrixSpec.parse("poisson2d:nx=10,ny=4"), 4).toString());
        assertEquals("poisson3d:points=27,nx=200",
                ModelRun.grown(MatrixSpec.parse("poisson3d:points=27"), 8).toString());
        assertEquals(300, Integer.parseInt(
                ModelRun.grown(MatrixSpec.parse("random:rows=100,mean=3"), 3).arguments().get("rows")));
        assertThrows(IllegalArgumentException.class, () -> ModelRun.grown(MatrixSpec.parse("rmat:scale=3"), 2));
    }

    @Test
    void numbersAreRead() {
        assertEquals(List.of(1, 2, 3, 5), ModelCommand.numbers("5,1..3"));
        assertArrayEquals(new int[]{1, 4, 16, 20}, ModelCommand.ranks(20));
        assertArrayEquals(new int[]{3, 7}, ModelCommand.ranks(7, 3));
    }
}
