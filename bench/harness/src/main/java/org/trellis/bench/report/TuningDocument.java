package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trellis.bench.tune.TuningOutcome;
import org.trellis.tuner.profile.TuningDevice;

/** How run-time tuning did, as JSON. */
public final class TuningDocument {
    private TuningDocument() {}

    /**
     * Writes a document.
     *
     * @param command  the command line
     * @param device   what was tuned on
     * @param outcomes how tuning did on each matrix
     * @return JSON
     * @throws IllegalStateException if the document cannot be written, which is a defect
     */
    public static String of(String command, TuningDevice device, List<TuningOutcome> outcomes) {
        ObjectNode root = JsonReport.start("trellis-tuning-evaluation", Provenance.of(command));
        ProductTuningDocument.putDevice(root, device);
        ArrayNode list = root.putArray("outcomes");
        outcomes.forEach(outcome -> add(list.addObject(), outcome));
        return JsonReport.finish(root);
    }

    private static void add(ObjectNode node, TuningOutcome outcome) {
        node.put("matrix", outcome.matrix()).put("precision", outcome.precision().label())
                .put("sets", outcome.seconds().size()).put("bestSeconds", outcome.best())
                .put("rule", outcome.rule().toString()).put("ruleShare", outcome.share(outcome.rule()))
                .put("start", outcome.start().toString()).put("startShare", outcome.share(outcome.start()))
                .put("tuned", outcome.believed().getLast().toString()).put("tunedAfter", outcome.tunedAfter())
                .put("preparationSeconds", outcome.preparationSeconds()).put("adviceSeconds", outcome.adviceSeconds())
                .put("slowestOverRule", outcome.slowestOverRule());
        ArrayNode shares = node.putArray("shareAfterProduct");
        for (int i = 1; i <= outcome.believed().size(); i++) {
            shares.add(Math.round(outcome.shareAfter(i) * 1e4) / 1e4);
        }
        ArrayNode used = node.putArray("usedShare");
        outcome.used().forEach(parameters -> used.add(Math.round(outcome.share(parameters) * 1e4) / 1e4));
        ArrayNode seconds = node.putArray("measuredSeconds");
        outcome.measured().forEach(seconds::add);
    }
}
