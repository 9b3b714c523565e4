package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.common.ProgressListener;
import org.trellis.common.TrellisException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverContext;
import org.trellis.sparse.CsrMatrix;

/**
 * Measures every choice of a system's {@link SolverSpace}: what a tuned solver is judged by. Each is prepared and
 * solves a system whose solution is random, twice, since the first solution with a choice may do more than later ones:
 * what it takes beyond the second counts as set-up. A choice is cut off at {@value #CUT} times the best so far. All are
 * measured again once code is warm, those within that of the best, and all of small systems, twice more and those near
 * the best again; the least warm times count. The choice by rules is not cut off, since others are compared with it.
 */
public final class SolverSweep {
    /** The times of the best from which a choice is given up. */
    public static final double CUT = 3;

    /** Cold code may take longer by so much. */
    private static final double COLD_SECONDS = 0.05;
    private static final double COLD_FACTOR = 3;
    private static final double NEAR = 1.5;
    private static final long SEED = 37;
    private static final double RESIDUAL_ROUNDING = 1.01;

    private final MatrixContenders contenders;
    private final StoppingCriteria criteria;
    private final int solves;
    private final DenseVector b;
    private final DenseVector x;
    private final Attempt.Work work;
    private final Map<SolverChoice, Outcome> outcomes = new LinkedHashMap<>();
    /** What no time helps. */
    private final Set<SolverChoice> hopeless = new HashSet<>();

    /**
     * What came of a choice.
     *
     * @param choice       the choice
     * @param setupSeconds the least time that preparing it took, with what a first solution takes beyond later ones
     * @param seconds      the least time of a later solution; not a number if there was none
     * @param iterations   of the last solution, or until it was given up
     * @param note         why there is no solution; empty if there is one
     */
    public record Outcome(SolverChoice choice, double setupSeconds, double seconds, int iterations, String note) {
        /**
         * Says whether it solved the system.
         *
         * @return false if it was given up, broke down, or could not be prepared
         */
        public boolean isSolved() {
            return note.isEmpty();
        }

        /**
         * Returns the time of several solutions with one set-up.
         *
         * @param number how many
         * @return seconds; infinite if it does not solve the system
         */
        public double total(int number) {
            return isSolved() ? setupSeconds + number * seconds : Double.POSITIVE_INFINITY;
        }

        /** Of two measurements, the first of cold code. */
        private Outcome warm(Outcome later) {
            return later.isSolved() || !isSolved() ? later : this;
        }

        private Outcome least(Outcome other) {
            return !other.isSolved()
                    ? this
                    : !isSolved()
                            ? other
                            : new Outcome(choice, Math.min(setupSeconds, other.setupSeconds),
                                    Math.min(seconds, other.seconds), other.iterations, "");
        }
    }

    private SolverSweep(MatrixContenders contenders, StoppingCriteria criteria, int solves, DenseVector b,
            DenseVector x, Attempt.Work work) {
        this.contenders = contenders;
        this.criteria = criteria;
        this.solves = solves;
        this.b = b;
        this.x = x;
        this.work = work;
    }

    /**
     * Measures all choices.
     *
     * @param matrix   a square matrix
     * @param backend  where it is solved
     * @param criteria when a solution ends
     * @param solves   how many solutions a set-up serves
     * @param progress hears of each choice
     * @return what came of each, in the order of the space; kept preconditioners are left out, since values do not
     *         change here
     * @throws IllegalArgumentException if the matrix is not square
     */
    @SuppressWarnings("MustBeClosed") // closed below
    public static List<Outcome> run(CsrMatrix matrix, Backend backend, StoppingCriteria criteria, int solves,
            ProgressListener progress) {
        try (MatrixContenders contenders = new MatrixContenders(matrix, SolverContext.of(backend), false, false);
                Vectors vectors = new Vectors(backend, contenders.isAlone());
                DenseVector b = backend.vector(matrix.precision(), matrix.rows());
                DenseVector x = backend.vector(matrix.precision(), matrix.rows());
                DenseVector best = backend.vector(matrix.precision(), matrix.rows());
                DenseVector rest = backend.vector(matrix.precision(), matrix.rows())) {
            x.copyFrom(HostVector.of(new SplittableRandom(SEED).doubles(matrix.rows(), -1, 1).toArray())
                    .convert(matrix.precision()));
            contenders.operator().apply(x, b);
            CollectiveClock clock = CollectiveClock.of(backend);
            Attempt.Work work = new Attempt.Work(contenders::subtractProduct, vectors, best, rest, clock,
                    clock::nanoTime, contenders.isOnDevice());
            SolverSweep sweep = new SolverSweep(contenders, criteria, solves, b, x, work);
            sweep.all(progress);
            return new ArrayList<>(sweep.outcomes.values());
        }
    }

