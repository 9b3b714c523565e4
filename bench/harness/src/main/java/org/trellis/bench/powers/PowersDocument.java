package org.trellis.bench.powers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.TransportJson;
import org.trellis.common.Precision;
import org.trellis.distributed.device.TransportTimes;
import org.trellis.distributed.powers.RingContest;

/** The JSON document of steps on several ranks. */
final class PowersDocument {
    private PowersDocument() {}

    /** Writes a report. */
    static String of(Provenance provenance, String matrix, Precision precision, String partitioner,
            PowersSettings settings, PowersReport report, TransportTimes transports) {
        ObjectNode root = JsonReport.start("trellis-powers-results", provenance);
        root.put("matrix", matrix).put("rows", report.rows()).put("nonZeros", report.nonZeros())
                .put("precision", precision.label()).put("ranks", report.ranks())
                .put("transport", report.transport()).put("partitioner", partitioner)
                .put("program", settings.program().label()).put("steps", settings.steps());
        if (settings.program() == PowersSettings.Program.CHEBYSHEV) {
            root.put("degree", settings.degree());
        }
        if (settings.latency() != null) {
            root.put("emulatedLatencySeconds", settings.latency().toNanos() * 1e-9)
                    .put("emulatedBytesPerSecond", settings.bandwidth());
        }
        report.table().putInto(root.putArray("results"));
        if (report.choice() != null) {
            choice(root.putObject("choice"), report.choice());
        }
        if (report.transports() != null) {
            TransportJson.put(root, report.transports());
        }
        if (transports != null) {
            TransportJson.put(root.putObject("transports"), transports);
        }
        return JsonReport.finish(root);
    }

    private static void choice(ObjectNode node, PowersReport.Choice choice) {
        node.put("rings", choice.rings()).put("steps", choice.steps());
        if (choice.model() == null) {
            node.put("from", "profile");
            return;
        }
        node.put("from", "tuning");
        ObjectNode model = node.putObject("model").put("latencySeconds", choice.model().latency())
                .put("secondsPerByte", choice.model().secondsPerByte())
                .put("secondsPerNonZero", choice.model().secondsPerNonZero())
                .put("proposal", choice.model().proposal());
        ArrayNode predicted = model.putArray("predictedSecondsPerStep");
        for (double seconds : choice.model().secondsPerStep()) {
            predicted.add(seconds);
        }
        ArrayNode trials = node.putArray("trials");
        for (RingContest.Trial trial : choice.trials()) {
            ArrayNode turns = trials.addObject().put("rings", trial.rings()).putArray("secondsOfTurns");
            trial.seconds().forEach(turns::add);
        }
    }
}
