package org.trellis.bench.direct;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.solve.direct.LuOptions;
import org.trellis.sparse.CsrMatrix;

/** Direct solvers on matrix after matrix, with the ratios of what Trellis needs to what others do. */
final class DirectComparison {
    /** Fill and backward error as multiples of what is compared with. */
    private static final double MUCH_FILL = 1.1;
    private static final int MOST_ERROR = 10;

    private final Console console;
    private final LuOptions options;
    private final List<DirectPeer> peers;
    private final int rounds;
    private final Settings settings;
    private final List<Row> rows = new ArrayList<>();

    /**
     * What is measured and how.
     *
     * @param seconds       a library whose first round takes longer has no others
     * @param processorTime whether the processor's time counts
     * @param withoutLu     whether matrices that have Cholesky factors have no LU factors
     */
    record Settings(double seconds, boolean processorTime, boolean withoutLu) {}

    private record Row(String name, CsrMatrix matrix, List<DirectRun.Result> results) {
        DirectRun.Result of(String solver) {
            return results.stream().filter(result -> result.solver().equals(solver) && result.failure() == null)
                    .findFirst().orElse(null);
        }

        /** Returns the fill of LU over the least of other libraries. */
        double luFill() {
            double least = Double.POSITIVE_INFINITY;
            for (DirectRun.Result result : results) {
                boolean other = !result.solver().startsWith("trellis") && !result.solver().startsWith("ejml");
                if (result.failure() == null && other) {
                    double entries = (double) result.size().nonZeros();
                    least = Math.min(least, result.solver().equals("cholmod") ? 2 * entries - matrix.rows() : entries);
                }
            }
            DirectRun.Result own = of(TrellisFactors.NAME);
            return own == null || Double.isInfinite(least) ? Double.NaN : own.size().nonZeros() / least;
        }

        double choleskyFill() {
            DirectRun.Result own = of(TrellisCholesky.NAME);
            DirectRun.Result other = of("cholmod");
            return own == null || other == null
                    ? Double.NaN
                    : (double) own.size().nonZeros() / other.size().nonZeros();
        }

        /** Returns the time of phases of LU, or of Cholesky, over that of another library. */
        double ratio(String own, String other, int... phases) {
            DirectRun.Result mine = of(own);
            DirectRun.Result theirs = of(other);
            if (mine == null || theirs == null) {
                return Double.NaN;
            }
            double sum = 0;
            double sumOfOther = 0;
            for (int phase : phases) {
                sum += mine.seconds()[phase];
                sumOfOther += theirs.seconds()[phase];
            }
            return sum / sumOfOther;
        }

        /** Returns the greatest backward error of Trellis, in units of n times the roundoff. */
        double error() {
            double greatest = 0;
            double roundoff = Math.max(1, matrix.rows()) * 0x1p-53; // a matrix without rows has no error to scale
            for (DirectRun.Result result : results) {
                if (result.solver().startsWith("trellis")) {
                    greatest = result.failure() == null
                            ? Math.max(greatest, result.refinedError() / roundoff)
                            : Double.POSITIVE_INFINITY;
                }
            }
            return greatest;
        }
    }

    DirectComparison(Console console, LuOptions options, List<DirectPeer> peers, int rounds,
            Settings settings) {
        this.console = console;
        this.options = options;
        this.peers = peers;
        this.rounds = rounds;
        this.settings = settings;
    }

    @SuppressWarnings("MustBeClosed") // closed below
    void add(String name, CsrMatrix matrix, ConsoleProgress progress) {
        double[] b = new double[matrix.rows()];
        matrix.forEachEntry((i, j, value) -> b[i] += value);
        boolean symmetric = matrix.closeTo(matrix.transpose(), 0x1p-48, 0);
        DirectRun run = new DirectRun(matrix, b).limited(settings.seconds(), settings.processorTime());
        boolean definite = symmetric && TrellisCholesky.suits(matrix);
        if (!definite || !settings.withoutLu()) {
            run.add(new TrellisFactors(matrix, options));
        }
        if (definite) {
            run.add(new TrellisCholesky(matrix));
        }
        List<DirectFactors> others = new ArrayList<>();
        try {
            for (DirectPeer peer : peers) {
                if (peer.probe().available() && peer.objection(matrix, symmetric).isEmpty()) {
                    DirectFactors opened = peer.open(matrix);
                    others.add(opened);
                    run.add(opened);
                }
            }
            run.run(rounds, progress);
            Row row = new Row(name, matrix, run.results());
            rows.add(row);
            console.print("%s: %s rows, %s non-zeros", name, Numbers.count(matrix.rows()),
                    Numbers.count(matrix.nonZeros()));
            console.printText(DirectDocument.table(row.results()).text());
            row.results().stream().filter(result -> result.failure() != null)
                    .forEach(result -> console.print("  note              %s: %s", result.solver(), result.failure()));
        } finally {
            others.forEach(DirectFactors::close);
        }
    }

    /** Says whether Trellis has failed. */
    boolean hasFailures() {
        return rows.stream().flatMap(row -> row.results().stream())
                .anyMatch(result -> result.solver().startsWith("trellis") && result.failure() != null);
    }

