package org.trellis.mesh;

import java.util.List;
import java.util.OptionalDouble;
import org.trellis.mesh.loop.TileStatistics;

/**
 * Loops that run tile by tile. A run is {@link #run}, then {@link #reduce} for each loop in order, then an exchange of
 * what is in {@link #copies}.
 */
public interface PreparedChain extends AutoCloseable {
    /** Runs all loops on all their elements. Keeps what they reduce. */
    void run();

    /**
     * Combines what a loop has reduced in the last run with its globals, or sets its scalars.
     *
     * @param loop the loop's place in the chain
     */
    void reduce(int loop);

    /**
     * Returns how much of the last run was a loop's.
     *
     * @param loop the loop's place in the chain
     * @return nanoseconds of all threads together
     */
    long nanoseconds(int loop);

    /**
     * Returns how long a run takes on a device that works asynchronously, by its own clock. May wait for it.
     *
     * @return the mean of all runs in seconds; empty, as it is unless overridden, if runs are over when {@link #run}
     *         returns
     */
    default OptionalDouble deviceSeconds() {
        return OptionalDouble.empty();
    }

    /**
     * Returns dats whose results are in other memory than what the tiles have read.
     *
     * @return the dats with that memory; the mesh exchanges both after each run
     */
    List<DatCopy> copies();

    /**
     * Describes the tiles.
     *
     * @return figures of the plan
     */
    TileStatistics statistics();

    /** Releases what the chain holds. Idempotent. */
    @Override
    void close();
}
