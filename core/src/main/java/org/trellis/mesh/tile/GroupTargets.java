package org.trellis.mesh.tile;

import java.util.Objects;

/**
 * Where groups of elements lead: group g leads to {@code targets[offsets[g]]} to {@code targets[offsets[g + 1] - 1]},
 * each once.
 *
 * @param offsets one more than there are groups
 * @param targets groups of another set
 */
record GroupTargets(int[] offsets, int[] targets) {
    /** Each group leads to itself. */
    static final GroupTargets OWN = new GroupTargets(new int[1], new int[0]);

    GroupTargets {
        Objects.requireNonNull(offsets);
        Objects.requireNonNull(targets);
    }

    private boolean own() {
        return offsets.length == 1; // or there are no groups at all
    }

    /** Raises the value of each group to the greatest value of its targets. */
    void raise(int[] values, int[] ofTargets) {
        if (own()) {
            for (int g = 0; g < values.length; g++) {
                values[g] = Math.max(values[g], ofTargets[g]);
            }
            return;
        }
        for (int g = 0; g < values.length; g++) {
            int greatest = values[g];
            for (int k = offsets[g]; k < offsets[g + 1]; k++) {
                greatest = Math.max(greatest, ofTargets[targets[k]]);
            }
            values[g] = greatest;
        }
    }

    /** Raises the value of each target to the greatest value of the groups that lead to it. */
    void spread(int[] values, int[] toTargets) {
        if (own()) {
            for (int g = 0; g < values.length; g++) {
                toTargets[g] = Math.max(toTargets[g], values[g]);
            }
            return;
        }
        for (int g = 0; g < values.length; g++) {
            for (int k = offsets[g]; k < offsets[g + 1]; k++) {
                toTargets[targets[k]] = Math.max(toTargets[targets[k]], values[g]);
            }
        }
    }

    /** The first pass over what tiles touch. */
    void count(SharedValues sharers, int[] tile) {
        for (int g = 0; g < tile.length; g++) {
            if (own()) {
                sharers.count(g, tile[g]);
            } else {
                for (int k = offsets[g]; k < offsets[g + 1]; k++) {
                    sharers.count(targets[k], tile[g]);
                }
            }
        }
    }

    /** The second pass over what tiles touch. */
    void touch(SharedValues sharers, int[] tile, boolean writes) {
        for (int g = 0; g < tile.length; g++) {
            if (own()) {
                sharers.touch(g, tile[g], writes);
            } else {
                for (int k = offsets[g]; k < offsets[g + 1]; k++) {
                    sharers.touch(targets[k], tile[g], writes);
                }
            }
        }
    }

    /** Joins tiles of groups with those of their targets. */
    void join(TileGraph graph, int[] tile, int[] ofTargets) {
        for (int g = 0; g < tile.length && !own(); g++) {
            for (int k = offsets[g]; k < offsets[g + 1]; k++) {
                graph.join(tile[g], ofTargets[targets[k]]);
            }
        }
    }
}
