package org.trellis.bench.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.trellis.bench.console.Console;
import org.trellis.bench.model.ModelReport.Level;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Table;

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
        Table table = new Table(Column.of("ranks", Format.COUNT), Column.of("rows", Format.COUNT),
                Column.of("iteration", Format.SECONDS), Column.of("product", Format.SECONDS),
                Column.of("waiting", Format.SECONDS), Column.of("reductions", Format.SECONDS),
                Column.of("vectors", Format.SECONDS), Column.of("messages", Format.REAL),
                Column.of("bytes", Format.BYTES), Column.of("balance", Format.PERCENT),
                Column.of("speed-up", Format.REAL));
        for (Scale scale : scales) {
            StepTimes step = scale.iteration();
            table.row(scale.ranks(), scale.rows(), step.seconds(), step.interior() + step.boundary(), step.waiting(),
                    step.reduction(), step.vectors(), step.messages(), step.bytes(), step.balance(),
                    speedUp(scales.getFirst(), scale, Scale::iteration));
        }
        console.printText(table.text());
        solvers(title, scales);
    }

    private void solvers(String title, List<Scale> scales) {
        if (scales.getFirst().solvers().isEmpty()) {
            return;
        }
        console.print("%s, iterations of solvers, replayed", title);
        console.printText(ModelTables.solvers(scales).text());
    }

    private void table(List<Scale> scales, Function<Scale, List<StepTimes>> steps) {
        List<Column> columns = new ArrayList<>(List.of(Column.of("ranks", Format.COUNT),
                Column.of("rows", Format.COUNT), Column.of("a non-zero", Format.SECONDS)));
        addRings(columns);
        columns.add(Column.of("speed-up", Format.REAL));
        Table table = new Table(columns);
        for (Scale scale : scales) {
            List<StepTimes> row = steps.apply(scale);
            List<Object> cells = new ArrayList<>(List.of(scale.ranks(), scale.rows(), scale.times().product()));
            addRings(cells, row);
            cells.add(speedUp(scales.getFirst(), scale, s -> ModelReport.best(steps.apply(s))));
            table.row(cells.toArray());
        }
        console.printText(table.text());
    }

    /** A column for each number of rings, the best of them, and by how much it is faster than the fewest. */
    private void addRings(List<Column> columns) {
        report.setup().rings().forEach(k -> columns.add(Column.of(k == 1 ? "1 ring" : k + " rings", Format.SECONDS)));
        columns.add(Column.of("best", Format.NUMBER));
        columns.add(Column.of("over 1 ring", Format.of("%.2f")));
    }

    private static void addRings(List<Object> cells, List<StepTimes> steps) {
        steps.forEach(step -> cells.add(step.seconds()));
        StepTimes best = ModelReport.best(steps);
        cells.add(best.rings());
        cells.add(steps.getFirst().seconds() / best.seconds());
    }

    /** Work done a second, over that of the first line. */
    private static double speedUp(Scale first, Scale scale, Function<Scale, StepTimes> step) {
        double work = (double) scale.nonZeros() / first.nonZeros();
        return work * step.apply(first).seconds() / step.apply(scale).seconds();
    }

    private void levels() {
        console.print("levels of the hierarchy, a sweep of Jacobi");
        List<Column> columns = new ArrayList<>(List.of(Column.of("level", Format.NUMBER),
                Column.of("rows", Format.COUNT), Column.of("non-zeros", Format.COUNT),
                Column.of("ranks", Format.COUNT)));
        addRings(columns);
        Table table = new Table(columns);
        for (Level level : report.levels()) {
            Scale scale = level.smoother();
            List<Object> cells = new ArrayList<>(List.of(level.number(), scale.rows(), scale.nonZeros(),
                    Numbers.count(scale.ranks()) + (level.fewer() ? " (fewer)" : "")));
            addRings(cells, scale.sweeps());
            table.row(cells.toArray());
        }
        console.printText(table.text());
    }

    private void checks() {
        console.print("predicted and measured here, on threads with delayed messages");
        console.printText(ModelTables.checks(report.checks()).text());
        double[] errors = report.checks().stream().mapToDouble(check -> Math.abs(check.error())).sorted().toArray();
        console.print("  error             median %s, greatest %s", Numbers.percent(errors[errors.length / 2]),
                Numbers.percent(errors[errors.length - 1]));
    }
}
