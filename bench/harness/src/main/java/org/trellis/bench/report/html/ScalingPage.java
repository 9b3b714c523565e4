package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.chart.ScalingChart;
import org.trellis.bench.scaling.Crossover;
import org.trellis.bench.scaling.ScalingReport;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;
import org.trellis.bench.text.Markup;

/** Scaling for a browser. The page needs no network and stores nothing. */
public final class ScalingPage {
    private static final String[][] CASES = {
        {"matrix", "The matrix."}, {"rows", "Its rows.", Columns.MINOR}, {"non-zeros", "Its entries."},
        {"ranks", "Number of ranks."}, {"rings", "Rings of the halo; * where the tuner chose the number."},
        {"time", "Median."}, {"least", "The fastest pass.", Columns.MINOR},
        {"speed-up", "Work a second over that of the fewest ranks."},
        {"efficiency", "Speed-up over the growth of the ranks."},
        {"predicted", "By the model of rings, from constants measured on these ranks."},
        {"error", "Of the prediction, relative to the fastest pass."}};
    private static final String[][] CROSSOVERS = {
        {"matrices", "Sizes of the same."}, {"program", "What was run."}, {"ranks", "More ranks."},
        {"than", "The fewest ranks."}, {"1 ring", "Non-zeros from which on more ranks are faster, with one ring."},
        {"rings chosen", "The same with the rings that the tuner chose."}};

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
        troubles();
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
        SortableTable table = new SortableTable(out, CASES);
        done.forEach(each -> each.variants().forEach(variant -> row(table, each, variant)));
        table.end();
        HtmlPage.columns(out, CASES);
        out.close("section").line();
    }

    private void row(SortableTable table, Case each, Variant variant) {
        table.startRow();
        table.words(each.matrix());
        table.number(Numbers.count(each.rows()), (double) each.rows());
        table.number(Numbers.count(each.nonZeros()), (double) each.nonZeros());
        table.number(String.valueOf(each.ranks()), each.ranks());
        table.number(variant.rings() + (variant.chosen() ? " *" : ""), variant.rings());
        table.number(Numbers.seconds(variant.seconds()), variant.seconds());
        table.number(Numbers.seconds(variant.fastest()), variant.fastest());
        double speedUp = report.speedUp(each, variant);
        table.number(Numbers.real(speedUp), speedUp);
        table.number(Numbers.percent(report.efficiency(each, variant)), report.efficiency(each, variant));
        if (Double.isNaN(variant.predicted())) {
            table.words("");
            table.words("");
        } else {
            table.number(Numbers.seconds(variant.predicted()), variant.predicted());
            table.number(String.format(Locale.ROOT, "%+.0f %%", 100 * variant.error()), variant.error());
        }
        table.endRow();
    }

    private void crossovers() {
        List<Crossover> all = Crossover.of(report);
        if (all.isEmpty()) {
            return;
        }
        out.open("section").element("h2", "From which size on more ranks are faster");
        SortableTable table = new SortableTable(out, CROSSOVERS);
        for (Crossover each : all) {
            table.startRow();
            table.words(each.family());
            table.words(each.title());
            table.number(String.valueOf(each.ranks()), each.ranks());
            table.number(String.valueOf(each.fewest()), each.fewest());
            size(table, each.plain());
            size(table, each.chosen());
            table.endRow();
        }
        table.end();
        HtmlPage.columns(out, CROSSOVERS);
        out.close("section").line();
    }

    private static void size(SortableTable table, double size) {
        if (Double.isNaN(size)) {
            table.words("");
        } else if (size == 0) {
            table.number("all tried", 0);
        } else {
            table.number(Double.isInfinite(size) ? "none tried" : Numbers.count(Math.round(size)),
                    Math.min(size, Double.MAX_VALUE));
        }
    }

    private void troubles() {
        List<String> all = report.cases().stream().flatMap(each -> each.trouble().stream()).toList();
        if (all.isEmpty()) {
            return;
        }
        out.open("section").element("h2", "What went wrong").open("ul");
        all.forEach(words -> out.element("li", words));
        out.close("ul").close("section").line();
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
