package org.trellis.bench.adapters.ranks;

import java.lang.foreign.MemorySegment;

/** A library's solver within one of its processes. All calls come from one thread. */
public interface RankSolver {
    /**
     * What came of the iterations.
     *
     * @param iterations iterations done
     * @param converged  whether the library holds the system for solved
     * @param residual   its own relative residual at the end, or not a number
     * @param reason     how it ended, in its words
     */
    record Outcome(int iterations, boolean converged, double residual, String reason) {}

    /** Prepares method and preconditioner anew. */
    void setUp();

    /**
     * Solves the system from zero.
     *
     * @return how that went
     */
    Outcome solve();

    /**
     * Copies this process's part of the solution.
     *
     * @param target doubles, one for each of its rows
     */
    void copySolution(MemorySegment target);

    /** Gives back what {@link #setUp} made. */
    void tearDown();
}
