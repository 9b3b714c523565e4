package org.trellis.examples.fem;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolveDocument;
import org.trellis.bench.report.Table;
import org.trellis.fem.space.FunctionSpace;

/**
 * What came out, as text and as JSON.
 *
 * @param problem in words
 * @param mesh    the mesh's name
 * @param backend the backend's name
 * @param degree  of the elements
 * @param job     the ranks, if there are several
 * @param runs    the solutions, from coarse to fine
 */
record FemResults(String problem, String mesh, String backend, int degree, Optional<JobFacts> job, List<FemRun> runs) {
    /** A residual below so many times the rounding of a product is as small as it gets. */
    private static final double ATTAINED_ROUNDINGS = 50;
    /** How many times the rounding of a product is asked for without fear. */
    private static final double SAFE_ROUNDINGS = 10;
    /** A larger tolerance is of no use. */
    private static final double USEFUL = 1e-2;

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A row for each solution. */
    String table() {
        Format error = Format.of("%.4e");
        Format rate = Format.of("%.2f");
        Table table = new Table(Column.of("cells", Format.COUNT), Column.of("unknowns", Format.COUNT),
                Column.words("storage"), Column.words("formulation"), Column.of("", Format.of("%.3g")).in("elements/s"),
                Column.of("iterations", Format.NUMBER), Column.of("", Format.of("%.4g")).in("iterations/s"),
                Column.of("", Format.scaled(1e-9, "%.2f")).in("GB/s"), Column.of("solve", Format.of("%.3f")).in("s"),
                Column.of("L2 error", error), Column.of("rate", rate), Column.of("H1 error", error),
                Column.of("rate", rate));
        for (int i = 0; i < runs.size(); i++) {
            FemRun run = runs.get(i);
            table.row(run.cells(), run.unknowns(), run.options().storage().label(),
                    run.options().formulation().label(),
                    run.elementsPerSecond() == 0 ? null : run.elementsPerSecond(),
                    run.report().converged()
                            ? Integer.valueOf(run.report().iterations())
                            : SolveDocument.status(run.report()),
                    run.iterationsPerSecond(), run.modelBytes() * run.iterationsPerSecond(), run.report().seconds(),
                    run.errors() == null ? null : run.errors().l2(), rate(i, false),
                    run.errors() == null ? null : run.errors().h1(), rate(i, true));
        }
        return table.text();
    }

    /** Says what a solution that did not converge ended with, and what can be done about it; empty if all converged. */
    String remarks() {
        StringBuilder text = new StringBuilder();
        for (FemRun run : runs) {
            if (!run.report().converged()) {
                text.append(number("%,d unknowns: %s. The residual is %.1e of the right-hand side", run.unknowns(),
                        run.report().detail(), run.report().relativeResidual()));
                text.append(rounding(run)).append(System.lineSeparator());
            }
        }
        return text.toString();
    }

    private static String rounding(FemRun run) {
        if (run.report().relativeResidual() > ATTAINED_ROUNDINGS * run.rounding()) {
            return "";
        }
        double wanted = SAFE_ROUNDINGS * run.rounding();
        return number(", and rounding of one product alone is about %.1e of it in %s: expected %s", run.rounding(),
                run.options().precision().label(),
                wanted < USEFUL ? number("--tolerance %.0e or more", wanted) : "--precision f64, or a stouter body");
    }

    private Double rate(int index, boolean slope) {
        if (index == 0 || runs.get(index).errors() == null) {
            return null;
        }
        FemRun now = runs.get(index);
        FemRun before = runs.get(index - 1);
        double ratio = slope
                ? before.errors().h1() / now.errors().h1()
                : before.errors().l2() / now.errors().l2();
        return Math.log(ratio) / Math.log(2);
    }

    /** Writes the document; the numbers of the last solution stand at its top as well. */
    String json(String command) {
        ObjectNode root = JsonReport.start("trellis-fem-results", Provenance.of(command));
        root.put("problem", problem).put("mesh", mesh).put("backend", backend);
        job.ifPresentOrElse(facts -> facts.put(root), () -> root.put("ranks", 1));
        put(root, runs.getLast());
        ArrayNode all = root.putArray("runs");
        runs.forEach(run -> put(all.addObject(), run));
        return JsonReport.finish(root);
    }

    private void put(ObjectNode node, FemRun run) {
        node.put("degree", degree)
                .put("storage", run.options().storage().label())
                .put("formulation", run.options().formulation().label())
                .put("precision", run.options().precision().label())
                .put("dirichlet", run.options().dirichlet().label())
                .put("conflicts", run.options().scheme().map(scheme -> scheme.label()).orElse("rule"))
                .put("blockSize", run.options().blockSize())
                .put("chosenBy", run.chosen().by())
                .put("preconditioner", run.preconditioner())
                .put("cells", run.cells())
                .put("unknowns", run.unknowns());
        if (run.errors() != null) {
            node.put("errorL2", run.errors().l2()).put("errorH1", run.errors().h1());
        }
        node.put("status", SolveDocument.status(run.report()))
                .put("converged", run.report().converged())
                .put("iterations", run.report().iterations())
                .put("relativeResidual", run.report().relativeResidual())
                .put("setupSeconds", run.setupSeconds())
                .put("assemblySeconds", run.assemblySeconds())
                .put("elementsPerSecond", run.elementsPerSecond())
                .put("solveSeconds", run.report().seconds())
                .put("iterationsPerSecond", run.iterationsPerSecond())
                .put("storedBytes", run.storedBytes())
                .put("modelBytes", run.modelBytes());
    }

    /** Says what is solved on which space. */
    static String heading(FemInput input, FunctionSpace space, String backend, String precision) {
        return number("%s: %,d cells, %s, %,d nodes; %s, %s", input, space.mesh().cells(), space.element(),
                space.nodes(), backend, precision);
    }
}
