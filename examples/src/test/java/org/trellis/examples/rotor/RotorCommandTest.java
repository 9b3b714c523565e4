package org.trellis.examples.rotor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.testing.JsonSchemas;

/** The command {@code example rotor}. */
final class RotorCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        String[] words = line.replace("@", folder + "/").split(" ");
        return JsonSchemas.checked(TrellisCommand.run(
                new Console(new PrintWriter(out, true), new PrintWriter(err, true), false), words), words);
    }

    @Test
    void writesFilesOfABump() throws IOException {
        assertEquals(ExitCode.OK, run("example rotor channel:nx=12,ny=2,nz=4,mix=mixed --levels 2 --cycles 4 -q"
                + " --backend threads --json @a.json --vtu @a.vtu --picture @a.png --plot @b.png --report @a.txt"),
                err::toString);
        assertTrue(out.toString().contains("greatest Mach number"), out::toString);
        assertTrue(out.toString().contains("pressure coefficient on the floor, x = 0.9"), out::toString);
        JsonNode flow = new ObjectMapper().readTree(folder.resolve("a.json").toFile()).get("flows").get(0);
        assertEquals("bump", flow.get("case").asText());
        assertEquals(4, flow.get("residuals").size());
        double[] ends = StreamSupport.stream(flow.get("seconds").spliterator(), false).mapToDouble(JsonNode::asDouble)
                .toArray();
        assertEquals(ends[0], flow.get("secondsOfFirstCycle").asDouble());
        double[] later = {ends[1] - ends[0], ends[2] - ends[1], ends[3] - ends[2]};
        Arrays.sort(later);
        assertEquals(later[1], flow.get("medianSecondsOfLaterCycles").asDouble());
        assertTrue(out.toString().contains(" ms a cycle (median; "), out::toString);
        assertTrue(flow.get("setUpSeconds").get("mesh").asDouble() > 0);
        assertTrue(out.toString().contains("set-up "), out::toString);
        assertEquals(2, flow.get("levels").size());
        assertTrue(flow.get("loops").size() > 30);
        MeshData data = MeshFiles.read(folder.resolve("a.vtu"));
        assertTrue(data.cellCount(CellShape.WEDGE) > 0 && data.cellCount(CellShape.PYRAMID) > 0);
        assertEquals(5, data.pointData().size());
        for (String name : new String[]{"a.png", "b.png", "a.txt"}) {
            assertTrue(Files.size(folder.resolve(name)) > 1000, name);
        }
    }

    /** Tuned loops compute the same. */
    @Test
    @Tag("nightly")
    void loopsAreTunedWithinCycles() throws IOException {
        String words = "example rotor channel:nx=12,ny=2,nz=4 --levels 2 --cycles 3 -q --backend threads --json @";
        assertEquals(ExitCode.OK, run(words + "plain.json"), err::toString);
        assertEquals(ExitCode.OK, run(words + "tuned.json --tune --after 0"), err::toString);
        assertTrue(out.toString().contains("best so far"), out::toString);
        JsonNode plain = new ObjectMapper().readTree(folder.resolve("plain.json").toFile()).get("flows").get(0);
        JsonNode tuned = new ObjectMapper().readTree(folder.resolve("tuned.json").toFile()).get("flows").get(0);
        plain.get("figures").properties().forEach(figure -> assertEquals(figure.getValue().asDouble(),
                tuned.get("figures").get(figure.getKey()).asDouble(), 1e-10, figure.getKey()));
        assertEquals(ExitCode.USAGE, run("run --ranks 2 " + words + "two.json --tune"));
        assertTrue(err.toString().contains("--tune is for one rank"), err::toString);
    }

    /** The numbers of two ranks are those of one. */
    @Test
    void ranksGiveTheSame() throws IOException {
        String words = "example rotor blade:nx=16,ny=4,nz=4 --levels 2 --cycles 3 --nested 2 -q --backend threads"
                + " --json @";
        assertEquals(ExitCode.OK, run(words + "one.json"), err::toString);
        assertEquals(ExitCode.OK, run("run --ranks 2 " + words + "two.json"), err::toString);
        JsonNode one = new ObjectMapper().readTree(folder.resolve("one.json").toFile()).get("flows").get(0);
        JsonNode two = new ObjectMapper().readTree(folder.resolve("two.json").toFile()).get("flows").get(0);
        assertEquals(2, two.get("ranks").asInt());
        assertEquals("threads", two.get("transport").asText());
        assertEquals(one.get("figures").size(), two.get("figures").size());
        one.get("figures").properties().forEach(figure -> assertEquals(figure.getValue().asDouble(),
                two.get("figures").get(figure.getKey()).asDouble(), 1e-10, figure.getKey()));
        assertEquals(ExitCode.USAGE, run("example rotor box:n=4 -q --shares 1,2"));
    }

    /** Devices of one process share a mesh, divide it again by what they take, and compute what one does. */
    @Test
    @Tag("nightly")
    void devicesGiveTheSame() throws IOException {
        String words = "example rotor blade:nx=16,ny=4,nz=4 --levels 2 --nested 2 -q --json @";
        assertEquals(ExitCode.OK, run(words + "one.json --cycles 3 --backend threads"), err::toString);
        assertEquals(ExitCode.OK, run(words + "devices.json --cycles 12 --devices reference,threads --threads 1"),
                err::toString);
        assertTrue(out.toString().contains("divided again"), out::toString);
        JsonNode one = new ObjectMapper().readTree(folder.resolve("one.json").toFile()).get("flows").get(0);
        JsonNode shared = new ObjectMapper().readTree(folder.resolve("devices.json").toFile()).get("flows").get(0);
        for (int cycle = 0; cycle < 3; cycle++) {
            double expected = one.get("residuals").get(cycle).asDouble();
            assertEquals(expected, shared.get("residuals").get(cycle).asDouble(), 1e-10 * expected, "cycle " + cycle);
        }
    }

    /** From some cycle on limits are kept: the residuals before are the same, those after are not. */
    @Test
    void limitsAreKept() throws IOException {
        String words = "example rotor channel:nx=12,ny=2,nz=4 --mach 1.65 --levels 2 --cycles 6 -q --limiter"
                + " --courant 1 --backend threads --json @";
        assertEquals(ExitCode.OK, run(words + "free.json"), err::toString);
        assertEquals(ExitCode.OK, run(words + "kept.json --keep-limits 3"), err::toString);
        JsonNode free = new ObjectMapper().readTree(folder.resolve("free.json").toFile()).get("flows").get(0);
        JsonNode kept = new ObjectMapper().readTree(folder.resolve("kept.json").toFile()).get("flows").get(0);
        for (int cycle = 0; cycle < 3; cycle++) {
            assertEquals(free.get("residuals").get(cycle), kept.get("residuals").get(cycle), "cycle " + cycle);
        }
        assertNotEquals(free.get("residuals").get(5), kept.get("residuals").get(5));
        assertEquals(ExitCode.USAGE, run("example rotor box:n=4 -q --keep-limits 3"));
        assertTrue(err.toString().contains("without --limiter"), err::toString);
    }

    /** A run that starts from a checkpoint of another has its residuals and figures, bit by bit. */
    @Test
    void startsFromACheckpoint() throws IOException {
        String words = "example rotor channel:nx=12,ny=2,nz=4,mix=tet --levels 2 --cycles 6 --nested 2 -q"
                + " --backend reference --json ";
        assertEquals(ExitCode.OK, run(words + "@a.json --checkpoint @state --checkpoint-every 2iterations"),
                err::toString);
        assertTrue(out.toString().contains("checkpoints written to "), out::toString);
        assertEquals(ExitCode.OK, run(words + "@b.json --restart @state"), err::toString);
        JsonNode first = new ObjectMapper().readTree(folder.resolve("a.json").toFile()).get("flows").get(0);
        JsonNode again = new ObjectMapper().readTree(folder.resolve("b.json").toFile()).get("flows").get(0);
        assertEquals(6, first.get("residuals").size());
        assertEquals(first.get("residuals"), again.get("residuals"));
        assertEquals(first.get("figures"), again.get("figures"));
        assertEquals(ExitCode.USAGE, run("example rotor box:n=4 --case manufactured --levels 2 -q --dry-run"));
        assertTrue(err.toString().contains("is solved on 2 meshes"), err::toString);
    }

    @Test
    void freeStreamsAndMadeUpFlowsAreToldOf() throws IOException {
        assertEquals(ExitCode.OK,
                run("example rotor box:n=4,mix=tet --levels 2 --cycles 2 -q --omega 0.3 --backend threads"
                        + " --json @f.json"),
                err::toString);
        JsonNode flow = new ObjectMapper().readTree(folder.resolve("f.json").toFile()).get("flows").get(0);
        assertEquals(0, flow.get("figures").get("largest change of the free stream").asDouble(), 1e-14);
        assertEquals(ExitCode.OK, run("example rotor box:n=4 --case manufactured --turbulent --levels 2 --cycles 3 -q"
                + " --backend threads --json @m.json"), err::toString);
        assertEquals(2, new ObjectMapper().readTree(folder.resolve("m.json").toFile()).get("flows").size());
        assertTrue(out.toString().contains("order of the error of nu tilde"), out::toString);
    }

    @Test
    void platesTellOfFriction() {
        assertEquals(ExitCode.OK,
                run("example rotor plate:nx=16,ny=1,nz=8,coarse=joined --levels 2 --cycles 2 -q --turbulent"
                        + " --backend threads"),
                err::toString);
        assertTrue(out.toString().contains("friction over that of 0.025 Re^-1/7"), out::toString);
        assertTrue(out.toString().contains("friction coefficient at x = 0.97"), out::toString);
    }

    @Test
    void cylindersTellOfDrag() {
        assertEquals(ExitCode.OK, run("example rotor cylinder:nx=16,ny=2,nz=8,far=5,growth=3 --levels 2 --cycles 3 -q"
                + " --backend threads"), err::toString);
        assertTrue(out.toString().startsWith("cylinder on cylinder:"), out::toString);
        assertTrue(out.toString().contains("drag coefficient by friction"), out::toString);
        assertTrue(out.toString().contains("pressure coefficient 180 degrees from the front"), out::toString);
    }

    /** What blows up is reported in a sentence, and what may help. */
    @Test
    void blownUpFlowsAreToldOf() {
        assertEquals(ExitCode.FAILED, run("example rotor channel:nx=8,ny=2,nz=4 --levels 1 --courant 80 --cycles 200 -q"
                + " --backend threads"));
        assertTrue(err.toString().contains("the flow has blown up in cycle ")
                && err.toString().contains("no number any more, since steps are too long"), err::toString);
        assertFalse(err.toString().contains("defect"), err::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--case wing | --case is 'wing'", "--levels 0 | --levels is 0",
        "--dissipation none | expected roe or jst", "--courant 0 | Courant number is 0.0", "--cycles 0 | --cycles",
        "tube:n=3 | mesh 'tube' is unknown", "box:n=4000 | expected at most 89478485",
        "box:n=4,numbers=none | numbers is 'none', expected refined, lines, bricks",
        "--after -1 | steps after it", "box:n=3 --levels 2 | multiple of 2", "--reynolds -1 | --reynolds is -1.0",
        "box:n=4 --levels 1 --nested 2 | --nested is 2 with case free-stream on 1 levels",
        "box:n=4 --case manufactured --nested 2 | --nested is 2", "--nested -1 | --nested is -1",
        "--case free-stream --turbulent | turbulence is on"})
    void wrongOptionsAreRefused(String options, String expected) {
        assertEquals(ExitCode.USAGE, run("example rotor " + options.strip() + " -q"));
        assertTrue(err.toString().contains(expected), err::toString);
    }
}
