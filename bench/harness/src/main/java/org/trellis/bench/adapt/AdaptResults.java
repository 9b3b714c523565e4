package org.trellis.bench.adapt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.trellis.adapt.AdaptStep;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.LoopTraffic;
import org.trellis.adapt.MeshQuality;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;

/**
 * What an adaptation came to, as text and as JSON.
 *
 * @param input   the mesh as the command line names it
 * @param metric  the metric as the command line names it
 * @param threads threads
 * @param mesh    the mesh before
 * @param before  its quality
 * @param adapted the mesh afterwards
 * @param samples points of the raster along each axis, if the metric was sampled
 * @param raster  what sampling the metric has lost, if it was sampled
 * @param asked   the quality in the metric that was asked for, if vertices have carried theirs along
 */
record AdaptResults(String input, String metric, int threads, SimplexMesh mesh, MeshQuality before,
        AdaptedMesh adapted, Optional<int[]> samples, Optional<RasterMetric.LengthError> raster,
        Optional<MeshQuality> asked) {

    private static final double MEGA = 1e-6;

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    String table() {
        Format digits = Format.of("%.4f");
        Table table = new Table(Column.words(""), Column.of("vertices", Format.COUNT),
                Column.of("elements", Format.COUNT), Column.of("quality", digits), Column.of("least", digits),
                Column.of("edges", digits), Column.of("shortest", digits), Column.of("longest", digits),
                Column.of("unit edges", Format.scaled(100, "%.1f %%")), Column.of("inverted", Format.NUMBER));
        row(table, "before", mesh, before);
        row(table, asked.isEmpty() ? "after" : "after, as carried", adapted.mesh(), adapted.quality());
        asked.ifPresent(quality -> row(table, "after, as asked", adapted.mesh(), quality));
        return table.text() + number("%d sweeps, %,d splits, %,d collapses, %,d swaps in %.2f s on %d threads%s%n",
                adapted.report().sweeps(), adapted.report().splits(), adapted.report().collapses(),
                adapted.report().swaps(), adapted.report().seconds().get("all"), threads,
                adapted.report().settled() ? "" : ", not settled")
                + raster.map(
                        error -> number("lengths in the raster%s differ from those in the metric by %.2f %% on average,"
                                + " by %.2f %% at most%n", samples.map(AdaptResults::grid).orElse(""),
                                100 * error.mean(), 100 * error.greatest()))
                        .orElse("")
                + adapted.report().traffic().map(this::places).orElse("");
    }

    private static String grid(int[] samples) {
        return " of " + Arrays.stream(samples).mapToObj(Integer::toString).collect(Collectors.joining(" x "));
    }

    /** Says what ran where, and what went to and fro. */
    private String places(LoopTraffic traffic) {
        return number(
                "%s: vertices moved %d times, metric, quality and edges measured there: %.2f s, %.2f s to prepare,"
                        + " %.2f s to fetch; %.1f MB sent, %.1f MB fetched%nhost: %s%n",
                traffic.backend(), traffic.runs(),
                traffic.runSeconds(), traffic.prepareSeconds(), traffic.fetchSeconds(), MEGA * traffic.bytesSent(),
                MEGA * traffic.bytesFetched(), onHost());
    }

    /** The steps that the host's threads have done. */
    private String onHost() {
        String steps = adapted.report().seconds().entrySet().stream()
                .filter(entry -> !entry.getKey().equals("all") && !entry.getKey().equals(AdaptStep.SMOOTH.label()))
                .map(entry -> number("%s %.2f s", entry.getKey(), entry.getValue())).collect(Collectors.joining(", "));
        return steps.isEmpty() ? "nothing" : steps;
    }

    private static void row(Table table, String name, SimplexMesh mesh, MeshQuality quality) {
        table.row(name, mesh.vertices(), mesh.elements(), quality.mean(), quality.minimum(), quality.meanLength(),
                quality.shortest(), quality.longest(), quality.unitEdges(), quality.inverted());
    }

    String json(String command) {
        ObjectNode root = JsonReport.start("trellis-adapt-results", Provenance.of(command));
        root.put("mesh", input).put("metric", metric).put("threads", threads)
                .put("dimension", adapted.mesh().dimension());
        put(root, adapted.mesh(), adapted.quality());
        root.put("sweeps", adapted.report().sweeps()).put("settled", adapted.report().settled())
                .put("splits", adapted.report().splits()).put("collapses", adapted.report().collapses())
                .put("swaps", adapted.report().swaps()).put("seconds", adapted.report().seconds().get("all"));
        samples.ifPresent(counts -> Arrays.stream(counts).forEach(root.putArray("rasterPoints")::add));
        raster.ifPresent(error -> root.put("rasterErrorMean", error.mean()).put("rasterErrorMaximum",
                error.greatest()));
        ObjectNode parts = root.putObject("stepSeconds");
        adapted.report().seconds().forEach((step, seconds) -> {
            if (!step.equals("all")) {
                parts.put(step, seconds);
            }
        });
        ObjectNode phases = root.putObject("phases");
        adapted.report().phases().forEach((phase, time) -> phases.putObject(phase.label())
                .put("seconds", time.seconds()).put("shared", time.shared()).put("busy", time.busy()));
        adapted.report().traffic().ifPresent(traffic -> root.putObject("loops").put("backend", traffic.backend())
                .put("runs", traffic.runs()).put("bytesSent", traffic.bytesSent())
                .put("bytesFetched", traffic.bytesFetched()).put("prepareSeconds", traffic.prepareSeconds())
                .put("runSeconds", traffic.runSeconds()).put("fetchSeconds", traffic.fetchSeconds()));
        put(root.putObject("before"), mesh, before);
        asked.ifPresent(quality -> put(root.putObject("asked"), adapted.mesh(), quality));
        return JsonReport.finish(root);
    }

    private static void put(ObjectNode node, SimplexMesh mesh, MeshQuality quality) {
        node.put("vertices", mesh.vertices()).put("elements", mesh.elements())
                .put("qualityMean", quality.mean()).put("qualityMinimum", quality.minimum())
                .put("edgeLengthMean", quality.meanLength()).put("edgeLengthMinimum", quality.shortest())
                .put("edgeLengthMaximum", quality.longest()).put("unitEdges", quality.unitEdges())
                .put("inverted", quality.inverted()).put("measure", mesh.measure())
                .put("boundaryMeasure", mesh.boundaryMeasure());
        ArrayNode histogram = node.putArray("qualityHistogram");
        for (int count : quality.histogram()) {
            histogram.add(count);
        }
    }
}
