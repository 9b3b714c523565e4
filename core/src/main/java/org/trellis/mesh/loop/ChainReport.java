package org.trellis.mesh.loop;

import java.util.List;
import java.util.Optional;

/**
 * How a chain of loops is run.
 *
 * @param loops      names of the loops in their order
 * @param dead       loops of it that are left out, since what they write is overwritten before anybody reads it
 * @param runs       runs of the chain
 * @param statistics of the tiles that it runs in now; empty if each loop runs over its whole set
 * @param decision   why it is run so
 */
public record ChainReport(List<String> loops, int dead, long runs, Optional<TileStatistics> statistics,
        String decision) {
    /** Copies the list. */
    public ChainReport {
        loops = List.copyOf(loops);
    }
}
