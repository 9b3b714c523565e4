package org.trellis.bench.tune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.bench.report.SolverTuningDocument.WarmTimes;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.solver.FixedSolver;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/**
 * A program that solves a system several times, from nothing: by a solver that tunes itself, or by one choice. The same
 * program can run again and again in a process, whose first run finds code that the JVM has not compiled yet.
 */
final class SolverProgram {
    private static final int TEN = 10;
    /** Medians are those of few runs: more would only fill memory. */
    private static final int MOST_RUNS = 10_000;

    private final String name;
    private final Problem problem;
    private final Backend backend;
    private final int solves;
    private final ProgressListener progress;
    private final CollectiveClock clock;
    private final StoppingCriteria criteria;

    /** The systems of a program, or a rank's part of them. */
    interface Problem {
        Precision precision();

        int rows();

        /** Solutions, the same ones each time. */
        Supplier<HostVector> solutions();

        /** Multiplies the matrix and a vector of the program's backend. */
        void multiply(DenseVector x, DenseVector y);
    }

    /** The systems of a matrix of one rank. */
    private record Whole(CsrMatrix matrix, Backend backend, long seed) implements Problem {
        @Override
        public Precision precision() {
            return matrix.precision();
        }

        @Override
        public int rows() {
            return matrix.rows();
        }

        @Override
        public Supplier<HostVector> solutions() {
            SplittableRandom random = new SplittableRandom(seed);
            return () -> HostVector.of(random.doubles(matrix.rows(), -1, 1).toArray()).convert(matrix.precision());
        }

