package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.kernel.Access;
import org.trellis.mesh.checkpoint.CheckpointAnalysis;

/**
 * What a checkpoint would save before each loop of a sequence, for a browser: the table of figure 6.1 (I. Z. Reguly,
 * PhD thesis, 2014) and the units saved as bars. It needs no network and stores nothing.
 */
public final class CheckpointPage {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 300;
    private static final int LEFT = 48;
    private static final int TOP = 24;
    private static final int BOTTOM = HEIGHT - 44;
    /** More loops than these are not drawn. */
    private static final int MAX_LOOPS_DRAWN = 120;
    private static final int MAX_LOOPS_LABELLED = 40;

    private final CheckpointAnalysis analysis;
    private final List<Integer> places = new ArrayList<>();
    private final Markup out;

    private CheckpointPage(CheckpointAnalysis analysis, Markup out) {
        this.analysis = analysis;
        this.out = out;
        for (int r = 0; r < analysis.rows().size() && places.size() < MAX_LOOPS_DRAWN; r++) {
            if (!analysis.rows().get(r).use().touches().isEmpty()) {
                places.add(r);
            }
        }
    }

    /**
     * Writes an analysis as HTML.
     *
     * @param analysis what would be saved
     * @param program  what was run, for the headline
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(CheckpointAnalysis analysis, String program) {
        return HtmlPage.of("Checkpoints, " + program, out -> new CheckpointPage(analysis, out).body(program));
    }

    private void body(String program) {
        out.open("header").element("h1", "What a checkpoint would save")
                .element("p", program + (analysis.periodic()
                        ? ": one period of the steps"
                        : ": all steps, which do not repeat themselves"))
                .close("header").line();
        out.open("main").open("section").element("h2", "Units saved when a checkpoint begins before a loop");
        bars();
        out.element("p", "A unit is a component of a dat. Orange: least bytes. " + (places.size() < MAX_LOOPS_DRAWN
                ? ""
                : "Only the first " + MAX_LOOPS_DRAWN + " loops are drawn."), "class", "note");
        table();
        out.close("section").close("main").line();
    }

    private CheckpointAnalysis.Row row(int place) {
        return analysis.rows().get(place);
    }

    private boolean isLeast(int place) {
        return row(place).bytes() == analysis.fewestBytes();
    }

    private void bars() {
        out.open("svg", "viewBox", "0 0 " + WIDTH + ' ' + HEIGHT, "class", "chart", "role", "img", "aria-label",
                "Units saved before each loop").line();
        int most = places.stream().mapToInt(place -> row(place).units()).max().orElse(0);
        out.empty("line", "class", "grid", "x1", String.valueOf(LEFT), "x2", String.valueOf(WIDTH), "y1",
                String.valueOf(BOTTOM), "y2", String.valueOf(BOTTOM));
        double step = (double) (WIDTH - LEFT) / Math.max(1, places.size());
        for (int p = 0; p < places.size(); p++) {
            CheckpointAnalysis.Row row = row(places.get(p));
            double height = (double) row.units() / Math.max(1, most) * (BOTTOM - TOP);
            double x = LEFT + p * step;
            out.open("rect", "class", isLeast(places.get(p)) ? "c3" : "c0", "fill", "currentColor", "x",
                    Figures.coordinate(x + 0.15 * step), "y", Figures.coordinate(BOTTOM - height), "width",
                    Figures.coordinate(0.7 * step), "height", Figures.coordinate(height));
            out.element("title", row.use().name() + ": " + row.units() + " units").close("rect");
            if (places.size() <= MAX_LOOPS_LABELLED) {
                String middle = Figures.coordinate(x + 0.5 * step);
                out.element("text", String.valueOf(row.units()), "x", middle, "y",
                        Figures.coordinate(BOTTOM - height - 6), "text-anchor", "middle");
                out.element("text", String.valueOf(places.get(p) + 1), "x", middle, "y", String.valueOf(BOTTOM + 18),
                        "text-anchor", "middle");
            }
            out.line();
        }
        out.element("text", "step", "x", String.valueOf((LEFT + WIDTH) / 2), "y", String.valueOf(HEIGHT - 6),
                "text-anchor", "middle").close("svg").line();
    }

    private void table() {
        Map<String, Integer> dats = new LinkedHashMap<>();
        places.forEach(place -> row(place).use().touches()
                .forEach(touch -> dats.put(touch.dat(), touch.components())));
        out.open("table").open("thead").open("tr").element("th", "step").element("th", "loop");
        dats.forEach((dat, components) -> out.element("th", dat + " (" + components + ')'));
        out.element("th", "units").element("th", "MB").element("th", "").close("tr").close("thead").open("tbody")
                .line();
        for (int place : places) {
            CheckpointAnalysis.Row row = row(place);
            out.open("tr").element("td", String.valueOf(place + 1)).element("td", row.use().name());
            dats.keySet().forEach(dat -> out.element("td", letters(row, dat)));
            out.element("td", String.valueOf(row.units())).element("td", Figures.exact(1e-6 * row.bytes()));
            out.element("td", isLeast(place) ? row.overwrites() ? "least" : "least, if marked" : "").close("tr")
                    .line();
        }
        out.close("tbody").close("table").line();
    }

    private static String letters(CheckpointAnalysis.Row row, String dat) {
        return row.use().touches().stream().filter(touch -> touch.dat().equals(dat))
                .map(touch -> letter(touch.access())).findFirst().orElse("");
    }

    private static String letter(Access access) {
        return switch (access) {
            case READ -> "R";
            case WRITE -> "W";
            case READ_WRITE -> "RW";
            default -> "I";
        };
    }
}
