package org.trellis.bench.cli;

import java.util.Locale;

/** Numbers for people. */
final class Numbers {
    private static final String[] TIME_UNITS = {"s", "ms", "µs", "ns"};
    private static final String[] SIZE_UNITS = {"B", "kB", "MB", "GB", "TB"};
    private static final int THOUSAND = 1000;

    private Numbers() {}

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Writes three significant digits or so. */
    static String real(double value) {
        double magnitude = Math.abs(value);
        if (magnitude == 0) {
            return "0";
        }
        if (magnitude < 0.01 || magnitude >= 1e6) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    static String seconds(double seconds) {
        double value = seconds;
        int unit = 0;
        while (value < 1 && value > 0 && unit < TIME_UNITS.length - 1) {
            value *= THOUSAND;
            unit++;
        }
        return String.format(Locale.ROOT, value >= 100 ? "%.0f %s" : value >= 10 ? "%.1f %s" : "%.2f %s", value,
                TIME_UNITS[unit]);
    }

    static String bytes(long bytes) {
        if (bytes < 0) {
            return "?";
        }
        double value = bytes;
        int unit = 0;
        while (value >= THOUSAND && unit < SIZE_UNITS.length - 1) {
            value /= THOUSAND;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, SIZE_UNITS[unit]);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
