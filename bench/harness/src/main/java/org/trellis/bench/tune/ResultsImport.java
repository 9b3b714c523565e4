package org.trellis.bench.tune;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
     * Says whether a file is a tuning profile rather than results.
     *
     * @param file JSON, which may be compressed by gzip
     * @return true if it names the schema of profiles
     * @throws IOException if it cannot be read or is no JSON
     */
    public static boolean isProfile(Path file) throws IOException {
        return ResultsNode.read(file, "results of trellis spmv --json, or a tuning profile").has("schema_version");
    }

    /**
     * Reads a file.
     *
     * @param file results as JSON, which may be compressed by gzip
     * @return the results of each backend of Trellis in it
     * @throws IOException              if it cannot be read or is no such file
     * @throws IllegalArgumentException if results of the host are from another processor than this one
     */
    public static List<Imported> read(Path file) throws IOException {
        ResultsNode root = ResultsNode.read(file, "results of trellis spmv --json");
        ResultsNode format = root.get("format");
        if (format.node() == null || !FORMAT.equals(format.node().textValue())) {
            throw format.problem('"' + FORMAT + '"');
        }
        Instant date = root.get("date").parsed("a date such as 2026-01-31T12:00:00Z", Instant::parse);
        Map<String, Map<String, List<Measured>>> backends = new LinkedHashMap<>();
        for (ResultsNode record : root.get("records").items()) {
            if (record.get("parameters").has("family")) {
                backends.computeIfAbsent(record.get("backend").text(), name -> new LinkedHashMap<>())
                        .computeIfAbsent(record.get("matrix").text(), name -> new ArrayList<>())
                        .add(measured(record, date));
            }
        }
        List<Imported> imported = new ArrayList<>();
        for (Map.Entry<String, Map<String, List<Measured>>> backend : backends.entrySet()) {
            imported.add(new Imported(device(root, backend.getKey()), backend.getValue()));
        }
        return imported;
    }

    private static Measured measured(ResultsNode record, Instant date) throws IOException {
        Map<String, Object> parameters = new LinkedHashMap<>();
        record.get("parameters").members().forEach((name, value) -> parameters.put(name, value.isInt()
                ? (Object) value.intValue()
                : value.isBoolean() ? (Object) value.booleanValue() : value.asText()));
        double seconds = record.has("deviceTime")
                ? record.get("deviceTime").get("medianSeconds").number()
                : record.get("minSeconds").number();
        return new Measured(record.get("precision").parsed("f32 or f64", Precision::of),
                record.get("parameters").at(() -> SpmvParameters.fromMap(parameters)), seconds,
                record.get("prepareSeconds").number(), date);
    }

    /** The device as the backend would describe it; results of the host do not name it, but the machine. */
    private static TuningDevice device(ResultsNode root, String backend) throws IOException {
        if (root.has("devices")) {
            for (ResultsNode device : root.get("devices").items()) {
                if (device.get("backend").text().equals(backend)) {
                    Map<String, String> properties = new TreeMap<>();
                    device.get("properties").members().forEach((name, value) -> {
                        if (!List.of("device", "driverCudaVersion", "kernelCompiler").contains(name)) {
                            properties.put(name, value.asText());
                        }
                    });
                    return new TuningDevice(backend, device.get("device").text(), properties);
                }
            }
        }
        return host(root, backend);
    }

    /** Results of the host name the machine, but not the device: it is this one's, if the processor is the same. */
    private static TuningDevice host(ResultsNode root, String backend) throws IOException {
        String processor = root.get("machine").get("processor").text();
        int threads = (int) root.get("settings").get("threads").number();
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, threads).build();
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
