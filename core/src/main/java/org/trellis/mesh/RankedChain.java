package org.trellis.mesh;

import java.util.Optional;
import org.trellis.mesh.loop.ExchangeStatistics;
import org.trellis.mesh.loop.TileStatistics;

/**
 * A chain of loops on one of several ranks: what they need of others is exchanged once before them, or a few times if
 * the mesh has not been divided with rings enough. All ranks make the same calls.
 */
public interface RankedChain extends AutoCloseable {
    /**
     * Runs a loop, if it has not been run together with those before it, and combines what it reduces. Called for each
     * loop of the chain in order.
     *
     * @param loop its place in the chain
     */
    void run(int loop);

    /**
     * Says whether the loops are those that the chain was made of.
     *
     * @return false if one has been declared anew since; then the chain is made anew
     */
    boolean isCurrent();

    /**
     * Describes this rank's tiles.
     *
     * @return figures of all plans of the chain; empty if each loop runs over all its elements
     */
    Optional<TileStatistics> tiles();

    /**
     * Returns what has been exchanged.
     *
     * @return figures of all runs
     */
    ExchangeStatistics exchanges();

    /** Releases what the chain holds. Idempotent. */
    @Override
    void close();
}
