package org.trellis.bench.report.html;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.bench.measure.Measurement;

/** Coordinates and names as pages show them; numbers for people are {@link org.trellis.bench.report.Numbers}. */
final class Figures {
    private Figures() {}

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
