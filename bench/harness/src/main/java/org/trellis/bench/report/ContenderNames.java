package org.trellis.bench.report;

import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.bench.measure.Measurement;

/** Contenders as charts and tables name them. */
public final class ContenderNames {
    private ContenderNames() {}

    /**
     * Writes parameters, their family or variant without its name.
     *
     * @param parameters names and values
     * @return for example {@code csr blockSize=128}
     */
    public static String parameters(Map<String, Object> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey().equals("family") || entry.getKey().equals("variant")
                        ? entry.getValue().toString()
                        : entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /**
     * Writes what was measured.
     *
     * @param measurement a measurement
     * @return backend, parameters and precision
     */
    public static String name(Measurement measurement) {
        return measurement.backend() + ' ' + parameters(measurement.parameters()) + ' '
                + measurement.precision().label();
    }
}
