package org.trellis.distributed.mesh;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;

/**
 * Goes backwards through loops and finds for which ring each is to be run, so that what it writes is right as far as
 * the loops behind it read it. Where that would take more rings than there are, it begins anew: there has to be an
 * exchange behind that loop.
 *
 * <p>This is the idea of several rings of I. Z. Reguly, PhD thesis, 2014, section 4.5.3, with rings derived from access
 * descriptors instead of the powers of a matrix.
 */
final class RingSearch {
    private final int most;
    private final Map<Dat, Integer> wanted = new HashMap<>();
    private boolean anew;

    RingSearch(int most) {
        this.most = most;
    }

    /** Returns the rings that loops need which exchange once, before them. */
    static int depth(List<LoopDeclaration> loops, int most) {
        RingSearch search = new RingSearch(most);
        int depth = 0;
        for (LoopDeclaration loop : loops.reversed()) {
            depth = Math.max(depth, search.before(loop, new LoopNeeds(loop)));
        }
        return depth;
    }

    /** Returns the ring for a loop that runs before those seen so far. */
    int before(LoopDeclaration loop, LoopNeeds access) {
        int ring = ringFor(loop, access);
        anew = ring > most;
        if (anew) {
            wanted.clear();
            ring = LoopNeeds.leastRing(loop);
        }
        for (int a = 0; a < loop.arity(); a++) {
            if (LoopNeeds.writes(loop, a)) {
                wanted.remove(loop.dat(a));
            }
        }
        for (int a = 0; a < loop.arity(); a++) {
            HaloKey key = access.of(a, ring);
            if (key != null) {
                wanted.merge(loop.dat(a), key.enough(), Math::max);
            }
        }
        return ring;
    }

    /** Says whether there has to be an exchange between the last loop and those behind it. */
    boolean isAnew() {
        return anew;
    }

    private int ringFor(LoopDeclaration loop, LoopNeeds access) {
        int ring = LoopNeeds.leastRing(loop);
        for (int a = 0; a < loop.arity() && !loop.set().isReplicated(); a++) {
            if (LoopNeeds.writes(loop, a)) {
                ring = Math.max(ring, access.ringFor(a, wanted.getOrDefault(loop.dat(a), 0)));
            }
        }
        return ring;
    }
}
