package org.trellis.bench.scaling;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.TransportJson;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;

/** The JSON document of scaling. */
final class ScalingDocument {
    private ScalingDocument() {}

    static String of(ScalingReport report, Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-scaling-results", provenance);
        root.put("partitioner", report.setup().partitioner()).put("precision", report.setup().precision())
                .put("steps", report.setup().steps()).put("degree", report.setup().degree())
                .put("weak", report.setup().weak());
        ArrayNode cases = root.putArray("cases");
        report.cases().forEach(each -> describe(cases.addObject(), report, each));
        ArrayNode crossovers = root.putArray("crossovers");
        for (Crossover each : Crossover.of(report)) {
            ObjectNode node = crossovers.addObject().put("family", each.family()).put("times", each.title())
                    .put("ranks", each.ranks()).put("comparedWith", each.fewest())
                    .put("smallestNonZeros", each.smallest()).put("largestNonZeros", each.largest());
            size(node, "oneRing", each.plain());
            size(node, "chosenRings", each.chosen());
        }
        ArrayNode transports = root.putArray("transports");
        for (ScalingReport.Transports each : report.transports()) {
            ObjectNode node = transports.addObject().put("ranks", each.ranks()).put("transport", each.transport());
            if (each.transports() != null) {
                TransportJson.put(node, each.transports());
            }
            if (each.all() != null) {
                TransportJson.put(node, each.all());
            }
        }
        return JsonReport.finish(root);
    }

    /** JSON has no infinity: {@code null} is none of the sizes, and what was not measured is absent. */
    private static void size(ObjectNode node, String name, double size) {
        if (Double.isInfinite(size)) {
            node.putNull(name);
        } else if (!Double.isNaN(size)) {
            node.put(name, Math.round(size));
        }
    }

    private static void describe(ObjectNode node, ScalingReport report, Case each) {
        node.put("matrix", each.matrix()).put("family", each.family()).put("rows", each.rows())
                .put("nonZeros", each.nonZeros()).put("program", each.program()).put("unit", each.unit())
                .put("ranks", each.ranks()).put("transport", each.transport());
        if (each.iterations() > 0) {
            node.put("iterations", each.iterations());
        }
        if (each.refusal() != null) {
            node.put("refusal", each.refusal());
        }
        if (each.failure() != null) {
            node.put("failure", each.failure());
        }
        ArrayNode variants = node.putArray("variants");
        for (Variant variant : each.variants()) {
            ObjectNode entry = variants.addObject().put("rings", variant.rings()).put("chosen", variant.chosen())
                    .put("medianSeconds", variant.seconds()).put("minSeconds", variant.fastest())
                    .put("speedUp", report.speedUp(each, variant)).put("efficiency", report.efficiency(each, variant));
            if (!Double.isNaN(variant.predicted())) {
                entry.put("predictedSeconds", variant.predicted()).put("error", variant.error());
            }
        }
    }
}
