package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.SetParts;

/**
 * Derives from maps and owners what a rank has of each set, and declares sets and maps of it. Ring k is made of two
 * steps: elements that lead to what is there so far are run, and what they lead to is read. That is, with D₀ the owned
 * elements, E_k = D_{k−1} and everything with a target in D_{k−1}; D_k = E_k and all targets of E_k. A loop over E_k
 * then finds all its targets in D_k, and what it adds to D_{k−1} is complete.
 */
final class LocalSets {
    private static final byte OUTSIDE = Byte.MAX_VALUE;
    /** The most rings, so that levels fit into bytes. */
    static final int MOST_RINGS = 60;

    private final Mesh whole;
    private final Mesh mesh;
    private final SetOwners owners;
    private final int rank;
    private final int rings;
    private final Map<MeshSet, byte[]> levels = new LinkedHashMap<>();
    private final Map<MeshSet, LocalSet> sets = new LinkedHashMap<>();
    private final Map<MeshMap, MeshMap> maps = new LinkedHashMap<>();

    /**
     * Declares sets and maps.
     *
     * @param whole  the whole mesh
     * @param mesh   an empty one for this rank
     * @param owners who owns what
     * @param rank   this rank
     * @param rings  how many rings, at least 1
     */
    LocalSets(Mesh whole, Mesh mesh, SetOwners owners, int rank, int rings) {
        this.whole = whole;
        this.mesh = mesh;
        this.owners = owners;
        this.rank = rank;
        this.rings = rings;
        checkMaps(whole);
        findLevels();
        Map<MeshSet, int[]> placesOf = new LinkedHashMap<>();
        for (MeshSet set : whole.sets()) {
            placesOf.put(set, declare(set));
        }
        for (MeshMap map : whole.maps()) {
            declare(map, placesOf.get(map.to()));
        }
    }

    /** Returns what this rank has. */
    LocalParts parts() {
        return new LocalParts(sets, maps, owners.firsts(), owners.edgeCut());
    }

    static void checkMaps(Mesh whole) {
        for (MeshMap map : whole.maps()) {
            if (map.from().isReplicated() && !map.to().isReplicated()) {
                throw new IllegalArgumentException(map + " leads from a set that every rank has to one that is divided "
                        + "over ranks, expected no such map");
            }
        }
    }

    private void findLevels() {
        for (MeshSet set : whole.sets()) {
            byte[] level = new byte[set.size()];
            int[] ranks = owners.of(set);
            for (int e = 0; e < level.length && ranks != null; e++) {
                level[e] = ranks[e] == rank ? 0 : OUTSIDE;
            }
            levels.put(set, level);
        }
        for (int ring = 1; ring <= rings; ring++) {
            byte run = (byte) (2 * ring - 1);
            for (MeshMap map : whole.maps()) {
                byte[] to = levels.get(map.to());
                byte[] from = levels.get(map.from());
                if (!map.to().isReplicated()) {
                    MapRows.each(map, from.length, (element, target) -> {
                        if (from[element] > run && to[target] < run) {
                            from[element] = run;
                        }
                    });
                }
            }
            for (MeshMap map : whole.maps()) {
                byte[] to = levels.get(map.to());
                byte[] from = levels.get(map.from());
                MapRows.each(map, from.length, (element, target) -> {
                    if (from[element] <= run && to[target] > run) {
                        to[target] = (byte) (run + 1);
                    }
                });
            }
        }
    }

    /** Says which owned elements lead to something that is not. */
    private boolean[] boundary(MeshSet set) {
        byte[] level = levels.get(set);
        boolean[] boundary = new boolean[level.length];
        for (MeshMap map : whole.maps()) {
            if (map.from() == set) {
                byte[] to = levels.get(map.to());
                MapRows.each(map, level.length, (element, target) -> boundary[element] |= to[target] > 0);
            }
        }
        return boundary;
    }

    /** Declares a set; returns the place of each element of the whole set, -1 where this rank has it not. */
    private int[] declare(MeshSet set) {
        byte[] level = levels.get(set);
        boolean[] boundary = boundary(set);
        int[] ends = new int[2 * rings + 2];
        for (int e = 0; e < level.length; e++) {
            if (level[e] != OUTSIDE) {
                ends[bucket(level[e], boundary[e])]++;
            }
        }
        Arrays.parallelPrefix(ends, Integer::sum);
        int[] next = new int[ends.length];
        System.arraycopy(ends, 0, next, 1, ends.length - 1);
        int[] current = new int[ends[ends.length - 1]];
        int[] places = new int[level.length];
        Arrays.fill(places, -1);
        for (int e = 0; e < level.length; e++) {
            if (level[e] != OUTSIDE) {
                places[e] = next[bucket(level[e], boundary[e])]++;
                current[places[e]] = e;
            }
        }
        List<Integer> list = new ArrayList<>(Arrays.stream(ends).boxed().toList());
        SetParts parts = new SetParts(list.removeFirst(), list);
        int[] ranks = owners.of(set);
        int[] haloRanks = Arrays.stream(current, parts.owned(), current.length).map(e -> ranks[e]).toArray();
        sets.put(set, new LocalSet(mesh, set, parts, current, haloRanks));
        return places;
    }

    private static int bucket(byte level, boolean boundary) {
        return level == 0 ? boundary ? 1 : 0 : level + 1;
    }

    private void declare(MeshMap map, int[] places) {
        LocalSet from = sets.get(map.from());
        LocalSet to = sets.get(map.to());
        int rows = from.set().withRows();
        if (map.arity() == MeshMap.VARIABLE) {
            int[] offsets = new int[rows + 1];
            for (int e = 0; e < rows; e++) {
                int row = map.from().current(from.user(e));
                offsets[e + 1] = offsets[e] + map.offsets()[row + 1] - map.offsets()[row];
            }
            int[] targets = new int[offsets[rows]];
            for (int e = 0; e < rows; e++) {
                int row = map.from().current(from.user(e));
                for (int p = 0; p < offsets[e + 1] - offsets[e]; p++) {
                    targets[offsets[e] + p] = places[map.entries()[map.offsets()[row] + p]];
                }
            }
            maps.put(map, mesh.map(map.name(), from.set(), to.set(), offsets, targets));
            return;
        }
        int arity = map.arity();
        int[] targets = new int[rows * arity];
        for (int entry = 0; entry < arity; entry++) {
            int[] column = map.column(entry);
            for (int e = 0; e < rows; e++) {
                targets[e * arity + entry] = places[column[map.from().current(from.user(e))]];
            }
        }
        maps.put(map, mesh.map(map.name(), from.set(), to.set(), arity, targets));
    }
}
