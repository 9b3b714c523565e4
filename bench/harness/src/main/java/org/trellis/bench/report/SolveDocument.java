package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.trellis.solve.SolveReport;
import org.trellis.sparse.CsrMatrix;

/**
 * A solution as it is reported.
 *
 * @param name           name of the matrix
 * @param matrix         the matrix
 * @param method         the method
 * @param preconditioner the preconditioner
 * @param backend        the backend
 * @param tolerance      the relative tolerance
 * @param report         how it went
 * @param error          largest error of an element where the solution is known, else not a number
 */
public record SolveDocument(String name, CsrMatrix matrix, String method, String preconditioner, String backend,
        double tolerance, SolveReport report, double error) {
    /**
     * Returns the status in words.
     *
     * @return for example {@code "converged"}, {@code "iteration limit"}
     */
    public String status() {
        return report.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
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
                .put("method", method)
                .put("preconditioner", preconditioner)
                .put("backend", backend)
                .put("tolerance", tolerance)
                .put("status", status())
                .put("converged", report.converged())
                .put("detail", report.detail())
                .put("iterations", report.iterations())
                .put("restarts", report.restarts())
                .put("seconds", report.seconds());
        putNumber(root, "rightHandSideNorm", report.rightHandSideNorm());
        putNumber(root, "finalResidual", report.finalResidual());
        putNumber(root, "trueResidual", report.trueResidual());
        putNumber(root, "largestError", error);
        ArrayNode history = root.putArray("residualHistory");
        report.residualHistory().forEach(norm -> {
            if (Double.isFinite(norm)) {
                history.add(norm);
            } else {
                history.addNull();
            }
        });
        return JsonReport.write(root);
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
