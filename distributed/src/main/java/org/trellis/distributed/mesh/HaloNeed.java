package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Elements of other ranks of a dat that have to be up to date.
 *
 * @param dat the dat
 * @param key which elements
 */
record HaloNeed(LocalDat dat, HaloKey key) {
    /** Lists what loops that each run for a ring read before one of them writes it. */
    static List<HaloNeed> of(List<RankLoop> loops, List<Integer> rings) {
        List<HaloNeed> needs = new ArrayList<>();
        Set<LocalDat> written = new HashSet<>();
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).needs(rings.get(i)).stream().filter(need -> !written.contains(need.dat()))
                    .forEach(needs::add);
            written.addAll(loops.get(i).writes());
        }
        return needs;
    }

    /** Says whether they are up to date. */
    boolean isMet() {
        return dat.has(key);
    }
}
