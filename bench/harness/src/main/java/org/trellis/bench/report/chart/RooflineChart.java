package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.report.ContenderNames;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.RunReport;
import org.trellis.common.Precision;

/**
 * The roofline plot (S. Williams, A. Waterman, D. Patterson, 2009): speed over arithmetic intensity, under the roofs
 * that the measured bandwidths and the measured peak put over it.
 */
public final class RooflineChart {
    private static final double MARGIN = 1.8;
    private static final double FAINT = 0.5;
    private static final double DOTS = 0.75;

    private RooflineChart() {}

    /**
     * Shows a run of products.
     *
     * @param report the run
     * @return the chart; circles are products in double, squares in single precision
     */
    public static Chart of(RunReport report) {
        List<Measurement> measurements = report.outcome().measurements().stream()
                .filter(measurement -> measurement.traffic().nonZeros() > 0).toList();
        Bandwidth best = report.bandwidths().getFirst();
        double least = measurements.stream().mapToDouble(m -> m.traffic().intensity()).min().orElse(0.1);
        double ridge = best.peakGflops() / best.triadGBs();
        double slowest = measurements.stream().mapToDouble(Measurement::gflops).min().orElse(0.1);
        double fastest = measurements.stream().mapToDouble(Measurement::gflops).max().orElse(1);
        Scale intensities = Scale.logarithmic(least / MARGIN, Math.max(ridge, 1) * MARGIN);
        Scale speeds = Scale.logarithmic(slowest / MARGIN, Math.max(best.peakGflops(), fastest) * MARGIN);
        List<Series> series = new ArrayList<>();
        for (int i = report.bandwidths().size() - 1; i >= 0; i--) {
            roofs(report.bandwidths().get(i), i == 0, intensities, speeds, series);
        }
        points(measurements, series);
        return Chart.of("Roofline plot", Axis.of("arithmetic intensity, flop/byte of least traffic", intensities),
                Axis.of("GFLOP/s", speeds), series);
    }

    private static void roofs(Bandwidth bandwidth, boolean main, Scale intensities, Scale speeds,
            List<Series> series) {
        String threads = bandwidth.threads() == 1 ? "1 thread" : bandwidth.threads() + " threads";
        series.add(roof("triad " + Numbers.real(bandwidth.triadGBs()) + " GB/s, peak "
                + Numbers.real(bandwidth.peakGflops()) + " GFLOP/s, " + threads, Series.Look.LINE,
                bandwidth.triadGBs(), bandwidth.peakGflops(), intensities, speeds).withOpacity(main ? 1 : FAINT));
        if (main) {
            series.add(roof("read " + Numbers.real(bandwidth.readGBs()) + " GB/s, " + threads, Series.Look.DASHED,
                    bandwidth.readGBs(), bandwidth.peakGflops(), intensities, speeds));
        }
    }

    /** Up along the bandwidth, then level along the peak. */
    private static Series roof(String name, Series.Look look, double gigabytes, double peak, Scale intensities,
            Scale speeds) {
        double ridge = peak / gigabytes;
        double start = Math.max(intensities.low(), speeds.low() / gigabytes);
        double end = Math.min(ridge, intensities.high());
        List<Mark> marks = new ArrayList<>();
        marks.add(Mark.point(start, start * gigabytes, ""));
        marks.add(Mark.point(end, end * gigabytes, ""));
        if (ridge < intensities.high()) {
            marks.add(Mark.point(intensities.high(), peak, ""));
        }
        return Series.of(name, Ink.TEXT, look, marks);
    }

    private static void points(List<Measurement> measurements, List<Series> series) {
        Map<String, Map<Precision, List<Mark>>> points = new LinkedHashMap<>();
        for (Measurement measurement : measurements) {
            points.computeIfAbsent(measurement.backend(), key -> new LinkedHashMap<>())
                    .computeIfAbsent(measurement.precision(), key -> new ArrayList<>())
                    .add(Mark.point(measurement.traffic().intensity(), measurement.gflops(), words(measurement)));
        }
        points.forEach((backend, own) -> own.forEach((precision, marks) -> {
            boolean first = precision == own.keySet().iterator().next();
            series.add(Series.of(first ? backend : "", Palette.inkOf(backend),
                    precision == Precision.F64 ? Series.Look.DOTS : Series.Look.SQUARES, marks).withOpacity(DOTS));
        }));
    }

    private static String words(Measurement measurement) {
        return measurement.matrix() + "\n" + ContenderNames.name(measurement) + "\n"
                + Numbers.real(measurement.gflops())
                + " GFLOP/s at " + Numbers.real(measurement.traffic().intensity()) + " flop/byte";
    }
}
