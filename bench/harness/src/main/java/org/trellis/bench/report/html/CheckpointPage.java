package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.CheckpointChart;
import org.trellis.bench.text.Markup;
import org.trellis.kernel.Access;
import org.trellis.mesh.checkpoint.CheckpointAnalysis;

/**
 * What a checkpoint would save before each loop of a sequence, for a browser: the table of figure 6.1 (I. Z. Reguly,
 * PhD thesis, 2014) and the units saved as bars. It needs no network and stores nothing.
 */
public final class CheckpointPage {
    /** More loops than these are not drawn. */
    private static final int MAX_LOOPS_DRAWN = 120;

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
        CheckpointChart.of(analysis, places).writeTo(out);
        out.element("p", "A unit is a component of a dat. " + (places.size() < MAX_LOOPS_DRAWN
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

    private void table() {
        Map<String, Integer> dats = new LinkedHashMap<>();
        places.forEach(place -> row(place).use().touches()
                .forEach(touch -> dats.put(touch.dat(), touch.components())));
        List<Column> columns = new ArrayList<>(List.of(Column.of("step", Format.NUMBER), Column.words("loop")));
        dats.forEach((dat, components) -> columns.add(Column.words(dat + " (" + components + ')')));
        columns.addAll(List.of(Column.of("units", Format.NUMBER),
                Column.of("", Format.scaled(1e-6, "%.6g")).in("MB"), Column.words("")));
        Table table = new Table(columns);
        for (int place : places) {
            CheckpointAnalysis.Row row = row(place);
            List<Object> cells = new ArrayList<>(List.of(place + 1, row.use().name()));
            dats.keySet().forEach(dat -> cells.add(letters(row, dat)));
            cells.addAll(List.of(row.units(), row.bytes(),
                    isLeast(place) ? row.overwrites() ? "least" : "least, if marked" : ""));
            table.row(cells.toArray());
        }
        PageTable.plain(table, out);
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
