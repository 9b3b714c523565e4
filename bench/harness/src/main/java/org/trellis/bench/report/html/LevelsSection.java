package org.trellis.bench.report.html;

import java.util.List;
import java.util.Locale;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolveRun;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.CycleChart;
import org.trellis.bench.text.Markup;
import org.trellis.bench.text.Printable;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SetupPhase;

/** The levels of a multigrid method: a table, a cycle, and where the time of the set-up went. */
final class LevelsSection {
    private LevelsSection() {}

    static void write(SolveRun run, MultigridReport report, Markup out) {
        out.open("section").element("h2", "Levels of " + run.name());
        out.element("p", String.format(Locale.ROOT, "%s, cycle %s: grid complexity %.3f, operator complexity %.3f, %s",
                report.coarsening(), report.cycle(), report.gridComplexity(), report.operatorComplexity(),
                Numbers.bytes(report.bytes())));
        Table table = table(report.levels());
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.element("h3", "A cycle of " + Numbers.seconds(report.cycleSeconds()));
        CycleChart.of(report).writeTo(out);
        out.element("h3", "Set-up in " + Numbers.seconds(report.totalSetupSeconds())).open("dl");
        for (SetupPhase phase : SetupPhase.values()) {
            if (report.setupSeconds().containsKey(phase)) {
                HtmlPage.entry(out, phase.label(), Numbers.seconds(report.setupSeconds().get(phase)));
            }
        }
        report.remarks().forEach(remark -> HtmlPage.entry(out, "remark", Printable.brief(remark)));
        out.close("dl").close("section").line();
    }

    private static Table table(List<MultigridReport.Level> levels) {
        Table table = new Table(Column.of("level", Format.NUMBER).means("The finest is 0."),
                Column.of("rows", Format.COUNT).means("Rows of the level's matrix."),
                Column.of("non-zeros", Format.COUNT).means("Its entries."),
                Column.of("a row", Format.of("%.1f")).means("Entries a row.").asMinor(),
                Column.words("smoother")
                        .means("What is done on the level; on the coarsest the solution.").asMinor(),
                Column.of("time a cycle", Format.SECONDS)
                        .means("Time of the level's steps in a cycle, run one by one."),
                Column.of("memory", Format.BYTES).means("Matrices, smoother and vectors of the level.").asMinor(),
                Column.words("product").means("How the product with the level's matrix is run.").asMinor(),
                Column.words("transfers")
                        .means("How products with prolongation and restriction are run.").asMinor());
        for (int l = 0; l < levels.size(); l++) {
            MultigridReport.Level level = levels.get(l);
            table.row(l, level.rows(), level.nonZeros(), level.meanRowLength(), level.smoother(), level.seconds(),
                    level.bytes(), level.product(),
                    level.prolongation().isEmpty() ? "" : level.prolongation() + "; " + level.restriction());
        }
        return table;
    }
}
