package org.trellis.tuner.features;

/** Two 64-bit digests of a sequence of numbers, made side by side. */
final class Digest {
    private static final long FIRST_PRIME = 0x9e3779b97f4a7c15L;
    private static final long SECOND_PRIME = 0xc2b2ae3d27d4eb4fL;
    private static final int TURN = 29;

    private long first = FIRST_PRIME;
    private long second = SECOND_PRIME;

    void add(long value) {
        first = step(first, value, FIRST_PRIME);
        second = step(second, value, SECOND_PRIME);
    }

    /** Adds the length and then the values. */
    void add(int... values) {
        add((long) values.length);
        long a = first;
        long b = second;
        for (int value : values) {
            a = step(a, value, FIRST_PRIME);
            b = step(b, value, SECOND_PRIME);
        }
        first = a;
        second = b;
    }

    void add(String text) {
        add(text.chars().toArray());
    }

    private static long step(long state, long value, long prime) {
        return Long.rotateLeft((state ^ value) * prime, TURN);
    }

    long first() {
        return end(first);
    }

    long second() {
        return end(second);
    }

    /** Spreads the last values over all bits. */
    private static long end(long state) {
        long z = state;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
