package org.trellis.solve;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.trellis.common.Precision;

/**
 * The residual norms of a running solution and the verdict on them, for those who write methods. The recurred residual
 * only says when to look: what counts is the true one, recomputed from the solution. Where it does not meet the
 * criterion, the recurrence begins anew from it, until that leads nowhere.
 */
public final class ResidualHistory {
    /** A true residual above this share of the best one so far is no progress. */
    private static final double PROGRESS = 0.5;
    /** So many restarts in succession without progress are stagnation. */
    private static final int FRUITLESS_RESTARTS = 3;
    /** The least residual must fall below this share of itself within the criteria's window. */
    private static final double WINDOW_PROGRESS = 0.99;
    /** A restarted method that leaves more than this share of the residual repeats itself. */
    private static final double REPETITION = 1 - 1e-7;

    /** By how much two computations of one residual of a least squares problem may differ. */
    private static final double ROUNDING = 1e-3;

    private final StoppingCriteria criteria;
    private final double rightHandSideNorm;
    /** Share of the residual at the last restart below which a recurred residual says nothing: u². */
    private final double meaningful;
    private final TimeLimit time;
    private final Precision precision;
    private double threshold;
    private double[] norms = new double[64];
    private int count;
    private double least = Double.POSITIVE_INFINITY;
    private int leastAt;
    private double restartNorm;
    private double best;
    private int fruitless;
    private int restarts;
    private boolean wantsTrueResidual;
    /** NaN while it is not known. */
    private double trueResidual;
    private boolean known;
    private SolveStatus status;
    private String detail;

    /**
     * Begins a history of one rank that solves alone.
     *
     * @param criteria          when to stop
     * @param rightHandSideNorm {@code ‖b‖₂}
     * @param precision         of the vectors
     */
    public ResidualHistory(StoppingCriteria criteria, double rightHandSideNorm, Precision precision) {
        this(criteria, rightHandSideNorm, precision, CollectiveClock.OWN);
    }

    /**
     * Begins a history.
     *
     * @param criteria          when to stop
     * @param rightHandSideNorm {@code ‖b‖₂}
     * @param precision         of the vectors
     * @param clock             of all who solve together, read where there is a limit of time, see {@link TimeLimit}
     */
    public ResidualHistory(StoppingCriteria criteria, double rightHandSideNorm, Precision precision,
            CollectiveClock clock) {
        this.criteria = criteria;
        this.time = new TimeLimit(criteria.maximumSeconds(), clock);
        this.rightHandSideNorm = rightHandSideNorm;
        this.precision = precision;
        this.threshold = criteria.threshold(rightHandSideNorm);
        this.meaningful = precision.unitRoundoff() * precision.unitRoundoff();
    }

    /**
     * Takes the true residual norm of the first guess.
     *
     * @param trueNorm {@code ‖b − A x‖₂}
     */
    public void begin(double trueNorm) {
        if (criteria.toFirstResidual()) {
            threshold = criteria.threshold(trueNorm);
        }
        append(trueNorm);
        restartNorm = trueNorm;
        best = trueNorm;
        setTrue(trueNorm);
        if (!judgeTrue()) {
            judge("residual ", trueNorm);
        }
    }

    /**
     * Adds the norm of the recurred residual after an iteration.
     *
     * @param norm {@code ‖r‖₂}
     */
    public void add(double norm) {
        append(norm);
        known = false;
        wantsTrueResidual = norm <= limit();
        if (!wantsTrueResidual) {
            judge("residual ", norm);
        }
    }

    private void append(double norm) {
        if (count == norms.length) {
            norms = Arrays.copyOf(norms, 2 * count);
        }
        norms[count++] = norm;
        if (norm < WINDOW_PROGRESS * least) {
            least = norm;
            leastAt = iterations();
        }
    }

    /**
     * Returns the norm of a recurred residual up to which only the true one decides.
     *
     * @return a norm
     */
    public double limit() {
        return Math.max(threshold, meaningful * restartNorm);
    }

    /**
     * Returns the norm of a true residual at which the solution has converged.
     *
     * @return a norm
     */
    public double threshold() {
        return threshold;
    }

    /**
     * Returns the criteria.
     *
     * @return when to stop
     */
    public StoppingCriteria criteria() {
        return criteria;
    }

