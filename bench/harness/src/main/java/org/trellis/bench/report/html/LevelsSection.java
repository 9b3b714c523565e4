package org.trellis.bench.report.html;

import java.util.Locale;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolveRun;
import org.trellis.bench.report.chart.CycleChart;
import org.trellis.bench.text.Markup;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SetupPhase;

/** The levels of a multigrid method: a table, a cycle, and where the time of the set-up went. */
final class LevelsSection {
    private static final String[][] LEVELS = {
        {"level", "The finest is 0."},
        {"rows", "Rows of the level's matrix."},
        {"non-zeros", "Its entries."},
        {"a row", "Entries a row.", Columns.MINOR},
        {"smoother", "What is done on the level; on the coarsest the solution.", Columns.MINOR},
        {"time a cycle", "Time of the level's steps in a cycle, run one by one."},
        {"memory", "Matrices, smoother and vectors of the level.", Columns.MINOR},
        {"product", "How the product with the level's matrix is run.", Columns.MINOR},
        {"transfers", "How products with prolongation and restriction are run.", Columns.MINOR}};

    private LevelsSection() {}

    static void write(SolveRun run, MultigridReport report, Markup out) {
        out.open("section").element("h2", "Levels of " + run.name());
        out.element("p", String.format(Locale.ROOT, "%s, cycle %s: grid complexity %.3f, operator complexity %.3f, %s",
                report.coarsening(), report.cycle(), report.gridComplexity(), report.operatorComplexity(),
                Numbers.bytes(report.bytes())));
        SortableTable table = new SortableTable(out, LEVELS);
        for (int l = 0; l < report.levels().size(); l++) {
            row(table, l, report.levels().get(l));
        }
        table.end();
        HtmlPage.columns(out, LEVELS);
        out.element("h3", "A cycle of " + Numbers.seconds(report.cycleSeconds()));
        CycleChart.of(report).writeTo(out);
        out.element("h3", "Set-up in " + Numbers.seconds(report.totalSetupSeconds())).open("dl");
        for (SetupPhase phase : SetupPhase.values()) {
            if (report.setupSeconds().containsKey(phase)) {
                HtmlPage.entry(out, phase.label(), Numbers.seconds(report.setupSeconds().get(phase)));
            }
        }
        report.remarks().forEach(remark -> HtmlPage.entry(out, "remark", remark));
        out.close("dl").close("section").line();
    }

    private static void row(SortableTable table, int index, MultigridReport.Level level) {
        table.startRow();
        table.number(String.valueOf(index), index);
        table.number(Numbers.count(level.rows()), level.rows());
        table.number(Numbers.count(level.nonZeros()), (double) level.nonZeros());
        table.number(String.format(Locale.ROOT, "%.1f", level.meanRowLength()), level.meanRowLength());
        table.words(level.smoother());
        table.number(Numbers.seconds(level.seconds()), level.seconds());
        table.number(Numbers.bytes(level.bytes()), (double) level.bytes());
        table.words(level.product());
        table.words(level.prolongation().isEmpty() ? "" : level.prolongation() + "; " + level.restriction());
        table.endRow();
    }
}
