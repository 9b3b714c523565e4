package org.trellis.examples.airfoil;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.bench.loop.RankNodes;
import org.trellis.bench.loop.SetOrder;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.common.Precision;
import org.trellis.examples.airfoil.AirfoilSolver.Loop;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.MeshReport;

/**
 * What came out of a run, as text and as JSON.
 *
 * @param input       the mesh as it was named
 * @param precision   the precision of the data
 * @param order       how the sets were numbered
 * @param renumbering the seconds that took
 * @param run         residuals and times
 * @param report      the loops of the mesh
 * @param job         the ranks, if there are several
 * @param bandwidth   the memory bandwidth measured in the same process, if it was asked for
 */
record AirfoilResults(String input, Precision precision, SetOrder order, double renumbering, AirfoilRun run,
        MeshReport report, Optional<JobFacts> job, Optional<Bandwidth> bandwidth) {
    /** An iteration saves once and runs the other loops twice. */
    private static int runsInIteration(Loop loop) {
        return loop == Loop.SAVE ? 1 : 2;
    }

    private double gigabytesPerSecond(Loop loop) {
        return 1e-9 * runsInIteration(loop) * report.loops().get(loop.place()).usefulBytes()
                / run.loopTime(loop).median();
    }

    String text() {
        StringBuilder text = new StringBuilder(table().text());
        if (run.rounds() == 0) {
            return "no iteration was timed: all rounds began before the checkpoint" + System.lineSeparator();
        }
        text.append(line("%.3f ms an iteration (median of %d rounds), backend %s, %s, order %s, renumbered in %.2f s",
                1e3 * run.medianIteration(), run.rounds(), report.backend(), precision.label(), order.label(),
                renumbering));
        text.append(line("%.4f ms an iteration as a whole on the clock of the host", 1e3 * run.medianWall()));
        report.sequences().stream().filter(sequence -> sequence.joined() > 0).forEach(sequence -> text.append(line(
                "%.4f ms on that of the device, %s in one launch", 1e3 * sequence.seconds() / sequence.runs(),
                sequence.device())));
        if (run.hasPeer()) {
            text.append(line("plain C, one thread: %.3f ms; ratio %.2f, of %s and %s together %.2f",
                    1e3 * run.medianPeerTime(Loop.values()),
                    run.medianIteration() / run.medianPeerTime(Loop.values()), kernel(Loop.STEP), kernel(Loop.FLUX),
                    run.medianTime(Loop.STEP, Loop.FLUX) / run.medianPeerTime(Loop.STEP, Loop.FLUX)));
        }
        bandwidth.ifPresent(measured -> text.append(line(
                "triad with %d threads: %.1f GB/s; %s reaches %.0f %% of it, %s %.0f %%", measured.threads(),
                measured.triadGBs(), kernel(Loop.SAVE), 100 * gigabytesPerSecond(Loop.SAVE) / measured.triadGBs(),
                kernel(Loop.UPDATE), 100 * gigabytesPerSecond(Loop.UPDATE) / measured.triadGBs())));
        report.ranks().ifPresent(ranks -> text.append(ranks));
        return text.toString();
    }

    private static String line(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments) + System.lineSeparator();
    }

    private String kernel(Loop loop) {
        return report.loops().get(loop.place()).name();
    }

    private Table table() {
        Format millis = Format.scaled(1e3, "%.3f");
        Format digits = Format.of("%.2f");
        List<Column> columns = new ArrayList<>(List.of(Column.words("loop"), Column.of("", millis).in("ms"),
                Column.of("", digits).in("GB/s"), Column.of("blocks", Format.NUMBER),
                Column.of("colours", Format.WRITTEN), Column.of("reuse", digits)));
        if (run.hasPeer()) {
            columns.add(Column.of("C", millis).in("ms"));
            columns.add(Column.of("ratio", digits));
        }
        columns.add(Column.words("parameters"));
        Table table = new Table(columns);
        for (Loop loop : Loop.values()) {
            table.row(row(loop).toArray());
        }
        return table;
    }

    private List<Object> row(Loop loop) {
        LoopReport plan = report.loops().get(loop.place());
        List<Object> cells = new ArrayList<>(List.of(plan.name(), run.loopTime(loop).median(),
                gigabytesPerSecond(loop), plan.statistics().blocks(),
                plan.statistics().blockColours() + "/" + plan.statistics().elementColours(),
                plan.statistics().reuse()));
        if (run.hasPeer()) {
            cells.add(run.peerTime(loop).median());
            cells.add(run.loopTime(loop).median() / run.peerTime(loop).median());
        }
        cells.add(plan.parameters().toString());
        return cells;
    }

    String json(String command) {
        ObjectNode root = JsonReport.start("trellis-airfoil-results", Provenance.of(command));
        root.put("mesh", input);
        root.put("backend", report.backend());
        RankNodes.put(root, report, job);
        root.put("precision", precision.label());
        root.put("order", order.label());
        root.put("renumberingSeconds", renumbering);
        bandwidth.ifPresent(measured -> root.put("triadThreads", measured.threads()).put("triadGBs",
                measured.triadGBs()));
        ArrayNode residuals = root.putArray("residuals");
        run.residuals().forEach(residual -> residuals.addObject().put("iteration", residual.iteration())
                .put("rms", residual.rms()));
        root.put("iterationSeconds", run.medianIteration());
        root.put("wholeIterationSeconds", run.medianWall());
        report.sequences().stream().filter(sequence -> sequence.joined() > 0).forEach(
                sequence -> root.put("graphIterationSeconds", sequence.seconds() / sequence.runs()));
        ArrayNode loops = root.putArray("loops");
        for (Loop loop : Loop.values()) {
            loops.add(json(loop));
        }
        return JsonReport.finish(root);
    }

    private ObjectNode json(Loop loop) {
        LoopReport plan = report.loops().get(loop.place());
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("kernel", plan.name());
        node.put("set", plan.set());
        node.put("parameters", plan.parameters().toString());
        node.put("runsInIteration", runsInIteration(loop));
        node.put("usefulBytes", plan.usefulBytes());
        node.put("preparationSeconds", plan.preparationSeconds());
        node.put("gigabytesPerSecond", gigabytesPerSecond(loop));
        node.put("blocks", plan.statistics().blocks());
        node.put("blockColours", plan.statistics().blockColours());
        node.put("elementColours", plan.statistics().elementColours());
        node.put("reuse", plan.statistics().reuse());
        node.set("secondsInIteration", statistics(run.loopTime(loop)));
        if (run.hasPeer()) {
            node.set("plainCSecondsInIteration", statistics(run.peerTime(loop)));
        }
        return node;
    }

    private static ObjectNode statistics(SampleStatistics samples) {
        return JsonNodeFactory.instance.objectNode()
                .put("count", samples.count())
                .put("minimum", samples.minimum())
                .put("lowerQuartile", samples.lowerQuartile())
                .put("median", samples.median())
                .put("upperQuartile", samples.upperQuartile());
    }
}