    /**
     * Says whether the recurred residual is so small that only the true one decides.
     *
     * @return true until that is recorded
     */
    public boolean wantsTrueResidual() {
        return wantsTrueResidual;
    }

    /**
     * Takes the true residual norm after an iteration, from which the recurrence begins anew if it goes on.
     *
     * @param trueNorm {@code ‖b − A x‖₂}
     */
    public void replace(double trueNorm) {
        if (takes(trueNorm) && isFruitless(trueNorm)) {
            end(SolveStatus.STAGNATED, "recomputed residual " + trueNorm + " is above " + threshold
                    + " and has not halved in " + FRUITLESS_RESTARTS + " restarts from it, the recurred one is "
                    + last() + "; " + precision.label() + " may allow no less");
        }
        goOnFrom(trueNorm);
    }

    /**
     * Takes the true residual norm where the recurrence could not go on, so that it begins anew from it.
     *
     * @param trueNorm {@code ‖b − A x‖₂}
     * @param reason   what could not be done, for the detail should it happen again and again
     */
    public void replaceAfter(double trueNorm, String reason) {
        if (takes(trueNorm) && isFruitless(trueNorm)) {
            breakDown(reason + ", and the recomputed residual has not halved in " + FRUITLESS_RESTARTS
                    + " restarts from it, it is " + trueNorm);
        }
        goOnFrom(trueNorm);
    }

    /**
     * Takes the true residual norm where a method begins anew by design, as GMRES(m) does after m iterations.
     *
     * @param trueNorm {@code ‖b − A x‖₂}
     * @param what     what has ended, for the detail should it have led nowhere
     */
    public void cycle(double trueNorm, String what) {
        double before = restartNorm;
        if (takes(trueNorm)) {
            if (trueNorm > REPETITION * before) {
                end(SolveStatus.STAGNATED, what + " has not reduced the residual, " + before
                        + ", and the next ones would do the same");
            } else {
                best = Math.min(best, trueNorm);
                restartNorm = trueNorm;
                judge("recomputed residual ", trueNorm);
            }
        }
    }

    /** Takes a true residual; says whether the solution has not converged. */
    private boolean takes(double trueNorm) {
        wantsTrueResidual = false;
        setTrue(trueNorm);
        return !judgeTrue();
    }

    private boolean isFruitless(double trueNorm) {
        fruitless = trueNorm <= PROGRESS * best ? 0 : fruitless + 1;
        best = Math.min(best, trueNorm);
        restartNorm = trueNorm;
        return fruitless == FRUITLESS_RESTARTS;
    }

    private void goOnFrom(double trueNorm) {
        if (goesOn()) {
            judge("recomputed residual ", trueNorm);
            restarts += goesOn() ? 1 : 0;
        }
    }

    /**
     * Takes the true residual norm at the end, which has the last word.
     *
     * @param trueNorm {@code ‖b − A x‖₂}
     */
    public void finish(double trueNorm) {
        setTrue(trueNorm);
        judgeTrue();
    }

    /**
     * Ends the solution as a solution of the least squares.
     *
     * @param trueNorm {@code ‖b − A x‖₂}
     * @param reason   why it is one
     */
    public void solvesLeastSquares(double trueNorm, String reason) {
        wantsTrueResidual = false;
        setTrue(trueNorm);
        end(SolveStatus.CONVERGED, reason);
    }

    /**
     * Says whether the right-hand side is zero, so that only zero meets the criterion whatever the first guess is.
     *
     * @return false if a residual of more than zero can meet it
     */
    public boolean isZeroTheAnswer() {
        return rightHandSideNorm == 0 && threshold == 0 && !criteria.toFirstResidual();
    }

    /**
     * Returns the true residual as it was last taken.
     *
     * @return {@code ‖b − A x‖₂}
     */
    public double trueResidual() {
        return trueResidual;
    }

    /**
     * Says whether the recurrence has reduced the residual, so that it is not the method that failed.
     *
     * @return false where no residual of the recurrence is below the first one
     */
    public boolean wasReduced() {
        return least < norms[0];
    }

    /**
     * Says whether the solution has converged.
     *
     * @return false without a verdict or with another one
     */
    public boolean hasConverged() {
        return status == SolveStatus.CONVERGED;
    }

    /**
     * Says whether a true residual justifies the verdict that the solution has converged.
     *
     * @param trueNorm {@code ‖b − A x‖₂}
     * @return true if it is at most the threshold, or at most the one that was judged but for rounding
     */
    public boolean isMetBy(double trueNorm) {
        return trueNorm <= threshold || trueNorm <= trueResidual * (1 + ROUNDING);
    }

