package org.trellis.bench.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.bench.report.SolveRun;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.MultigridReport;

/** Solves a system on several ranks, in one way or in several, with owned parts; runs on every rank alike. */
final class RankedSolver {
    private final PartitionedMatrix matrix;
    private final PartitionedOperator operator;
    private final RankBackend backend;
    private final SolverRings rings;
    private final RankSpace space;
    private final List<List<LevelRings>> found = new ArrayList<>();

    /** Takes how many rings preconditioners exchange, and the near null space, which is null for constants. */
    RankedSolver(PartitionedMatrix matrix, PartitionedOperator operator, RankBackend backend, SolverRings rings,
            RankSpace space) {
        this.rings = rings;
        this.space = space;
        this.matrix = matrix;
        this.operator = operator;
        this.backend = backend;
    }

    HostVector productWithOnes() {
        HostVector result = matrix.vector(i -> 0);
        try (DenseVector ones = there(matrix.vector(i -> 1)); DenseVector product = there(result)) {
            operator.apply(ones, product);
            product.copyTo(result);
        }
        return result;
    }

    /** Copies a vector to where the backend has its memory. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private DenseVector there(HostVector vector) {
        DenseVector copy = backend.vector(vector.precision(), vector.length());
        copy.copyFrom(vector);
        return copy;
    }

    /**
     * Solves a system by each of several methods, in turns.
     *
     * @param b      the owned part of the right-hand side
     * @param x      overwritten by that of the solution of the first way
     * @param rounds how often each is prepared and solves it, from zero
     * @param known  each element of the solution, or not a number
     */
    @SuppressWarnings("MustBeClosed") // closed at the end
    List<SolveRun> solve(List<SolverConfig> stacks, HostVector b, HostVector x, int rounds, double known,
            ProgressListener progress) {
        int count = stacks.size();
        SolveReport[] reports = new SolveReport[count];
        double[] errors = new double[count];
        List<List<Double>> iterationSeconds = new ArrayList<>();
        List<List<Double>> seconds = new ArrayList<>();
        List<List<Double>> setupSeconds = new ArrayList<>();
        List<PartitionedSolver> solvers = new ArrayList<>();
        List<Optional<MultigridReport>> levels = new ArrayList<>();
        try {
            for (SolverConfig stack : stacks) {
                setupSeconds.add(new ArrayList<>());
                solvers.add(prepare(stack, setupSeconds.getLast()));
                iterationSeconds.add(new ArrayList<>());
                seconds.add(new ArrayList<>());
            }
            for (int turn = 0; turn < rounds * count; turn++) {
                int i = turn % count;
                if (turn >= count) {
                    prepare(stacks.get(i), setupSeconds.get(i)).close();
                }
                HostVector found = matrix.vector(row -> 0);
                boolean first = reports[i] == null;
                IterationObserver observer = first
                        ? new Watch(iterationSeconds.get(i), stacks.get(i).criteria().maximumIterations(), progress)
                        : IterationObserver.NONE;
                SolveReport report = solve(solvers.get(i), b, found, stacks.get(i), observer);
                seconds.get(i).add(report.seconds());
                if (first) {
                    reports[i] = report;
                    errors[i] = largestError(found, known);
                    found.copyRange(0, x, 0, i == 0 ? x.length() : 0);
                }
            }
            for (PartitionedSolver solver : solvers) {
                found.add(solver.settleRings());
                levels.add(solver.multigrid());
            }
        } finally {
            solvers.forEach(PartitionedSolver::close);
        }
        List<SolveRun> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            runs.add(new SolveRun(stacks.get(i), reports[i], iterationSeconds.get(i), seconds.get(i),
                    setupSeconds.get(i), errors[i], Optional.empty(), levels.get(i)));
        }
        return runs;
    }

    /**
     * Solves a system several times by a solver that tunes itself.
     *
     * @param b     the owned part of the right-hand side
     * @param x     overwritten by that of the last solution
     * @param known each element of the solution, or not a number
     */
    SolveRun solve(RankedTuning tuning, HostVector b, HostVector x, double known, ProgressListener progress) {
        try (DenseVector right = there(b); DenseVector solution = there(x)) {
            SolveRun run = tuning.solve(matrix, operator, backend, right, solution, progress);
            solution.copyTo(x);
            return new SolveRun(run.stack(), run.report(), run.iterationSeconds(), run.seconds(), run.setupSeconds(),
                    largestError(x, known), Optional.empty(), Optional.empty());
        }
    }

    /** Prepares a solver once all ranks are there, and notes how long the slowest of them took. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private PartitionedSolver prepare(SolverConfig stack, List<Double> setupSeconds) {
        RingChoice choice = rings.choice(stack, matrix.communicator());
        matrix.communicator().barrier();
        long start = System.nanoTime();
        PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend, choice, space);
        matrix.communicator().barrier();
        setupSeconds.add((System.nanoTime() - start) * 1e-9);
        return solver;
    }

    /** Returns how many rings each of the variants ended with. */
    List<List<LevelRings>> rings() {
        return found;
    }

    private SolveReport solve(PartitionedSolver solver, HostVector b, HostVector x, SolverConfig stack,
            IterationObserver observer) {
        try (DenseVector right = there(b); DenseVector solution = there(x)) {
            SolveReport report = solver.solve(right, solution, stack.criteria(), observer);
            solution.copyTo(x);
            return report;
        }
    }

    private double largestError(HostVector x, double known) {
        double[] largest = {0};
        for (int i = 0; i < x.length(); i++) {
            largest[0] = Math.max(largest[0], Math.abs(x.get(i) - known));
        }
        matrix.communicator().allReduce(Reduction.MAX, largest);
        return largest[0];
    }

    /** Notes when iterations are done. */
    private record Watch(List<Double> times, int most, ProgressListener progress, long start)
            implements
                IterationObserver {
        Watch(List<Double> times, int most, ProgressListener progress) {
            this(times, most, progress, System.nanoTime());
        }

        @Override
        public void iterated(int iteration, double residualNorm) {
            times.add((System.nanoTime() - start) * 1e-9);
            progress.progress("iterate", Math.min(iteration, most), most);
        }
    }
}
