package org.trellis.solve.multigrid;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** Where the time of a set-up goes. */
final class SetupTimes {
    private final Map<SetupPhase, Double> seconds = new EnumMap<>(SetupPhase.class);

    /** Runs a phase and adds its time. */
    <T> T time(SetupPhase phase, Supplier<T> work) {
        long start = System.nanoTime();
        T result = work.get();
        seconds.merge(phase, (System.nanoTime() - start) * 1e-9, Double::sum);
        return result;
    }

    /** Returns the seconds of each phase that there was. */
    Map<SetupPhase, Double> seconds() {
        return seconds;
    }
}
