package org.trellis.solve;

/** Hears of each iteration of a solution, from the thread that runs it, as soon as the host knows. */
@FunctionalInterface
public interface IterationObserver {
    /** Ignores everything. */
    IterationObserver NONE = (iteration, residualNorm) -> {};

    /**
     * Hears of an iteration.
     *
     * @param iteration    its number, from 1
     * @param residualNorm {@code ‖r‖₂} of the recurrence after it
     */
    void iterated(int iteration, double residualNorm);
}
