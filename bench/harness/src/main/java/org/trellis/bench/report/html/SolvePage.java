package org.trellis.bench.report.html;

import java.util.List;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolveDocument;
import org.trellis.bench.report.SolveRun;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.ResidualChart;
import org.trellis.bench.text.Markup;
import org.trellis.bench.text.Printable;

/** The report of solutions of a system for a browser. It needs no network and stores nothing. */
public final class SolvePage {
    private static final String TIME_NOTE = "Iterations are timed in the first solution, which also makes code and "
            + "plans; each curve shows their shares of the median time in the table.";

    private final SolveDocument document;
    private final Provenance provenance;
    private final Markup out;

    private SolvePage(SolveDocument document, Provenance provenance, Markup out) {
        this.document = document;
        this.provenance = provenance;
        this.out = out;
    }

    /**
     * Writes solutions as HTML.
     *
     * @param document   the solutions
     * @param provenance where they come from
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(SolveDocument document, Provenance provenance) {
        return HtmlPage.of("Solution of " + document.name(), out -> new SolvePage(document, provenance, out).body());
    }

    private void body() {
        List<SolveRun> runs = document.runs();
        SolveRun first = runs.getFirst();
        out.open("header").element("h1", "Solution of " + document.name());
        out.element("p", document.backend() + " · " + HtmlPage.origin(provenance));
        out.open("div", "class", "cards");
        HtmlPage.card(out, Numbers.count(document.matrix().rows()), "rows");
        HtmlPage.card(out, Numbers.count(document.matrix().nonZeros()), "non-zeros");
        if (runs.size() == 1) {
            HtmlPage.card(out, SolveDocument.status(first.report()), "status");
            HtmlPage.card(out, Numbers.count(first.report().iterations()), "iterations");
            HtmlPage.card(out, Numbers.seconds(first.medianSeconds()), "solution");
        } else {
            HtmlPage.card(out, String.valueOf(runs.size()), "solvers");
        }
        out.close("div").close("header").line().open("main");
        out.open("section").element("h2", "Residual over iterations");
        List<ResidualChart.Curve> own = ResidualChart.curves(runs);
        double threshold = first.stack().criteria().threshold(first.report().rightHandSideNorm());
        ResidualChart.of(own, false, threshold, document.name()).writeTo(out);
        out.element("h2", "Residual over time");
        ResidualChart.of(own, true, threshold, document.name()).writeTo(out);
        if (runs.stream().anyMatch(run -> run.seconds().size() > 1)) {
            out.element("p", TIME_NOTE, "class", "note");
        }
        out.close("section").line();
        table();
        runs.forEach(run -> run.multigrid().ifPresent(report -> LevelsSection.write(run, report, out)));
        notes();
        where();
        out.close("main").line();
    }

    private void table() {
        out.open("section").element("h2", "Solvers");
        Table table = SolveDocument.table(document.runs());
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private void notes() {
        out.open("section").element("h2", "What happened").open("dl");
        for (SolveRun run : document.runs()) {
            HtmlPage.entry(out, run.name(), Printable.brief(run.report().detail()));
            HtmlPage.entry(out, "Accuracy", Printable.brief(run.report().facts().error().toString()));
            run.report().facts().notes().forEach(note -> HtmlPage.entry(out, "", Printable.brief(note)));
        }
        out.close("dl").close("section").line();
    }

    private void where() {
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, provenance);
        HtmlPage.entry(out, "Backend", document.backend() + ", product " + document.product());
        HtmlPage.processor(out, provenance.machine());
        HtmlPage.system(out, provenance.machine());
        out.close("dl").close("section").line();
    }
}
