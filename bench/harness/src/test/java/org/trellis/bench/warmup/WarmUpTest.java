package org.trellis.bench.warmup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;

/** The command {@code warm-up}: one measurement, a table of them, and the whole with a JVM of its own. */
final class WarmUpTest {
    private static List<String> run(String... arguments) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            WarmUpRun.run(out, arguments);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void timesGrowWithTheProducts() throws IOException {
        for (String clock : new String[]{WarmUpRun.WALL, WarmUpRun.PROCESSOR}) {
            List<String> lines = run("threads", "poisson2d:nx=20", "60", clock, "1", "3", "20");
            assertEquals(List.of("1", "3", "20"), lines.stream().map(line -> line.split(" ")[0]).toList());
            List<Double> seconds = lines.stream().map(line -> Double.parseDouble(line.split(" ")[1])).toList();
            assertEquals(seconds.stream().sorted().toList(), seconds);
            // The clock of the processors may be as coarse as ten milliseconds.
            assertTrue(seconds.getLast() > 0 || clock.equals(WarmUpRun.PROCESSOR), seconds.toString());
        }
    }

    @Test
    void beginsNothingAfterTheLimit() throws IOException {
        assertEquals(List.of(), run("threads", "poisson2d:nx=20", "0", WarmUpRun.WALL, "1", "3"));
    }

    @Test
    void solves() throws IOException {
        List<String> lines = run("reference", "poisson2d:nx=10", "60", WarmUpRun.WALL, WarmUpRun.CG);
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().matches("cg \\d+\\.\\d{9}"), lines.getFirst());
    }

    @Test
    void refusesSeveralMatrices() {
        assertThrows(IllegalArgumentException.class,
                () -> run("reference", "no-such-matrix", "60", WarmUpRun.WALL, "1"));
    }

    @Test
    void comparesMedians() {
        WarmUpTimes times = new WarmUpTimes(List.of("a", "b", "c"), List.of("1", WarmUpRun.CG));
        for (double seconds : new double[]{3, 1, 2}) {
            times.add("a", "1", seconds);
            times.add("b", "1", 2 * seconds);
        }
        times.add("b", WarmUpRun.CG, 0.5);
        assertEquals(2, times.median("a", "1"));
        assertEquals(1, times.overBest("a", "1"));
        assertEquals(2, times.overBest("b", "1"));
        assertTrue(Double.isNaN(times.overBest("c", "1")));
        List<String> lines = times.table().text().lines().toList();
        assertTrue(lines.getFirst().contains("1 product"), lines.getFirst());
        assertTrue(lines.getFirst().contains("CG to 1e-8"), lines.getFirst());
        assertEquals(5, lines.size());
        assertTrue(lines.get(2).contains("2.00 s") && lines.get(2).contains("–"), lines.get(2));
        assertTrue(lines.get(3).contains("500 ms"), lines.get(3));
    }

    private static int command(StringWriter out, String... arguments) {
        PrintWriter writer = new PrintWriter(out, true);
        return TrellisCommand.run(new Console(writer, writer, false), arguments);
    }

    @Test
    void measuresInAJvmOfItsOwn() {
        StringWriter out = new StringWriter();
        assertEquals(ExitCode.OK,
                command(out, "warm-up", "-q", "--rounds", "1", "--backend", "cpu", "--products", "1,2",
                        "poisson2d:nx=10"),
                out.toString());
        assertTrue(out.toString().contains("poisson2d:nx=10"), out.toString());
        assertTrue(out.toString().lines().anyMatch(line -> line.startsWith("cpu") && line.contains("1.00")),
                out.toString());
    }

    @Test
    void saysWhyAJvmFailed() {
        StringWriter out = new StringWriter();
        assertEquals(ExitCode.FAILED, command(out, "warm-up", "-q", "--rounds", "1", "--backend", "nonesuch",
                "--products", "1", "poisson2d:nx=10"));
        assertTrue(out.toString().contains("backend 'nonesuch' is unknown"), out.toString());
    }

    @Test
    void refusesProductsThatDoNotGrow() {
        StringWriter out = new StringWriter();
        assertEquals(ExitCode.USAGE, command(out, "warm-up", "--products", "10,1", "poisson2d:nx=10"));
        assertTrue(out.toString().contains("--products is [10, 1], expected positive numbers that grow"),
                out.toString());
    }
}
