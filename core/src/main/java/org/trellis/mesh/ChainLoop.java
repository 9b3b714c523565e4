package org.trellis.mesh;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.mesh.loop.SetExtent;

/**
 * A loop of a chain over the first elements of its set: all of them on one rank; on several, as far into other ranks'
 * elements as the loops behind it need what it writes.
 *
 * @param loop the loop
 * @param end  the number of elements that it runs, none without rows in maps
 */
public record ChainLoop(LoopDeclaration loop, int end) {
    /**
     * Checks the number.
     *
     * @throws IndexOutOfBoundsException if elements have no rows in maps
     */
    public ChainLoop {
        Checks.index("end of " + Objects.requireNonNull(loop), end, loop.set().withRows() + 1);
    }

    /**
     * Returns a loop over all elements that {@link ParallelLoop#run()} runs.
     *
     * @param loop the loop
     * @return the whole loop
     */
    public static ChainLoop whole(LoopDeclaration loop) {
        return new ChainLoop(loop, loop.set().extent(SetExtent.EXECUTED));
    }

    /**
     * Returns the elements over which it reduces.
     *
     * @return how many, which are the first ones
     */
    public int counted() {
        return Math.min(end, loop.set().extent(SetExtent.OWNED));
    }
}
