package org.trellis.bench.picture;

import java.awt.Color;

/** A scale of colours from light to dark whose lightness falls evenly: pale yellow, green, blue, near black. */
final class Shades {
    private static final int[] STOPS = {0xe9f5c6, 0xb5e0a3, 0x6cc39a, 0x38a3a5, 0x27789b, 0x274e86, 0x26225e};

    private Shades() {}

    /** Returns the colour of a share from 0 to 1. */
    static Color of(double share) {
        double position = Math.max(0, Math.min(1, share)) * (STOPS.length - 1);
        int below = Math.min((int) position, STOPS.length - 2);
        double weight = position - below;
        return new Color(mix(16, below, weight), mix(8, below, weight), mix(0, below, weight));
    }

    private static int mix(int shift, int below, double weight) {
        int first = STOPS[below] >> shift & 0xff;
        int second = STOPS[below + 1] >> shift & 0xff;
        return (int) Math.round(first + weight * (second - first));
    }
}
