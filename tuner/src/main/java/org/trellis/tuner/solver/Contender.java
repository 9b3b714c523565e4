package org.trellis.tuner.solver;

import java.util.Arrays;

/** What is known of one choice. Times are those that all ranks agreed on. */
final class Contender {
    /** Of how many latest solutions the median counts. */
    private static final int LATEST = 5;
    /** A renewal in four updates is expected of what is kept, before more is known. */
    private static final double PRIOR_RENEWALS = 0.5;
    private static final double PRIOR_UPDATES = 2;
    /** The share of the time before that a latest solution takes at least once its code is compiled. */
    private static final double STEADY = 0.75;
    /** Beside solutions of so many seconds what is not compiled yet hardly counts. */
    private static final double LONG_SECONDS = 1;
    /** After so many solutions no more compilation is waited for. */
    private static final int WARM_SOLUTIONS = 6;

    private final SolverChoice choice;
    private double setupSeconds = Double.NaN;
    private double renewalSeconds = Double.NaN;
    private double[] solveSeconds = new double[8];
    private int solves;
    private int trials;
    private int renewals;
    private int updates;
    private double progress;
    private String obstacle;
    private boolean belied;
    private String text;

    Contender(SolverChoice choice) {
        this.choice = choice;
    }

    SolverChoice choice() {
        return choice;
    }

    void prepared(double seconds) {
        setupSeconds = Double.isNaN(setupSeconds) ? seconds : Math.min(setupSeconds, seconds);
    }

    void renewed(double seconds) {
        renewals++;
        renewalSeconds = Double.isNaN(renewalSeconds) ? seconds : (renewalSeconds + seconds) / 2;
    }

    void updated() {
        updates++;
    }

    void solved(double seconds) {
        if (solves == solveSeconds.length) {
            solveSeconds = Arrays.copyOf(solveSeconds, 2 * solves);
        }
        solveSeconds[solves++] = seconds;
    }

    void tried(double share) {
        trials++;
        progress = Math.max(progress, share);
    }

    /** Takes it out for good. */
    void exclude(String why) {
        obstacle = why;
    }

    /** Takes out for good what reported a solution that was none. */
    void belie(String why) {
        belied = true;
        exclude(why);
    }

    boolean isBelied() {
        return belied;
    }

    boolean isOut() {
        return obstacle != null;
    }

    String obstacle() {
        return obstacle;
    }

    int trials() {
        return trials;
    }

    int solves() {
        return solves;
    }

    /** The greatest share of the way to a solution that a trial came before it was cut off. */
    double progress() {
        return progress;
    }

    boolean isPrepared() {
        return !Double.isNaN(setupSeconds);
    }

    double setupSeconds() {
        return setupSeconds;
    }

    /** What making it ready for other values takes once: as renewals took, or else the set-up. */
    double secondsOfRenewal() {
        return Double.isNaN(renewalSeconds) ? setupSeconds : renewalSeconds;
    }

    /** What other values cost, as far as that is known, per update: renewals that are seldom count seldom. */
    double secondsOfUpdate() {
        double once = secondsOfRenewal();
        boolean kept = choice.renewal() == SolverChoice.Renewal.GROWN;
        return kept ? once * Math.min(1, (renewals + PRIOR_RENEWALS) / (updates + PRIOR_UPDATES)) : once;
    }

    /**
     * Says whether the time of a solution is one to compare others with: it does not fall any more as it does while
     * code is compiled, beside which any later solution looks fast.
     */
    boolean isSteady() {
        if (solves == 0) {
            return false;
        }
        double latest = solveSeconds[solves - 1];
        return latest >= LONG_SECONDS || solves >= WARM_SOLUTIONS
                || (solves > 1 && latest >= STEADY * solveSeconds[solves - 2]);
    }

    /** The median of the latest solutions; the first, in which code and plans are made, counts only while alone. */
    double solveSeconds() {
        if (solves == 0) {
            return Double.NaN;
        }
        int from = Math.max(solves > 1 ? 1 : 0, solves - LATEST);
        double[] latest = Arrays.copyOfRange(solveSeconds, from, solves);
        Arrays.sort(latest);
        return latest[(latest.length - 1) / 2];
    }

    /** What the first solution took beyond later ones; 0 while there is one alone. */
    double firstExtra() {
        return solves > 1 ? Math.max(0, solveSeconds[0] - solveSeconds()) : 0;
    }

    /** The times of solutions but for the first, in which code and plans are made, if there are others. */
    double[] measuredSeconds() {
        return Arrays.copyOfRange(solveSeconds, solves > 1 ? 1 : 0, solves);
    }

    @Override
    public String toString() {
        if (text == null) {
            text = choice.toString();
        }
        return text;
    }
}
