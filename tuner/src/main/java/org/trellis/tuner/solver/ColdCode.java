package org.trellis.tuner.solver;

import java.util.HashSet;
import java.util.Set;

/**
 * What the first use of a kind of solver costs in a process, beyond what it takes later: its classes are loaded, and
 * its code is interpreted until it is compiled. For a small system that is most of a trial. One object serves all
 * solvers of a process, so that many short-lived ones, each of which has little time to spare, try other kinds as well
 * after a while.
 */
final class ColdCode {
    /** What all families but factorisations have in common: products, vectors and methods. */
    static final String ITERATIONS = "iterations";
    /** Iterations by one thread, which need nothing of that. */
    static final String ONE_THREAD = "one thread";
    /** What looks for trials, begins and logs them. */
    private static final String TRIALS = "trials";
    private static final ColdCode PROCESS = new ColdCode(true);

    private final boolean counts;
    private final Set<String> warm = new HashSet<>();
    private double allowance;

    private ColdCode(boolean counts) {
        this.counts = counts;
    }

    /** Returns that of this process, for solvers that decide alone. */
    static ColdCode ofProcess() {
        return PROCESS;
    }

    /** Returns one to which all code is compiled, so that decisions depend on a solver's own times alone. */
    static ColdCode none() {
        return new ColdCode(false);
    }

    /** Returns one of a process in which nothing has run, for tests. */
    static ColdCode ofNewProcess() {
        return new ColdCode(true);
    }

    /**
     * Returns the seconds that the first set-up and solution of a choice take beyond later ones, about.
     *
     * @param plain whether one thread iterates on plain arrays
     */
    synchronized double extraSeconds(SolverChoice choice, boolean plain) {
        if (plain) {
            return extra(ONE_THREAD);
        }
        return extra(choice.family()) + (choice.isDirect() ? 0 : extra(ITERATIONS));
    }

    private double extra(String family) {
        if (!counts || warm.contains(family)) {
            return 0;
        }
        return switch (family) {
            case ONE_THREAD, TRIALS -> 0.03;
            case "none", "jacobi", "l1-jacobi", "spai0", "polynomial" -> 0.01;
            case "amg" -> 0.2;
            default -> 0.1;
        };
    }

    /** Says whether solutions so far pay for the first trial of the process. */
    synchronized boolean paysForTrials() {
        if (extra(TRIALS) > allowance) {
            return false;
        }
        allowance -= extra(TRIALS);
        warm.add(TRIALS);
        return true;
    }

    /** Returns the seconds that cold code may still take at the expense of all solutions before. */
    synchronized double allowance() {
        return allowance;
    }

    /**
     * Counts a solution.
     *
     * @param seconds the part of its time that may be spent on trials
     */
    synchronized void solved(double seconds) {
        allowance += seconds;
    }

    /**
     * Counts a set-up.
     *
     * @param plain   whether one thread iterates on plain arrays
     * @param seconds what it took beyond what is usual
     * @return the part of it that the solutions of the process pay for, if it was the first of its kind
     */
    synchronized double ran(SolverChoice choice, boolean plain, double seconds) {
        if (!counts || extraSeconds(choice, plain) == 0) {
            return 0;
        }
        warm.add(plain ? ONE_THREAD : choice.family());
        if (!plain && !choice.isDirect()) {
            warm.add(ITERATIONS);
        }
        double paid = Math.clamp(seconds, 0, Math.max(0, allowance));
        allowance -= paid;
        return paid;
    }
}
