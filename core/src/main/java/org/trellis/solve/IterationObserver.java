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

    /**
     * Lets one that passes iterations on to this, under other numbers say, stand for it. What ignores everything stays
     * what it is: a device runs iterations by itself only if nothing listens.
     *
     * @param passing what calls this
     * @return {@link #NONE} if this is that, else the one that passes on
     */
    default IterationObserver unlessNone(IterationObserver passing) {
        return equals(NONE) ? NONE : passing;
    }
}
