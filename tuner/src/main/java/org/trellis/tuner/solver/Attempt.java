package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.trellis.memory.DenseVector;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveFacts;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.DirectSolver;

/**
 * One solution, by one solver or by several, each of which goes on from the iterate of the smallest residual so far.
 * All residuals here are recomputed from the iterate: by the solver itself where that is a factorisation or was checked
 * before, else once more.
 */
final class Attempt {
    /** What a recomputed residual may differ by from the one that a solver recomputed, which rounded otherwise. */
    private static final double ROUNDING = 1e-2;

    private final Work work;
    private final DenseVector b;
    private final DenseVector x;
    private final StoppingCriteria criteria;
    private final IterationObserver observer;
    private final List<Double> history = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private double threshold;
    private double first;
    /** Not a number until it is known. */
    private double right = Double.NaN;
    private double residual;
    private int iterations;
    private int restarts;
    private double seconds;
    private double setup;
    private double inner;
    private double product = Double.NaN;
    private SolveReport last;
    private boolean solved;
    private boolean belied;

    /**
     * What solutions one after the other have in common.
     *
     * @param products subtracts products from vectors
     * @param best     room for an iterate
     * @param rest     room for a residual
     * @param remote   whether each look at a vector waits for a device, so that what solvers report of their first
     *                 guess is not computed once more
     */
    record Work(BiConsumer<DenseVector, DenseVector> products, Vectors vectors, DenseVector best, DenseVector rest,
            CollectiveClock clock, LongSupplier nanoTime, boolean remote) {
        /** The time that has passed since, the same on all ranks. */
        double since(long start) {
            return clock.agree((nanoTime.getAsLong() - start) * 1e-9);
        }

        double residual(DenseVector b, DenseVector x) {
            vectors.copy(b, rest);
            products.accept(x, rest);
            return vectors.norm(rest);
        }
    }

    /**
     * Begins a solution.
     *
     * @throws IllegalArgumentException if an element of b or x is not finite; on a device what solves throws that
     */
    Attempt(Work work, DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        this.work = work;
        this.b = b;
        this.x = x;
        this.criteria = criteria;
        this.observer = observer;
        if (!work.remote() || criteria.toFirstResidual()) {
            measure();
        }
        work.vectors().copy(x, work.best());
    }

    /** Looks at the vectors before anything has solved. */
    private void measure() {
        double norm = work.vectors().rightHandSide(b);
        boolean zero = work.vectors().finiteNorm("first guess", x) == 0;
        begin(norm, zero ? norm : work.residual(b, x));
    }

    private void begin(double norm, double start) {
        right = norm;
        first = start;
        residual = start;
        threshold = criteria.threshold(criteria.toFirstResidual() ? start : norm);
    }

    private void requireMeasured() {
        if (Double.isNaN(right)) {
            measure();
        }
    }

    /**
     * Lets a solver go on.
     *
     * @param most    seconds that it may take
     * @param checked whether the residual that it reports is taken for the recomputed one, since that was so before
     * @return what it took, but for what it prepared meanwhile
     */
    double run(LinearSolver solver, double most, boolean checked) {
        long start = work.nanoTime().getAsLong();
        int before = iterations;
        SolveReport report = solver.solve(b, x, limited(most),
                observer.unlessNone((iteration, norm) -> observer.iterated(before + iteration, norm)));
        long end = work.nanoTime().getAsLong();
        if (Double.isNaN(right)) {
            begin(report.rightHandSideNorm(), report.residualHistory().getFirst());
        }
        boolean recomputed = checked
                || ((work.vectors().isAlone() || work.remote()) && solver instanceof DirectSolver);
        double found = recomputed ? report.trueResidual() : work.residual(b, x);
        product = recomputed ? Double.NaN : work.since(end);
        double passed = work.since(start);
        // Others name what was prepared before.
        inner = solver instanceof AutomaticSolver ? Math.min(passed, work.clock().agree(report.setupSeconds())) : 0;
        double took = passed - inner;
        setup += inner;
        List<Double> norms = report.residualHistory();
        history.addAll(history.isEmpty() ? norms : norms.subList(1, norms.size()));
        iterations += report.iterations();
        restarts += report.restarts();
        seconds += took;
        last = report;
        belied = report.converged() && !(found <= threshold * (1 + ROUNDING));
        solved = report.converged() && !belied;
        if (solved) {
            residual = found;
        } else if (found <= residual) {
            residual = found;
            work.vectors().copy(x, work.best());
        } else {
            work.vectors().copy(work.best(), x);
        }
        return took;
    }

