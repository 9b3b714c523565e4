package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.Console;
import picocli.CommandLine;

/** The command line of the example. */
final class TsunamiCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
        return new CommandLine(new TsunamiCommand(console)).setErr(console.err()).setOut(console.out())
                .execute(arguments);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    @Test
    void damBreak() throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, run("dambreak:nx=60,ny=2", "--time", "10", "--every", "4", "--backend", "threads", "--threads",
                "2", "--report", "--json", json.toString(), "--quiet"), err::toString);
        String text = out.toString();
        assertTrue(lines().getFirst().startsWith("dambreak:nx=60,ny=2: 240 cells, 422 edges (124 on the boundary), f32"),
                text);
        assertEquals(List.of("0.0000", "4.0000", "8.0000", "10.0000"),
                lines().stream().skip(2).limit(4).map(line -> line.strip().split(" +")[1]).toList());
        assertTrue(text.contains("depth differs from the exact solution by 0.0"), text);
        assertTrue(text.contains("ShallowWater.computeFlux"), text);
        assertEquals("", err.toString());

        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals("trellis-tsunami-results", root.get("format").asText());
        assertEquals(240, root.get("cells").asInt());
        assertEquals(4, root.get("measures").size());
        assertEquals(10, root.get("measures").get(3).get("time").asDouble(), 1e-9);
        assertTrue(root.get("meanDepthError").asDouble() < 0.2);
        assertTrue(Math.abs(root.get("volumeChange").asDouble()) < 1e-6);
        assertEquals(8, root.get("loops").size());
    }

    @Test
    void lakeAtRest() {
        assertEquals(0, run("lake:n=20", "--iterations", "12", "--precision", "f64", "--refine", "1", "--order", "gps",
                "--shuffle", "3", "--layout", "soa", "--scheme", "two-level", "--backend", "threads", "-q"),
                err::toString);
        assertTrue(lines().getFirst().contains("3,200 cells"), out.toString());
        assertTrue(out.toString().contains("the lake at rest has changed by 0.00e+00 at most"), out.toString());
        assertTrue(out.toString().contains("volume changed by 0.00e+00 of itself"), out.toString());
    }

    /** A bed of one's own takes the exact solution away. */
    @Test
    void ownBedAndUplift() {
        assertEquals(0, run("basin:n=10", "--cut", "2", "--bed", "slope:from=-20,to=5", "--uplift",
                "fault:up=2,strike=45", "--surface", "hump:height=0.5", "--sea-level", "1", "--minimum-depth", "0.01",
                "--courant", "0.5", "-q"), err::toString);
        assertEquals(0, run("lake:n=8", "--surface", "dam:left=3", "-q"), err::toString);
        assertTrue(!out.toString().contains("at rest"), out.toString());
    }

    @Test
    void wrongOptions() {
        assertEquals(2, run("lake:m=3"));
        assertEquals(2, run("lake", "--time", "-1"));
        assertEquals(2, run("lake", "--iterations", "0"));
        assertEquals(2, run("lake", "--bed", "hill"));
        assertEquals(2, run("lake", "--scheme", "magic"));
        assertEquals(2, run("lake", "--refine", "99"));
        assertEquals(2, run("lake", "--json", folder.resolve("none/run.json").toString()));
        assertEquals(2, run());
        assertTrue(err.toString().contains("parameter 'm' is unknown, expected one of depth, height, n, size"),
                err.toString());
        assertTrue(err.toString().contains("scheme is 'magic', expected one of"), err.toString());
    }
}
