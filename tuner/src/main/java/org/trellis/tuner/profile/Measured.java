package org.trellis.tuner.profile;

import java.time.Instant;
import java.util.Arrays;

/** What was measured of one way of running something on one device. */
public sealed interface Measured permits TuningResult, LoopResult, RingResult, FormResult,
        SolverResult {
    /**
     * Returns the times.
     *
     * @return a copy, in seconds; none if it did not work
     */
    double[] runtimes();

    /**
     * Returns what preparing it took.
     *
     * @return seconds of conversion, planning and compilation together
     */
    double prepareSeconds();

    /**
     * Returns whether it worked.
     *
     * @return in the words of the schema
     */
    Invalidity invalidity();

    /**
     * Returns when it was measured.
     *
     * @return the time
     */
    Instant timestamp();

    /**
     * Returns what distinguishes this from other results on a device.
     *
     * @return what was run and how, with {@code equals}
     */
    Object subject();

    /**
     * Returns what was run, however.
     *
     * @return the part of {@link #subject()} that results have in common which compete with each other
     */
    Object group();

    /**
     * Returns whether it worked.
     *
     * @return true if the result was right
     */
    default boolean isCorrect() {
        return invalidity() == Invalidity.CORRECT;
    }

    /**
     * Returns the median run time.
     *
     * @return seconds, infinite if it did not work
     */
    default double medianSeconds() {
        if (!isCorrect()) {
            return Double.POSITIVE_INFINITY;
        }
        double[] sorted = runtimes();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
