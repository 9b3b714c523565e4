package org.trellis.tuner.solver;

import java.util.function.Supplier;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;

/**
 * Iterations by one thread until they have visited so many entries of the matrix, then by all: the code of the first is
 * loaded and compiled in a fraction of the time, which is most of what a short program takes. When the others take over
 * depends on iterations alone, so that bits do not depend on times or threads.
 */
final class OneThreadFirst implements LinearSolver {
    private final LinearSolver plain;
    private final Supplier<LinearSolver> making;
    private final Visits visits;
    private final long entries;
    private LinearSolver team;

    /** Entries that one thread has visited for a system, whatever its values. */
    static final class Visits {
        /** A second or two of one thread. */
        private static final long MOST = 1_000_000_000;

        private long done;

        boolean goesOn() {
            return done < MOST;
        }
    }

    /**
     * Takes both.
     *
     * @param plain   iterates by one thread
     * @param making  prepares the same for all threads
     * @param visits  counts entries
     * @param entries of the matrix
     */
    OneThreadFirst(LinearSolver plain, Supplier<LinearSolver> making, Visits visits, long entries) {
        this.plain = plain;
        this.making = making;
        this.visits = visits;
        this.entries = entries;
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        if (!visits.goesOn()) {
            team = team == null ? making.get() : team;
            return team.solve(b, x, criteria, observer);
        }
        SolveReport report = plain.solve(b, x, criteria, observer);
        visits.done += report.iterations() * entries;
        return report;
    }

    @Override
    public void close() {
        plain.close();
        if (team != null) {
            team.close();
        }
    }

    @Override
    public String toString() {
        return (team == null ? plain : team).toString();
    }
}
