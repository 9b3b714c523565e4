package org.trellis.distributed.solve;

import org.trellis.distributed.communicate.PendingReduction;
import org.trellis.mesh.DeferredReductions;

/** The sums of a rank's loops that are combined while it computes. */
final class PendingSums implements DeferredReductions {
    private boolean wanted;
    private ReducedLoop loop;
    private PendingReduction pending;

    @Override
    public void defer() {
        if (pending != null) {
            throw new IllegalStateException("sums are to be combined later while others are under way, expected "
                    + "settle() first");
        }
        wanted = true;
    }

    /** Says whether the sums of a loop are to be combined later. */
    boolean wanted() {
        return wanted;
    }

    /** Notes that those of a loop are under way. */
    void started(ReducedLoop reduced, PendingReduction reduction) {
        wanted = false;
        loop = reduced;
        pending = reduction;
    }

    @Override
    public void settle() {
        wanted = false;
        if (pending != null) {
            PendingReduction last = pending;
            pending = null;
            loop.settle(last);
        }
    }
}