    /**
     * Takes back that the solution has converged, since it cannot be handed over.
     *
     * @param trueNorm {@code ‖b − A x‖₂} of what is handed over
     * @param reason   why
     */
    public void unrepresentable(double trueNorm, String reason) {
        setTrue(trueNorm);
        end(SolveStatus.BREAKDOWN, reason);
    }

    /**
     * Says whether the true residual of the solution as it is has been recorded.
     *
     * @return false after an iteration
     */
    public boolean knowsTrueResidual() {
        return known;
    }

    private void setTrue(double trueNorm) {
        trueResidual = trueNorm;
        known = true;
    }

    private boolean judgeTrue() {
        if (trueResidual <= threshold) {
            end(SolveStatus.CONVERGED, "recomputed residual " + trueResidual + " is at most " + threshold);
            return true;
        }
        return false;
    }

    private void judge(String which, double norm) {
        double first = norms[0];
        if (!(norm <= criteria.divergenceLimit() * first)) {
            end(SolveStatus.DIVERGED, which + norm + " is more than " + criteria.divergenceLimit()
                    + " times the first one, " + first + ", or not a number");
        } else if (iterations() >= criteria.maximumIterations()) {
            end(SolveStatus.ITERATION_LIMIT, which + norm + " is above " + threshold + " after "
                    + iterations() + " iterations");
        } else if (criteria.stagnationWindow() > 0 && iterations() - leastAt >= criteria.stagnationWindow()) {
            end(SolveStatus.STAGNATED, "the least residual, " + least + ", has not fallen by a hundredth in "
                    + criteria.stagnationWindow() + " iterations since iteration " + leastAt);
        } else if (time.isOver(iterations())) {
            endOfTime(which, norm);
        }
    }

    private void endOfTime(String which, double norm) {
        end(SolveStatus.TIME_LIMIT, which + norm + " is above " + threshold + " after "
                + criteria.maximumSeconds() + " s and " + iterations() + " iterations");
    }

    /** Ends the solution because a method that it has begun with {@link #secondsLeft} has used up the time. */
    public void timeIsUp() {
        if (goesOn()) {
            endOfTime("residual ", last());
        }
    }

    /**
     * Returns the time that is left of a limit, for a method that begins another one. To be called by all who share the
     * clock.
     *
     * @return seconds, the same for all, more than 0; infinite without a limit
     */
    public double secondsLeft() {
        return time.left();
    }

    /** Returns the time since the solution began. */
    double seconds() {
        return time.seconds();
    }

    /**
     * Ends the solution because the recurrence cannot go on.
     *
     * @param reason what cannot be done
     */
    public void breakDown(String reason) {
        end(SolveStatus.BREAKDOWN, "in iteration " + (iterations() + 1) + " " + reason);
    }

    /**
     * Ends the solution although it gets on, since another method is less work.
     *
     * @param reason what another method is compared with
     */
    public void giveUp(String reason) {
        end(SolveStatus.STAGNATED, reason);
    }

    private void end(SolveStatus verdict, String reason) {
        status = verdict;
        detail = reason;
    }

    /**
     * Says whether the solution goes on.
     *
     * @return false once there is a verdict
     */
    public boolean goesOn() {
        return status == null;
    }

    /**
     * Returns the number of iterations.
     *
     * @return those that were added
     */
    public int iterations() {
        return count - 1;
    }

    /**
     * Returns the norm of the recurred residual after the last iteration.
     *
     * @return {@code ‖r‖₂}
     */
    public double last() {
        return norms[count - 1];
    }

    /**
     * Returns the norm of the recurred residual after an iteration.
     *
     * @param iteration its number, 0 for the first guess
     * @return {@code ‖r‖₂}
     */
    public double norm(int iteration) {
        return norms[iteration];
    }

    /**
     * Reports the solution.
     *
     * @param facts with what it was solved
     * @return a report whose time is that since this history was created
     */
    public SolveReport report(SolveFacts facts) {
        List<Double> all = DoubleStream.of(norms).limit(count).boxed().toList();
        return new SolveReport(status, iterations(), restarts, all, rightHandSideNorm, trueResidual, seconds(), detail,
                facts);
    }
}
