package org.trellis.bench.tune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolverSweepFile;
import org.trellis.bench.report.SolverTuningDocument;
import org.trellis.bench.report.SolverTuningDocument.SolvedSystem;
import org.trellis.bench.report.SolverTuningDocument.TunedRings;
import org.trellis.bench.report.SolverTuningDocument.WarmTimes;
import org.trellis.common.ProgressListener;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.FixedSolver;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.SolverModel;
import org.trellis.tuner.solver.SolverSweep;
import org.trellis.tuner.solver.TunedSolver;
import org.trellis.tuner.train.SolverTrainer;

/** What {@code trellis tune --solve} does with a system: it is solved several times, and perhaps in every way. */
final class SolverTuning {
    private final Console console;
    private final ProgressListener progress;
    private final Backend backend;
    private final Plan plan;
    private final SolverSweepFile before;
    private final Map<String, SolverModel> models = new HashMap<>();
    private final long seed;
    private final List<SolvedSystem> systems = new ArrayList<>();
    private int failures;

    /**
     * What is done with each system.
     *
     * @param solves     solutions of a program
     * @param exhaustive whether every choice is measured before
     * @param fixed      the one choice that solves, and nothing is tuned; empty to tune
     * @param repeat     how long, or how often, the program runs again in this process; empty if it does not
     */
    record Plan(int solves, boolean exhaustive, Optional<SolverChoice> fixed, Optional<SearchBudget> repeat) {}

    /**
     * Makes what tunes.
     *
     * @param before sweeps that are not repeated, and that first guesses are learnt from, each without the system's
     *               family; perhaps none
     */
    SolverTuning(Console console, ProgressListener progress, Backend backend, Plan plan, SolverSweepFile before,
            long seed) {
        this.console = console;
        this.progress = progress;
        this.backend = backend;
        this.plan = plan;
        this.before = before;
        this.seed = seed;
    }

    int failures() {
        return failures;
    }

    int solves() {
        return plan.solves();
    }

    void run(String name, CsrMatrix matrix, List<Profile> known, Optional<ProfileFile> file) throws IOException {
        List<SolverSweep.Outcome> sweep = plan.exhaustive()
                ? SolverSweep.run(matrix, backend, StoppingCriteria.defaults(matrix.precision()), plan.solves(),
                        progress)
                : before.systems().stream().filter(one -> one.name().equals(name)).findFirst()
                        .map(SolverSweepFile.Swept::outcomes).orElse(List.of());
        SolverProgram program = new SolverProgram(name, matrix, backend, plan.solves(), seed, progress);
        TunedSolver.Settings settings = settings(name, known);
        SolverProgram.Once once = once(program, matrix, settings);
        SolverProgram.Run run = plan.fixed().isPresent()
                ? once.run()
                : program.tuned(() -> TunedSolver.of(matrix, backend, settings), keeper(name, file));
        Optional<WarmTimes> warm = plan.repeat().isPresent()
                ? Optional.of(SolverProgram.repeat(once, plan.repeat().get()))
                : Optional.empty();
        add(name, matrix, run, sweep, warm, List.of());
    }

    /** Prints what came of a system, and keeps it for the reports. */
    void add(String name, CsrMatrix matrix, SolverProgram.Run run, List<SolverSweep.Outcome> sweep,
            Optional<WarmTimes> warm, List<TunedRings> rings) {
        SolvedSystem system = new SolvedSystem(name, matrix.rows(), matrix.nonZeros(), SystemFeatures.of(matrix),
                run.firstGuess(), run.first(), run.afterTen(), run.chosen(), run.settled(), run.steps(), run.seconds(),
                run.residuals(), sweep, warm, rings);
        failures += run.failures().size();
        run.failures().forEach(detail -> console.complain("a system was not solved: " + detail));
        systems.add(system);
        print(system);
    }

    private TunedSolver.Settings settings(String name, List<Profile> known) {
        return new TunedSolver.Settings(plan.solves(), TunedSolver.Settings.defaults().excess(), Optional.empty(),
                Optional.empty(), Optional.empty(), false, known, modelOfOthers(name));
    }

