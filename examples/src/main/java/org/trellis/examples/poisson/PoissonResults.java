package org.trellis.examples.poisson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolveDocument;
import org.trellis.bench.report.Table;
import org.trellis.common.Precision;

/**
 * What came out, as text and as JSON.
 *
 * @param mesh      the mesh's name
 * @param backend   the backend's name
 * @param precision of all data
 * @param order     how the nodes of the coarsest mesh were numbered
 * @param runs      the solutions
 */
record PoissonResults(String mesh, String backend, Precision precision, String order, List<PoissonRun> runs) {
    /** A row for each solution; the order of convergence is that since the mesh before, of the same variant. */
    String table() {
        Format seconds = Format.of("%.3f");
        Format error = Format.of("%.3e");
        Format power = Format.of("%.1e");
        Table table = new Table(Column.of("refined", Format.NUMBER), Column.of("unknowns", Format.COUNT),
                Column.of("contrast", Format.of("%.4g")), Column.words("solver"),
                Column.of("iterations", Format.NUMBER), Column.of("set-up", seconds).in("s"),
                Column.of("solve", seconds).in("s"), Column.of("residual", power), Column.of("mean error", error),
                Column.of("largest", error), Column.of("order", Format.of("%.2f")), Column.of("apart", power));
        for (int i = 0; i < runs.size(); i++) {
            PoissonRun run = runs.get(i);
            table.row(run.size().refinements(), run.size().unknowns(),
                    run.contrast() == Math.rint(run.contrast())
                            ? String.format(Locale.ROOT, "%.0f", run.contrast())
                            : Double.valueOf(run.contrast()),
                    run.variant() + (run.report().converged() ? "" : ": " + SolveDocument.status(run.report())),
                    run.report().iterations(), run.setupSeconds(), run.report().seconds(),
                    run.report().relativeResidual(), run.errors().mean(), run.errors().largest(), orderOf(i),
                    run.apart());
        }
        return table.text();
    }

    private Optional<Double> orderOf(int index) {
        PoissonRun run = runs.get(index);
        return runs.subList(0, index).stream()
                .filter(other -> other.size().refinements() == run.size().refinements() - 1
                        && other.variant().equals(run.variant()) && other.contrast() == run.contrast())
                .findFirst()
                .map(other -> Math.log(other.errors().mean() / run.errors().mean()) / Math.log(2));
    }

    /** The levels of the last solution of each variant that has some. */
    String levels() {
        StringBuilder text = new StringBuilder();
        List<String> seen = new ArrayList<>();
        for (PoissonRun run : runs.reversed()) {
            if (run.levels().size() > 1 && !seen.contains(run.variant())) {
                seen.add(run.variant());
                Table table = new Table(Column.of("level", Format.NUMBER), Column.of("rows", Format.COUNT),
                        Column.of("", Format.scaled(1e3, "%.4f")).in("ms a cycle"), Column.words("smoother"));
                for (int l = 0; l < run.levels().size(); l++) {
                    PoissonVariant.LevelLine line = run.levels().get(l);
                    table.row(l, line.rows(), line.seconds(), line.smoother());
                }
                text.append(run.variant()).append(System.lineSeparator()).append(table.text());
            }
        }
        return text.toString();
    }

    /** Writes the document. */
    String json(String command) {
        ObjectNode root = JsonReport.start("trellis-poisson-mesh-results", Provenance.of(command));
        root.put("mesh", mesh).put("backend", backend).put("precision", precision.label()).put("order", order);
        ArrayNode all = root.putArray("runs");
        runs.forEach(run -> put(all.addObject(), run));
        return JsonReport.finish(root);
    }

    private static void put(ObjectNode node, PoissonRun run) {
        node.put("refinements", run.size().refinements())
                .put("nodes", run.size().nodes())
                .put("unknowns", run.size().unknowns())
                .put("cells", run.size().cells())
                .put("edges", run.size().edges())
                .put("contrast", run.contrast())
                .put("solver", run.variant())
                .put("status", SolveDocument.status(run.report()))
                .put("converged", run.report().converged())
                .put("iterations", run.report().iterations())
                .put("setupSeconds", run.setupSeconds())
                .put("solveSeconds", run.report().seconds())
                .put("relativeResidual", run.report().relativeResidual())
                .put("meanError", run.errors().mean())
                .put("largestError", run.errors().largest())
                .put("apart", run.apart());
        ArrayNode history = node.putArray("residualHistory");
        run.report().residualHistory().forEach(history::add);
        ArrayNode seconds = node.putArray("iterationSeconds");
        run.iterationSeconds().forEach(seconds::add);
        ArrayNode levels = node.putArray("levels");
        run.levels().forEach(level -> levels.addObject().put("rows", level.rows()).put("smoother", level.smoother())
                .put("secondsInCycle", level.seconds()));
    }
}
