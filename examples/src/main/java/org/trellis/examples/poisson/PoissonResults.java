package org.trellis.examples.poisson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolveDocument;
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
    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A row for each solution; the order of convergence is that since the mesh before, of the same variant. */
    String table() {
        TextTable table = new TextTable("refined", "unknowns", "contrast", "<solver", "iterations", "set-up s",
                "solve s", "residual", "mean error", "largest", "order", "apart");
        for (int i = 0; i < runs.size(); i++) {
            PoissonRun run = runs.get(i);
            table.row(number("%d", run.size().refinements()), number("%,d", run.size().unknowns()),
                    number(run.contrast() == Math.rint(run.contrast()) ? "%.0f" : "%.4g", run.contrast()),
                    run.variant() + (run.report().converged() ? "" : ": " + SolveDocument.status(run.report())),
                    number("%d", run.report().iterations()), number("%.3f", run.setupSeconds()),
                    number("%.3f", run.report().seconds()), number("%.1e", run.report().relativeResidual()),
                    number("%.3e", run.errors().mean()), number("%.3e", run.errors().largest()), orderOf(i),
                    number("%.1e", run.apart()));
        }
        return table.render();
    }

    private String orderOf(int index) {
        PoissonRun run = runs.get(index);
        return runs.subList(0, index).stream()
                .filter(other -> other.size().refinements() == run.size().refinements() - 1
                        && other.variant().equals(run.variant()) && other.contrast() == run.contrast())
                .findFirst()
                .map(other -> number("%.2f", Math.log(other.errors().mean() / run.errors().mean()) / Math.log(2)))
                .orElse("");
    }

    /** The levels of the last solution of each variant that has some. */
    String levels() {
        StringBuilder text = new StringBuilder();
        List<String> seen = new ArrayList<>();
        for (PoissonRun run : runs.reversed()) {
            if (run.levels().size() > 1 && !seen.contains(run.variant())) {
                seen.add(run.variant());
                TextTable table = new TextTable("level", "rows", "ms a cycle", "<smoother");
                for (int l = 0; l < run.levels().size(); l++) {
                    PoissonVariant.LevelLine line = run.levels().get(l);
                    table.row(number("%d", l), number("%,d", line.rows()), number("%.4f", 1e3 * line.seconds()),
                            line.smoother());
                }
                text.append(run.variant()).append(System.lineSeparator()).append(table.render());
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
