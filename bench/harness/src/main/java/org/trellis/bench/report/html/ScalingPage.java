package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.ScalingChart;
import org.trellis.bench.scaling.Crossover;
import org.trellis.bench.scaling.ScalingReport;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;
import org.trellis.bench.text.Markup;

/** Scaling for a browser. The page needs no network and stores nothing. */
public final class ScalingPage {
    private final ScalingReport report;
    private final Provenance provenance;
    private final Markup out;

    private ScalingPage(ScalingReport report, Provenance provenance, Markup out) {
        this.report = report;
        this.provenance = provenance;
        this.out = out;
    }

    /**
     * Writes scaling as HTML.
     *
     * @param report     the measurements
     * @param provenance where they come from
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(ScalingReport report, Provenance provenance) {
        return HtmlPage.of(title(report), out -> new ScalingPage(report, provenance, out).body());
    }

    private static String title(ScalingReport report) {
        return report.setup().weak() ? "Weak scaling" : "Strong scaling";
    }

    private void body() {
        out.open("header").element("h1", title(report));
        out.element("p", HtmlPage.origin(provenance));
        out.close("header").line().open("main");
        Map<String, List<Case>> programs = new LinkedHashMap<>();
        report.cases().forEach(each -> programs
                .computeIfAbsent(each.title(), key -> new ArrayList<>()).add(each));
        programs.forEach(this::program);
        crossovers();
        HtmlPage.troubles(out, report.cases().stream().flatMap(each -> each.trouble().stream()).toList());
        where();
        out.close("main").line();
    }

    private void program(String title, List<Case> cases) {
        List<Case> done = cases.stream().filter(each -> each.refusal() == null).toList();
        if (done.isEmpty()) {
            return;
        }
        out.open("section").element("h2", title);
        out.element("p", "Over the size of the matrix, for each number of ranks.",
                "class", "note");
        ScalingChart.overSize(done, title).writeTo(out);
        Table table = new Table(Column.words("matrix").means("The matrix."),
                Column.of("rows", Format.COUNT).means("Its rows.").asMinor(),
                Column.of("non-zeros", Format.COUNT).means("Its entries."),
                Column.of("ranks", Format.NUMBER).means("Number of ranks."),
                Column.of("rings", Format.NUMBER).means("Rings of the halo; * where the tuner chose the number."),
                Column.of("time", Format.SECONDS).means("Median."),
                Column.of("least", Format.SECONDS).means("The fastest pass.").asMinor(),
                Column.of("speed-up", Format.REAL).means("Work a second over that of the fewest ranks."),
                Column.of("efficiency", Format.PERCENT).means("Speed-up over the growth of the ranks."),
                Column.of("predicted", Format.SECONDS)
                        .means("By the model of rings, from constants measured on these ranks."),
                Column.of("error", Format.ERROR).means("Of the prediction, relative to the fastest pass."));
        for (Case each : done) {
            for (Variant variant : each.variants()) {
                table.row(each.matrix(), each.rows(), each.nonZeros(), each.ranks(),
                        new Table.Shown(variant.rings(), variant.rings() + (variant.chosen() ? " *" : "")),
                        variant.seconds(), variant.fastest(), report.speedUp(each, variant),
                        report.efficiency(each, variant), variant.predicted(),
                        Double.isNaN(variant.predicted()) ? null : variant.error());
            }
        }
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private void crossovers() {
        List<Crossover> all = Crossover.of(report);
        if (all.isEmpty()) {
            return;
        }
        out.open("section").element("h2", "From which size on more ranks are faster");
        Table table = new Table(Column.words("matrices").means("Sizes of the same."),
                Column.words("program").means("What was run."), Column.of("ranks", Format.NUMBER).means("More ranks."),
                Column.of("than", Format.NUMBER).means("The fewest ranks."),
                Column.of("1 ring", Format.COUNT)
                        .means("Non-zeros from which on more ranks are faster, with one ring."),
                Column.of("rings chosen", Format.COUNT).means("The same with the rings that the tuner chose."));
        for (Crossover each : all) {
            table.row(each.family(), each.title(), each.ranks(), each.fewest(), size(each.plain()),
                    size(each.chosen()));
        }
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private static Table.Shown size(double size) {
        if (Double.isNaN(size)) {
            return null;
        }
        return new Table.Shown(Math.min(size, Double.MAX_VALUE), size == 0
                ? "all tried"
                : Double.isInfinite(size) ? "none tried" : Numbers.count(Math.round(size)));
    }

    private void where() {
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, provenance);
        HtmlPage.entry(out, "Ranks", String.join("; ",
                report.cases().stream().map(Case::transport).distinct().toList()));
        HtmlPage.entry(out, "Division", report.setup().partitioner());
        HtmlPage.entry(out, "Steps in a row", report.setup().steps() + ", " + report.setup().precision());
        HtmlPage.processor(out, provenance.machine());
        HtmlPage.system(out, provenance.machine());
        out.close("dl").close("section").line();
    }
}
