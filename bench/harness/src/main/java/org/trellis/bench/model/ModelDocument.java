package org.trellis.bench.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trellis.bench.prediction.Network;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;

/** The JSON document of predictions. */
final class ModelDocument {
    private ModelDocument() {}

    static String of(ModelReport report, Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-model-results", provenance);
        root.put("matrix", report.matrix()).put("precision", report.setup().precision())
                .put("partitioner", report.setup().partitioner()).put("copies", report.setup().copies())
                .put("kernels", report.setup().kernels());
        Network network = report.network();
        ObjectNode node = root.putObject("network").put("text", report.setup().text())
                .put("latencySeconds", network.latency()).put("bytesPerSecond", network.bandwidth())
                .put("overheadSeconds", network.overhead()).put("ranksOfNode", network.ranksOfNode())
                .put("nodeLatencySeconds", network.nodeLatency())
                .put("nodeBytesPerSecond", network.nodeBandwidth());
        if (Double.isFinite(network.injection())) {
            node.put("injectionBytesPerSecond", network.injection());
        }
        scales(root.putArray("strong"), report.strong());
        scales(root.putArray("weak"), report.weak());
        ArrayNode levels = root.putArray("levels");
        for (ModelReport.Level level : report.levels()) {
            scale(levels.addObject().put("level", level.number()).put("fewerRanks", level.fewer()),
                    level.smoother());
        }
        ModelTables.checks(report.checks()).putInto(root.putArray("checks"));
        return JsonReport.finish(root);
    }

    private static void scales(ArrayNode array, List<ModelReport.Scale> scales) {
        scales.forEach(scale -> scale(array.addObject(), scale));
    }

    private static void scale(ObjectNode node, ModelReport.Scale scale) {
        node.put("ranks", scale.ranks()).put("rows", scale.rows()).put("nonZeros", scale.nonZeros());
        node.putObject("kernels").put("rows", scale.times().rows()).put("nonZeros", scale.times().nonZeros())
                .put("stepSeconds", scale.times().step()).put("hidesMessages", scale.times().hides())
                .put("productSecondsPerNonZero", scale.times().product())
                .put("sweepSecondsPerNonZero", scale.times().sweep())
                .put("iterationSeconds", scale.times().iteration())
                .put("packingSecondsPerElement", scale.times().element());
        ArrayNode products = node.putArray("products");
        scale.products().forEach(step -> step(products.addObject(), step));
        ArrayNode sweeps = node.putArray("sweeps");
        scale.sweeps().forEach(step -> step(sweeps.addObject(), step));
        step(node.putObject("iteration"), scale.iteration());
        ArrayNode solvers = node.putArray("solvers");
        for (SolverTimes one : scale.solvers()) {
            solvers.addObject().put("program", one.program()).put("rings", one.rings()).put("seconds", one.seconds())
                    .put("computingSeconds", one.computing()).put("packingSeconds", one.packing())
                    .put("waitingSeconds", one.waiting()).put("reductionSeconds", one.reduction())
                    .put("messages", one.messages());
        }
    }

    private static void step(ObjectNode node, StepTimes step) {
        node.put("rings", step.rings()).put("seconds", step.seconds()).put("interiorSeconds", step.interior())
                .put("boundarySeconds", step.boundary()).put("redundantSeconds", step.redundant())
                .put("packingSeconds", step.packing()).put("waitingSeconds", step.waiting())
                .put("reductionSeconds", step.reduction()).put("vectorSeconds", step.vectors())
                .put("balance", step.balance()).put("messages", step.messages()).put("bytes", step.bytes());
    }
}
