package org.trellis.bench.report.html;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.trellis.bench.model.ModelReport;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.chart.ScalingChart;
import org.trellis.bench.text.Markup;

/** Predictions for many ranks for a browser. The page needs no network and stores nothing. */
public final class ModelPage {
    private static final String[][] STEPS = {
        {"ranks", "Number of ranks."},
        {"rings", "Rings of the halo: so many steps follow one exchange."},
        {"step", "Predicted time of one step, of the slowest rank."},
        {"interior", "Rows computed while messages travel.", Columns.MINOR},
        {"boundary", "Other rows of the rank's own.", Columns.MINOR},
        {"redundant", "Rows of rings, which other ranks compute as well.", Columns.MINOR},
        {"packing", "Messages made and taken out, and what a processor does for each.", Columns.MINOR},
        {"waiting", "For messages, when the interior is done."},
        {"messages", "Messages that a rank receives in a step.", Columns.MINOR},
        {"bytes", "Bytes that a rank receives in a step.", Columns.MINOR},
        {"balance", "Mean of the ranks' steps over the slowest's."}};
    private static final String[][] SOLVERS = {
        {"solver", "What iterates."}, {"rings", "Rings of the halos; best: chosen on each level."},
        {"ranks", "Number of ranks."}, {"iteration", "Predicted time of an iteration."},
        {"computing", "Mean of the ranks: products, sweeps, transfers, vectors.", Columns.MINOR},
        {"packing", "Mean of the ranks: messages made and taken out.", Columns.MINOR},
        {"waiting", "Mean of the ranks: for messages."}, {"reductions", "Mean of the ranks: all-reduces."},
        {"messages", "Messages that a rank receives, mean.", Columns.MINOR}};
    private static final String[][] CHECKS = {
        {"program", "What was done."}, {"ranks", "Threads of one process."}, {"rings", "Rings of the halo."},
        {"measured", "Time of a step in the fastest pass."}, {"predicted", "Time that was predicted."},
        {"error", "Of the prediction, relative to what was measured."}};
    private static final String[][] LEVELS = {
        {"level", "0 is the finest."}, {"rows", "Rows of the level."},
        {"non-zeros", "Entries of the level.", Columns.MINOR},
        {"ranks", "Ranks that it is on."}, {"1st", "A sweep with the fewest rings."},
        {"best", "A sweep with the best number of rings."}, {"rings", "The best number of rings."}};

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
        SortableTable table = new SortableTable(out, SOLVERS);
        for (Scale scale : scales) {
            for (SolverTimes one : scale.solvers()) {
                table.startRow();
                table.words(one.program());
                table.number(one.rings() == 0 ? "best" : String.valueOf(one.rings()), one.rings());
                table.number(Numbers.count(scale.ranks()), scale.ranks());
                for (double seconds : new double[]{one.seconds(), one.computing(), one.packing(), one.waiting(),
                    one.reduction()}) {
                    table.number(Numbers.seconds(seconds), seconds);
                }
                table.number(Numbers.real(one.messages()), one.messages());
                table.endRow();
            }
        }
        table.end();
        HtmlPage.columns(out, SOLVERS);
        out.close("section").line();
    }

    private void program(String title, List<Scale> scales, Function<Scale, List<StepTimes>> steps, boolean weak) {
        out.open("section").element("h2", title);
        ScalingChart.overRanks(scales, steps, weak, title).writeTo(out);
        SortableTable table = new SortableTable(out, STEPS);
        for (Scale scale : scales) {
            for (StepTimes step : steps.apply(scale)) {
                row(table, scale, step);
            }
        }
        table.end();
        HtmlPage.columns(out, STEPS);
        out.close("section").line();
    }

    private static void row(SortableTable table, Scale scale, StepTimes step) {
        table.startRow();
        table.number(Numbers.count(scale.ranks()), scale.ranks());
        table.number(String.valueOf(step.rings()), step.rings());
        for (double seconds : new double[]{step.seconds(), step.interior(), step.boundary(), step.redundant(),
            step.packing(), step.waiting()}) {
            table.number(Numbers.seconds(seconds), seconds);
        }
        table.number(Numbers.real(step.messages()), step.messages());
        table.number(Numbers.bytes(Math.round(step.bytes())), step.bytes());
        table.number(Numbers.percent(step.balance()), step.balance());
        table.endRow();
    }

    private void levels() {
        if (report.levels().isEmpty()) {
            return;
        }
        out.open("section").element("h2", "Levels of a multigrid hierarchy");
        SortableTable table = new SortableTable(out, LEVELS);
        for (ModelReport.Level level : report.levels()) {
            Scale scale = level.smoother();
            StepTimes best = ModelReport.best(scale.sweeps());
            table.startRow();
            table.number(String.valueOf(level.number()), level.number());
            table.number(Numbers.count(scale.rows()), (double) scale.rows());
            table.number(Numbers.count(scale.nonZeros()), (double) scale.nonZeros());
            table.number(Numbers.count(scale.ranks()), scale.ranks());
            double fewest = scale.sweeps().getFirst().seconds();
            table.number(Numbers.seconds(fewest), fewest);
            table.number(Numbers.seconds(best.seconds()), best.seconds());
            table.number(String.valueOf(best.rings()), best.rings());
            table.endRow();
        }
        table.end();
        HtmlPage.columns(out, LEVELS);
        out.close("section").line();
    }

    private void checks() {
        if (report.checks().isEmpty()) {
            return;
        }
        out.open("section").element("h2", "Predicted and measured");
        out.element("p", "On threads of one process, whose messages were delayed.", "class", "note");
        SortableTable table = new SortableTable(out, CHECKS);
        for (ModelReport.Check check : report.checks()) {
            table.startRow();
            table.words(check.program());
            table.number(Numbers.count(check.ranks()), check.ranks());
            table.number(String.valueOf(check.rings()), check.rings());
            table.number(Numbers.seconds(check.measured()), check.measured());
            table.number(Numbers.seconds(check.expected()), check.expected());
            table.number(String.format(Locale.ROOT, "%+.0f %%", 100 * check.error()), check.error());
            table.endRow();
        }
        table.end();
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