    /** From nothing each time. */
    private SolverProgram.Once once(SolverProgram program, CsrMatrix matrix, TunedSolver.Settings settings) {
        return plan.fixed().isPresent()
                ? () -> program.fixed(plan.fixed().get(), () -> FixedSolver.of(matrix, plan.fixed().get(), backend))
                : () -> program.tuned(() -> TunedSolver.of(matrix, backend, settings), SolverProgram.Keeper.NONE);
    }

    private static SolverProgram.Keeper keeper(String name, Optional<ProfileFile> file) {
        return file.isPresent()
                ? solver -> file.get().update(profile -> solver.addTo(profile, name))
                : SolverProgram.Keeper.NONE;
    }

    /** What other families teach; empty where nothing was swept before. */
    private Optional<SolverModel> modelOfOthers(String name) {
        String family = SolverSweepFile.familyOf(name);
        List<SolverTrainer.Case> others = before.cases().stream().filter(one -> !one.family().equals(family)).toList();
        return others.size() < 2
                ? Optional.empty()
                : Optional.of(models.computeIfAbsent(family,
                        key -> new SolverTrainer(SolverTrainer.USUAL).train(others)));
    }

    private void print(SolvedSystem system) {
        long trials = system.steps().stream().filter(TunedSolver.Step::trial).count();
        console.print("%s: %s rows, first guess %s", system.name(), Numbers.count(system.rows()), system.firstGuess());
        console.print("  chosen            %s%s after %s; all %s solutions took %s", system.chosen(),
                system.settled().map(after -> ", settled after " + after + " solutions,").orElse(", not settled yet"),
                trials == 1 ? "1 trial" : trials + " trials", system.seconds().size(),
                Numbers.seconds(system.total()));
        system.warm().ifPresent(warm -> console.print("  once warm         %s (%s to %s) in the later half of %s runs, "
                + "%s of it the first solution", Numbers.seconds(warm.seconds()), Numbers.seconds(warm.leastSeconds()),
                Numbers.seconds(warm.mostSeconds()), Numbers.count(warm.runs()), Numbers.seconds(warm.firstSeconds())));
        system.best().ifPresent(best -> {
            console.print("  best of %-9s %s, %s with its set-up of %s", system.sweep().size() + "", best.choice(),
                    Numbers.seconds(best.total(plan.solves())), Numbers.seconds(best.setupSeconds()));
            console.print("  share of best     first guess %s, after ten %s, at the end %s; all solutions took %s "
                    + "times the best's, %s times auto's", percent(system.shareOfBest(system.first())),
                    percent(system.shareOfBest(system.afterTen())), percent(system.shareOfBest(system.chosen())),
                    ratio(system.overBest()), ratio(system.overAuto()));
        });
    }

    private static String percent(double share) {
        return Double.isFinite(share) ? Numbers.percent(share) : "-";
    }

    private static String ratio(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
    }

    void end() {
        if ((plan.exhaustive() || !before.systems().isEmpty()) && systems.size() > 1) {
            console.print("%n%d systems, geometric mean and worst:", systems.size());
            line("first guess, share of the best", system -> system.shareOfBest(system.first()), true);
            line("after ten solutions", system -> system.shareOfBest(system.afterTen()), true);
            line("time over the best's", SolvedSystem::overBest, false);
            line("time over auto's", SolvedSystem::overAuto, false);
        }
    }

    private void line(String what, ToDoubleFunction<SolvedSystem> value, boolean most) {
        double[] all = systems.stream().mapToDouble(value).filter(one -> Double.isFinite(one) && one > 0).sorted()
                .toArray();
        if (all.length == 0) {
            return;
        }
        double sum = 0;
        for (double one : all) {
            sum += Math.log(one);
        }
        console.print("  %-32s %.2f, %.2f (%d systems)", what, Math.exp(sum / all.length),
                most ? all[0] : all[all.length - 1], all.length);
    }

    /**
     * Returns everything for a report.
     *
     * @param searches what was measured of products in the same run
     */
    SolverTuningDocument document(List<SearchedMatrix> searches) {
        return document(searches, Optional.empty());
    }

    /** The same of several ranks. */
    SolverTuningDocument document(List<SearchedMatrix> searches, Optional<JobFacts> job) {
        return new SolverTuningDocument(TuningDevice.of(backend), job, searches, plan.solves(), systems);
    }
}
