package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;

final class ResidualPlotTest {
    @TempDir
    private Path folder;

    @Test
    void stepsOfTicksAreRound() {
        assertEquals(500, ResidualPlot.roundStep(2520 / 8.0, true));
        assertEquals(1, ResidualPlot.roundStep(3 / 8.0, true));
        assertEquals(20, ResidualPlot.roundStep(160 / 8.0, true));
        assertEquals(0.002, ResidualPlot.roundStep(0.0011, false), 1e-15);
        assertEquals(0.001, ResidualPlot.roundStep(0.001, false), 1e-15);
        assertEquals(1e-7, ResidualPlot.roundStep(0.9e-7, false), 1e-20);
    }

    /** The rule for all text of charts is more specific than a class, so the legend has a rule above it. */
    @Test
    void namesOfCurvesHaveTheirColours() throws IOException {
        Path page = folder.resolve("solve.html");
        StringWriter err = new StringWriter();
        assertEquals(ExitCode.OK, TrellisCommand.run(
                new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), false), "solve",
                "poisson2d:nx=20", "--compare", "cg,minres", "-q", "--html=" + page), err::toString);
        String html = Files.readString(page);
        List<String> curves = found("<polyline class=\"curve (c[0-9])\"", html);
        List<String> legend = found("<text class=\"legend (c[0-9])\"", html);
        assertTrue(curves.containsAll(List.of("c0", "c1")), curves::toString);
        assertEquals(curves, legend);
        int all = html.indexOf(".chart text { fill: var(--ink);");
        assertTrue(all >= 0 && html.indexOf(".chart text.legend { fill: currentColor; }") > all);
        // A class of its own for text below charts must not take the colour of the curve away.
        assertTrue(html.indexOf(".c0 { color:") > html.indexOf(".legend { color:"));
    }

    private static List<String> found(String pattern, String html) {
        Stream<String> groups = Pattern.compile(pattern).matcher(html).results().map(r -> r.group(1));
        return groups.toList();
    }
}
