package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.report.ContenderNames;
import org.trellis.bench.report.Numbers;

/** The contenders of a matrix, fastest first: a bar for the speed, and beside it samples, quartiles and median. */
public final class SamplesChart {
    private static final int MOST_DOTS = 60;
    private static final int LONGEST_LABEL = 50;
    private static final double MARGIN_FACTOR = 1.15;
    private static final double ROOM_FOR_NUMBERS = 1.25;
    private static final double BOX = 0.28;
    private static final double PALE = 0.3;
    private static final double MEDIAN = 0.35;
    /** The share of the axis that the line of a median is wide. */
    private static final double LINE = 0.003;
    /** A fixed pattern of heights keeps samples of one time apart. */
    private static final int PATTERN = 11;
    private static final double SHIFT = 0.045;

    private SamplesChart() {}

    /**
     * Shows the measurements of a matrix.
     *
     * @param measurements the measurements, at least one
     * @return the chart
     */
    public static Chart of(List<Measurement> measurements) {
        List<Measurement> sorted = measurements.stream()
                .sorted(Comparator.comparingDouble(measurement -> measurement.statistics().median())).toList();
        double fastest = sorted.stream().mapToDouble(Measurement::gflops).max().orElse(1);
        double shortest = sorted.stream().mapToDouble(m -> m.statistics().minimum()).min().orElse(1e-6);
        double longest = sorted.stream().mapToDouble(m -> m.statistics().maximum()).max().orElse(1);
        Axis speeds = Axis.of("GFLOP/s at the median", Scale.linear(0, fastest * ROOM_FOR_NUMBERS));
        Axis times = Axis.of("time of one product: samples, quartiles, median",
                Scale.logarithmic(shortest / MARGIN_FACTOR, longest * MARGIN_FACTOR)).labelled(Numbers::briefSeconds);
        return new Chart("Speed and samples of each contender", "",
                Axis.rows("", sorted.stream().map(SamplesChart::label).toList()),
                List.of(new Chart.Panel(speeds, speeds(sorted), 2),
                        new Chart.Panel(times, times(sorted, times.scale()), 3)));
    }

    private static String label(Measurement measurement) {
        String label = ContenderNames.name(measurement);
        return label.length() > LONGEST_LABEL ? label.substring(0, LONGEST_LABEL - 1) + '…' : label;
    }

    private static List<Series> speeds(List<Measurement> sorted) {
        List<Series> series = new ArrayList<>(series(sorted, Look.BOXES, 1,
                row -> List.of(Mark.bar(row, 0, sorted.get(row).gflops(), ContenderNames.name(sorted.get(row))))));
        series.add(Series.of("", Ink.TEXT, Look.TEXT, IntStream.range(0, sorted.size())
                .mapToObj(row -> Mark.point(sorted.get(row).gflops(), row, Numbers.real(sorted.get(row).gflops())))
                .toList()));
        return series;
    }

    private static List<Series> times(List<Measurement> sorted, Scale scale) {
        List<Series> series = new ArrayList<>(series(sorted, Look.BOXES, PALE, row -> {
            SampleStatistics own = sorted.get(row).statistics();
            return List.of(new Mark(own.lowerQuartile(), own.upperQuartile(), row - BOX, row + BOX, ""));
        }));
        series.addAll(series(sorted, Look.SAMPLES, 1, row -> samples(sorted.get(row), row)));
        double half = Math.pow(scale.high() / scale.low(), LINE / 2);
        series.add(Series.of("", Ink.TEXT, Look.BOXES, IntStream.range(0, sorted.size()).mapToObj(row -> {
            double median = sorted.get(row).statistics().median();
            return new Mark(median / half, median * half, row - MEDIAN, row + MEDIAN, Numbers.seconds(median));
        }).toList()));
        return series;
    }

    private static List<Mark> samples(Measurement measurement, int row) {
        double[] samples = measurement.samples();
        int step = Math.max(1, samples.length / MOST_DOTS);
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < samples.length; i += step) {
            double shift = (i / step * 7 % PATTERN - PATTERN / 2) * SHIFT;
            marks.add(Mark.point(samples[i], row + shift, ""));
        }
        return marks;
    }

    /** A series for each colour, of the marks of the rows that have it. */
    private static List<Series> series(List<Measurement> sorted, Look look, double opacity,
            IntFunction<List<Mark>> marksOf) {
        List<Series> series = new ArrayList<>();
        for (Ink ink : Ink.values()) {
            List<Mark> marks = IntStream.range(0, sorted.size())
                    .filter(row -> Palette.inkOf(sorted.get(row).backend()) == ink).boxed()
                    .flatMap(row -> marksOf.apply(row).stream()).toList();
            if (!marks.isEmpty()) {
                series.add(Series.of("", ink, look, marks).withOpacity(opacity));
            }
        }
        return series;
    }
}
