package org.trellis.distributed.multigrid;

import java.util.List;
import org.trellis.distributed.powers.RingContest;

/**
 * How many rings are exchanged at once on a level.
 *
 * @param level  its number, 0 for the finest
 * @param rings  the number that is used from now on
 * @param trials what was measured of each number within visits of the level, of the slowest rank; empty if times did
 *               not decide
 */
public record LevelRings(int level, int rings, List<RingContest.Trial> trials) {
    /** Copies the list. */
    public LevelRings {
        trials = List.copyOf(trials);
    }
}
