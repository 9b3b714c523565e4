package org.trellis.examples.poisson;

import java.util.List;
import org.trellis.solve.LinearSolver;

/** A variant of solving the problem. Made before coefficients are known; prepared each time that they have changed. */
interface PoissonVariant extends AutoCloseable {
    /** Returns the name in tables, for example {@code assembled, amg}. */
    String name();

    /** Makes matrices, preconditioners and the solver for the coefficients of now. */
    void prepare();

    /** Returns the solver, closed with this or when it is prepared anew. */
    LinearSolver solver();

    /** Describes the levels, finest first, if there are several; runs a few cycles to time them. */
    default List<LevelLine> levels() {
        return List.of();
    }

    /** Releases what was prepared. Idempotent. */
    @Override
    void close();

    /**
     * A level.
     *
     * @param rows     its unknowns
     * @param smoother what is done on it
     * @param seconds  its time in a cycle
     */
    record LevelLine(int rows, String smoother, double seconds) {}
}
