package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.trellis.solve.SolveReport;
import org.trellis.sparse.CsrMatrix;

/**
 * Solutions of a system as they are reported.
 *
 * @param name    name of the matrix
 * @param matrix  the matrix
 * @param backend the backend
 * @param product how the products were run
 * @param runs    at least one; the first is that of the fields outside of {@code contenders}
 * @param job     the ranks, null for one
 * @param tuning  what a solver that tunes itself did, null for others
 */
public record SolveDocument(String name, CsrMatrix matrix, String backend, String product, List<SolveRun> runs,
        JobFacts job, SolveTuning tuning) {
    /** Copies the runs. */
    public SolveDocument {
        runs = List.copyOf(runs);
    }

    /**
     * Returns a status in words.
     *
     * @param report the report
     * @return for example {@code "converged"}, {@code "iteration limit"}
     */
    public static String status(SolveReport report) {
        return report.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /**
     * Returns solutions as a table, for consoles and pages.
     *
     * @param runs the solutions
     * @return a row for each
     */
    public static Table table(List<SolveRun> runs) {
        Table table = new Table(Column.words("solver").means("Method with its options, and preconditioner."),
                Column.words("status").means("How it ended; judged by the residual recomputed from the solution."),
                Column.of("iterations", Format.COUNT).means("Iterations done."),
                Column.of("relative residual", Format.of("%.2e"))
                        .means("Norm of the recomputed residual over that of the right-hand side."),
                Column.of("factor", Format.of("%.3f"))
                        .means("By what an iteration multiplied the residual on the average.").asMinor(),
                Column.of("preparation", Format.SECONDS).means("Median time to prepare method and preconditioner, "
                        + "without the first where there are others.").asMinor(),
                Column.of("first iteration", Format.SECONDS).only(Column.Medium.PAGE)
                        .means("Time of the first iteration, in which code and plans are made.").asMinor(),
                Column.of("solution", Format.SECONDS)
                        .means("Median time of a solution, without the first where there are others."),
                Column.of("an iteration", Format.SECONDS).only(Column.Medium.CONSOLE),
                Column.of("vectors", Format.BYTES).means("Memory of the method's work vectors.").asMinor());
        for (SolveRun run : runs) {
            SolveReport report = run.report();
            table.row(run.name(), status(report), report.iterations(), report.relativeResidual(),
                    Double.isFinite(report.convergenceFactor()) ? report.convergenceFactor() : null,
                    run.medianSetupSeconds(), report.facts().firstTouchSeconds(), run.medianSeconds(),
                    run.medianSeconds() / Math.max(1, report.iterations()),
                    run.peer().isPresent() ? null : report.facts().memoryBytes());
        }
        return table;
    }

    /**
     * Writes the document.
     *
     * @param provenance what it comes from
     * @return JSON
     */
    public String toJson(Provenance provenance) {
        ObjectNode root = JsonReport.mapper().createObjectNode();
        root.put("format", "trellis-solve-report");
        root.put("formatVersion", 1);
        JsonReport.putProvenance(root, provenance);
        root.put("matrix", name)
                .put("rows", matrix.rows())
                .put("columns", matrix.columns())
                .put("nonZeros", matrix.nonZeros())
                .put("precision", matrix.precision().label())
                .put("backend", backend)
                .put("product", product);
        if (job != null) {
            job.put(root);
        }
        put(root, runs.getFirst());
        if (tuning != null) {
            tuning.put(root);
        }
        if (runs.size() > 1) {
            ArrayNode contenders = root.putArray("contenders");
            runs.forEach(run -> put(contenders.addObject(), run));
        }
        return JsonReport.write(root);
    }

    private static void put(ObjectNode node, SolveRun run) {
        SolveReport report = run.report();
        node.put("name", run.name());
        run.peer().ifPresent(peer -> node.put("peer", peer.name())
                .put("peerLibrary", peer.library())
                .put("peerProcesses", peer.processes()));
        node.put("method", run.stack().method())
                .put("preconditioner", run.stack().preconditioner())
                .put("methodInWords", report.method())
                .put("preconditionerInWords", report.preconditioner())
                .put("tolerance", run.stack().criteria().relativeTolerance())
                .put("status", status(report))
                .put("converged", report.converged())
                .put("detail", report.detail())
                .put("iterations", report.iterations())
                .put("restarts", report.restarts())
                .put("seconds", report.seconds())
                .put("setupSeconds", run.medianSetupSeconds())
                .put("firstTouchSeconds", report.facts().firstTouchSeconds())
                .put("solveSeconds", run.medianSeconds())
                .put("memoryBytes", report.facts().memoryBytes());
        ArrayNode all = node.putArray("allSolveSeconds");
        run.seconds().forEach(all::add);
        ArrayNode setups = node.putArray("allSetupSeconds");
        run.setupSeconds().forEach(setups::add);
        putCondition(node, "cold", run.setupSeconds().stream().limit(1).toList(), run.seconds().subList(0, 1));
        if (run.isWarm()) {
            putCondition(node, "warm", run.setupSeconds().stream().skip(1).toList(),
                    run.seconds().subList(1, run.seconds().size()));
        }
        ArrayNode notes = node.putArray("notes");
        report.facts().notes().forEach(notes::add);
        putNumber(node, "rightHandSideNorm", report.rightHandSideNorm());
        putNumber(node, "finalResidual", report.finalResidual());
        putNumber(node, "trueResidual", report.trueResidual());
        putNumber(node, "relativeResidual", report.relativeResidual());
        putNumber(node, "conditionEstimate", report.facts().error().condition());
        putNumber(node, "forwardErrorBound", report.facts().error().forwardBound());
        putNumber(node, "convergenceFactor", report.convergenceFactor());
        putNumber(node, "largestError", run.error());
        putNumbers(node, "residualHistory", report.residualHistory());
        putNumbers(node, "iterationSeconds", run.iterationSeconds());
        run.multigrid().ifPresent(multigrid -> MultigridDocument.put(node, multigrid));
    }

    /** Medians of preparations, which the automatic choice does not have apart, and of solutions. */
    private static void putCondition(ObjectNode node, String name, List<Double> setups, List<Double> solutions) {
        ObjectNode condition = node.putObject(name);
        if (!setups.isEmpty()) {
            putNumber(condition, "setupSeconds", SolveRun.median(setups));
        }
        putNumber(condition, "solveSeconds", SolveRun.median(solutions));
        condition.put("solutions", solutions.size());
    }

    private static void putNumbers(ObjectNode node, String key, List<Double> values) {
        ArrayNode array = node.putArray(key);
        values.forEach(value -> {
            if (Double.isFinite(value)) {
                array.add(value);
            } else {
                array.addNull();
            }
        });
    }

    /** JSON has no infinities and no NaN; null stands for them. */
    private static void putNumber(ObjectNode node, String key, double value) {
        if (Double.isFinite(value)) {
            node.put(key, value);
        } else {
            node.putNull(key);
        }
    }
}
