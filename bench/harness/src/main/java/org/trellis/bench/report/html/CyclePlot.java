package org.trellis.bench.report.html;

import java.util.List;
import java.util.Locale;
import org.trellis.bench.report.Numbers;
import org.trellis.solve.multigrid.MultigridReport;

/** A cycle of multigrid: in which order it comes to the levels, and how long it is on each. */
final class CyclePlot {
    private static final int WIDTH = 940;
    private static final int ROW = 34;
    private static final int TOP = 24;
    private static final int LEFT = 96;
    private static final int PATH = 480;
    private static final int BARS = PATH + 40;
    private static final int LONGEST = 250;
    private static final int RADIUS = 5;
    /** More visits than these are a line without dots. */
    private static final int MOST_DOTS = 80;

    private final MultigridReport report;
    private final Markup out;

    CyclePlot(MultigridReport report, Markup out) {
        this.report = report;
        this.out = out;
    }

    void write() {
        int height = TOP + ROW * report.levels().size() + 16;
        out.open("svg", "viewBox", "0 0 " + WIDTH + ' ' + height, "class", "chart", "role", "img", "aria-label",
                "A cycle with the time of each level").line();
        for (int level = 0; level < report.levels().size(); level++) {
            row(level);
        }
        path();
        out.close("svg").line();
    }

    private static double y(int level) {
        return TOP + ROW * level;
    }

    private void row(int level) {
        MultigridReport.Level one = report.levels().get(level);
        double most = report.levels().stream().mapToDouble(MultigridReport.Level::seconds).max().orElse(1);
        String y = Figures.coordinate(y(level));
        out.empty("line", "class", "grid", "x1", String.valueOf(LEFT), "x2", String.valueOf(PATH), "y1", y, "y2", y);
        out.element("text", Numbers.count(one.rows()), "x", String.valueOf(LEFT - 8), "y", y, "dy", "4",
                "text-anchor", "end");
        double length = most > 0 ? one.seconds() / most * LONGEST : 0;
        out.empty("rect", "class", "c0", "fill", "currentColor", "x", String.valueOf(BARS), "y",
                Figures.coordinate(y(level) - ROW / 4.0), "width", Figures.coordinate(length), "height",
                Figures.coordinate(ROW / 2.0));
        double share = report.cycleSeconds() > 0 ? one.seconds() / report.cycleSeconds() : 0;
        out.element("text", Numbers.seconds(one.seconds()) + String.format(Locale.ROOT, ", %.0f %%", share * 100), "x",
                Figures.coordinate(BARS + length + 8), "y", y, "dy", "4").line();
    }

    private void path() {
        List<Integer> visits = report.visits();
        double step = (double) (PATH - LEFT - 4 * RADIUS) / Math.max(1, visits.size() - 1);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < visits.size(); i++) {
            points.append(i == 0 ? "" : " ").append(Figures.coordinate(LEFT + 2 * RADIUS + i * step)).append(',')
                    .append(Figures.coordinate(y(visits.get(i))));
        }
        out.empty("polyline", "class", "c1", "fill", "none", "stroke", "currentColor", "stroke-width", "1.5", "points",
                points.toString());
        for (int i = 0; i < visits.size() && visits.size() <= MOST_DOTS; i++) {
            out.empty("circle", "class", "c1", "fill", "currentColor", "cx",
                    Figures.coordinate(LEFT + 2 * RADIUS + i * step), "cy", Figures.coordinate(y(visits.get(i))), "r",
                    String.valueOf(RADIUS));
        }
        out.line();
    }
}
