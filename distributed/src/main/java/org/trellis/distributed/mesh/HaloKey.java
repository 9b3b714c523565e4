package org.trellis.distributed.mesh;

import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * Elements of other ranks that a loop reads: those that a map leads to from the elements that are run, or all up to a
 * level. Both the set and the map are the whole mesh's, so that the keys of all ranks are alike.
 *
 * @param set   the set that is read
 * @param map   the map through which it is read, or null
 * @param level with a map, the ring for which elements are run, else the level of {@code SetParts}
 */
record HaloKey(MeshSet set, MeshMap map, int level) {
    static HaloKey through(MeshMap map, int ring) {
        return new HaloKey(map.to(), map, ring);
    }

    static HaloKey upTo(MeshSet set, int level) {
        return new HaloKey(set, null, level);
    }

    /** The level up to which everything is wanted that this wants some of. */
    int enough() {
        return map == null ? level : Math.max(2, 2 * level);
    }

    /** Says whether what another key brings has all that this one wants. */
    boolean isWithin(HaloKey other) {
        return map == null
                ? other.map == null && other.level >= level
                : (map.equals(other.map) && other.level >= level) || (other.map == null && other.level >= enough());
    }
}
