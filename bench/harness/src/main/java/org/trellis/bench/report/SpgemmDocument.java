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
     * Returns what was measured for a matrix as a table, for people and for documents.
     *
     * @param terms multiplications, each with an addition
     * @param rows  what was measured of each contender
     * @return a row for each contender
     */
    public static Table table(long terms, List<SpgemmRow> rows) {
        Table table = new Table(Column.words("contender").key("contender").means("Who multiplies."),
                Column.of("threads", Format.NUMBER).key("threads").means("Threads of the host.").asMinor(),
                Column.of("non-zeros", Format.COUNT).key("nonZeros").means("Entries of the product."),
                Column.of("samples", Format.NUMBER).key("samples").means("Products that were timed.").asMinor(),
                Column.of("median", Format.SECONDS).key("medianSeconds").means("Median time of a product."),
                Column.of("minimum", Format.SECONDS).key("minSeconds").means("The fastest product.").asMinor(),
                Column.of("spread", Format.PERCENT)
                        .means("Distance of the quartiles of all times, relative to the median.").asMinor(),
                Column.of("", Format.REAL).in("GFLOP/s").key("gigaFlops")
                        .means("Multiplications and additions a second, by the median."),
                Column.of("error", Format.REAL).key("largestError")
                        .means("Largest difference from the first product, relative to its largest element."),
                Column.words("structure").key("sameStructure").means("Whether it has the same entries."));
        for (SpgemmRow row : rows) {
            SampleStatistics statistics = row.statistics();
            table.row(row.contender(), row.threads(), row.nonZeros(), statistics.count(), statistics.median(),
                    statistics.minimum(), statistics.relativeSpread(), 2e-9 * terms / statistics.median(),
                    row.largestError(), new Table.Shown(row.sameStructure(), row.sameStructure() ? "same" : "other"));
        }
        return table;
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
            int first = records.size();
            table(entry.terms(), entry.rows()).putInto(records);
            for (int i = first; i < records.size(); i++) {
                ((ObjectNode) records.get(i)).put("matrix", entry.matrix()).put("product", entry.product())
                        .put("precision", entry.precision()).put("terms", entry.terms());
            }
        }
        return JsonReport.write(root);
    }
}
