package org.trellis.internal.threads.loop;

import java.util.Optional;
import java.util.function.Supplier;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.LoopDeclaration;

/**
 * Chooses, run by run, which of two codes of a loop runs. Both give the same bits, whatever part of a range they run.
 */
public interface LoopChooser {
    /** Elements of a piece that is run in the code that is tried out. */
    int PIECE = 128;

    /**
     * The codes of a loop.
     *
     * @param scalar one element after the other
     * @param vector makes the code that runs several elements at once
     */
    record Codes(RangeLoop scalar, Supplier<RangeLoop> vector) {}

    /** Makes what chooses. */
    interface Factory {
        /**
         * Makes what chooses for a loop.
         *
         * @param loop    the loop
         * @param threads threads that share a run
         * @param codes   its codes
         * @return empty if only the scalar code is to run
         */
        Optional<LoopChooser> chooser(LoopDeclaration loop, int threads, Codes codes);
    }

    /**
     * Returns the code of the next run.
     *
     * @return one of the two
     */
    RangeLoop next();

    /**
     * Returns how many pieces of the next run are run in the code of {@link #trial} before the rest.
     *
     * @return usually 0
     */
    int pieces();

    /**
     * Returns the code that is tried out.
     *
     * @return the vector code
     */
    RangeLoop trial();

    /**
     * Learns how long a piece took in the code that is tried out.
     *
     * @param nanoseconds its time
     */
    void tried(long nanoseconds);

    /**
     * Learns how long the rest of a run took.
     *
     * @param nanoseconds its time
     */
    void done(long nanoseconds);
}