    void print() {
        console.printText(ratios().text());
        summary().forEach(line -> console.print("%s", line));
    }

    /** Adds the times of each matrix, and the ratios where there is something to compare with. */
    void addTo(TablesPage page) {
        rows.forEach(row -> page.add(row.name(), List.of(Numbers.count(row.matrix().rows()) + " rows, "
                + Numbers.count(row.matrix().nonZeros()) + " non-zeros"), DirectDocument.table(row.results())));
        if (!peers.isEmpty()) {
            page.add("Ratios", summary(), ratios());
        }
    }

    /** A row for each matrix. */
    private Table ratios() {
        Table table = new Table(Column.words("matrix").means("The matrix."),
                Column.of("rows", Format.COUNT).means("Its rows.").asMinor(),
                ratio("LU fill", "Entries of the factors over those of the peer with the fewest."),
                ratio("LL' fill", "The same of Cholesky factors."),
                ratio("analyse+factorise : klu", "Time over KLU's, from a structure that is not known."),
                ratio("refactorise : klu", "Time over KLU's for other values of a known structure."),
                ratio("solve : klu", "Time of a solution over KLU's."),
                ratio("32 sides : klu", "Time of 32 right-hand sides over KLU's."),
                ratio("LL' : cholmod", "Time of a Cholesky factorisation over CHOLMOD's."),
                ratio("LL' : ejml", "Time of analysis and Cholesky factorisation over EJML's."),
                ratio("error / n u", "Backward error after refinement, in rows times units of roundoff."));
        for (Row row : rows) {
            table.row(row.name(), row.matrix().rows(), real(row.luFill()), real(row.choleskyFill()),
                    real(row.ratio(TrellisFactors.NAME, "klu", 0, 1)), real(row.ratio(TrellisFactors.NAME, "klu", 2)),
                    real(row.ratio(TrellisFactors.NAME, "klu", 3)), real(row.ratio(TrellisFactors.NAME, "klu", 4)),
                    real(row.ratio(TrellisCholesky.NAME, "cholmod", 1)),
                    real(row.ratio(TrellisCholesky.NAME, "ejml cholesky", 0, 1)), real(row.error()));
        }
        return table;
    }

    private static Column ratio(String heading, String meaning) {
        return Column.of(heading, Format.WRITTEN).means(meaning);
    }

    /** What holds for all matrices together, a line each. */
    private List<String> summary() {
        List<String> lines = new ArrayList<>();
        long compared = rows.stream().filter(row -> row.luFill() > 0).count();
        if (compared > 0) {
            long good = rows.stream().filter(row -> row.luFill() <= MUCH_FILL).count();
            lines.add(String.format(Locale.ROOT, "LU fill at most %s of the least of the peers: %d of %d; geometric "
                    + "mean %s", MUCH_FILL, good, compared,
                    real(mean(rows.stream().mapToDouble(Row::luFill).toArray()))));
        }
        if (rows.stream().anyMatch(row -> row.ratio(TrellisFactors.NAME, "klu", 0, 1) > 0)) {
            lines.add("analysis and factorisation, geometric mean of the ratio to KLU's time: " + klu(0, 1)
                    + "; refactorisation " + klu(2) + ", solution " + klu(3) + ", 32 right-hand sides " + klu(4));
        }
        lines.add("backward error after refinement at most " + MOST_ERROR + " n u: "
                + rows.stream().filter(row -> row.error() <= MOST_ERROR).count() + " of " + rows.size());
        return lines;
    }

    private String klu(int... phases) {
        return real(mean(rows.stream().mapToDouble(row -> row.ratio(TrellisFactors.NAME, "klu", phases)).toArray()));
    }

    private static double mean(double[] ratios) {
        double sum = 0;
        int count = 0;
        for (double ratio : ratios) {
            if (ratio > 0 && Double.isFinite(ratio)) {
                sum += Math.log(ratio);
                count++;
            }
        }
        return count == 0 ? Double.NaN : Math.exp(sum / count);
    }

    private static String real(double value) {
        return Double.isNaN(value) || (value == 0 && Double.compare(value, 0.0) != 0)
                ? "-"
                : String.format(Locale.ROOT, value < 0.01 ? "%.0e" : "%.2f", value);
    }

    String toJson(Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-direct-comparison", provenance);
        root.put("rounds", rounds).put("clock", settings.processorTime() ? "processor" : "wall");
        ArrayNode all = root.putArray("matrices");
        for (Row row : rows) {
            ObjectNode node = all.addObject();
            node.put("matrix", row.name()).put("rows", row.matrix().rows()).put("nonZeros", row.matrix().nonZeros());
            DirectDocument.number(node, "luFill", row.luFill());
            DirectDocument.number(node, "choleskyFill", row.choleskyFill());
            ArrayNode solvers = node.putArray("solvers");
            row.results().forEach(result -> DirectDocument.put(solvers.addObject(), result));
        }
        return JsonReport.finish(root);
    }
}
