package org.trellis.bench.report.html;

import java.util.List;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.RunReport;
import org.trellis.common.Precision;

/**
 * The roofline plot (S. Williams, A. Waterman, D. Patterson, 2009): speed over arithmetic intensity, under the roofs
 * that the measured bandwidths and the measured peak put over it.
 */
final class RooflinePlot {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 460;
    private static final double MARGIN = 1.8;

    private final RunReport report;
    private final List<Measurement> measurements;
    private final LogAxis intensities;
    private final LogAxis speeds;
    private final Markup out;

    RooflinePlot(RunReport report, Markup out) {
        this.report = report;
        this.out = out;
        this.measurements = report.outcome().measurements().stream()
                .filter(measurement -> measurement.traffic().nonZeros() > 0).toList();
        Bandwidth best = report.bandwidths().getFirst();
        double least = measurements.stream().mapToDouble(m -> m.traffic().intensity()).min().orElse(0.1);
        double ridge = best.peakGflops() / best.triadGBs();
        double slowest = measurements.stream().mapToDouble(Measurement::gflops).min().orElse(0.1);
        double fastest = measurements.stream().mapToDouble(Measurement::gflops).max().orElse(1);
        this.intensities = new LogAxis(least / MARGIN, Math.max(ridge, 1) * MARGIN, 64, WIDTH - 24);
        this.speeds = new LogAxis(slowest / MARGIN, Math.max(best.peakGflops(), fastest) * MARGIN, HEIGHT - 52, 16);
    }

    void write() {
        out.open("div", "class", "scroll")
                .open("svg", "viewBox", "0 0 " + WIDTH + ' ' + HEIGHT, "class", "chart", "role", "img", "aria-label",
                        "Roofline plot")
                .line();
        axes();
        for (int i = report.bandwidths().size() - 1; i >= 0; i--) {
            roofs(report.bandwidths().get(i), i == 0);
        }
        measurements.forEach(this::point);
        out.close("svg").close("div").line();
    }

    private void axes() {
        for (double tick : intensities.ticks()) {
            String x = Figures.coordinate(intensities.at(tick));
            out.empty("line", "class", "grid", "x1", x, "x2", x, "y1", Figures.coordinate(speeds.to()), "y2",
                    Figures.coordinate(speeds.from()));
            out.element("text", shortLabel(tick), "x", x, "y", String.valueOf(HEIGHT - 34), "text-anchor", "middle");
        }
        for (double tick : speeds.ticks()) {
            String y = Figures.coordinate(speeds.at(tick));
            out.empty("line", "class", "grid", "x1", Figures.coordinate(intensities.from()), "x2",
                    Figures.coordinate(intensities.to()), "y1", y, "y2", y);
            out.element("text", shortLabel(tick), "x", "56", "y", y, "dy", "4", "text-anchor", "end");
        }
        out.element("text", "arithmetic intensity: flops for each byte that a product must move at least", "x",
                Figures.coordinate((intensities.from() + intensities.to()) / 2), "y", String.valueOf(HEIGHT - 8),
                "text-anchor", "middle");
        out.element("text", "GFLOP/s", "transform",
                "translate(14," + Figures.coordinate((speeds.from() + speeds.to()) / 2) + ") rotate(-90)",
                "text-anchor", "middle").line();
    }

    private static String shortLabel(double tick) {
        String text = Numbers.real(tick);
        return text.contains(".") && !text.contains("e") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    private void roofs(Bandwidth bandwidth, boolean main) {
        String style = main ? "roof" : "roof faint";
        String threads = bandwidth.threads() == 1 ? "1 thread" : bandwidth.threads() + " threads";
        roof(bandwidth.triadGBs(), bandwidth.peakGflops(), style, "triad " + Numbers.real(bandwidth.triadGBs())
                + " GB/s, " + threads, main ? 0.3 : 0.8, "17");
        if (main) {
            roof(bandwidth.readGBs(), bandwidth.peakGflops(), style + " dashed",
                    "read " + Numbers.real(bandwidth.readGBs()) + " GB/s, " + threads, 0.55, "-8");
        }
    }

    /** Labels sit at different shares of their roofs and on different sides, since these may almost coincide. */
    private void roof(double gigabytes, double peak, String style, String label, double share, String side) {
        double ridge = peak / gigabytes;
        double start = Math.max(intensities.low(), speeds.low() / gigabytes);
        double end = Math.min(ridge, intensities.high());
        String points = pair(start, start * gigabytes) + ' ' + pair(end, end * gigabytes)
                + (ridge < intensities.high() ? ' ' + pair(intensities.high(), peak) : "");
        out.empty("polyline", "class", style, "points", points);
        double where = start * Math.pow(end / start, share);
        double angle = -Math.toDegrees(Math.atan2(speeds.at(start * gigabytes) - speeds.at(end * gigabytes),
                intensities.at(end) - intensities.at(start)));
        out.element("text", label, "class", "rooflabel", "text-anchor", "middle", "dy", side,
                "transform",
                "translate(" + pair(where, where * gigabytes) + ") rotate(" + Figures.coordinate(angle) + ')');
        if (style.equals("roof") && ridge < intensities.high()) {
            out.element("text", "peak " + Numbers.real(peak) + " GFLOP/s", "class", "rooflabel", "text-anchor", "end",
                    "x", Figures.coordinate(intensities.to() - 4), "y", Figures.coordinate(speeds.at(peak) - 6));
        }
        out.line();
    }

    private String pair(double intensity, double speed) {
        return Figures.coordinate(intensities.at(intensity)) + ',' + Figures.coordinate(speeds.at(speed));
    }

    private void point(Measurement measurement) {
        double x = intensities.at(measurement.traffic().intensity());
        double y = speeds.at(measurement.gflops());
        String style = "dot " + Palette.classOf(measurement.backend());
        if (measurement.precision() == Precision.F64) {
            out.open("circle", "class", style, "cx", Figures.coordinate(x), "cy", Figures.coordinate(y), "r", "5");
        } else {
            out.open("rect", "class", style, "x", Figures.coordinate(x - 4.5), "y", Figures.coordinate(y - 4.5),
                    "width", "9", "height", "9");
        }
        out.element("title", measurement.matrix() + "\n" + Figures.contender(measurement) + "\n"
                + Numbers.real(measurement.gflops()) + " GFLOP/s at "
                + Numbers.real(measurement.traffic().intensity()) + " flop/byte");
        out.close(measurement.precision() == Precision.F64 ? "circle" : "rect").line();
    }
}