    private void all(ProgressListener progress) {
        List<SolverChoice> grid = contenders.space().all().stream()
                .filter(choice -> choice.renewal() == SolverChoice.Renewal.ALWAYS).toList();
        for (SolverChoice choice : grid) {
            outcomes.put(choice, measure(choice, limit()));
        }
        // The first ones ran cold code, and were cut off by it.
        for (int i = 0; i < grid.size(); i++) {
            SolverChoice choice = grid.get(i);
            progress.progress("sweep, " + choice, i, grid.size());
            if (!hopeless.contains(choice) && outcomes.get(choice).setupSeconds() <= COLD_FACTOR * limit()) {
                outcomes.merge(choice, measure(choice, limit()), Outcome::warm);
            }
        }
        // Of small systems even twice is cold, so all that solved them are measured again.
        for (double within : new double[]{CUT * best() + COLD_SECONDS, CUT * best() + COLD_SECONDS, NEAR * best()}) {
            for (Outcome one : List.copyOf(outcomes.values())) {
                if (one.total(solves) <= within) {
                    outcomes.merge(one.choice(), measure(one.choice(), limit()), Outcome::least);
                }
            }
        }
    }

    private double best() {
        return outcomes.values().stream().mapToDouble(one -> one.total(solves)).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** What all solutions together may take. */
    private double limit() {
        return CUT * best() + COLD_SECONDS;
    }

    /** Prepares and solves, within a limit for all solutions together. */
    private Outcome measure(SolverChoice choice, double limit) {
        long start = work.nanoTime().getAsLong();
        try (LinearSolver solver = contenders.prepare(choice, limit)) {
            double setup = work.since(start);
            double most = choice.isAutomatic()
                    ? criteria.maximumSeconds()
                    : Math.max(COLD_SECONDS, (limit - setup) / solves);
            Outcome first = solution(choice, solver, setup, most);
            if (!first.isSolved()) {
                return first;
            }
            Outcome later = solution(choice, solver, 0, most);
            return later.isSolved()
                    ? new Outcome(choice, first.total(1) - Math.min(first.seconds(), later.seconds()),
                            later.seconds(), later.iterations(), "")
                    : first;
        } catch (IllegalArgumentException | TrellisException e) {
            hopeless.add(choice);
            return new Outcome(choice, work.since(start), Double.NaN, 0,
                    "cannot be prepared: " + e.getMessage());
        }
    }

    /** Solves once, within a limit for this solution. */
    private Outcome solution(SolverChoice choice, LinearSolver solver, double setup, double most) {
        x.copyFrom(HostVector.zeros(x.precision(), x.length()));
        long start = work.nanoTime().getAsLong();
        SolveReport report = solver.solve(b, x, criteria.within(Math.min(most, criteria.maximumSeconds())));
        double seconds = work.since(start);
        double residual = work.residual(b, x);
        boolean right = report.converged()
                && residual <= RESIDUAL_ROUNDING * criteria.threshold(report.rightHandSideNorm());
        if (!right && report.status() != SolveStatus.TIME_LIMIT) {
            hopeless.add(choice);
        }
        double preparing = choice.isAutomatic() ? report.setupSeconds() : 0;
        return new Outcome(choice, setup + preparing, Math.max(1e-9, seconds - preparing), report.iterations(),
                right ? "" : report.converged() ? "its recomputed residual is " + residual : report.detail());
    }

    /**
     * Finds the best of a sweep.
     *
     * @param outcomes what came of all choices
     * @param solves   how many solutions a set-up serves
     * @return the one of the least total time; empty if none solved the system
     */
    public static Optional<Outcome> best(List<Outcome> outcomes, int solves) {
        return outcomes.stream().filter(Outcome::isSolved).min(Comparator.comparingDouble(one -> one.total(solves)));
    }

    @Override
    public String toString() {
        return "sweep of " + contenders;
    }
}
