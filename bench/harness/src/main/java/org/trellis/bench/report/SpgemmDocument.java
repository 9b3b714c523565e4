package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.trellis.bench.measure.SampleStatistics;

/** The JSON document about products of sparse matrices. */
public final class SpgemmDocument {
    private final List<Entry> entries = new ArrayList<>();

    /** What was measured for a matrix. */
    private record Entry(String matrix, String product, String precision, long terms, List<SpgemmRow> rows) {}

    /** Makes a document without records. */
    public SpgemmDocument() {
        // Records are added.
    }

    /**
     * Adds what was measured for a matrix.
     *
     * @param matrix    its name
     * @param product   what was multiplied
     * @param precision the type of the values
     * @param terms     multiplications, each with an addition
     * @param rows      what was measured of each contender
     */
    public void add(String matrix, String product, String precision, long terms, List<SpgemmRow> rows) {
        entries.add(new Entry(matrix, product, precision, terms, List.copyOf(rows)));
    }

    /**
     * Writes the document.
     *
     * @param provenance what it comes from
     * @param peers      the versions of other libraries
     * @return JSON
     */
    public String toJson(Provenance provenance, Map<String, String> peers) {
        ObjectNode root = JsonReport.mapper().createObjectNode();
        root.put("format", "trellis-spgemm-results");
        root.put("formatVersion", 1);
        JsonReport.putProvenance(root, provenance);
        ObjectNode versions = root.putObject("peers");
        peers.forEach(versions::put);
        ArrayNode records = root.putArray("records");
        for (Entry entry : entries) {
            for (SpgemmRow row : entry.rows()) {
                SampleStatistics statistics = row.statistics();
                ObjectNode node = records.addObject();
                node.put("matrix", entry.matrix()).put("product", entry.product())
                        .put("precision", entry.precision()).put("terms", entry.terms())
                        .put("contender", row.contender()).put("threads", row.threads())
                        .put("nonZeros", row.nonZeros()).put("sameStructure", row.sameStructure())
                        .put("largestError", row.largestError())
                        .put("samples", statistics.count()).put("medianSeconds", statistics.median())
                        .put("minSeconds", statistics.minimum())
                        .put("gigaFlops", 2e-9 * entry.terms() / statistics.median());
            }
        }
        return JsonReport.write(root);
    }
}
