package org.trellis.bench.report.html;

import java.util.List;
import java.util.function.Function;
import org.trellis.bench.model.ModelReport;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.model.ModelTables;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.ScalingChart;
import org.trellis.bench.text.Markup;

/** Predictions for many ranks for a browser. The page needs no network and stores nothing. */
public final class ModelPage {
    private final ModelReport report;
    private final Provenance provenance;
    private final Markup out;

    private ModelPage(ModelReport report, Provenance provenance, Markup out) {
        this.report = report;
        this.provenance = provenance;
        this.out = out;
    }

    /**
     * Writes predictions as HTML.
     *
     * @param report     the predictions
     * @param provenance where they come from
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(ModelReport report, Provenance provenance) {
        return HtmlPage.of("Predictions for " + report.matrix(), out -> new ModelPage(report, provenance, out).body());
    }

    private void body() {
        Scale first = report.strong().getFirst();
        Scale last = report.strong().getLast();
        out.open("header").element("h1", "Predictions for " + report.matrix());
        out.element("p", report.setup().text().replace(",", ", ") + " · " + HtmlPage.origin(provenance));
        out.open("div", "class", "cards");
        HtmlPage.card(out, Numbers.count(first.rows()), "rows");
        HtmlPage.card(out, Numbers.count(first.nonZeros()), "non-zeros");
        HtmlPage.card(out, Numbers.count(last.ranks()), "ranks");
        StepTimes best = ModelReport.best(last.sweeps());
        HtmlPage.card(out, Numbers.seconds(best.seconds()), "a sweep there");
        HtmlPage.card(out, String.valueOf(best.rings()), "rings, the best there");
        out.close("div").close("header").line().open("main");
        scaling("Strong scaling", report.strong(), false);
        if (!report.weak().isEmpty()) {
            scaling("Weak scaling", report.weak(), true);
        }
        levels();
        checks();
        where();
        out.close("main").line();
    }

    private void scaling(String title, List<Scale> scales, boolean weak) {
        program(title + ", a product", scales, Scale::products, weak);
        program(title + ", a sweep of Jacobi's method", scales, Scale::sweeps, weak);
        out.open("section").element("h2", title + ", an iteration of conjugate gradients");
        out.element("p", "Its product with one ring, two all-reduces, and vectors.", "class", "note");
        ScalingChart.overRanks(scales, scale -> List.of(scale.iteration()), weak, title).writeTo(out);
        out.close("section").line();
        solvers(title, scales);
    }

    private void solvers(String title, List<Scale> scales) {
        if (scales.getFirst().solvers().isEmpty()) {
            return;
        }
        out.open("section").element("h2", title + ", iterations of solvers, replayed");
        section(ModelTables.solvers(scales));
    }

    /** Ends a section with a table and what its columns mean. */
    private void section(Table table) {
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private void program(String title, List<Scale> scales, Function<Scale, List<StepTimes>> steps, boolean weak) {
        out.open("section").element("h2", title);
        ScalingChart.overRanks(scales, steps, weak, title).writeTo(out);
        section(ModelTables.steps(scales, steps));
    }

    private void levels() {
        if (report.levels().isEmpty()) {
            return;
        }
        out.open("section").element("h2", "Levels of a multigrid hierarchy");
        section(ModelTables.levels(report.levels()));
    }

    private void checks() {
        if (report.checks().isEmpty()) {
            return;
        }
        out.open("section").element("h2", "Predicted and measured");
        out.element("p", "On threads of one process, whose messages were delayed.", "class", "note");
        PageTable.sortable(ModelTables.checks(report.checks()), out);
        out.close("section").line();
    }

    private void where() {
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, provenance);
        HtmlPage.entry(out, "Network", report.setup().text().replace(",", ", "));
        HtmlPage.entry(out, "Division", report.setup().partitioner());
        HtmlPage.entry(out, "Kernels", "measured here, " + report.setup().measured() + ", "
                + report.setup().precision());
        HtmlPage.processor(out, provenance.machine());
        HtmlPage.system(out, provenance.machine());
        out.close("dl").close("section").line();
    }
}
