package org.trellis.bench.loop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.common.Precision;
import org.trellis.mesh.loop.LoopReport;

/**
 * The measurements of a sweep as a table and as JSON.
 *
 * @param mesh      what the user named
 * @param device    what it ran on
 * @param precision the precision of all data
 * @param bandwidth of a copy on the device, in bytes a second
 * @param results   the measurements
 */
record SweepResults(String mesh, String device, Precision precision, double bandwidth,
        List<LoopSweep.Result> results) {
    /** The best of each scheme and staging, and what the backend chooses, fastest first. */
    String text() {
        Table table = new Table(Column.words("loop"), Column.words("order"), Column.words("layout"),
                Column.of("", LoopTuningRun.MICROS).in("us"), Column.of("", Format.of("%.0f")).in("GB/s"),
                Column.of("of copy", Format.scaled(100, "%.1f %%")), Column.of("of best", Format.of("%.3f")),
                Column.words("parameters"));
        List<LoopSweep.Result> rest = new ArrayList<>(results);
        while (!rest.isEmpty()) {
            LoopSweep.Result first = rest.getFirst();
            List<LoopSweep.Result> column = rest.stream().filter(first::comparable).toList();
            rest.removeAll(column);
            double best = column.stream().filter(LoopSweep.Result::repeatable)
                    .mapToDouble(r -> r.seconds().median()).min().orElse(Double.NaN);
            column.stream().filter(r -> r.proposed() || bestOfItsKind(column, r))
                    .sorted(Comparator.comparingDouble(r -> r.seconds().median()))
                    .forEach(r -> table.row(r.report().name(), r.order().label(), r.layout().label(),
                            r.seconds().median(), r.gigabytesPerSecond(), 1e9 * r.gigabytesPerSecond() / bandwidth,
                            r.seconds().median() / best,
                            r.report().parameters() + (r.proposed() ? " (chosen)" : "")));
        }
        return table.text() + String.format(Locale.ROOT, "copy %.0f GB/s, %d measurements, %s%n", 1e-9 * bandwidth,
                results.size(), precision.label());
    }

    private static boolean bestOfItsKind(List<LoopSweep.Result> column, LoopSweep.Result one) {
        return column.stream().noneMatch(r -> r.report().parameters().scheme() == one.report().parameters().scheme()
                && r.report().parameters().fission() == one.report().parameters().fission()
                && r.report().parameters().device().staging() == one.report().parameters().device().staging()
                && r.seconds().median() < one.seconds().median());
    }

    String json(String command) {
        ObjectNode root = JsonReport.start("trellis-loop-sweep", Provenance.of(command));
        root.put("formatVersion", 2);
        root.put("mesh", mesh).put("device", device).put("precision", precision.label());
        root.put("copyGBs", 1e-9 * bandwidth);
        ArrayNode list = root.putArray("measurements");
        results.forEach(result -> put(list.addObject(), result));
        return JsonReport.finish(root);
    }

    private static void put(ObjectNode node, LoopSweep.Result result) {
        LoopReport report = result.report();
        node.put("loop", report.name()).put("order", result.order().label()).put("layout", result.layout().label());
        node.put("parameters", report.parameters().toString()).put("rule", result.proposed());
        node.put("scheme", report.parameters().scheme().label());
        node.put("medianSeconds", result.seconds().median()).put("minimumSeconds", result.seconds().minimum());
        node.put("usefulBytes", report.usefulBytes()).put("usefulGBs", result.gigabytesPerSecond());
        node.put("blocks", report.statistics().blocks()).put("blockColours", report.statistics().blockColours());
        node.put("elementColours", report.statistics().elementColours());
        node.put("reuse", report.statistics().reuse()).put("stagedBytes", report.statistics().stagedBytes());
        node.put("difference", result.difference());
        ObjectNode code = node.putObject("code");
        report.device().forEach(code::put);
    }
}
