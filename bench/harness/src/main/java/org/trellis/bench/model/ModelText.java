package org.trellis.bench.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.model.ModelReport.Check;
import org.trellis.bench.model.ModelReport.Level;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.Numbers;

/** Predictions as tables, by the number of ranks. */
final class ModelText {
    private final Console console;
    private final ModelReport report;

    ModelText(Console console, ModelReport report) {
        this.console = console;
        this.report = report;
    }

    void print() {
        Scale first = report.strong().getFirst();
        console.print("%s: %s rows, %s non-zeros, %s", report.matrix(), Numbers.count(first.rows()),
                Numbers.count(first.nonZeros()), report.setup().precision());
        console.print("  network           %s", report.setup().text());
        console.print("  predicted         rows divided by %s, kernels measured %s",
                report.setup().partitioner(), report.setup().measured());
        scaling("strong scaling", report.strong());
        if (!report.weak().isEmpty()) {
            scaling("weak scaling", report.weak());
        }
        if (!report.levels().isEmpty()) {
            levels();
        }
        if (!report.checks().isEmpty()) {
            checks();
        }
    }

    private void scaling(String title, List<Scale> scales) {
        console.print("%s, a product", title);
        table(scales, Scale::products);
        console.print("%s, a sweep of Jacobi", title);
        table(scales, Scale::sweeps);
        console.print("%s, an iteration of conjugate gradients", title);
        TextTable table = new TextTable("ranks", "rows", "iteration", "product", "waiting", "reductions", "vectors",
                "messages", "bytes", "balance", "speed-up");
        for (Scale scale : scales) {
            StepTimes step = scale.iteration();
            table.row(Numbers.count(scale.ranks()), Numbers.count(scale.rows()), Numbers.seconds(step.seconds()),
                    Numbers.seconds(step.interior() + step.boundary()), Numbers.seconds(step.waiting()),
                    Numbers.seconds(step.reduction()), Numbers.seconds(step.vectors()),
                    Numbers.real(step.messages()), Numbers.bytes(Math.round(step.bytes())),
                    Numbers.percent(step.balance()), speedUp(scales.getFirst(), scale, Scale::iteration));
        }
        console.printText(table.render());
        solvers(title, scales);
    }

    /** A line for each solver, number of rings and number of ranks; work is compared within a solver and its rings. */
    private void solvers(String title, List<Scale> scales) {
        if (scales.getFirst().solvers().isEmpty()) {
            return;
        }
        console.print("%s, iterations of solvers, replayed", title);
        TextTable table = new TextTable("<solver", "rings", "ranks", "rows", "iteration", "computing", "packing",
                "waiting", "reductions", "messages", "speed-up");
        for (int i = 0; i < scales.getFirst().solvers().size(); i++) {
            double first = scales.getFirst().solvers().get(i).seconds();
            for (Scale scale : scales) {
                SolverTimes one = scale.solvers().get(i);
                double work = (double) scale.nonZeros() / scales.getFirst().nonZeros();
                table.row(one.program(), rings(one.rings()), Numbers.count(scale.ranks()),
                        Numbers.count(scale.rows()), Numbers.seconds(one.seconds()),
                        Numbers.seconds(one.computing()), Numbers.seconds(one.packing()),
                        Numbers.seconds(one.waiting()), Numbers.seconds(one.reduction()),
                        Numbers.real(one.messages()), Numbers.real(work * first / one.seconds()));
            }
        }
        console.printText(table.render());
    }

    private static String rings(int rings) {
        return rings == 0 ? "best" : String.valueOf(rings);
    }

    private void table(List<Scale> scales, Function<Scale, List<StepTimes>> steps) {
        List<String> heads = new ArrayList<>(List.of("ranks", "rows", "a non-zero"));
        report.setup().rings().forEach(k -> heads.add(k == 1 ? "1 ring" : k + " rings"));
        heads.addAll(List.of("best", "over 1 ring", "speed-up"));
        TextTable table = new TextTable(heads.toArray(String[]::new));
        for (Scale scale : scales) {
            List<StepTimes> row = steps.apply(scale);
            List<String> cells = new ArrayList<>(List.of(Numbers.count(scale.ranks()), Numbers.count(scale.rows()),
                    Numbers.seconds(scale.times().product())));
            row.forEach(step -> cells.add(Numbers.seconds(step.seconds())));
            cells.add(String.valueOf(ModelReport.best(row).rings()));
            cells.add(gain(row));
            cells.add(speedUp(scales.getFirst(), scale, s -> ModelReport.best(steps.apply(s))));
            table.row(cells.toArray(String[]::new));
        }
        console.printText(table.render());
    }

    /** By how much the best number of rings is faster than the fewest. */
    private static String gain(List<StepTimes> steps) {
        return String.format(Locale.ROOT, "%.2f", steps.getFirst().seconds() / ModelReport.best(steps).seconds());
    }

    /** Work done a second, over that of the first line. */
    private static String speedUp(Scale first, Scale scale, Function<Scale, StepTimes> step) {
        double work = (double) scale.nonZeros() / first.nonZeros();
        return Numbers.real(work * step.apply(first).seconds() / step.apply(scale).seconds());
    }

    private void levels() {
        console.print("levels of the hierarchy, a sweep of Jacobi");
        List<String> heads = new ArrayList<>(List.of("level", "rows", "non-zeros", "ranks"));
        report.setup().rings().forEach(k -> heads.add(k == 1 ? "1 ring" : k + " rings"));
        heads.addAll(List.of("best", "over 1 ring"));
        TextTable table = new TextTable(heads.toArray(String[]::new));
        for (Level level : report.levels()) {
            Scale scale = level.smoother();
            List<String> cells = new ArrayList<>(List.of(String.valueOf(level.number()), Numbers.count(scale.rows()),
                    Numbers.count(scale.nonZeros()), Numbers.count(scale.ranks()) + (level.fewer() ? " (fewer)" : "")));
            scale.sweeps().forEach(step -> cells.add(Numbers.seconds(step.seconds())));
            cells.add(String.valueOf(ModelReport.best(scale.sweeps()).rings()));
            cells.add(gain(scale.sweeps()));
            table.row(cells.toArray(String[]::new));
        }
        console.printText(table.render());
    }

    private void checks() {
        console.print("predicted and measured here, on threads with delayed messages");
        TextTable table = new TextTable("<program", "ranks", "rings", "measured", "predicted", "error");
        for (Check check : report.checks()) {
            table.row(check.program(), String.valueOf(check.ranks()), rings(check.rings()),
                    Numbers.seconds(check.measured()), Numbers.seconds(check.expected()),
                    String.format(Locale.ROOT, "%+.0f %%", 100 * check.error()));
        }
        console.printText(table.render());
        double[] errors = report.checks().stream().mapToDouble(check -> Math.abs(check.error())).sorted().toArray();
        console.print("  error             median %s, greatest %s", Numbers.percent(errors[errors.length / 2]),
                Numbers.percent(errors[errors.length - 1]));
    }
}
