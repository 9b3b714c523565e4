package org.trellis.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.DeviceBandwidth;
import org.trellis.bench.measure.Failure;
import org.trellis.bench.measure.Machine;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.measure.Traffic;
import org.trellis.sparse.MatrixStatistics;

/** The JSON document of a run of products, and what all documents have in common. */
public final class JsonReport {
    /** Version of the layout; grows when a field changes its meaning or goes. */
    public static final int FORMAT_VERSION = 1;

    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonReport() {}

    /**
     * Writes a run as JSON.
     *
     * @param report the run
     * @return the document
     * @throws IllegalStateException if the document cannot be written, which is a defect
     */
    public static String of(RunReport report) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("format", "trellis-spmv-results");
        root.put("formatVersion", FORMAT_VERSION);
        putProvenance(root, report.provenance());
        if (report.job() != null) {
            report.job().put(root);
        }
        root.set("settings", settings(report));
        root.set("bandwidth", bandwidth(report.bandwidths().getFirst()));
        ArrayNode all = root.putArray("bandwidthByThreads");
        report.bandwidths().forEach(bandwidth -> all.add(bandwidth(bandwidth)));
        ArrayNode devices = root.putArray("devices");
        report.devices().forEach(device -> devices.add(device(device)));
        ObjectNode peers = root.putObject("peers");
        report.peers().entrySet().stream().sorted(java.util.Map.Entry.comparingByKey())
                .forEach(peer -> peers.put(peer.getKey(), peer.getValue()));
        ArrayNode matrices = root.putArray("matrices");
        report.matrices().forEach(matrix -> matrices.add(matrix(matrix)));
        ArrayNode records = root.putArray("records");
        report.outcome().measurements().forEach(measurement -> records.add(record(report, measurement)));
        ArrayNode failures = root.putArray("failures");
        report.outcome().failures().forEach(failure -> failures.add(failure(failure)));
        return write(root);
    }

    /**
     * Adds what every document of the command line says about where it comes from.
     *
     * @param root       the document
     * @param provenance where it comes from
     */
    public static void putProvenance(ObjectNode root, Provenance provenance) {
        root.put("libraryVersion", provenance.version());
        root.put("gitRevision", provenance.revision().isEmpty() ? null : provenance.revision());
        root.put("date", provenance.date().toString());
        root.put("command", provenance.command());
        Machine machine = provenance.machine();
        root.putObject("machine")
                .put("processor", machine.processor())
                .put("processors", machine.processors())
                .put("caches", machine.caches())
                .put("memoryBytes", machine.memoryBytes())
                .put("system", machine.system());
        ObjectNode jvm = root.putObject("jvm")
                .put("version", machine.javaVersion())
                .put("heapBytes", machine.heapBytes());
        ArrayNode options = jvm.putArray("options");
        machine.javaOptions().forEach(options::add);
    }

    /**
     * Begins a document of another kind.
     *
     * @param format     its name
     * @param provenance where it comes from
     * @return the document so far
     */
    public static ObjectNode start(String format, Provenance provenance) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("format", format);
        root.put("formatVersion", 1);
        putProvenance(root, provenance);
        return root;
    }

    /**
     * Ends a document.
     *
     * @param root the document
     * @return its text
     * @throws IllegalStateException if the document cannot be written, which is a defect
     */
    public static String finish(ObjectNode root) {
        return write(root);
    }

    private static ObjectNode settings(RunReport report) {
        MeasureSettings settings = report.settings();
        return MAPPER.createObjectNode()
                .put("threads", report.bandwidths().getFirst().threads())
                .put("seconds", settings.seconds())
                .put("rounds", settings.rounds())
                .put("minimumSampleSeconds", settings.minimumSampleSeconds())
                .put("caches", settings.caches().name().toLowerCase(java.util.Locale.ROOT))
                .put("seed", settings.seed());
    }

    private static ObjectNode bandwidth(Bandwidth bandwidth) {
        return MAPPER.createObjectNode()
                .put("threads", bandwidth.threads())
                .put("triadGBs", bandwidth.triadGBs())
                .put("readGBs", bandwidth.readGBs())
                .put("peakGflops", bandwidth.peakGflops())
                .put("arrayBytes", bandwidth.arrayBytes());
    }

    private static ObjectNode device(DeviceBandwidth device) {
        ObjectNode node = MAPPER.createObjectNode()
                .put("backend", device.backend())
                .put("device", device.device())
                .put("copyGBs", device.copyGBs());
        node.set("properties", MAPPER.valueToTree(device.properties()));
        return node;
    }

    private static ObjectNode matrix(MatrixFacts facts) {
        ObjectNode node = MAPPER.createObjectNode().put("name", facts.name()).put("origin", facts.origin());
        putStatistics(node, facts.statistics());
        return node;
    }

    static void putStatistics(ObjectNode node, MatrixStatistics statistics) {
        node.put("rows", statistics.rows())
                .put("columns", statistics.columns())
                .put("nonZeros", statistics.nonZeros())
                .put("density", statistics.density())
                .put("meanRowLength", statistics.meanRowLength())
                .put("rowLengthDeviation", statistics.rowLengthDeviation())
                .put("minimumRowLength", statistics.minimumRowLength())
                .put("maximumRowLength", statistics.maximumRowLength())
                .put("emptyRows", statistics.emptyRows())
                .put("lowerBandwidth", statistics.lowerBandwidth())
                .put("upperBandwidth", statistics.upperBandwidth())
                .put("explicitZeros", statistics.explicitZeros())
                .put("diagonalEntries", statistics.diagonalEntries())
                .put("patternSymmetric", statistics.patternSymmetric())
                .put("symmetric", statistics.symmetric());
    }

    private static ObjectNode record(RunReport report, Measurement measurement) {
        SampleStatistics times = measurement.statistics();
        ObjectNode node = MAPPER.createObjectNode()
                .put("matrix", measurement.matrix())
                .put("rows", measurement.traffic().rows())
                .put("columns", measurement.traffic().columns())
                .put("nonZeros", measurement.traffic().nonZeros())
                .put("backend", measurement.backend());
        node.set("parameters", MAPPER.valueToTree(measurement.parameters()));
        node.put("precision", measurement.precision().label())
                .put("threads", measurement.threads())
                .put("samples", times.count())
                .put("productsPerSample", measurement.batch())
                .put("medianSeconds", times.median())
                .put("minSeconds", times.minimum())
                .put("lowerQuartileSeconds", times.lowerQuartile())
                .put("upperQuartileSeconds", times.upperQuartile())
                .put("maxSeconds", times.maximum())
                .put("medianDeviationSeconds", times.medianDeviation())
                .put("gflops", measurement.gflops())
                .put("effectiveGBs", measurement.effectiveGBs())
                .put("minimumGBs", measurement.minimumGBs())
                .put("bandwidthShare", report.bandwidthShare(measurement))
                .put("arithmeticIntensity", measurement.traffic().intensity())
                .put("backwardError", measurement.verdict().backwardError())
                .put("backwardErrorInRoundoffs", measurement.verdict().inRoundoffs())
                .put("prepareSeconds", measurement.prepareSeconds())
                .put("preparedBytes", measurement.preparedBytes() < 0 ? null : measurement.preparedBytes())
                .put("garbageCollections", measurement.collections());
        measurement.deviceStatistics().ifPresent(
                deviceTimes -> node.set("deviceTime", deviceTime(report, measurement, deviceTimes)));
        ArrayNode samples = node.putArray("sampleSeconds");
        for (double sample : measurement.samples()) {
            samples.add(sample);
        }
        return node;
    }

    /** What a device's own clock says; the other figures of a record are of whole calls, there and back. */
    private static ObjectNode deviceTime(RunReport report, Measurement measurement, SampleStatistics times) {
        Traffic traffic = measurement.traffic();
        return MAPPER.createObjectNode()
                .put("samples", times.count())
                .put("medianSeconds", times.median())
                .put("minSeconds", times.minimum())
                .put("lowerQuartileSeconds", times.lowerQuartile())
                .put("upperQuartileSeconds", times.upperQuartile())
                .put("gflops", traffic.flops() * 1e-9 / times.median())
                .put("effectiveGBs", traffic.effectiveBytes() * 1e-9 / times.median())
                .put("minimumGBs", traffic.minimumBytes() * 1e-9 / times.median())
                .put("bandwidthShare", report.deviceBandwidthShare(measurement, times.median()))
                .put("overheadSeconds", measurement.statistics().median() - times.median());
    }

    private static ObjectNode failure(Failure failure) {
        ObjectNode node = MAPPER.createObjectNode()
                .put("matrix", failure.matrix())
                .put("backend", failure.backend());
        node.set("parameters", MAPPER.valueToTree(failure.parameters()));
        return node.put("precision", failure.precision())
                .put("stage", failure.stage())
                .put("message", failure.message());
    }

    /** JSON has no infinities and no NaN; null stands for them. */
    private static void removeInfinities(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> {
                if (isInfinite(field.getValue())) {
                    field.setValue(NullNode.getInstance());
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (isInfinite(array.get(i))) {
                    array.setNull(i);
                }
            }
        }
        node.forEach(JsonReport::removeInfinities);
    }

    private static boolean isInfinite(JsonNode node) {
        return node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue());
    }

    static ObjectMapper mapper() {
        return MAPPER;
    }

    static String write(ObjectNode root) {
        removeInfinities(root);
        try {
            return MAPPER.writeValueAsString(root) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a document of numbers and strings cannot be written", e);
        }
    }
}
