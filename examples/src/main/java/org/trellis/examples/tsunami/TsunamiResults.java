package org.trellis.examples.tsunami;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import org.trellis.bench.loop.RankNodes;
import org.trellis.bench.loop.SetOrder;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.common.Precision;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.MeshReport;

/**
 * What came out of a run, as text and as JSON.
 *
 * @param name        the case
 * @param topology    cells and edges
 * @param precision   the precision of the data
 * @param order       how the sets were numbered
 * @param renumbering the seconds that took
 * @param run         measures and times
 * @param report      the loops of the mesh
 * @param job         the ranks, if there are several
 * @param outcome     what it came to
 */
record TsunamiResults(String name, MeshTopology topology, Precision precision, SetOrder order, double renumbering,
        TsunamiRun run, MeshReport report, Optional<JobFacts> job, Outcome outcome) {
    /**
     * What a run came to.
     *
     * @param comparison the errors where the exact solution is known
     * @param change     the largest change of a lake at rest; if the mesh was adapted, how far it is from rest
     * @param adaptation what followed the water, if the mesh was adapted
     */
    record Outcome(Optional<Comparison> comparison, Optional<Double> change, Optional<SeaAdaptation> adaptation) {}

    private Optional<SampleStatistics> times() {
        return run.timedSteps() == 0 ? Optional.empty() : Optional.of(SampleStatistics.of(run.seconds()));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(line("volume changed by %.2e of itself", run.volumeChange()));
        outcome.comparison().ifPresent(errors -> text.append(line(
                "depth differs from the exact solution by %.6f m on average, by %.6f m at most", errors.meanError(),
                errors.largestError())));
        outcome.change().ifPresent(most -> text.append(line("the lake at rest has changed by %.2e at most", most)));
        outcome.adaptation().ifPresent(following -> text.append(line(
                "adapted %d times in %.2f s to %,d cells, volume changed by %.2e at most", following.adaptations(),
                following.seconds(), topology.cells(), following.volumeChange())));
        times().ifPresent(times -> text.append(line("%.3f ms a step, median of %d; backend %s, %s, order %s",
                1e3 * times.median(), times.count(), report.backend(), precision.label(), order.label())));
        return text.toString();
    }

    private static String line(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments) + System.lineSeparator();
    }

    String json(String command) {
        ObjectNode root = JsonReport.start("trellis-tsunami-results", Provenance.of(command));
        root.put("mesh", name);
        root.put("cells", topology.cells());
        root.put("edges", topology.edges());
        root.put("boundaryEdges", topology.boundaryEdges());
        root.put("backend", report.backend());
        RankNodes.put(root, report, job);
        root.put("precision", precision.label());
        root.put("order", order.label());
        root.put("renumberingSeconds", renumbering);
        root.put("steps", run.steps());
        root.put("volumeChange", run.volumeChange());
        outcome.comparison().ifPresent(errors -> root.put("meanDepthError", errors.meanError()).put("largestDepthError",
                errors.largestError()));
        outcome.change().ifPresent(most -> root.put("largestChangeAtRest", most));
        outcome.adaptation().ifPresent(following -> root.putObject("adaptation")
                .put("adaptations", following.adaptations()).put("seconds", following.seconds())
                .put("volumeChange", following.volumeChange()));
        ArrayNode listed = root.putArray("measures");
        run.list().forEach(entry -> put(listed.addObject(), entry));
        times().ifPresent(times -> root.putObject("secondsOfStep")
                .put("count", times.count())
                .put("minimum", times.minimum())
                .put("lowerQuartile", times.lowerQuartile())
                .put("median", times.median())
                .put("upperQuartile", times.upperQuartile()));
        ArrayNode loops = root.putArray("loops");
        report.loops().forEach(loop -> put(loops.addObject(), loop));
        return JsonReport.finish(root);
    }

    private static void put(ObjectNode node, TsunamiRun.Listed entry) {
        node.put("steps", entry.steps()).put("time", entry.time()).put("volume", entry.measures().volume());
        // JSON has no NaN: where all is dry there are no levels.
        if (Double.isFinite(entry.measures().lowest())) {
            node.put("lowest", entry.measures().lowest()).put("highest", entry.measures().highest());
        }
        node.put("speed", entry.measures().speed());
    }

    private static void put(ObjectNode node, LoopReport loop) {
        node.put("kernel", loop.name())
                .put("set", loop.set())
                .put("parameters", loop.parameters().toString())
                .put("runs", loop.runs())
                .put("seconds", loop.seconds())
                .put("preparationSeconds", loop.preparationSeconds())
                .put("usefulBytes", loop.usefulBytes())
                .put("gigabytesPerSecond", loop.gigabytesPerSecond())
                .put("blocks", loop.statistics().blocks())
                .put("blockColours", loop.statistics().blockColours())
                .put("elementColours", loop.statistics().elementColours())
                .put("reuse", loop.statistics().reuse());
    }
}
