package org.trellis.distributed.multigrid;

import java.util.EnumMap;
import java.util.Map;
import org.trellis.solve.multigrid.SetupPhase;

/** Where the time of a set-up goes on this rank. */
final class PhaseTimes {
    private final Map<SetupPhase, Double> seconds = new EnumMap<>(SetupPhase.class);

    /** Adds the time since another one; returns the time. */
    long add(SetupPhase phase, long began) {
        long now = System.nanoTime();
        seconds.merge(phase, (now - began) * 1e-9, Double::sum);
        return now;
    }

    /** Adds to the time of the prolongator; returns the time. */
    long prolongator(long began) {
        return add(SetupPhase.PROLONGATOR, began);
    }

    /** Adds to the time of the product; returns the time. */
    long galerkin(long began) {
        return add(SetupPhase.GALERKIN, began);
    }

    /** Returns the seconds of each phase that there was. */
    Map<SetupPhase, Double> seconds() {
        return seconds;
    }
}
