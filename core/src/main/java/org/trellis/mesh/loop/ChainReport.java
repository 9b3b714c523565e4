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
 * @param exchanges  between ranks, where there are several and loops run with one exchange for all; else empty
 * @param fused      names of the loops that stand for several, where loops run as one now; else empty
 * @param decision   why it is run so
 */
public record ChainReport(List<String> loops, int dead, long runs, Optional<TileStatistics> statistics,
        Optional<ExchangeStatistics> exchanges, List<String> fused, String decision) {
    /** Copies the lists. */
    public ChainReport {
        loops = List.copyOf(loops);
        fused = List.copyOf(fused);
    }
}
