package org.trellis.bench.solve;

import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.SolveRun;
import org.trellis.bench.report.Table;

/** Cold and warm times of a solver. */
final class SolveTable {
    private SolveTable() {}

    /** Cold and warm times of one solver: its first preparation and solution, and medians of the others. */
    static String ofRounds(SolveRun run) {
        Table table = new Table(Column.words("rounds"), Column.words(""), Column.of("preparation", Format.SECONDS),
                Column.of("solution", Format.SECONDS), Column.of("an iteration", Format.SECONDS));
        int iterations = Math.max(1, run.report().iterations());
        double first = run.seconds().getFirst();
        table.row("cold", "1", run.setupSeconds().getFirst(), first, first / iterations);
        table.row("warm", "median of " + (run.seconds().size() - 1),
                run.setupSeconds().size() > 1 ? run.medianSetupSeconds() : null, run.medianSeconds(),
                run.medianSeconds() / iterations);
        return table.text();
    }
}
