package org.trellis.bench.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.bench.report.SolveRun;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/**
 * Solutions of one system, one after the other, by a solver that tunes itself.
 *
 * @param rounds    how many
 * @param criteria  when each of them ends
 * @param nullSpace whether the matrix takes constants to zero
 */
record TunedRounds(int rounds, StoppingCriteria criteria, boolean nullSpace) {
    /**
     * Solves from zero each time.
     *
     * @param tuned  tunes itself
     * @param solver the same, or what calls it
     * @param x      overwritten by the last solution
     * @return the first report and all times, without the error of the solution
     */
    SolveRun solve(TunedSolver tuned, LinearSolver solver, DenseVector b, DenseVector x, ProgressListener progress) {
        List<Double> iterationSeconds = new ArrayList<>();
        List<Double> seconds = new ArrayList<>();
        List<Double> setups = new ArrayList<>();
        SolveReport first = null;
        SolverConfig used = stack(tuned.choice());
        for (int round = 0; round < rounds; round++) {
            x.copyFrom(HostVector.zeros(x.precision(), x.length()));
            progress.progress("solve, " + tuned.choice(), round, rounds);
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
}
