package org.trellis.adapt;

/** Edges as numbers: the lower vertex in the upper half. */
final class Edges {
    private static final int HALF = 32;
    private static final double STEPS = 4;
    private static final int MIDDLE = 1 << 14;

    private Edges() {}

    static long key(int a, int b) {
        return (long) Math.min(a, b) << HALF | Math.max(a, b);
    }

    static int first(long key) {
        return (int) (key >>> HALF);
    }

    static int second(long key) {
        return (int) key;
    }

    /**
     * Urgency that rises with a length, in steps of a quarter of an octave: neighbours of like length are in no
     * order.
     */
    static int urgency(double length) {
        return (int) Math.clamp(MIDDLE + Math.floor(STEPS * Math.log(length) / Math.log(2)), 0, 2 * MIDDLE - 1);
    }
}
