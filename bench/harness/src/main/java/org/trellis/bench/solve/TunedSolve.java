package org.trellis.bench.solve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolveRun;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/** Solves a system once or several times by a solver that tunes itself, and keeps what it learns in a profile. */
final class TunedSolve {
    private final Backend backend;
    private final CsrMatrix matrix;
    private final StoppingCriteria criteria;
    private final int rounds;
    private final boolean nullSpace;
    private final List<String> lines = new ArrayList<>();
    private String product = "";

    TunedSolve(Backend backend, CsrMatrix matrix, StoppingCriteria criteria, int rounds, boolean nullSpace) {
        this.backend = backend;
        this.matrix = matrix;
        this.criteria = criteria;
        this.rounds = rounds;
        this.nullSpace = nullSpace;
    }

    /** Says how products are run. */
    String product() {
        return product;
    }

    /** Says what it began with and what was tried. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    /**
     * Solves from zero each time.
     *
     * @param b    the right-hand side; null for that of the solution of ones
     * @param x    overwritten by the solution
     * @param file what is known, and where to put what is learnt
     */
    SolveRun run(String name, HostVector b, HostVector x, Optional<ProfileFile> file, ProgressListener progress)
            throws IOException {
        TunedSolver.Settings settings = TunedSolver.Settings.defaults().solves(rounds);
        if (nullSpace) {
            settings = settings.withNullSpaceOfConstants();
        }
        if (file.isPresent()) {
            settings = settings.profile(file.get().load());
        }
        try (TunedSolver solver = TunedSolver.of(matrix, backend, settings);
                SpmvOperator plain = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector right = backend.vector(matrix.precision(), matrix.rows());
                DenseVector solution = backend.vector(matrix.precision(), matrix.columns())) {
            product = plain.parameters().toString();
            HostVector ones = HostVector.zeros(matrix.precision(), matrix.columns()).fill(1);
            if (b == null) {
                solution.copyFrom(ones);
                plain.multiply(solution, right);
            } else {
                right.copyFrom(b);
            }
            lines.add("first guess       " + solver.firstGuess());
            SolveRun run = solve(solver, right, solution, progress);
            solution.copyTo(x);
            double error = b == null ? ContenderSolver.largestDifference(x, ones) : Double.NaN;
            tell(solver);
            if (file.isPresent()) {
                file.get().update(before -> solver.addTo(before, name));
            }
            return new SolveRun(run.stack(), run.report(), run.iterationSeconds(), run.seconds(), run.setupSeconds(),
                    error, Optional.empty(), Optional.empty());
        }
    }

    private SolveRun solve(TunedSolver solver, DenseVector b, DenseVector x, ProgressListener progress) {
        List<Double> iterationSeconds = new ArrayList<>();
        List<Double> seconds = new ArrayList<>();
        List<Double> setups = new ArrayList<>();
        SolveReport first = null;
        SolverConfig used = stack(solver.choice());
        for (int round = 0; round < rounds; round++) {
            x.copyFrom(HostVector.zeros(x.precision(), x.length()));
            progress.progress("solve, " + solver.choice(), round, rounds);
            long start = System.nanoTime();
            IterationObserver observer = round == 0
                    ? (iteration, norm) -> iterationSeconds.add((System.nanoTime() - start) * 1e-9)
                    : IterationObserver.NONE;
            SolveReport report = solver.solve(b, x, criteria, observer);
            seconds.add(report.seconds());
            setups.add(report.setupSeconds());
            first = first == null ? report : first;
        }
        return new SolveRun(used.with(criteria), first, iterationSeconds, seconds, setups, Double.NaN, Optional.empty(),
                Optional.empty());
    }

    /** A factorisation is no stack; the choice by rules stands for it. */
    private static SolverConfig stack(SolverChoice choice) {
        return choice.stack().orElse(SolverConfig.of(SolverConfig.AUTO, SolverConfig.AUTO));
    }

    private void tell(TunedSolver solver) {
        for (TunedSolver.Step step : solver.history()) {
            if (step.trial()) {
                lines.add(String.format(Locale.ROOT, "solution %-8d tried %s: set-up %s, then %s, %s", step.solve() + 1,
                        step.choice(), Numbers.seconds(step.setupSeconds()), Numbers.seconds(step.seconds()),
                        step.note()));
            }
        }
        lines.add("chosen            " + solver.choice());
    }
}
