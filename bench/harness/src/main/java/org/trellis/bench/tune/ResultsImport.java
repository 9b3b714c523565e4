package org.trellis.bench.tune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;

/**
 * Reads the results of {@code trellis spmv --parameters all --json} for a profile. Of a device's own clock the median
 * counts; of a processor's the shortest sample, since others may have used it meanwhile, which only ever makes samples
 * longer.
 */
public final class ResultsImport {
    private static final String FORMAT = "trellis-spmv-results";

    private ResultsImport() {}

    /**
     * The results of one backend in a file.
     *
     * @param device   what they were measured on
     * @param matrices the records of each matrix, by its name
     */
    public record Imported(TuningDevice device, Map<String, List<Measured>> matrices) {
        /** Copies the map. */
        public Imported {
            matrices = Map.copyOf(matrices);
        }
    }

    /**
     * One record.
     *
     * @param precision      the type of the values
     * @param parameters     how the product was run
     * @param seconds        the time that counts
     * @param prepareSeconds the time of the preparation
     * @param date           when it was measured
     */
    public record Measured(Precision precision, SpmvParameters parameters, double seconds, double prepareSeconds,
            Instant date) {
        /**
         * Makes a result of it.
         *
         * @param matrix the structure of the matrix
         * @return the result
         */
        public TuningResult of(Fingerprint matrix) {
            return new TuningResult(matrix, precision, parameters, new double[]{seconds}, prepareSeconds,
                    Invalidity.CORRECT, date);
        }
    }

    /**
     * Reads a file.
     *
     * @param file results as JSON, which may be compressed by gzip
     * @return the results of each backend of Trellis in it
     * @throws IOException if it cannot be read or is no such file
     */
    public static List<Imported> read(Path file) throws IOException {
        JsonNode root;
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream input = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            root = new ObjectMapper().readTree(input);
        }
        if (!root.path("format").asText().equals(FORMAT)) {
            throw new IOException(file + ": format is " + root.get("format") + ", expected \"" + FORMAT + '"');
        }
        Instant date = Instant.parse(root.get("date").asText());
        Map<String, Map<String, List<Measured>>> backends = new LinkedHashMap<>();
        for (JsonNode record : root.get("records")) {
            if (record.get("parameters").has("family")) {
                backends.computeIfAbsent(record.get("backend").asText(), name -> new LinkedHashMap<>())
                        .computeIfAbsent(record.get("matrix").asText(), name -> new ArrayList<>())
                        .add(measured(record, date));
            }
        }
        List<Imported> imported = new ArrayList<>();
        backends.forEach((name, matrices) -> imported.add(new Imported(device(root, name), matrices)));
        return imported;
    }

    private static Measured measured(JsonNode record, Instant date) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        record.get("parameters").properties().forEach(member -> {
            JsonNode value = member.getValue();
            parameters.put(member.getKey(), value.isInt()
                    ? (Object) value.intValue()
                    : value.isBoolean() ? (Object) value.booleanValue() : value.asText());
        });
        double seconds = record.has("deviceTime")
                ? record.get("deviceTime").get("medianSeconds").doubleValue()
                : record.get("minSeconds").doubleValue();
        return new Measured(Precision.of(record.get("precision").asText()), SpmvParameters.fromMap(parameters),
                seconds, record.get("prepareSeconds").doubleValue(), date);
    }

    /** The device as the backend would describe it; results of the host do not name it, but the machine. */
    private static TuningDevice device(JsonNode root, String backend) {
        for (JsonNode device : root.path("devices")) {
            if (device.get("backend").asText().equals(backend)) {
                Map<String, String> properties = new TreeMap<>();
                device.get("properties").properties().forEach(property -> {
                    if (!List.of("device", "driverCudaVersion", "kernelCompiler").contains(property.getKey())) {
                        properties.put(property.getKey(), property.getValue().asText());
                    }
                });
                return new TuningDevice(backend, device.get("device").asText(), properties);
            }
        }
        return host(root, backend);
    }

    /** Results of the host name the machine, but not the device: it is this one's, if the processor is the same. */
    private static TuningDevice host(JsonNode root, String backend) {
        String processor = root.get("machine").get("processor").asText();
        Configuration configuration = Configuration.builder()
                .set(ConfigurationKeys.THREADS, root.get("settings").get("threads").intValue()).build();
        try (Backend opened = Backends.open(backend, configuration)) {
            TuningDevice here = TuningDevice.of(opened);
            if (!processor.equals(here.properties().get(TuningDevice.PROCESSOR))) {
                throw new IllegalArgumentException("results of backend " + backend + " on '" + processor
                        + "', expected this machine's processor, '" + here.properties().get(TuningDevice.PROCESSOR)
                        + "': import them there");
            }
            return here;
        }
    }
}
