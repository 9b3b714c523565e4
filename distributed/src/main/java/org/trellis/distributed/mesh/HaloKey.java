package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * Elements of other ranks that a loop reads: those that a map leads to from the elements that are run, or all up to a
 * level. Sets and maps are the whole mesh's, so that the keys of all ranks are alike.
 *
 * @param set     the set that is read
 * @param map     the map through which it is read, or null
 * @param level   with a map, the ring for which elements are run, else the level of {@code SetParts}
 * @param through the maps through which the loop writes: elements of other ranks that lead to nothing that becomes
 *                right by the loop may run on anything, so what they read does not count. Empty if all count
 */
record HaloKey(MeshSet set, MeshMap map, int level, List<MeshMap> through) {
    static HaloKey through(MeshMap map, int ring, List<MeshMap> through) {
        return new HaloKey(map.to(), map, ring, ring == 0 ? List.of() : through);
    }

    static HaloKey upTo(MeshSet set, int level) {
        return new HaloKey(set, null, level, List.of());
    }

    static HaloKey own(MeshSet set, int ring, List<MeshMap> through) {
        return new HaloKey(set, null, 2 * ring - 1, through);
    }

    /** The level up to which everything is needed that this needs some of. */
    int enough() {
        return map == null ? level : Math.max(2, 2 * level);
    }

    /** The ring for which elements are run. */
    int ring() {
        return map == null ? (level + 1) / 2 : level;
    }

    /**
     * Finds out which owned elements go to each rank, and where its elements come to. Called by all ranks: owners learn
     * what is needed of them.
     *
     * @param set  what this rank has of the set that is read
     * @param from what it has of the set from which the map leads; not used without one
     * @param here what it has of the map, or null
     * @param runs the elements of that set whose run has to be right
     */
    ExchangePattern links(LocalSet set, LocalSet from, MeshMap here, BitSet runs, Communicator communicator) {
        BitSet wanted = new BitSet();
        int owned = set.parts().owned();
        if (map == null) {
            wanted.set(owned, set.parts().ends().get(level));
            if (!through.isEmpty()) {
                wanted.and(runs);
            }
        } else {
            MapRows.each(here, from.parts().executed(level), (element, target) -> {
                if (target >= owned && runs.get(element)) {
                    wanted.set(target);
                }
            });
        }
        int[] places = wanted.stream().toArray();
        return ExchangePattern.asked(communicator, Arrays.stream(places).map(set::haloRank).toArray(),
                Arrays.stream(places).map(set::user).toArray(), places).sending(set::place);
    }

    /** Says whether what another key brings has all that this one wants. */
    boolean isWithin(HaloKey other) {
        if (other.map == null && other.through.isEmpty()) {
            return other.level >= enough();
        }
        boolean same = map == null ? other.map == null : map.equals(other.map);
        return same && (other.through.isEmpty()
                ? other.level >= level
                : other.level == level && other.through.equals(through));
    }
}
