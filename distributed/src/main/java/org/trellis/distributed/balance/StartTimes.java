package org.trellis.distributed.balance;

import java.util.Arrays;

/**
 * What it takes a rank to start a loop, however few elements it runs. A loop with an exchange is started twice in a
 * run, for many interior elements and for few others: a line through both times gives what none of them would take.
 */
final class StartTimes {
    /** A line through two numbers of elements that lie closer together says nothing. */
    private static final double APART = 4;

    private double[] found = {};

    /**
     * Takes in a loop that was started twice.
     *
     * @param many    interior elements
     * @param seconds of these
     * @param few     other elements
     * @param other   seconds of these
     */
    void add(double many, double seconds, double few, double other) {
        if (few > 0 && many >= APART * few) {
            double ratio = few / many;
            double start = Math.clamp((other - ratio * seconds) / (1 - ratio), 0, Math.min(seconds, other));
            found = Arrays.copyOf(found, found.length + 1);
            found[found.length - 1] = start;
        }
    }

    /** Returns the median, in seconds; 0 if no loop was started twice. */
    double median() {
        double[] sorted = found.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length == 0 ? 0 : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
