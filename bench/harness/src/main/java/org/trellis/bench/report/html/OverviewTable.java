package org.trellis.bench.report.html;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.report.ContenderNames;
import org.trellis.bench.report.MatrixFacts;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.RunReport;
import org.trellis.bench.report.chart.Palette;
import org.trellis.bench.text.Markup;
import org.trellis.common.Precision;

/** The best of each backend on each matrix, one table a precision, with geometric means. */
final class OverviewTable {
    private final RunReport report;
    private final Markup out;

    OverviewTable(RunReport report, Markup out) {
        this.report = report;
        this.out = out;
    }

    void write() {
        out.open("section").element("h2", "The best of each");
        for (Precision precision : List.of(Precision.F64, Precision.F32)) {
            List<Measurement> own = report.outcome().measurements().stream()
                    .filter(measurement -> measurement.precision() == precision).toList();
            if (!own.isEmpty()) {
                table(precision, own);
            }
        }
        out.element("p", "GFLOP/s at the median time of the fastest variant or set of parameters of each backend and "
                + "library; the fastest on each matrix is marked. The last row has geometric means over the matrices "
                + "that all of them multiplied.", "class", "note");
        out.close("section").line();
    }

    private void table(Precision precision, List<Measurement> own) {
        Set<String> backends = own.stream().map(Measurement::backend).distinct()
                .sorted(Comparator.comparingDouble((String backend) -> -mean(backend, own)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        out.element("h3", precision == Precision.F64 ? "Double precision" : "Single precision");
        out.open("div", "class", "scroll").open("table", "class", "overview").open("thead").open("tr")
                .element("th", "matrix", "scope", "col");
        for (String backend : backends) {
            out.open("th", "scope", "col").element("span", "", "class", "key " + Palette.inkOf(backend).variable())
                    .text(backend).close("th");
        }
        out.close("tr").close("thead").line().open("tbody");
        for (MatrixFacts facts : report.matrices()) {
            row(facts.name(), backends, own);
        }
        means(backends, own);
        out.close("tbody").close("table").close("div").line();
    }

    /** The geometric mean over the matrices that a backend multiplied, for the order of the columns. */
    private double mean(String backend, List<Measurement> own) {
        return Math.exp(report.matrices().stream().map(facts -> best(facts.name(), backend, own))
                .flatMap(Optional::stream).mapToDouble(Measurement::gflops).filter(speed -> speed > 0).map(Math::log)
                .average().orElse(Double.NEGATIVE_INFINITY));
    }

    private void row(String matrix, Set<String> backends, List<Measurement> own) {
        double fastest = own.stream().filter(measurement -> measurement.matrix().equals(matrix))
                .mapToDouble(Measurement::gflops).max().orElse(0);
        out.open("tr").open("th", "scope", "row").breakable(matrix).close("th");
        for (String backend : backends) {
            Optional<Measurement> best = best(matrix, backend, own);
            if (best.isEmpty()) {
                out.element("td", "–", "class", "number");
            } else {
                cell(best.get(), fastest);
            }
        }
        out.close("tr").line();
    }

    private void cell(Measurement best, double fastest) {
        double share = fastest == 0 ? 0 : best.gflops() / fastest;
        out.open("td", "class", share == 1 ? "number best" : "number", "title",
                ContenderNames.name(best) + ", " + Numbers.seconds(best.statistics().median()));
        out.element("span", "", "class", "meter " + Palette.inkOf(best.backend()).variable(), "style",
                "width:" + Figures.coordinate(100 * share) + "%");
        out.element("b", Numbers.real(best.gflops())).close("td");
    }

    private void means(Set<String> backends, List<Measurement> own) {
        List<String> common = report.matrices().stream().map(MatrixFacts::name).distinct()
                .filter(matrix -> backends.stream().allMatch(backend -> best(matrix, backend, own)
                        .filter(measurement -> measurement.gflops() > 0).isPresent()))
                .toList();
        if (common.size() < 2) {
            return;
        }
        out.open("tr", "class", "mean").element("th", "geometric mean of " + common.size(), "scope", "row");
        for (String backend : backends) {
            double logarithms = common.stream()
                    .mapToDouble(matrix -> Math.log(best(matrix, backend, own).orElseThrow().gflops())).sum();
            out.element("td", Numbers.real(Math.exp(logarithms / common.size())), "class", "number");
        }
        out.close("tr").line();
    }

    private static Optional<Measurement> best(String matrix, String backend, List<Measurement> own) {
        return own.stream()
                .filter(measurement -> measurement.matrix().equals(matrix) && measurement.backend().equals(backend))
                .max(Comparator.comparingDouble(Measurement::gflops));
    }
}
