package org.trellis.distributed.multigrid;

import java.util.List;

/** Something whose numbers of rings may be chosen by the times of its own applications. */
public interface TunedRings {
    /**
     * Ends the choice on all levels: where applications were too few, what they have shown so far decides, and where
     * there was none, the model. Collective, after as many applications on each rank.
     *
     * @return what is used on each level that has a smoother, finest first; the same on all ranks
     */
    List<LevelRings> settleRings();
}
