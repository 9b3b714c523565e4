package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The JSON document about matrices. */
public final class InfoReport {
    private InfoReport() {}

    /**
     * A matrix that could not be read.
     *
     * @param name    its name
     * @param message why not
     */
    public record Unread(String name, String message) {}

    /**
     * Writes the facts as JSON.
     *
     * @param provenance what they come from
     * @param matrices   the matrices
     * @param unread     those that could not be read
     * @return the document
     */
    public static String of(Provenance provenance, List<MatrixFacts> matrices, List<Unread> unread) {
        ObjectNode root = JsonReport.mapper().createObjectNode();
        root.put("format", "trellis-matrix-facts");
        root.put("formatVersion", 1);
        JsonReport.putProvenance(root, provenance);
        ArrayNode all = root.putArray("matrices");
        for (MatrixFacts facts : matrices) {
            ObjectNode node = all.addObject().put("name", facts.name()).put("origin", facts.origin());
            JsonReport.putStatistics(node, facts.statistics());
        }
        ArrayNode failures = root.putArray("failures");
        unread.forEach(one -> failures.addObject().put("matrix", one.name()).put("message", one.message()));
        return JsonReport.write(root);
    }
}
