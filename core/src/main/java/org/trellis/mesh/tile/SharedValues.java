package org.trellis.mesh.tile;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which tiles touch each value of a dat. Most values are touched by one tile only: a first pass finds the others, and
 * only these get room for several tiles in a second.
 */
final class SharedValues {
    private static final int NONE = -1;
    private static final int SEVERAL = -2;
    /** Tiles of a value for which there is room beforehand. */
    private static final int EXPECTED_TILES = 4;

    /** The only tile, {@link #NONE}, or {@link #SEVERAL} less the number among the values of several tiles. */
    private final int[] only;
    /** Twice the tile, and one more if it writes. */
    private int[] users;
    private final Map<Integer, IntList> more = new HashMap<>();

    SharedValues(int size) {
        only = new int[size];
        Arrays.fill(only, NONE);
    }

    /** The first pass: a tile touches a value. */
    void count(int target, int tile) {
        int known = only[target];
        if (known == NONE) {
            only[target] = tile;
        } else if (known != tile) {
            only[target] = SEVERAL;
        }
    }

    /** Ends the first pass. */
    void counted() {
        int shared = 0;
        for (int i = 0; i < only.length; i++) {
            if (only[i] == SEVERAL) {
                only[i] = SEVERAL - shared++;
            }
        }
        users = new int[EXPECTED_TILES * shared];
        Arrays.fill(users, NONE);
    }

    /** The second pass: a tile touches a value. */
    void touch(int target, int tile, boolean writes) {
        if (only[target] > SEVERAL) {
            return;
        }
        int place = SEVERAL - only[target];
        for (int k = EXPECTED_TILES * place; k < EXPECTED_TILES * (place + 1); k++) {
            if (users[k] == NONE || users[k] / 2 == tile) {
                users[k] = Math.max(users[k], 2 * tile + (writes ? 1 : 0));
                return;
            }
        }
        more.computeIfAbsent(place, p -> new IntList()).add(2 * tile + (writes ? 1 : 0));
    }

    /** Joins tiles that touch the same value, of which one writes it. */
    void join(TileGraph graph) {
        for (int place = 0; place < users.length / EXPECTED_TILES; place++) {
            IntList rest = more.get(place);
            int count = EXPECTED_TILES + (rest == null ? 0 : rest.size());
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < i; j++) {
                    join(user(place, i, rest), user(place, j, rest), graph);
                }
            }
        }
    }

    private int user(int place, int i, IntList rest) {
        return i < EXPECTED_TILES ? users[EXPECTED_TILES * place + i] : rest.get(i - EXPECTED_TILES);
    }

    private static void join(int one, int other, TileGraph graph) {
        if (one != NONE && other != NONE && ((one | other) & 1) == 1) {
            graph.join(one / 2, other / 2);
        }
    }
}