        @Override
        public void multiply(DenseVector x, DenseVector y) {
            try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
                product.multiply(x, y);
            }
        }
    }

    /**
     * What a run of the program did.
     *
     * @param firstGuess with what it began, and why
     * @param first      the first choice
     * @param afterTen   the choice after ten solutions, or after the last if there were fewer
     * @param chosen     the choice at the end
     * @param settled    after how many solutions nothing more was worth a trial; empty if that never was so
     * @param steps      what was done in each solution
     * @param seconds    of each solution, set-ups and trials included
     * @param residuals  of each solution, recomputed, as shares of the right-hand side
     * @param failures   why solutions did not converge
     */
    record Run(String firstGuess, SolverChoice first, SolverChoice afterTen, SolverChoice chosen,
            Optional<Integer> settled, List<TunedSolver.Step> steps, List<Double> seconds, List<Double> residuals,
            List<String> failures) {
        double total() {
            return seconds.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    /** Runs the program once. */
    @FunctionalInterface
    interface Once {
        Run run() throws IOException;
    }

    /** Takes what a solver has learnt. */
    @FunctionalInterface
    interface Keeper {
        /** Keeps nothing. */
        Keeper NONE = solver -> {};

        void keep(TunedSolver solver) throws IOException;
    }

    /** One solution after the other, timed. */
    private final class Series {
        private final Supplier<HostVector> solutions = problem.solutions();
        private final List<Double> seconds = new ArrayList<>();
        private final List<Double> residuals = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();

        /**
         * Solves for a random solution; making the right-hand side is not timed.
         *
         * @param opening seconds of what was done before, which count for this solution
         */
        SolveReport solve(LinearSolver solver, double opening) {
            Precision precision = problem.precision();
            try (DenseVector b = backend.vector(precision, problem.rows());
                    DenseVector x = backend.vector(precision, problem.rows())) {
                x.copyFrom(solutions.get());
                problem.multiply(x, b);
                x.copyFrom(HostVector.zeros(precision, problem.rows()));
                long start = clock.nanoTime();
                SolveReport report = solver.solve(b, x, criteria);
                seconds.add(opening + since(start));
                residuals.add(report.relativeResidual());
                if (!report.converged()) {
                    failures.add(report.detail());
                }
                return report;
            }
        }
    }

    /**
     * Describes a program.
     *
     * @param backend whose clock counts
     * @param solves  solutions of a run
     * @param seed    of the solutions, the same ones in each run
     */
    SolverProgram(String name, CsrMatrix matrix, Backend backend, int solves, long seed, ProgressListener progress) {
        this(name, new Whole(matrix, backend, seed), backend, solves, progress);
    }

    /** The same of other systems. */
    SolverProgram(String name, Problem problem, Backend backend, int solves, ProgressListener progress) {
        this.name = name;
        this.problem = problem;
        this.backend = backend;
        this.solves = solves;
        this.progress = progress;
        this.clock = CollectiveClock.of(backend);
        this.criteria = StoppingCriteria.defaults(problem.precision());
    }

    private double since(long start) {
        return (clock.nanoTime() - start) * 1e-9;
    }

    /**
     * Runs it with a solver that tunes itself.
     *
     * @param maker makes the solver, which is closed at the end
     */
    Run tuned(Supplier<TunedSolver> maker, Keeper keeper) throws IOException {
        long start = clock.nanoTime();
        try (TunedSolver solver = maker.get()) {
            // Makes the first guess, which counts as part of the first solution.
            SolverChoice first = solver.choice();
            double opening = since(start);
            SolverChoice afterTen = first;
            Optional<Integer> settled = Optional.empty();
            Series series = new Series();
            for (int i = 0; i < solves; i++) {
                progress.progress("solve " + name + ", " + solver.choice(), i, solves);
                series.solve(solver, opening);
                opening = 0;
                afterTen = i < TEN ? solver.choice() : afterTen;
                settled = settledAfter(i + 1, settled, solver);
            }
            keeper.keep(solver);
            return new Run(solver.firstGuess(), first, afterTen, solver.choice(), settled, solver.history(),
                    series.seconds, series.residuals, series.failures);
        }
    }

    /** Trials may begin again, where what was known has changed. */
    private static Optional<Integer> settledAfter(int solutions, Optional<Integer> before, TunedSolver solver) {
        return solver.isSettled() ? before.or(() -> Optional.of(solutions)) : Optional.empty();
    }

    /**
     * Runs it with one choice alone.
     *
     * @param maker makes the solver of the choice, which is closed at the end
     */
    Run fixed(SolverChoice choice, Supplier<FixedSolver> maker) {
        long start = clock.nanoTime();
        try (FixedSolver solver = maker.get()) {
            double opening = since(start);
            double setup = opening;
            Series series = new Series();
            List<TunedSolver.Step> steps = new ArrayList<>();
            for (int i = 0; i < solves; i++) {
                progress.progress("solve " + name + ", " + choice, i, solves);
                SolveReport report = series.solve(solver, setup);
                steps.add(new TunedSolver.Step(i, choice, false, setup, series.seconds.getLast() - setup,
                        report.iterations(), report.converged() ? 1 : 0, report.relativeResidual(),
                        report.converged() ? "solved" : report.detail()));
                setup = 0;
            }
            return new Run(choice + ", which is fixed", choice, choice, choice, Optional.empty(), steps,
                    series.seconds, series.residuals, series.failures);
        }
    }

    /**
     * Runs it again and again in this process; the later half of the runs counts, by when code is compiled.
     *
     * @param budget seconds on the wall, or runs, at least two of which are made
     */
    static WarmTimes repeat(Once once, SearchBudget budget) throws IOException {
        List<Run> runs = new ArrayList<>();
        long start = System.nanoTime();
        int most = Math.min(MOST_RUNS, budget.trials());
        while (runs.size() < 2
                || (runs.size() < most && (System.nanoTime() - start) * 1e-9 < budget.seconds())) {
            runs.add(once.run());
        }
        List<Run> later = runs.subList(runs.size() / 2, runs.size());
        double[] totals = later.stream().mapToDouble(Run::total).sorted().toArray();
        double[] firsts = later.stream().mapToDouble(run -> run.seconds().getFirst()).sorted().toArray();
        double[] rests = later.stream().mapToDouble(run -> run.total() - run.seconds().getFirst()).sorted().toArray();
        double[] trials = later.stream().mapToDouble(run -> run.steps().stream().filter(TunedSolver.Step::trial)
                .count()).sorted().toArray();
        return new WarmTimes(runs.size(), median(totals), totals[0], totals[totals.length - 1], median(firsts),
                median(rests), median(trials), runs.getLast().chosen());
    }

    private static double median(double... sorted) {
        return Arrays.stream(sorted).skip((sorted.length - 1) / 2).limit(2 - sorted.length % 2).average().orElseThrow();
    }

    @Override
    public String toString() {
        return solves + " solutions of " + name;
    }
}
