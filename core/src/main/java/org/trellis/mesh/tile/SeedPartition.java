package org.trellis.mesh.tile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * A partition of all sets of a chain: consecutive elements of the set with most data, which is worth as much as the
 * numbering is good, inherited by the other sets through maps (thesis, algorithm 9, lines 3 and 4).
 */
final class SeedPartition {
    private final int tiles;
    private final Grain grain;
    private final Map<MeshSet, int[]> homes = new HashMap<>();

    /** Divides the groups of a grain. */
    SeedPartition(ChainAccess chain, int tileSize, Grain grain) {
        this.grain = grain;
        MeshSet base = chain.base();
        tiles = Math.max(1, Math.ceilDiv(base.size(), tileSize));
        int[] ofBase = new int[grain.size(base)];
        for (int g = 0; g < ofBase.length; g++) {
            ofBase[g] = grain.first(base, g) / tileSize;
        }
        homes.put(base, ofBase);
        List<Reach> reaches = new ArrayList<>();
        chain.loops().forEach(loop -> loop.reaches().stream().filter(reach -> reach.map() != null)
                .forEach(reaches::add));
        boolean more = true;
        while (more) {
            more = false;
            for (Reach reach : reaches) {
                more |= inherit(reach);
            }
        }
        for (MeshSet set : chain.sets()) {
            homes.computeIfAbsent(set, this::byPlace);
        }
    }

    private boolean inherit(Reach reach) {
        MeshMap map = reach.map();
        int[] from = homes.get(map.from());
        int[] to = homes.get(map.to());
        if ((from == null) == (to == null)) {
            return false;
        }
        if (from == null) {
            int[] inherited = new int[grain.size(map.from())];
            grain.links(reach).raise(inherited, to);
            homes.put(map.from(), inherited);
        } else {
            int[] inherited = new int[grain.size(map.to())];
            grain.links(reach).spread(from, inherited);
            homes.put(map.to(), inherited);
        }
        return true;
    }

    /** Divides a set that no map joins to the others. */
    private int[] byPlace(MeshSet set) {
        int[] home = new int[grain.size(set)];
        for (int e = 0; e < home.length; e++) {
            home[e] = (int) ((long) e * tiles / home.length);
        }
        return home;
    }

    int tiles() {
        return tiles;
    }

    int[] of(MeshSet set) {
        return homes.get(set);
    }

    /** Gives tiles other numbers. */
    void renumber(int... numbers) {
        homes.values().forEach(home -> Arrays.setAll(home, e -> numbers[home[e]]));
    }
}
