package org.trellis.kernel;

/**
 * A kernel's loop over a range of elements, specialised for one {@link LoopShape}. Stateless: several threads may run
 * it at once on ranges that do not conflict. Runs without allocating.
 */
@FunctionalInterface
public interface RangeLoop {
    /**
     * Runs the kernel on every element of a range.
     *
     * @param arguments where the data and maps are; of the shape and precision that the loop was made for
     * @param range     which elements, and the accumulators of global reductions
     * @throws IndexOutOfBoundsException if an argument is shorter than its shape and the maps ask
     */
    void run(LoopArguments arguments, LoopRange range);
}
