package org.trellis.distributed.communicate;

/** What a reduction does with the values of two ranks. */
public enum Reduction {
    /** Adds them. */
    SUM,
    /** Takes the smaller; NaN if one is NaN. */
    MIN,
    /** Takes the greater; NaN if one is NaN. */
    MAX;

    double of(double a, double b) {
        return switch (this) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }

    long of(long a, long b) {
        return switch (this) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }
}
