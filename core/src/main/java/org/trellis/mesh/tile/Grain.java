package org.trellis.mesh.tile;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * Groups of consecutive elements that go to a tile together, so that a plan costs little for each loop: maps are
 * examined once to find which groups lead to which, and loops then see groups. A tile has at least {@link #GROUPS} of
 * them, and groups of large tiles {@code 1 << MAX_SHIFT} elements. Groups lead to all that their elements lead to:
 * dependencies are found too often rather than missed.
 */
final class Grain {
    /** Groups of a tile, at least: its border moves by a group at a time. */
    private static final int GROUPS = 256;
    private static final int MAX_SHIFT = 4;
    /** Groups of a chunk, whose launches want long runs of elements. */
    private static final int GROUPS_OF_CHUNK = 32;
    private static final int MOST_OF_CHUNK = 24;

    private final Map<MeshSet, Integer> shifts = new HashMap<>();
    private final Map<List<Object>, GroupTargets> links = new HashMap<>();

    private Grain() {}

    /** Each element is a group. */
    static Grain fine(ChainAccess chain) {
        Grain grain = new Grain();
        chain.sets().forEach(set -> grain.shifts.put(set, 0));
        return grain;
    }

    /** Groups for tiles of a size. */
    static Grain of(ChainAccess chain, int tileSize) {
        return of(chain, tileSize, GROUPS, MAX_SHIFT);
    }

    /** Groups for few large tiles, in which elements that follow each other stay together. */
    static Grain coarse(ChainAccess chain, int tileSize) {
        return of(chain, tileSize, GROUPS_OF_CHUNK, MOST_OF_CHUNK);
    }

    private static Grain of(ChainAccess chain, int tileSize, int groups, int most) {
        Grain grain = new Grain();
        int tiles = Math.max(1, Math.ceilDiv(chain.base().size(), tileSize));
        for (MeshSet set : chain.sets()) {
            int shift = 0;
            while (shift < most && (set.size() / tiles) >> (shift + 1) >= groups) {
                shift++;
            }
            grain.shifts.put(set, shift);
        }
        return grain;
    }

    /** Returns the number of groups. */
    int size(MeshSet set) {
        return size(set, set.size());
    }

    /** Returns the first element of a group. */
    int first(MeshSet set, int group) {
        return group << shifts.get(set);
    }

    /** Returns the number of groups that the first elements of a set are in. */
    int size(MeshSet set, int end) {
        int shift = shifts.get(set);
        return (end + (1 << shift) - 1) >> shift;
    }

    /** Returns those of the first elements of a set that are in groups, and where each list of groups begins then. */
    int[] elements(MeshSet set, int end, int[] groups, int[] offsets) {
        int each = 1 << shifts.get(set);
        int[] elements = new int[end];
        int next = 0;
        int list = 0;
        for (int g = 0; g < groups.length; g++) {
            while (offsets[list] == g) {
                offsets[list++] = next;
            }
            int first = first(set, groups[g]);
            for (int e = first; e < Math.min(end, first + each); e++) {
                elements[next++] = e;
            }
        }
        Arrays.fill(offsets, list, offsets.length, next);
        return elements;
    }

    /** Returns which groups a loop reaches. */
    GroupTargets links(Reach reach) {
        return reach.map() == null
                ? GroupTargets.OWN
                : links.computeIfAbsent(List.of(reach.map(), reach.entry()), key -> make(reach));
    }

    private GroupTargets make(Reach reach) {
        MeshMap map = reach.map();
        int to = shifts.get(map.to());
        int[] offsets = new int[size(map.from()) + 1];
        int[] last = new int[size(map.to())];
        Arrays.fill(last, -1);
        IntList targets = new IntList();
        int[][] columns = reach.columns();
        for (int g = 0; g + 1 < offsets.length; g++) {
            int first = Math.min(map.from().withRows(), first(map.from(), g));
            int end = Math.min(map.from().withRows(), first(map.from(), g + 1));
            if (columns.length == 0) {
                add(map.entries(), map.offsets()[first], map.offsets()[end], to, g, last, targets);
            }
            for (int[] column : columns) {
                add(column, first, end, to, g, last, targets);
            }
            offsets[g + 1] = targets.size();
        }
        return new GroupTargets(offsets, targets.toArray());
    }

    private static void add(int[] table, int from, int end, int shift, int group, int[] last, IntList targets) {
        for (int k = from; k < end; k++) {
            int target = table[k] >> shift;
            if (last[target] != group) {
                last[target] = group;
                targets.add(target);
            }
        }
    }
}
