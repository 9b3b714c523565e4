package org.trellis.bench.report.html;

import java.util.Comparator;
import java.util.List;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.report.Numbers;

/** The contenders of a matrix, fastest first: a bar for the speed, and beside it all samples with their quartiles. */
final class MatrixChart {
    private static final int WIDTH = 1080;
    private static final int ROW = 26;
    private static final int HEAD = 26;
    private static final int FOOT = 30;
    private static final int BARS_FROM = 360;
    private static final int BARS_TO = 600;
    private static final int STRIPS_FROM = 700;
    private static final int STRIPS_TO = WIDTH - 16;
    private static final int MOST_DOTS = 150;
    private static final int LONGEST_LABEL = 50;

    private final List<Measurement> sorted;
    private final double fastest;
    private final LogAxis times;
    private final Markup out;

    MatrixChart(List<Measurement> measurements, Markup out) {
        this.out = out;
        this.sorted = measurements.stream()
                .sorted(Comparator.comparingDouble(measurement -> measurement.statistics().median())).toList();
        this.fastest = sorted.stream().mapToDouble(Measurement::gflops).max().orElse(1);
        double shortest = sorted.stream().mapToDouble(m -> m.statistics().minimum()).min().orElse(1e-6);
        double longest = sorted.stream().mapToDouble(m -> m.statistics().maximum()).max().orElse(1);
        this.times = new LogAxis(shortest / 1.15, longest * 1.15, STRIPS_FROM, STRIPS_TO);
    }

    void write() {
        int height = HEAD + ROW * sorted.size() + FOOT;
        out.open("div", "class", "scroll")
                .open("svg", "viewBox", "0 0 " + WIDTH + ' ' + height, "class", "chart", "role", "img", "aria-label",
                        "Speed and samples of each contender")
                .line();
        out.element("text", "GFLOP/s at the median", "x", String.valueOf(BARS_FROM), "y", "14", "class", "head");
        out.element("text", "time of one product: samples, quartiles, median", "x", String.valueOf(STRIPS_FROM), "y",
                "14", "class", "head");
        ticks(height);
        for (int i = 0; i < sorted.size(); i++) {
            row(sorted.get(i), HEAD + i * ROW);
        }
        out.close("svg").close("div").line();
    }

    private void ticks(int height) {
        for (double tick : times.ticks()) {
            String x = Figures.coordinate(times.at(tick));
            out.empty("line", "class", "grid", "x1", x, "x2", x, "y1", String.valueOf(HEAD - 4), "y2",
                    String.valueOf(height - FOOT + 4));
            out.element("text", brief(tick), "x", x, "y", String.valueOf(height - 10), "text-anchor", "middle");
        }
        out.line();
    }

    private static String brief(double seconds) {
        return Numbers.seconds(seconds).replaceAll("\\.0+ ", " ");
    }

    private void row(Measurement measurement, int top) {
        String style = Palette.classOf(measurement.backend());
        double middle = top + ROW / 2.0;
        String label = Figures.contender(measurement);
        out.open("text", "x", String.valueOf(BARS_FROM - 10), "y", Figures.coordinate(middle + 4), "text-anchor",
                "end");
        out.text(label.length() > LONGEST_LABEL ? label.substring(0, LONGEST_LABEL - 1) + '…' : label);
        out.element("title", label);
        out.close("text");
        double width = (BARS_TO - BARS_FROM) * measurement.gflops() / fastest;
        out.empty("rect", "class", "bar " + style, "x", String.valueOf(BARS_FROM), "y", String.valueOf(top + 5),
                "width", Figures.coordinate(Math.max(1, width)), "height", String.valueOf(ROW - 10), "rx", "2");
        out.element("text", Numbers.real(measurement.gflops()), "x", Figures.coordinate(BARS_FROM + width + 6), "y",
                Figures.coordinate(middle + 4), "class", "value");
        strip(measurement, middle, style);
        out.line();
    }

    private void strip(Measurement measurement, double middle, String style) {
        SampleStatistics statistics = measurement.statistics();
        double from = times.at(statistics.lowerQuartile());
        double to = times.at(statistics.upperQuartile());
        out.empty("rect", "class", "box " + style, "x", Figures.coordinate(from), "y", Figures.coordinate(middle - 7),
                "width", Figures.coordinate(Math.max(1, to - from)), "height", "14", "rx", "2");
        double[] samples = measurement.samples();
        int step = Math.max(1, samples.length / MOST_DOTS);
        for (int i = 0; i < samples.length; i += step) {
            // A fixed pattern of heights keeps samples of one time apart.
            double shift = (i / step * 7 % 11 - 5) * 0.9;
            out.empty("circle", "class", "sample " + style, "cx", Figures.coordinate(times.at(samples[i])), "cy",
                    Figures.coordinate(middle + shift), "r", "1.6");
        }
        String median = Figures.coordinate(times.at(statistics.median()));
        out.empty("line", "class", "median", "x1", median, "x2", median, "y1", Figures.coordinate(middle - 9), "y2",
                Figures.coordinate(middle + 9));
    }
}
