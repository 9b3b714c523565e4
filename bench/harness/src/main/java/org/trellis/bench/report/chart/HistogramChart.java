package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.MatrixStatistics;

/** Histograms: of the row lengths of a matrix, and of the quality of elements. */
public final class HistogramChart {
    /** Counts that differ by more than this are shown on a logarithmic scale. */
    private static final double LARGE_RATIO = 50;
    private static final double MARGIN_FACTOR = 1.15;
    private static final double LEAST_COUNT = 0.7;
    private static final double GAP = 0.06;

    private HistogramChart() {}

    /**
     * Shows how many rows of a matrix have how many entries.
     *
     * @param matrix     the matrix
     * @param statistics its statistics
     * @param name       its name, for the title
     * @return the chart
     */
    public static Chart rowLengths(CsrMatrix matrix, MatrixStatistics statistics, String name) {
        RowLengthHistogram histogram = RowLengthHistogram.of(matrix.rowLengths());
        boolean logarithmic = histogram.largestCount() > LARGE_RATIO * histogram.smallestCount();
        Scale counts = logarithmic
                ? Scale.logarithmic(LEAST_COUNT, 3.0 * histogram.largestCount())
                : Scale.linear(0, MARGIN_FACTOR * Math.max(1, histogram.largestCount()));
        int shortest = histogram.shortest();
        Scale lengths = histogram.logarithmic()
                ? Scale.logarithmic(shortest == 0 ? 0.5 : shortest / 1.1, histogram.end())
                : Scale.linear(shortest - 0.5, histogram.end() - 0.5);
        List<Series> series = new ArrayList<>();
        series.add(Series.of("empty rows", Ink.FAINT, Look.BOXES, bars(histogram, lengths, counts, true)));
        series.add(Series.of("rows", Ink.C1, Look.BOXES, bars(histogram, lengths, counts, false)));
        double mean = Math.max(statistics.meanRowLength(), lengths.low());
        if (statistics.meanRowLength() > 0) {
            series.add(Series.of("mean", Ink.C3, Look.DASHED, new double[]{mean, mean},
                    new double[]{counts.low(), counts.high()}));
        }
        return Chart.of("Row lengths of " + name,
                Axis.of(histogram.logarithmic()
                        ? shortest > 0
                                ? "entries of a row (logarithmic)"
                                : "entries of a row (logarithmic; empty rows at the left)"
                        : "entries of a row", lengths).counting(),
                Axis.of(logarithmic ? "rows (logarithmic)" : "rows", counts),
                series.stream().filter(each -> !each.marks().isEmpty()).toList())
                .subtitled(String.format(Locale.ROOT,
                        "mean %.2f, standard deviation %.2f, from %,d to %,d, %,d empty rows",
                        statistics.meanRowLength(), statistics.rowLengthDeviation(), statistics.minimumRowLength(),
                        statistics.maximumRowLength(), statistics.emptyRows()));
    }

    private static List<Mark> bars(RowLengthHistogram histogram, Scale lengths, Scale counts, boolean empty) {
        double shift = histogram.logarithmic() ? 0 : 0.5;
        double gap = histogram.logarithmic() ? 0 : GAP;
        return histogram.bins().stream()
                .filter(bin -> bin.rows() > 0 && (bin.from() == 0 && bin.to() == 1) == empty)
                .map(bin -> new Mark(Math.max(lengths.low(), bin.from() - shift + gap), bin.to() - shift - gap,
                        counts.low(), bin.rows(), ""))
                .toList();
    }

    /**
     * Shows the quality of elements before and after an adaptation, in shares of their number.
     *
     * @param before counts of elements with a quality from 0 to 1, in equal parts
     * @param after  the same of the mesh afterwards, as many parts
     * @param name   what it is, for the title
     * @return the chart
     */
    public static Chart qualities(int[] before, int[] after, String name) {
        double first = Math.max(1, Arrays.stream(before).sum());
        double second = Math.max(1, Arrays.stream(after).sum());
        double most = Math.max(Arrays.stream(before).max().orElse(0) / first,
                Arrays.stream(after).max().orElse(0) / second);
        return Chart.of("Quality: " + name, Axis.of("quality", Scale.linear(0, 1)),
                Axis.of("elements, per cent", Scale.linear(0, 100 * MARGIN_FACTOR * most)),
                List.of(qualities("before", Ink.FAINT, before, first, 0),
                        qualities("after", Ink.C1, after, second, 1)))
                .subtitled(String.format(Locale.ROOT, "%,.0f elements before, %,.0f after", first, second));
    }

    private static Series qualities(String name, Ink ink, int[] counts, double total, int place) {
        double part = 1.0 / counts.length;
        return Series.of(name, ink, Look.BOXES, IntStream.range(0, counts.length).filter(i -> counts[i] > 0)
                .mapToObj(i -> new Mark((i + 0.08 + 0.43 * place) * part, (i + 0.48 + 0.43 * place) * part, 0,
                        100 * counts[i] / total, ""))
                .toList());
    }
}
