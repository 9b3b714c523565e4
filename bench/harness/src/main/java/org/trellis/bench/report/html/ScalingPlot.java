package org.trellis.bench.report.html;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.report.Numbers;
import org.trellis.distributed.model.StepTimes;

/** Predicted times over the number of ranks, a curve for each number of rings, both axes logarithmic. */
final class ScalingPlot {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 400;
    private static final int LEFT = 72;
    private static final int RIGHT = WIDTH - 130;
    private static final int TOP = 16;
    private static final int BOTTOM = HEIGHT - 52;
    private static final int LINE = 18;
    private static final int COLOURS = 7;

    private final List<Scale> scales;
    private final Function<Scale, List<StepTimes>> steps;
    private final boolean weak;
    private final Markup out;
    private final LogAxis times;
    private final LogAxis ranks;

    /** Prepares a plot of one program; strong scaling shows what perfect scaling would be. */
    ScalingPlot(List<Scale> scales, Function<Scale, List<StepTimes>> steps, boolean weak, Markup out) {
        this.scales = scales;
        this.steps = steps;
        this.weak = weak;
        this.out = out;
        double[] all = scales.stream().flatMap(scale -> steps.apply(scale).stream())
                .mapToDouble(StepTimes::seconds).filter(seconds -> seconds > 0).sorted().toArray();
        this.times = all.length == 0
                ? new LogAxis(1, 10, BOTTOM, TOP)
                : new LogAxis(all[0] / 1.5, all[all.length - 1] * 1.5, BOTTOM, TOP);
        this.ranks = new LogAxis(scales.getFirst().ranks(), Math.max(2 * scales.getFirst().ranks(),
                scales.getLast().ranks()), LEFT + 10, RIGHT - 10);
    }

    void write(String name) {
        out.open("div", "class", "scroll").open("svg", "viewBox", "0 0 " + WIDTH + ' ' + HEIGHT, "class", "chart",
                "role", "img", "aria-label", name + ", predicted time over ranks").line();
        axes();
        List<StepTimes> first = steps.apply(scales.getFirst());
        for (int i = 0; i < first.size(); i++) {
            curve(i, first.get(i).rings());
        }
        ideal(first.getFirst().seconds());
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
        for (Scale scale : scales) {
            out.element("text", Numbers.count(scale.ranks()), "x", Figures.coordinate(ranks.at(scale.ranks())), "y",
                    String.valueOf(BOTTOM + 18), "text-anchor", "middle");
        }
        out.element("text", "ranks", "x", String.valueOf((LEFT + RIGHT) / 2), "y", String.valueOf(HEIGHT - 8),
                "text-anchor", "middle").line();
    }

    private void curve(int index, int rings) {
        String colour = "c" + (1 + index % COLOURS);
        String label = rings == 1 ? "1 ring" : rings + " rings";
        String points = scales.stream().map(scale -> point(scale.ranks(), steps.apply(scale).get(index).seconds()))
                .collect(Collectors.joining(" "));
        out.open("polyline", "class", "curve " + colour, "points", points).element("title", label).close("polyline");
        for (Scale scale : scales) {
            double seconds = steps.apply(scale).get(index).seconds();
            out.open("circle", "class", "dot " + colour, "r", "3.5", "cx",
                    Figures.coordinate(ranks.at(scale.ranks())), "cy", Figures.coordinate(times.at(seconds)))
                    .element("title", String.format(Locale.ROOT, "%s, %d ranks: %s", label, scale.ranks(),
                            Numbers.seconds(seconds)))
                    .close("circle");
        }
        out.open("g", "class", colour)
                .empty("circle", "class", "dot", "r", "5", "cx", String.valueOf(RIGHT + 20), "cy",
                        String.valueOf(TOP + (index + 1) * LINE - 4))
                .close("g");
        out.element("text", label, "x", String.valueOf(RIGHT + 32), "y", String.valueOf(TOP + (index + 1) * LINE))
                .line();
    }

    /** What the first number of ranks would become if nothing was lost. */
    private void ideal(double seconds) {
        int first = scales.getFirst().ranks();
        double factor = weak ? 1 : Math.min((double) scales.getLast().ranks() / first, seconds / times.low());
        double last = weak ? scales.getLast().ranks() : first * factor;
        out.open("polyline", "class", "roof dashed faint", "points",
                point(first, seconds) + ' ' + point(last, seconds / factor))
                .element("title", "if nothing was lost").close("polyline").line();
    }

    private String point(double x, double y) {
        return Figures.coordinate(ranks.at(x)) + ',' + Figures.coordinate(times.at(y));
    }
}
