package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolverTuningDocument;
import org.trellis.bench.report.SolverTuningDocument.SolvedSystem;
import org.trellis.bench.report.Table;
import org.trellis.bench.text.Markup;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.tuner.solver.SolverSweep;
import org.trellis.tuner.solver.TunedSolver;

/** The report of solvers that tuned themselves, for a browser. It needs no network and stores nothing. */
public final class SolverTuningPage {
    private static final double ROOM = 1.5;
    private final SolverTuningDocument document;
    private final Provenance provenance;
    private final Markup out;

    SolverTuningPage(SolverTuningDocument document, Provenance provenance, Markup out) {
        this.document = document;
        this.provenance = provenance;
        this.out = out;
    }

    /**
     * Writes a run as HTML.
     *
     * @param document   the run
     * @param provenance where it comes from
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(SolverTuningDocument document, Provenance provenance) {
        return HtmlPage.of("Tuned solvers, " + provenance.date(),
                out -> new SolverTuningPage(document, provenance, out).body());
    }

    private void body() {
        out.open("header").element("h1", "Solvers that tune themselves");
        out.element("p", document.job().map(job -> job + " · ").orElse("") + document.device() + " · "
                + HtmlPage.origin(provenance));
        out.open("div", "class", "cards");
        cards();
        out.close("div").close("header").line().open("main");
        sections();
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, provenance);
        HtmlPage.entry(out, "Device", document.device().toString());
        HtmlPage.processor(out, provenance.machine());
        HtmlPage.system(out, provenance.machine());
        out.close("dl").close("section").line().close("main").line();
    }

    void cards() {
        HtmlPage.card(out, String.valueOf(document.systems().size()),
                document.systems().size() == 1 ? "system" : "systems");
        HtmlPage.card(out, String.valueOf(document.solves()), "solutions each");
        long trials = document.systems().stream().flatMap(system -> system.steps().stream())
                .filter(TunedSolver.Step::trial).count();
        HtmlPage.card(out, String.valueOf(trials), trials == 1 ? "trial" : "trials");
    }

    /** What was solved, without where. */
    void sections() {
        systems();
        document.systems().forEach(this::system);
    }

