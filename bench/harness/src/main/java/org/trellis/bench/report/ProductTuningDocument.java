package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trellis.bench.tune.SearchedMatrix;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;

/** What searches for parameters of products measured, as JSON. */
public final class ProductTuningDocument {
    private ProductTuningDocument() {}

    /**
     * Writes a document.
     *
     * @param report the searches
     * @return JSON
     * @throws IllegalStateException if the document cannot be written, which is a defect
     */
    public static String of(TuningReport report) {
        ObjectNode root = JsonReport.start("trellis-product-tuning", report.provenance());
        putDevice(root, report.device());
        putSearches(root, report.searches());
        return JsonReport.finish(root);
    }

    static void putDevice(ObjectNode root, TuningDevice device) {
        ObjectNode node = root.putObject("device").put("backend", device.backend()).put("name", device.name());
        device.properties().forEach(node.putObject("properties")::put);
    }

    static void putSearches(ObjectNode root, List<SearchedMatrix> searches) {
        ArrayNode list = root.putArray("searches");
        searches.forEach(search -> add(list.addObject(), search));
    }

    private static void add(ObjectNode node, SearchedMatrix search) {
        node.put("matrix", search.matrix()).put("precision", search.precision().label());
        put(node.putObject("rule"), search, search.rule());
        put(node.putObject("firstGuess"), search, search.start());
        search.best().ifPresent(best -> put(node.putObject("best"), search, best.parameters()));
        ArrayNode results = node.putArray("results");
        for (TuningResult result : search.results()) {
            put(results.addObject(), search, result.parameters()).put("prepareSeconds", result.prepareSeconds())
                    .put("runs", result.runtimes().length).put("outcome", result.invalidity().label());
        }
    }

    /** A time that was not measured becomes null. */
    private static ObjectNode put(ObjectNode node, SearchedMatrix search, SpmvParameters parameters) {
        return node.put("parameters", parameters.toString()).put("medianSeconds", search.seconds(parameters))
                .put("shareOfBest", search.share(parameters));
    }
}
