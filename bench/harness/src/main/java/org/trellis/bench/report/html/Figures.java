package org.trellis.bench.report.html;

import java.util.Locale;

/** Numbers for attributes; numbers for people are {@link org.trellis.bench.report.Numbers}. */
final class Figures {
    private Figures() {}

    /** A number for an attribute or a coordinate. */
    static String exact(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.6g", value) : "0";
    }

    static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
