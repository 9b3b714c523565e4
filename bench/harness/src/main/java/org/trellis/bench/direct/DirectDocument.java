package org.trellis.bench.direct;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.sparse.CsrMatrix;

/**
 * What came of a direct solution.
 *
 * @param name                the matrix
 * @param matrix              its numbers
 * @param rounds              rounds of which times are medians
 * @param own                 Trellis
 * @param peers               other libraries
 * @param reciprocalCondition an estimate, by the factors of Trellis
 * @param refinedError        the componentwise backward error after refinement
 * @param remarks             of the analysis
 */
record DirectDocument(String name, CsrMatrix matrix, int rounds, DirectRun.Result own, List<DirectRun.Result> peers,
        double reciprocalCondition, double refinedError, List<String> remarks) {
    String toJson(Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-direct", provenance);
        root.put("matrix", name).put("rows", matrix.rows()).put("nonZeros", matrix.nonZeros()).put("rounds", rounds);
        root.put("method", "direct");
        put(root, own);
        number(root, "reciprocalCondition", reciprocalCondition);
        number(root, "refinedBackwardError", refinedError);
        ArrayNode notes = root.putArray("notes");
        remarks.forEach(notes::add);
        ArrayNode others = root.putArray("peers");
        peers.forEach(peer -> put(others.addObject(), peer));
        return JsonReport.finish(root);
    }

    static void put(ObjectNode node, DirectRun.Result result) {
        node.put("solver", result.solver());
        if (result.failure() != null) {
            node.put("failure", result.failure());
            return;
        }
        node.put("ordering", result.size().ordering()).put("matching", result.size().matching())
                .put("factorNonZeros", result.size().nonZeros());
        number(node, "flops", result.size().flops());
        number(node, "analyseSeconds", result.seconds()[0]);
        number(node, "factoriseSeconds", result.seconds()[1]);
        number(node, "refactoriseSeconds", result.seconds()[2]);
        number(node, "solveSeconds", result.seconds()[3]);
        number(node, "solve32Seconds", result.seconds()[4]);
        number(node, "backwardError", result.backwardError());
    }

    static void number(ObjectNode node, String key, double value) {
        if (Double.isFinite(value)) {
            node.put(key, value);
        } else {
            node.putNull(key);
        }
    }

    String table() {
        List<DirectRun.Result> all = new ArrayList<>(peers);
        all.addFirst(own);
        return table(all).text();
    }

    static Table table(List<DirectRun.Result> results) {
        Format power = Format.of("%.1e");
        Table table = new Table(Column.words("solver").means("Who factorises."),
                Column.words("ordering").means("How rows and columns are ordered.").asMinor(),
                Column.words("matching").means("How large entries come onto the diagonal.").asMinor(),
                Column.of("factors", Format.COUNT).means("Entries of the factors."),
                Column.of("flops", power).means("Multiplications and additions of the factorisation.").asMinor(),
                Column.of("analyse", Format.SECONDS).means("Time of ordering and structure."),
                Column.of("factorise", Format.SECONDS).means("Time of the numbers, the structure known."),
                Column.of("refactorise", Format.SECONDS).means("The same for other values and the same pivots."),
                Column.of("solve", Format.SECONDS).means("Time of a right-hand side."),
                Column.of("32 sides", Format.SECONDS).means("Time of 32 right-hand sides together.").asMinor(),
                Column.of("backward error", power).means("Of the solution before refinement, relative."));
        results.forEach(result -> row(table, result));
        return table;
    }

    private static void row(Table table, DirectRun.Result result) {
        if (result.failure() != null) {
            table.row(result.solver(), "failed", null, null, null, null, null, null, null, null, null);
            return;
        }
        double[] seconds = result.seconds();
        table.row(result.solver(), result.size().ordering(), result.size().matching(),
                result.size().nonZeros(), result.size().flops(), seconds[0], seconds[1], seconds[2], seconds[3],
                seconds[4], result.backwardError());
    }

    static String real(double value) {
        return Double.isNaN(value) ? Format.NOTHING : String.format(Locale.ROOT, "%.1e", value);
    }
}
