package org.trellis.bench.picture;

import java.awt.Color;

/** Scales of colours: from light to dark with evenly falling lightness, and for signed values away from zero. */
final class Shades {
    private static final int[] STOPS = {0xe9f5c6, 0xb5e0a3, 0x6cc39a, 0x38a3a5, 0x27789b, 0x274e86, 0x26225e};

    private static final int[] SIGNED = {0x1f3f7d, 0x3f77b5, 0x8fbbdc, 0xf2f2ef, 0xeba68a, 0xc9503f, 0x7d1a24};

    private Shades() {}

    /** Returns the colour of a share from 0 to 1. */
    static Color of(double share) {
        double position = Math.max(0, Math.min(1, share)) * (STOPS.length - 1);
        int below = Math.min((int) position, STOPS.length - 2);
        double weight = position - below;
        return new Color(mix(STOPS, 16, below, weight), mix(STOPS, 8, below, weight),
                mix(STOPS, 0, below, weight));
    }

    /** Returns the colour of a signed value from -1 to 1: blue below, red above, the paler the closer to zero. */
    static Color signed(double value) {
        double position = (Math.max(-1, Math.min(1, value)) + 1) / 2 * (SIGNED.length - 1);
        int below = Math.min((int) position, SIGNED.length - 2);
        double weight = position - below;
        return new Color(mix(SIGNED, 16, below, weight), mix(SIGNED, 8, below, weight),
                mix(SIGNED, 0, below, weight));
    }

    private static int mix(int[] stops, int shift, int below, double weight) {
        int first = stops[below] >> shift & 0xff;
        int second = stops[below + 1] >> shift & 0xff;
        return (int) Math.round(first + weight * (second - first));
    }
}
