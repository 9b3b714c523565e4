package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.trellis.solve.SolveReport;

/**
 * What came of solving with one matrix after the other.
 *
 * @param solver  how they were to be solved
 * @param backend the backend
 * @param rows    one for each matrix
 */
public record SurveyDocument(String solver, String backend, List<Row> rows) {
    /** Copies the rows. */
    public SurveyDocument {
        rows = List.copyOf(rows);
    }

    /**
     * A matrix.
     *
     * @param name     its name
     * @param rows     number of rows, 0 if it could not be read
     * @param columns  number of columns
     * @param nonZeros number of entries
     * @param seconds  from the beginning of the preparation to the end of the solution
     * @param report   how the solution went, or null if there was none
     * @param obstacle why there was none, or null
     */
    public record Row(String name, int rows, int columns, long nonZeros, double seconds, SolveReport report,
            String obstacle) {
        /**
         * Says with what it was solved, or last tried.
         *
         * @return method and preconditioner; a dash if there is no report
         */
        public String solver() {
            if (report == null) {
                return "-";
            }
            return report.preconditioner().equals("none")
                    ? report.method()
                    : report.method() + " + " + report.preconditioner().replaceAll("[, ].*", "");
        }

        /**
         * Says how it ended.
         *
         * @return a status in words
         */
        public String status() {
            return report == null ? "not solved" : SolveDocument.status(report);
        }

        /**
         * Says what stood in the way of a solution.
         *
         * @return a sentence; empty if there is a solution
         */
        public String problem() {
            if (report == null) {
                return obstacle;
            }
            return report.converged() ? "" : report.detail();
        }
    }

    /**
     * Returns how many systems were solved.
     *
     * @return those that converged
     */
    public long solved() {
        return rows.stream().filter(row -> row.report() != null && row.report().converged()).count();
    }

    /**
     * Returns the matrices as a table, for people and for documents.
     *
     * @return a row for each
     */
    public Table table() {
        Table table = new Table(Column.words("matrix").key("matrix"), Column.of("rows", Format.COUNT).key("rows"),
                Column.data("columns"), Column.of("non-zeros", Format.COUNT).key("nonZeros"),
                Column.words("status").key("status"), Column.words("solver").key("solver"),
                Column.of("iterations", Format.COUNT).key("iterations"),
                Column.of("time", Format.SECONDS).key("seconds"),
                Column.of("relative residual", Format.of("%.1e")).key("relativeResidual"), Column.data("setupSeconds"),
                Column.data("solveSeconds"), Column.data("problem"));
        for (Row row : rows) {
            Optional<SolveReport> report = Optional.ofNullable(row.report());
            table.row(row.name(), row.rows(), row.columns(), row.nonZeros(), row.status(), row.solver(),
                    report.map(SolveReport::iterations), row.seconds(), report.map(SolveReport::relativeResidual),
                    report.map(SolveReport::setupSeconds), report.map(SolveReport::seconds), row.problem());
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
        root.put("format", "trellis-solve-survey");
        root.put("formatVersion", 1);
        JsonReport.putProvenance(root, provenance);
        root.put("solver", solver).put("backend", backend).put("solved", solved());
        ArrayNode all = root.putArray("matrices");
        table().putInto(all);
        for (int i = 0; i < rows.size(); i++) {
            SolveReport report = rows.get(i).report();
            if (report != null) {
                ObjectNode node = (ObjectNode) all.get(i);
                if (!Double.isFinite(report.relativeResidual())) {
                    node.putNull("relativeResidual");
                }
                ArrayNode notes = node.putArray("notes");
                report.facts().notes().forEach(notes::add);
            }
        }
        return JsonReport.write(root);
    }
}