    private void systems() {
        out.open("section").element("h2", "Each system");
        Format ratio = Format.of("%.2f");
        Table table = new Table(Column.words("system").means("Name of the matrix."),
                Column.of("rows", Format.COUNT).means("Number of rows."),
                Column.words("first guess").means("What the first solution was found with."),
                Column.words("chosen").means("What the last solution was found with."),
                Column.of("trials", Format.NUMBER).means("Other choices that were tried within the solutions."),
                Column.of("settled after", Format.NUMBER)
                        .means("Solutions after which nothing more was worth a trial; empty if that never was so."),
                Column.of("solutions", Format.SECONDS)
                        .means("Time of all solutions, set-ups and trials included."),
                Column.of("once warm", Format.SECONDS)
                        .means("The same when the program runs again in the same process; empty if it did not."),
                Column.of("of the best", Format.PERCENT)
                        .means("Share of the speed of the best choice of the sweep that the chosen one reaches."),
                Column.of("over the best", ratio)
                        .means("Time of all solutions over that of the best choice of the sweep, had it been known."),
                Column.of("over auto", ratio).means("Time of all solutions over that of the choice by rules."));
        for (SolvedSystem system : document.systems()) {
            long trials = system.steps().stream().filter(TunedSolver.Step::trial).count();
            table.row(system.name(), system.rows(), system.first().toString(), system.chosen().toString(), trials,
                    system.settled().orElse(null), system.total(),
                    system.warm().map(SolverTuningDocument.WarmTimes::seconds).orElse(null),
                    system.shareOfBest(system.chosen()),
                    system.overBest(), system.overAuto());
        }
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private void system(SolvedSystem system) {
        out.open("section").element("h2", system.name());
        out.element("p", "It began with " + system.firstGuess() + ".", "class", "note");
        solutions(system).writeTo(out);
        if (system.steps().stream().anyMatch(SolverTuningPage::hasResidual)) {
            accuracy(system).writeTo(out);
        }
        if (!system.sweep().isEmpty()) {
            sweep(system).writeTo(out);
        }
        Table table = new Table(Column.of("solution", Format.NUMBER), Column.words("choice"), Column.words("trial"),
                Column.of("set-up", Format.SECONDS), Column.of("time", Format.SECONDS),
                Column.of("iterations", Format.COUNT), Column.of("progress", Format.PERCENT),
                Column.words("outcome"));
        for (TunedSolver.Step step : system.steps()) {
            table.row(step.solve() + 1, step.choice().toString(), step.trial() ? "trial" : "", step.setupSeconds(),
                    step.seconds(), step.iterations(), step.progress(), step.note());
        }
        PageTable.sortable(table, out);
        if (!system.rings().isEmpty()) {
            rings(system);
        }
        out.close("section").line();
    }

    private void rings(SolvedSystem system) {
        Table table = new Table(Column.words("solver").means("What exchanges rings of halos."),
                Column.of("level", Format.NUMBER).means("Level of multigrid, 0 for the finest or the only one."),
                Column.of("rings", Format.NUMBER).means("Number of rings that was tried."),
                Column.of("time", Format.SECONDS).means("Least time of a visit of the level, of the slowest rank."),
                Column.words("outcome").means("Whether this number is used."));
        for (SolverTuningDocument.TunedRings one : system.rings()) {
            for (LevelRings level : one.levels()) {
                if (level.trials().stream().allMatch(trial -> trial.seconds().isEmpty())) {
                    table.row(one.solver(), level.level(), level.rings(), null, "used, known or proposed");
                }
                level.trials().stream().filter(trial -> !trial.seconds().isEmpty())
                        .forEach(trial -> table.row(one.solver(), level.level(), trial.rings(), trial.leastSeconds(),
                                trial.rings() == level.rings() ? "used" : ""));
            }
        }
        out.element("h3", "Rings of halos");
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
    }

    /** The time of each solution, and the accuracy that it came to. */
    private static Chart solutions(SolvedSystem system) {
        List<Mark> plain = new ArrayList<>();
        List<Mark> tried = new ArrayList<>();
        for (int i = 0; i < system.seconds().size(); i++) {
            int solve = i;
            List<String> trials = system.steps().stream().filter(step -> step.solve() == solve && step.trial())
                    .map(step -> step.choice().toString()).toList();
            Mark mark = Mark.point(i + 1, system.seconds().get(i), String.format(Locale.ROOT, "%s, residual %.1e",
                    trials.isEmpty() ? "no trial" : String.join(", ", trials), system.residuals().get(i)));
            plain.add(Mark.point(i + 1, system.seconds().get(i), ""));
            if (!trials.isEmpty()) {
                tried.add(mark);
            }
        }
        List<Series> series = new ArrayList<>();
        series.add(Series.of("each solution", Ink.C1, Look.LINE, plain));
        if (!tried.isEmpty()) {
            series.add(Series.of("with a trial", Ink.C3, Look.DOTS, tried));
        }
        double[] sorted = system.seconds().stream().mapToDouble(Double::doubleValue).sorted().toArray();
        system.settled().ifPresent(after -> series.add(Series.of("settled", Ink.FAINT, Look.DASHED,
                List.of(Mark.point(after, sorted[0], ""), Mark.point(after, sorted[sorted.length - 1], "")))));
        Axis across = Axis.of("solution", Scale.linear(1, Math.max(2, sorted.length))).counting();
        Axis up = Axis.of("time of the solution",
                Scale.logarithmic(Math.max(1e-9, sorted[0] / ROOM), sorted[sorted.length - 1] * ROOM))
                .labelled(Numbers::briefSeconds);
        return Chart.of("Solutions of " + system.name(), across, up, series)
                .subtitled(system.chosen() + system.settled().map(after -> ", settled after " + after + " solutions")
                        .orElse(", not settled"));
    }

    private static boolean hasResidual(TunedSolver.Step step) {
        return step.relativeResidual() > 0 && Double.isFinite(step.relativeResidual());
    }

    /** Who was tried: what each turn took, its set-up included, and the residual that it came to. */
    private static Chart accuracy(SolvedSystem system) {
        List<Mark> kept = new ArrayList<>();
        List<Mark> trials = new ArrayList<>();
        for (TunedSolver.Step step : system.steps()) {
            if (hasResidual(step)) {
                Mark mark = Mark.point(Math.max(1e-9, step.setupSeconds() + step.seconds()), step.relativeResidual(),
                        String.format(Locale.ROOT, "solution %d: %s, residual %.1e", step.solve() + 1, step.choice(),
                                step.relativeResidual()));
                (step.trial() ? trials : kept).add(mark);
            }
        }
        List<Series> series = new ArrayList<>();
        series.add(Series.of("the choice at that time", Ink.C1, Look.DOTS, kept));
        series.add(Series.of("trials", Ink.C3, Look.SQUARES, trials));
        series.removeIf(one -> one.marks().isEmpty());
        return Chart.of("Time against accuracy for " + system.name(),
                Axis.of("time of a turn, set-up included", scale(series, Mark::fromX)).labelled(Numbers::briefSeconds),
                Axis.of("relative residual at its end", scale(series, Mark::fromY)), series)
                .subtitled("a trial that falls behind is cut off, and the choice goes on from where it came to");
    }

    private static Scale scale(List<Series> series, ToDoubleFunction<Mark> place) {
        return scale(series.stream().flatMap(one -> one.marks().stream()).mapToDouble(place).toArray());
    }

    /** Set-up against time of a solution, of all choices of the sweep. */
    private static Chart sweep(SolvedSystem system) {
        List<SolverSweep.Outcome> solved = system.sweep().stream().filter(SolverSweep.Outcome::isSolved).toList();
        List<Series> series = new ArrayList<>();
        series.add(Series.of("choices of the sweep", Ink.FAINT, Look.DOTS,
                solved.stream().map(SolverTuningPage::mark).toList()));
        solved.stream().filter(one -> one.choice().equals(system.chosen())).findFirst()
                .ifPresent(one -> series.add(Series.of("chosen", Ink.C1, Look.DOTS, List.of(mark(one)))));
        system.best().ifPresent(best -> series.add(Series.of("best", Ink.C3, Look.DOTS, List.of(mark(best)))));
        return Chart.of("Every choice for " + system.name(),
                Axis.of("set-up", scale(solved.stream().map(SolverTuningPage::mark).mapToDouble(Mark::fromX).toArray()))
                        .labelled(Numbers::briefSeconds),
                Axis.of("time of a solution",
                        scale(solved.stream().map(SolverTuningPage::mark).mapToDouble(Mark::fromY).toArray()))
                        .labelled(Numbers::briefSeconds),
                series).subtitled(
                        solved.size() + " of " + system.sweep().size()
                                + ", the others were cut off or did not solve the system");
    }

    private static Mark mark(SolverSweep.Outcome one) {
        return Mark.point(Math.max(1e-9, one.setupSeconds()), Math.max(1e-9, one.seconds()), one.choice().toString());
    }

    private static Scale scale(double... values) {
        double least = Arrays.stream(values).min().orElse(1);
        double most = Arrays.stream(values).max().orElse(1);
        return Scale.logarithmic(least / ROOM, most * ROOM);
    }
}
