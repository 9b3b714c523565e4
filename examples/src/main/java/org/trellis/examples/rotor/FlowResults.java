package org.trellis.examples.rotor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.bench.loop.RankNodes;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.common.Precision;
import org.trellis.examples.rotor.mesh.CellKind;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.MeshReport;

/**
 * What came of one flow, as text and as JSON.
 *
 * @param flowCase  what was computed
 * @param geometry  the meshes
 * @param precision of all data
 * @param run       residuals and times
 * @param figures   the figures of the flow
 * @param setUp     how long it took before the first cycle
 * @param report    the loops
 * @param job       the ranks, if there are several
 */
record FlowResults(FlowCase flowCase, FlowMesh geometry, Precision precision, FlowRun run,
        List<FlowFigures.Figure> figures, SetUp setUp, MeshReport report, Optional<JobFacts> job) {
    /**
     * Seconds before the first cycle.
     *
     * @param mesh for the meshes of all levels
     * @param data for sets, maps and data
     * @param code for plans and code of the loops, with the loops before the first cycle
     */
    record SetUp(double mesh, double data, double code) {
        double all() {
            return mesh + data + code;
        }
    }

    private static String line(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments) + System.lineSeparator();
    }

    /** What is printed. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(line("%d cycles, work of %.0f steps, residual %.3e, %.1f orders down", run.cycles(), run.work(),
                run.residuals().getLast(), run.fallen()));
        figures.forEach(figure -> text.append(figure.text()).append(System.lineSeparator()));
        text.append(line("%s; backend %s, %s", time(), report.backend(), precision.label()));
        text.append(line("set-up %.1f s: mesh %.1f, data %.1f, plans and code %.1f", setUp.all(), setUp.mesh(),
                setUp.data(), setUp.code()));
        return text.toString();
    }

    /** What a cycle takes: the first one apart, since it waits for code that is compiled. */
    private String time() {
        double[] later = run.secondsOfCycles();
        if (later.length == 0) {
            return "no cycle was timed: all began before the checkpoint";
        }
        String median = String.format(Locale.ROOT, "%.3f ms a cycle", 1e3 * median(later));
        return later.length == 1 && run.cycles() == 1
                ? median + ", the first"
                : median + String.format(Locale.ROOT, " (median; %.3f to %.3f, the first %.3f)", 1e3 * later[0],
                        1e3 * later[later.length - 1], 1e3 * run.secondsOfFirst().orElseThrow());
    }

    private static double median(double... sorted) {
        return 0.5 * (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]);
    }

    /** The orders with which errors have fallen since a mesh of twice the width. */
    String orders(FlowResults coarser) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < figures.size(); i++) {
            if (figures.get(i).name().startsWith("error")) {
                double ratio = coarser.figures.get(i).value() / figures.get(i).value();
                text.append(line("order of the %s: %.2f", figures.get(i).name(), Math.log(ratio) / Math.log(2)));
            }
        }
        return text.toString();
    }

    /** The document of all flows of a command. */
    static String json(List<FlowResults> all, String command) {
        ObjectNode root = JsonReport.start("trellis-rotor-results", Provenance.of(command));
        ArrayNode flows = root.putArray("flows");
        all.forEach(result -> result.put(flows.addObject()));
        return JsonReport.finish(root);
    }

    private void put(ObjectNode node) {
        node.put("case", flowCase.label()).put("mesh", geometry.name()).put("backend", report.backend())
                .put("precision", precision.label());
        RankNodes.put(node, report, job);
        ArrayNode levels = node.putArray("levels");
        for (FlowMesh.Level level : geometry.levels()) {
            ObjectNode one = levels.addObject().put("nodes", level.mesh().nodes())
                    .put("edges", level.dual().edges().length / 2).put("pairs", level.pairs().length / 2);
            for (CellKind kind : CellKind.values()) {
                one.put(kind.name().toLowerCase(Locale.ROOT), level.mesh().count(kind));
            }
        }
        node.put("cycles", run.cycles()).put("work", run.work()).put("ordersDown", run.fallen());
        ObjectNode told = node.putObject("figures");
        figures.forEach(figure -> told.put(figure.name(), figure.value()));
        ArrayNode residuals = node.putArray("residuals");
        run.residuals().forEach(residuals::add);
        ArrayNode seconds = node.putArray("seconds");
        run.seconds().forEach(seconds::add);
        double[] later = run.secondsOfCycles();
        if (later.length > 0) {
            node.put("secondsOfFirstCycle", run.secondsOfFirst().orElseThrow()).put("medianSecondsOfLaterCycles",
                    median(later));
        }
        node.putObject("setUpSeconds").put("mesh", setUp.mesh()).put("data", setUp.data()).put("code", setUp.code());
        ArrayNode loops = node.putArray("loops");
        for (LoopReport loop : report.loops()) {
            loops.addObject().put("kernel", loop.name()).put("set", loop.set())
                    .put("parameters", loop.parameters().toString()).put("runs", loop.runs())
                    .put("seconds", loop.seconds()).put("usefulBytes", loop.usefulBytes())
                    .put("gigabytesPerSecond", loop.gigabytesPerSecond());
        }
    }
}
