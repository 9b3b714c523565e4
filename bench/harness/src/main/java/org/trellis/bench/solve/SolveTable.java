package org.trellis.bench.solve;

import java.util.List;
import java.util.Locale;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolveDocument;
import org.trellis.bench.report.SolveRun;

/** Several ways of solving a system, one a line. */
final class SolveTable {
    private SolveTable() {}

    static String of(List<SolveRun> runs) {
        TextTable table = new TextTable("<solver", "<status", "iterations", "relative residual", "factor",
                "preparation", "solution", "an iteration", "vectors");
        for (SolveRun run : runs) {
            table.row(run.name(), SolveDocument.status(run.report()), Numbers.count(run.report().iterations()),
                    String.format(Locale.ROOT, "%.2e", run.report().relativeResidual()),
                    String.format(Locale.ROOT, "%.3f", run.report().convergenceFactor()),
                    Numbers.seconds(run.medianSetupSeconds()), Numbers.seconds(run.medianSeconds()),
                    Numbers.seconds(run.medianSeconds() / Math.max(1, run.report().iterations())),
                    run.peer().isPresent() ? "–" : Numbers.bytes(run.report().facts().memoryBytes()));
        }
        return table.render();
    }
}