    /** A share of the first residual is one of the residual before the first solver. */
    private StoppingCriteria limited(double most) {
        StoppingCriteria given = criteria.toFirstResidual()
                ? new StoppingCriteria(0, threshold, criteria.maximumIterations(), criteria.divergenceLimit(), false,
                        criteria.maximumSeconds(), criteria.stagnationWindow())
                : criteria;
        return given.within(Math.max(Double.MIN_NORMAL, Math.min(most, timeLeft())));
    }

    double timeLeft() {
        return criteria.maximumSeconds() - seconds - setup;
    }

    boolean isOutOfTime() {
        return timeLeft() <= 0;
    }

    /** Counts what preparing a solver took. */
    void prepared(double took) {
        setup += took;
    }

    /** Ends where nothing was ready before the time was over; the iterate stays the first guess. */
    void endUnprepared(String who) {
        requireMeasured();
        history.add(first);
        last = new SolveReport(SolveStatus.TIME_LIMIT, 0, 0, List.of(first), right, first, 0,
                late("preparation took them"), new SolveFacts(who, "", 0, 0, 0, List.of()));
    }

    private String late(String why) {
        return String.format(Locale.ROOT, "residual %.5g is above %.5g after %.3g s and %d iterations, since %s",
                residual, threshold, seconds + setup, iterations, why);
    }

    void note(String text) {
        notes.add("tuned: " + text);
    }

    boolean isSolved() {
        return solved;
    }

    /** Says whether the last solver reported a solution that is none. */
    boolean isBelied() {
        return belied;
    }

    /** The share of the way from the first residual to the threshold that is behind, on a logarithmic scale. */
    double progress() {
        requireMeasured();
        if (solved || first <= threshold) {
            return 1;
        }
        if (!(residual > 0) || threshold == 0) {
            return residual < first ? Double.MIN_NORMAL : 0;
        }
        return Math.clamp(Math.log(first / residual) / Math.log(first / threshold), 0, 1);
    }

    double residual() {
        return residual;
    }

    /** The residual as a share of the right-hand side, not a number where that is 0. */
    double relativeResidual() {
        requireMeasured();
        return residual / right;
    }

    /** What the residual of the last solver took, about one product; NaN if there was none. */
    double productSeconds() {
        return product;
    }

    /** What the last solver prepared while it solved, as the choice by rules does. */
    double lastPreparation() {
        return inner;
    }

    /** Says whether the last solver ended at the number of iterations that the program has set itself. */
    boolean isAtOwnLimit() {
        return last.status() == SolveStatus.ITERATION_LIMIT
                && criteria.maximumIterations() < StoppingCriteria.DEFAULT_ITERATIONS;
    }

    /** Says whether some solver was prepared and had its turn. */
    boolean hasRun() {
        return last != null;
    }

    int lastIterations() {
        return last.iterations();
    }

    String lastDetail() {
        return last.detail();
    }

    /** Returns the report of all solvers together; that of the last one says how it ended. */
    SolveReport report() {
        boolean late = !solved && !belied && isOutOfTime() && last.status() != SolveStatus.TIME_LIMIT;
        SolveStatus status = belied ? SolveStatus.STAGNATED : late ? SolveStatus.TIME_LIMIT : last.status();
        String detail = last.detail();
        if (belied) {
            detail = last.method() + " reported a solution, but the residual recomputed from it is " + residual
                    + ", expected " + threshold;
        } else if (late) {
            detail = late("no time was left when the last solver ended: " + last.detail());
        }
        return new SolveReport(status, iterations, restarts, history, last.rightHandSideNorm(),
                solved ? last.trueResidual() : residual, seconds, detail, last.facts()).withNotes(notes)
                .withPreparation(last.preconditioner(), setup - last.setupSeconds());
    }
}
