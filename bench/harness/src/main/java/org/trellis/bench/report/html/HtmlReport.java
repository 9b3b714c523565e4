package org.trellis.bench.report.html;

import java.util.Comparator;
import java.util.List;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.Failure;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.ContenderNames;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.MatrixFacts;
import org.trellis.bench.report.MeasurementTable;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.RunReport;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.RooflineChart;
import org.trellis.bench.report.chart.SamplesChart;
import org.trellis.bench.text.Markup;
import org.trellis.sparse.MatrixStatistics;

/** The report of a run of products for a browser. It needs no network and stores nothing. */
public final class HtmlReport {
    private static final String ROOFLINE_NOTE = """
            Each point is a contender on a matrix (circles double, squares single precision; rest the mouse on \
            one for its name). The slanted roofs are the bandwidths measured in this run; points above them are \
            products whose data stay in caches. The flat roof is the measured peak in double precision.""";

    private final RunReport report;
    private final Markup out;

    private HtmlReport(RunReport report, Markup out) {
        this.report = report;
        this.out = out;
    }

    /**
     * Writes a run as HTML.
     *
     * @param report the run
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(RunReport report) {
        return HtmlPage.of("Sparse products, " + report.provenance().date(),
                out -> new HtmlReport(report, out).body());
    }

    private void body() {
        header();
        out.open("main");
        failures();
        if (!report.outcome().measurements().isEmpty()) {
            new OverviewTable(report, out).write();
            roofline();
            matrices();
            measurements();
        }
        facts();
        new MethodSection(report, out).write();
        out.close("main").line();
    }

    private void header() {
        Bandwidth bandwidth = report.bandwidths().getFirst();
        out.open("header").element("h1", "Sparse matrix-vector products");
        out.element("p", report.provenance().machine().processor() + ", " + bandwidth.threads()
                + (bandwidth.threads() == 1 ? " thread" : " threads") + " · "
                + HtmlPage.origin(report.provenance()));
        out.open("div", "class", "cards");
        HtmlPage.card(out, Numbers.real(bandwidth.triadGBs()) + " GB/s", "triad bandwidth");
        HtmlPage.card(out, Numbers.real(bandwidth.readGBs()) + " GB/s", "read bandwidth");
        HtmlPage.card(out, Numbers.real(bandwidth.peakGflops()) + " GFLOP/s", "peak of multiply-adds");
        HtmlPage.card(out, String.valueOf(report.matrices().size()),
                report.matrices().size() == 1 ? "matrix" : "matrices");
        HtmlPage.card(out, String.valueOf(report.outcome().measurements().size()), "measurements");
        HtmlPage.card(out, String.valueOf(report.outcome().failures().size()), "failures");
        out.close("div").close("header").line();
    }

    private void failures() {
        List<Failure> failures = report.outcome().failures();
        if (failures.isEmpty()) {
            return;
        }
        out.open("section", "class", "failures").element("h2", "Failures").open("ul");
        for (Failure failure : failures) {
            out.open("li").element("strong", failure.matrix());
            if (!failure.backend().isEmpty()) {
                out.text(", " + failure.backend() + ' ' + ContenderNames.parameters(failure.parameters()) + ' '
                        + failure.precision());
            }
            out.text(" (" + failure.stage() + "): " + failure.message()).close("li").line();
        }
        out.close("ul").close("section").line();
    }

    private void roofline() {
        out.open("section").element("h2", "Roofline");
        RooflineChart.of(report).writeTo(out);
        out.element("p",
                ROOFLINE_NOTE,
                "class", "note");
        out.close("section").line();
    }

    private void matrices() {
        out.open("section").element("h2", "Contenders on each matrix");
        boolean first = true;
        for (MatrixFacts facts : report.matrices()) {
            List<Measurement> own = report.outcome().measurements().stream()
                    .filter(measurement -> measurement.matrix().equals(facts.name())).toList();
            if (!own.isEmpty()) {
                matrix(facts, own, first || report.matrices().size() <= 12);
                first = false;
            }
        }
        out.close("section").line();
    }

    private void matrix(MatrixFacts facts, List<Measurement> own, boolean open) {
        MatrixStatistics statistics = facts.statistics();
        if (open) {
            out.open("details", "open", "open");
        } else {
            out.open("details");
        }
        out.open("summary").element("strong", facts.name()).text(" " + Numbers.count(statistics.rows()) + " × "
                + Numbers.count(statistics.columns()) + ", " + Numbers.count(statistics.nonZeros())
                + " non-zeros, " + Numbers.real(statistics.meanRowLength()) + " ± "
                + Numbers.real(statistics.rowLengthDeviation()) + " in a row").close("summary").line();
        SamplesChart.of(own).writeTo(out);
        out.close("details").line();
    }

    private void measurements() {
        out.open("section").element("h2", "All measurements");
        HtmlPage.filter(out, "simd f64");
        List<Measurement> sorted = report.matrices().stream().flatMap(facts -> report.outcome().measurements().stream()
                .filter(measurement -> measurement.matrix().equals(facts.name()))
                .sorted(Comparator.comparingDouble(measurement -> measurement.statistics().median()))).toList();
        PageTable.sortable(MeasurementTable.of(sorted, report::bandwidthShare), out);
        out.close("section").line();
    }

    private void facts() {
        out.open("section").element("h2", "Matrices");
        Table table = new Table(Column.words("matrix").means("Name of the matrix."),
                Column.of("rows", Format.COUNT).means("Number of rows."),
                Column.of("columns", Format.COUNT).means("Number of columns."),
                Column.of("non-zeros", Format.COUNT).means("Number of entries, explicit zeros among them."),
                Column.of("mean", Format.REAL).means("Mean row length."),
                Column.of("deviation", Format.REAL).means("Standard deviation of the row lengths.").asMinor(),
                Column.of("longest", Format.COUNT).means("Length of the longest row."),
                Column.of("empty", Format.COUNT).means("Rows without entries.").asMinor(),
                Column.of("bandwidth", Format.COUNT).means("Largest distance of an entry from the diagonal.").asMinor(),
                Column.words("symmetry").asMinor()
                        .means("Whether the matrix, or only its pattern, equals that of its transpose."),
                Column.words("from").means("Where it comes from.").asMinor());
        for (MatrixFacts facts : report.matrices()) {
            MatrixStatistics statistics = facts.statistics();
            table.row(facts.name(), statistics.rows(), statistics.columns(), statistics.nonZeros(),
                    statistics.meanRowLength(), statistics.rowLengthDeviation(), statistics.maximumRowLength(),
                    statistics.emptyRows(), Math.max(statistics.lowerBandwidth(), statistics.upperBandwidth()),
                    statistics.symmetric() ? "symmetric" : statistics.patternSymmetric() ? "pattern" : "none",
                    facts.origin());
        }
        PageTable.sortable(table, out);
        out.close("section").line();
    }
}
