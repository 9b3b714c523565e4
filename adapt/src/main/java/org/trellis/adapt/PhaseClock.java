package org.trellis.adapt;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The times of the phases of an adaptation, kept by the thread that calls; helpers have none of their own. */
final class PhaseClock {
    private static final double NANO = 1e-9;

    private final Map<AdaptPhase, long[]> times = new EnumMap<>(AdaptPhase.class);
    private AdaptPhase phase = AdaptPhase.OTHER;
    private long since = System.nanoTime();

    /** Ends the phase before and begins another one; returns the one before. */
    AdaptPhase enter(AdaptPhase next) {
        long now = System.nanoTime();
        AdaptPhase before = phase;
        of(before)[0] += now - since;
        since = now;
        phase = next;
        return before;
    }

    /** Adds a step whose work was cut into pieces to this phase. */
    void shared(long wallNanos, long busyNanos) {
        long[] time = of(phase);
        time[1] += wallNanos;
        time[2] += busyNanos;
    }

    private long[] of(AdaptPhase one) {
        return times.computeIfAbsent(one, none -> new long[3]);
    }

    /** Returns the times up to now of the phases that there were. */
    Map<AdaptPhase, PhaseTime> times() {
        enter(phase);
        Map<AdaptPhase, PhaseTime> all = new LinkedHashMap<>();
        times.forEach((one, time) -> all.put(one, new PhaseTime(time[0] * NANO, time[1] * NANO, time[2] * NANO)));
        return all;
    }
}
