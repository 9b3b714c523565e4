package org.trellis.bench.tune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolverSweepFile;
import org.trellis.bench.report.SolverTuningDocument;
import org.trellis.bench.report.SolverTuningDocument.SolvedSystem;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.SolverModel;
import org.trellis.tuner.solver.SolverSweep;
import org.trellis.tuner.solver.TunedSolver;
import org.trellis.tuner.train.SolverTrainer;

/** What {@code trellis tune --solve} does with a system: it is solved several times, and perhaps in every way. */
final class SolverTuning {
    private static final int TEN = 10;

    private final Console console;
    private final ProgressListener progress;
    private final Backend backend;
    private final CollectiveClock clock;
    private final int solves;
    private final boolean exhaustive;
    private final SolverSweepFile before;
    private final Map<String, SolverModel> models = new HashMap<>();
    private final long seed;
    private final List<SolvedSystem> systems = new ArrayList<>();
    private int failures;

    /**
     * Makes what tunes.
     *
     * @param before sweeps that are not repeated, and that first guesses are learnt from, each without the system's
     *               family; perhaps none
     */
    SolverTuning(Console console, ProgressListener progress, Backend backend, int solves, boolean exhaustive,
            SolverSweepFile before, long seed) {
        this.console = console;
        this.progress = progress;
        this.backend = backend;
        this.clock = CollectiveClock.of(backend);
        this.solves = solves;
        this.exhaustive = exhaustive;
        this.before = before;
        this.seed = seed;
    }

    int failures() {
        return failures;
    }

    void run(String name, CsrMatrix matrix, List<Profile> known, Optional<ProfileFile> file) throws IOException {
        StoppingCriteria criteria = StoppingCriteria.defaults(matrix.precision());
        List<SolverSweep.Outcome> sweep = exhaustive
                ? SolverSweep.run(matrix, backend, criteria, solves, progress)
                : before.systems().stream().filter(one -> one.name().equals(name)).findFirst()
                        .map(SolverSweepFile.Swept::outcomes).orElse(List.of());
        TunedSolver.Settings settings = new TunedSolver.Settings(solves, TunedSolver.Settings.defaults().excess(),
                Optional.empty(), Optional.empty(), Optional.empty(), false, known, modelOfOthers(name));
        List<Double> seconds = new ArrayList<>();
        List<Double> residuals = new ArrayList<>();
        long start = clock.nanoTime();
        try (TunedSolver solver = TunedSolver.of(matrix, backend, settings)) {
            double opening = (clock.nanoTime() - start) * 1e-9;
            SolverChoice first = solver.choice();
            SolverChoice afterTen = first;
            Optional<Integer> settled = Optional.empty();
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < solves; i++) {
                progress.progress("solve " + name + ", " + solver.choice(), i, solves);
                seconds.add(opening + solve(solver, matrix, criteria, random, residuals));
                opening = 0;
                afterTen = i < TEN ? solver.choice() : afterTen;
                settled = settledAfter(i + 1, settled, solver);
            }
            SolvedSystem system = new SolvedSystem(name, matrix.rows(), matrix.nonZeros(),
                    SystemFeatures.of(matrix), solver.firstGuess(), first, afterTen, solver.choice(),
                    settled, solver.history(), seconds, residuals, sweep);
            if (file.isPresent()) {
                file.get().update(profile -> solver.addTo(profile, name));
            }
            systems.add(system);
            print(system);
        }
    }

    /** Trials may begin again, where what was known has changed. */
    private static Optional<Integer> settledAfter(int solutions, Optional<Integer> before, TunedSolver solver) {
        return solver.isSettled() ? before.or(() -> Optional.of(solutions)) : Optional.empty();
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

    /** Solves for a random solution; making the right-hand side is not timed. */
    private double solve(TunedSolver solver, CsrMatrix matrix, StoppingCriteria criteria, SplittableRandom random,
            List<Double> residuals) {
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector b = backend.vector(matrix.precision(), matrix.rows());
                DenseVector x = backend.vector(matrix.precision(), matrix.rows())) {
            x.copyFrom(HostVector.of(random.doubles(matrix.rows(), -1, 1).toArray()).convert(matrix.precision()));
            product.multiply(x, b);
            x.copyFrom(HostVector.zeros(matrix.precision(), matrix.rows()));
            long start = clock.nanoTime();
            SolveReport report = solver.solve(b, x, criteria);
            double took = (clock.nanoTime() - start) * 1e-9;
            residuals.add(report.relativeResidual());
            if (!report.converged()) {
                failures++;
                console.complain("a system was not solved: " + report.detail());
            }
            return took;
        }
    }

    private void print(SolvedSystem system) {
        long trials = system.steps().stream().filter(TunedSolver.Step::trial).count();
        console.print("%s: %s rows, first guess %s", system.name(), Numbers.count(system.rows()), system.firstGuess());
        console.print("  chosen            %s%s after %s trials; all %s solutions took %s", system.chosen(),
                system.settled().map(after -> ", settled after " + after + " solutions,").orElse(", not settled yet"),
                trials, system.seconds().size(),
                Numbers.seconds(system.total()));
        system.best().ifPresent(best -> {
            console.print("  best of %-9s %s, %s with its set-up of %s", system.sweep().size() + "", best.choice(),
                    Numbers.seconds(best.total(solves)), Numbers.seconds(best.setupSeconds()));
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
        if ((exhaustive || !before.systems().isEmpty()) && systems.size() > 1) {
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

    SolverTuningDocument document() {
        return new SolverTuningDocument(TuningDevice.of(backend), solves, systems);
    }
}
