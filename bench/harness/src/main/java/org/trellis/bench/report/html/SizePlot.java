package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Way;

/** Times over the size of matrices, with one ring and the best number, both axes logarithmic. */
final class SizePlot {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 420;
    private static final int LEFT = 72;
    private static final int RIGHT = WIDTH - 200;
    private static final int TOP = 16;
    private static final int BOTTOM = HEIGHT - 52;
    private static final int LINE = 18;
    private static final int COLOURS = 7;
    private static final double ROOM = 1.5;

    private final Map<String, List<Point>> curves = new LinkedHashMap<>();
    private final Markup out;
    private final LogAxis times;
    private final LogAxis sizes;

    /** A measurement. */
    private record Point(double nonZeros, double seconds) {}

    SizePlot(List<Case> cases, Markup out) {
        this.out = out;
        for (Case each : cases) {
            each.plain().ifPresent(way -> add(each, each.ways().size() > 1 ? ", 1 ring" : "", way));
            each.best().filter(way -> each.ways().size() > 1).ifPresent(way -> add(each, ", best rings", way));
        }
        curves.values().forEach(points -> points.sort((a, b) -> Double.compare(a.nonZeros, b.nonZeros)));
        double[] seconds = curves.values().stream().flatMap(List::stream)
                .mapToDouble(Point::seconds).filter(value -> value > 0).sorted().toArray();
        double[] entries = curves.values().stream().flatMap(List::stream).mapToDouble(Point::nonZeros).sorted()
                .toArray();
        this.times = new LogAxis(seconds[0] / ROOM, seconds[seconds.length - 1] * ROOM, BOTTOM, TOP);
        this.sizes = new LogAxis(entries[0] / ROOM, entries[entries.length - 1] * ROOM, LEFT, RIGHT);
    }

    private void add(Case each, String rings, Way way) {
        curves.computeIfAbsent((each.ranks() == 1 ? "1 rank" : each.ranks() + " ranks") + rings,
                key -> new ArrayList<>())
                .add(new Point(each.nonZeros(), way.seconds()));
    }

    void write(String name) {
        out.open("div", "class", "scroll").open("svg", "viewBox", "0 0 " + WIDTH + ' ' + HEIGHT, "class", "chart",
                "role", "img", "aria-label", name + ", time over size").line();
        axes();
        int index = 0;
        for (Map.Entry<String, List<Point>> curve : curves.entrySet()) {
            curve(index++, curve.getKey(), curve.getValue());
        }
        out.close("svg").close("div").line();
    }

    private void axes() {
        for (double tick : times.ticks()) {
            String y = Figures.coordinate(times.at(tick));
            out.empty("line", "class", "grid", "x1", String.valueOf(LEFT), "x2", String.valueOf(RIGHT), "y1", y, "y2",
                    y);
            out.element("text", Numbers.seconds(tick), "x", String.valueOf(LEFT - 8), "y", y, "dy", "4", "text-anchor",
                    "end");
        }
        for (double tick : sizes.ticks()) {
            out.element("text", Numbers.count(Math.round(tick)), "x", Figures.coordinate(sizes.at(tick)), "y",
                    String.valueOf(BOTTOM + 18), "text-anchor", "middle");
        }
        out.element("text", "non-zeros", "x", String.valueOf((LEFT + RIGHT) / 2), "y", String.valueOf(HEIGHT - 8),
                "text-anchor", "middle").line();
    }

    private void curve(int index, String label, List<Point> points) {
        String colour = "c" + (1 + index % COLOURS);
        out.open("polyline", "class", "curve " + colour, "points",
                points.stream().map(point -> at(point.nonZeros, point.seconds)).collect(Collectors.joining(" ")))
                .element("title", label).close("polyline");
        for (Point point : points) {
            out.open("circle", "class", "dot " + colour, "r", "3.5", "cx",
                    Figures.coordinate(sizes.at(point.nonZeros)), "cy", Figures.coordinate(times.at(point.seconds)))
                    .element("title", label + ", " + Numbers.count(Math.round(point.nonZeros)) + " non-zeros: "
                            + Numbers.seconds(point.seconds))
                    .close("circle");
        }
        String y = String.valueOf(TOP + (index + 1) * LINE);
        out.open("g", "class", colour).empty("circle", "class", "dot", "r", "5", "cx", String.valueOf(RIGHT + 20), "cy",
                String.valueOf(TOP + (index + 1) * LINE - 4)).close("g");
        out.element("text", label, "x", String.valueOf(RIGHT + 32), "y", y).line();
    }

    private String at(double nonZeros, double seconds) {
        return Figures.coordinate(sizes.at(nonZeros)) + ',' + Figures.coordinate(times.at(seconds));
    }
}
