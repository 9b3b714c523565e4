package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trellis.bench.measure.ReadBenchmark;
import org.trellis.bench.measure.SampleStatistics;

/** The JSON document about the reading of files. */
public final class ReadReport {
    private ReadReport() {}

    /**
     * The times of a file.
     *
     * @param file      the file
     * @param fileBytes its size
     * @param textBytes size of its text, more if the file is compressed
     * @param times     times of each reader
     */
    public record FileTimes(String file, long fileBytes, long textBytes, List<ReadBenchmark.Times> times) {
        /** Copies the list. */
        public FileTimes {
            times = List.copyOf(times);
        }
    }

    /**
     * Writes the times as JSON.
     *
     * @param provenance what they come from
     * @param files      the files
     * @return the document
     */
    public static String of(Provenance provenance, List<FileTimes> files) {
        ObjectNode root = JsonReport.mapper().createObjectNode();
        root.put("format", "trellis-read-results");
        root.put("formatVersion", 1);
        JsonReport.putProvenance(root, provenance);
        ArrayNode records = root.putArray("records");
        ArrayNode failures = root.putArray("failures");
        for (FileTimes file : files) {
            for (ReadBenchmark.Times times : file.times()) {
                if (times.problem().isEmpty()) {
                    record(records.addObject(), file, times);
                } else {
                    failures.addObject().put("file", file.file()).put("reader", times.reader())
                            .put("message", times.problem());
                }
            }
        }
        return JsonReport.write(root);
    }

    private static void record(ObjectNode node, FileTimes file, ReadBenchmark.Times times) {
        SampleStatistics statistics = SampleStatistics.of(times.samples());
        node.put("file", file.file())
                .put("fileBytes", file.fileBytes())
                .put("textBytes", file.textBytes())
                .put("reader", times.reader())
                .put("threads", times.threads())
                .put("entries", times.entries())
                .put("samples", statistics.count())
                .put("medianSeconds", statistics.median())
                .put("minSeconds", statistics.minimum())
                .put("megabytesPerSecond", file.textBytes() * 1e-6 / statistics.median());
        ArrayNode samples = node.putArray("sampleSeconds");
        for (double sample : times.samples()) {
            samples.add(sample);
        }
    }
}
