package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.List;
import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;

/**
 * What a loop that is run for a ring needs of other ranks, and how far what it writes is right afterwards. Run over E_j
 * (see {@link LocalSets}) it reads its own elements up to E_j and through maps up to D_j; what it adds or writes
 * through maps is right up to D_{j−1}, what it writes directly up to E_j.
 */
final class LoopNeeds {
    private final LoopDeclaration loop;
    /** The maps through which the loop writes, if it writes through maps only. */
    private final List<MeshMap> through = new ArrayList<>();
    /** Whether maps lead from the set to others: if not, nothing is run that is not read already, E_j is D_{j−1}. */
    private final boolean leads;

    LoopNeeds(LoopDeclaration loop) {
        this.loop = loop;
        boolean direct = false;
        for (int a = 0; a < loop.arity(); a++) {
            direct |= writes(loop, a) && loop.map(a) == null;
            if (writes(loop, a) && loop.map(a) != null && !through.contains(loop.map(a))) {
                through.add(loop.map(a));
            }
        }
        if (direct) {
            through.clear();
        }
        leads = loop.set().mesh().maps().stream()
                .anyMatch(map -> map.from().equals(loop.set()) && !map.to().isReplicated());
    }

    /** Says whether a loop writes or adds through maps, so that elements of other ranks have to be run. */
    static boolean writesIndirectly(LoopDeclaration loop) {
        for (int a = 0; a < loop.arity(); a++) {
            if (writes(loop, a) && loop.map(a) != null) {
                return true;
            }
        }
        return false;
    }

    static boolean writes(LoopDeclaration loop, int a) {
        return loop.dat(a) != null && loop.access(a).writes();
    }

    /** Returns the least ring for which the loop can be run. */
    static int leastRing(LoopDeclaration loop) {
        return !loop.set().isReplicated() && writesIndirectly(loop) ? 1 : 0;
    }

    /** Returns which elements an argument needs for a ring; null if none of other ranks. */
    HaloKey of(int a, int ring) {
        if (loop.dat(a) == null || loop.dat(a).set().isReplicated()) {
            return null;
        }
        MeshMap map = loop.map(a);
        Access access = loop.access(a);
        if (map == null) {
            boolean reads = access != Access.WRITE;
            if (!reads || ring == 0 || (ring == 1 && !leads)) {
                return null;
            }
            return leads ? HaloKey.own(loop.set(), ring, through) : HaloKey.upTo(loop.set(), 2 * ring - 2);
        }
        if (access == Access.READ || (access == Access.READ_WRITE && ring == 1)) {
            return HaloKey.through(map, ring, through);
        }
        // What no element of E_j adds to or writes stays what it was, so that has to be right.
        if (access == Access.READ_WRITE) {
            return HaloKey.upTo(map.to(), 2 * ring);
        }
        return ring > 1 ? HaloKey.upTo(map.to(), 2 * (ring - 1)) : null;
    }

    /** Returns how far what an argument writes is right after a run for a ring. */
    int level(int a, int ring) {
        return loop.map(a) == null ? Math.max(0, 2 * ring - 1) : 2 * (ring - 1);
    }

    /** Returns the least ring for which what an argument writes is right up to a level. */
    int ringFor(int a, int level) {
        return loop.map(a) == null ? (level + 1) / 2 + (level % 2 == 0 && level > 0 ? 1 : 0) : (level + 1) / 2 + 1;
    }

    /** Returns all that a run for a ring needs. */
    List<HaloKey> all(int ring) {
        List<HaloKey> keys = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            keys.add(of(a, ring));
        }
        return keys;
    }
}
