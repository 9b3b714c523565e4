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

    /** Cold and warm times of one way: its first preparation and solution, and medians of the others. */
    static String ofRounds(SolveRun run) {
        TextTable table = new TextTable("<rounds", "<", "preparation", "solution", "an iteration");
        int iterations = Math.max(1, run.report().iterations());
        double first = run.seconds().getFirst();
        table.row("cold", "1", Numbers.seconds(run.setupSeconds().getFirst()), Numbers.seconds(first),
                Numbers.seconds(first / iterations));
        table.row("warm", "median of " + (run.seconds().size() - 1),
                run.setupSeconds().size() > 1 ? Numbers.seconds(run.medianSetupSeconds()) : "–",
                Numbers.seconds(run.medianSeconds()), Numbers.seconds(run.medianSeconds() / iterations));
        return table.render();
    }

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
