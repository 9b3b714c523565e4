package org.trellis.bench.model;

import java.util.List;
import java.util.function.Function;
import org.trellis.bench.model.ModelReport.Check;
import org.trellis.bench.model.ModelReport.Level;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Column.Medium;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;

/** Predictions as tables, for consoles, pages and documents. */
public final class ModelTables {
    private static final String RINGS = "rings";

    private ModelTables() {}

    /**
     * Returns the steps of some numbers of ranks.
     *
     * @param scales the numbers of ranks
     * @param steps  which of their steps
     * @return a row for each step of each
     */
    public static Table steps(List<Scale> scales, Function<Scale, List<StepTimes>> steps) {
        Table table = new Table(Column.of("ranks", Format.COUNT).means("Number of ranks."),
                Column.of(RINGS, Format.NUMBER).means("Rings of the halo: so many steps follow one exchange."),
                Column.of("step", Format.SECONDS).means("Predicted time of one step, of the slowest rank."),
                Column.of("interior", Format.SECONDS).means("Rows computed while messages travel.").asMinor(),
                Column.of("boundary", Format.SECONDS).means("Other rows of the rank's own.").asMinor(),
                Column.of("redundant", Format.SECONDS)
                        .means("Rows of rings, which other ranks compute as well.").asMinor(),
                Column.of("packing", Format.SECONDS)
                        .means("Messages made and taken out, and what a processor does for each.").asMinor(),
                Column.of("waiting", Format.SECONDS).means("For messages, when the interior is done."),
                Column.of("messages", Format.REAL).means("Messages that a rank receives in a step.").asMinor(),
                Column.of("bytes", Format.BYTES).means("Bytes that a rank receives in a step.").asMinor(),
                Column.of("balance", Format.PERCENT).means("Mean of the ranks' steps over the slowest's."));
        for (Scale scale : scales) {
            for (StepTimes step : steps.apply(scale)) {
                table.row(scale.ranks(), step.rings(), step.seconds(), step.interior(), step.boundary(),
                        step.redundant(), step.packing(), step.waiting(), step.messages(), step.bytes(),
                        step.balance());
            }
        }
        return table;
    }

    /**
     * Returns the iterations of solvers; work is compared within a solver and its rings.
     *
     * @param scales the numbers of ranks
     * @return a row for each solver, number of rings and number of ranks
     */
    public static Table solvers(List<Scale> scales) {
        Table table = new Table(Column.words("solver").means("What iterates."),
                Column.of(RINGS, Format.NUMBER).means("Rings of the halos; best: chosen on each level."),
                Column.of("ranks", Format.COUNT).means("Number of ranks."),
                Column.of("rows", Format.COUNT).only(Medium.CONSOLE),
                Column.of("iteration", Format.SECONDS).means("Predicted time of an iteration."),
                Column.of("computing", Format.SECONDS)
                        .means("Mean of the ranks: products, sweeps, transfers, vectors.").asMinor(),
                Column.of("packing", Format.SECONDS).means("Mean of the ranks: messages made and taken out.").asMinor(),
                Column.of("waiting", Format.SECONDS).means("Mean of the ranks: for messages."),
                Column.of("reductions", Format.SECONDS).means("Mean of the ranks: all-reduces."),
                Column.of("messages", Format.REAL).means("Messages that a rank receives, mean.").asMinor(),
                Column.of("speed-up", Format.REAL).only(Medium.CONSOLE));
        for (int i = 0; i < scales.getFirst().solvers().size(); i++) {
            double first = scales.getFirst().solvers().get(i).seconds();
            for (Scale scale : scales) {
                SolverTimes one = scale.solvers().get(i);
                double work = (double) scale.nonZeros() / scales.getFirst().nonZeros();
                table.row(one.program(), rings(one.rings()), scale.ranks(), scale.rows(), one.seconds(),
                        one.computing(), one.packing(), one.waiting(), one.reduction(), one.messages(),
                        work * first / one.seconds());
            }
        }
        return table;
    }

    /**
     * Returns the levels of a hierarchy.
     *
     * @param levels the levels, the finest first
     * @return a row for each
     */
    public static Table levels(List<Level> levels) {
        Table table = new Table(Column.of("level", Format.NUMBER).means("0 is the finest."),
                Column.of("rows", Format.COUNT).means("Rows of the level."),
                Column.of("non-zeros", Format.COUNT).means("Entries of the level.").asMinor(),
                Column.of("ranks", Format.COUNT).means("Ranks that it is on."),
                Column.of("1st", Format.SECONDS).means("A sweep with the fewest rings."),
                Column.of("best", Format.SECONDS).means("A sweep with the best number of rings."),
                Column.of(RINGS, Format.NUMBER).means("The best number of rings."));
        for (Level level : levels) {
            Scale scale = level.smoother();
            StepTimes best = ModelReport.best(scale.sweeps());
            table.row(level.number(), scale.rows(), scale.nonZeros(), scale.ranks(),
                    scale.sweeps().getFirst().seconds(), best.seconds(), best.rings());
        }
        return table;
    }

    /**
     * Returns what was predicted and measured here.
     *
     * @param checks the comparisons
     * @return a row for each
     */
    public static Table checks(List<Check> checks) {
        Table table = new Table(Column.words("program").key("program").means("What was done."),
                Column.of("ranks", Format.COUNT).key("ranks").means("Threads of one process."),
                Column.of(RINGS, Format.NUMBER).key(RINGS).means("Rings of the halo."),
                Column.of("measured", Format.SECONDS).key("measuredSeconds")
                        .means("Time of a step in the fastest pass."),
                Column.of("predicted", Format.SECONDS).key("predictedSeconds").means("Time that was predicted."),
                Column.of("error", Format.ERROR).key("error")
                        .means("Of the prediction, relative to what was measured."));
        for (Check check : checks) {
            table.row(check.program(), check.ranks(), rings(check.rings()), check.measured(), check.expected(),
                    check.error());
        }
        return table;
    }

    private static Table.Shown rings(int rings) {
        return new Table.Shown(rings, rings == 0 ? "best" : String.valueOf(rings));
    }
}
