package org.trellis.solve;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;

/**
 * The residual norms of a running solution and the verdict on them. The recurred residual only says when to look: what
 * counts is the true one, recomputed from the solution. Where it does not meet the criterion, the recurrence begins
 * anew from it, until that leads nowhere.
 */
final class ResidualHistory {
    /** A true residual above this share of the best one so far is no progress. */
    private static final double PROGRESS = 0.5;
    /** So many restarts in succession without progress are stagnation. */
    private static final int FRUITLESS_RESTARTS = 3;

    private final StoppingCriteria criteria;
    private final double rightHandSideNorm;
    private final double threshold;
    /** Share of the residual at the last restart below which a recurred residual says nothing: u². */
    private final double meaningful;
    private final List<Double> norms = new ArrayList<>();
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

    ResidualHistory(StoppingCriteria criteria, double rightHandSideNorm, Precision precision) {
        this.criteria = criteria;
        this.rightHandSideNorm = rightHandSideNorm;
        this.threshold = criteria.threshold(rightHandSideNorm);
        this.meaningful = precision.unitRoundoff() * precision.unitRoundoff();
    }

    /** Takes the true residual norm of the first guess. */
    void begin(double trueNorm) {
        norms.add(trueNorm);
        restartNorm = trueNorm;
        best = trueNorm;
        setTrue(trueNorm);
        if (!judgeTrue()) {
            judge("residual ", trueNorm);
        }
    }

    /** Adds the norm of the recurred residual after an iteration. */
    void add(double norm) {
        norms.add(norm);
        known = false;
        wantsTrueResidual = norm <= limit();
        if (!wantsTrueResidual) {
            judge("residual ", norm);
        }
    }

    /** Returns the norm of a recurred residual up to which only the true one can tell. */
    double limit() {
        return Math.max(threshold, meaningful * restartNorm);
    }

    /** Says whether the recurred residual is so small that only the true one can tell. */
    boolean wantsTrueResidual() {
        return wantsTrueResidual;
    }

    /** Takes the true residual norm after an iteration, from which the recurrence begins anew if it goes on. */
    void replace(double trueNorm) {
        wantsTrueResidual = false;
        setTrue(trueNorm);
        if (judgeTrue()) {
            return;
        }
        fruitless = trueNorm <= PROGRESS * best ? 0 : fruitless + 1;
        best = Math.min(best, trueNorm);
        restartNorm = trueNorm;
        if (fruitless == FRUITLESS_RESTARTS) {
            end(SolveStatus.STAGNATED, "recomputed residual " + trueNorm + " is above " + threshold
                    + " and has not halved in " + FRUITLESS_RESTARTS + " restarts from it, the recurred one is "
                    + last());
        } else {
            judge("recomputed residual ", trueNorm);
            restarts += goesOn() ? 1 : 0;
        }
    }

    /** Takes the true residual norm at the end, which has the last word. */
    void finish(double trueNorm) {
        setTrue(trueNorm);
        judgeTrue();
    }

    /** Says whether the true residual of the solution as it is has been told. */
    boolean knowsTrueResidual() {
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
        double first = norms.getFirst();
        if (!(norm <= criteria.divergenceLimit() * first)) {
            end(SolveStatus.DIVERGED, which + norm + " is more than " + criteria.divergenceLimit()
                    + " times the first one, " + first + ", or not a number");
        } else if (iterations() == criteria.maximumIterations()) {
            end(SolveStatus.ITERATION_LIMIT, which + norm + " is above " + threshold + " after "
                    + iterations() + " iterations");
        }
    }

    /** Ends the solution because the recurrence cannot go on. */
    void breakDown(String reason) {
        end(SolveStatus.BREAKDOWN, "in iteration " + (iterations() + 1) + " " + reason);
    }

    private void end(SolveStatus verdict, String reason) {
        status = verdict;
        detail = reason;
    }

    boolean goesOn() {
        return status == null;
    }

    int iterations() {
        return norms.size() - 1;
    }

    private double last() {
        return norms.getLast();
    }

    SolveReport report(double seconds) {
        return new SolveReport(status, iterations(), restarts, norms, rightHandSideNorm, trueResidual, seconds, detail);
    }
}
