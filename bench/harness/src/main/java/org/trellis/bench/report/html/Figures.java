package org.trellis.bench.report.html;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.bench.measure.Measurement;

/** Numbers and names as the report shows them. */
final class Figures {
    private static final String[] TIME_UNITS = {"s", "ms", "µs", "ns"};
    private static final String[] SIZE_UNITS = {"B", "kB", "MB", "GB", "TB"};

    private Figures() {}

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Three significant digits. */
    static String real(double value) {
        double magnitude = Math.abs(value);
        if (magnitude == 0) {
            return "0";
        }
        if (magnitude < 1e-3 || magnitude >= 1e6) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    static String seconds(double seconds) {
        double value = seconds;
        int unit = 0;
        while (value < 1 && value > 0 && unit < TIME_UNITS.length - 1) {
            value *= 1000;
            unit++;
        }
        return real(value) + ' ' + TIME_UNITS[unit];
    }

    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1000 && unit < SIZE_UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return bytes < 0 ? "?" : real(value) + ' ' + SIZE_UNITS[unit];
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    /** A number for an attribute or a coordinate. */
    static String exact(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.6g", value) : "0";
    }

    static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    static String parameters(Map<String, Object> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey().equals("family") || entry.getKey().equals("variant")
                        ? entry.getValue().toString()
                        : entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    static String contender(Measurement measurement) {
        return measurement.backend() + ' ' + parameters(measurement.parameters()) + ' '
                + measurement.precision().label();
    }
}
