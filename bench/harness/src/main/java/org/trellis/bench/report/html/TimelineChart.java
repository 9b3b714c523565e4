package org.trellis.bench.report.html;

import java.util.List;
import java.util.Map;
import org.trellis.bench.report.Numbers;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.TimelineReport;

/** One iteration: a line for each rank, a bar for each phase. */
final class TimelineChart {
    private static final int WIDTH = 940;
    private static final int LEFT = 64;
    private static final int RIGHT = WIDTH - 30;
    private static final int TOP = 34;
    private static final int LINE = 26;
    private static final int BAR = 18;
    private static final int TICKS = 8;
    private static final int KEY = 140;
    /** The shortest bar that can be seen. */
    private static final double SLIVER = 0.4;
    private static final Map<RankPhase, String> COLOURS = Map.of(RankPhase.INTERIOR, "c2", RankPhase.BOUNDARY, "c1",
            RankPhase.PACK, "c4", RankPhase.WAIT, "c3", RankPhase.REDUCE, "c5");

    private final TimelineReport report;
    private final TimelineReport.Iteration iteration;
    private final Markup out;

    TimelineChart(TimelineReport report, TimelineReport.Iteration iteration, Markup out) {
        this.report = report;
        this.iteration = iteration;
        this.out = out;
    }

    void write() {
        if (iteration.length() == 0) {
            return;
        }
        int bottom = TOP + LINE * report.ranks().size();
        out.open("div", "class", "scroll").open("svg", "viewBox", "0 0 " + WIDTH + ' ' + (bottom + 44), "class",
                "chart", "role", "img", "aria-label", "What each rank is at during one iteration").line();
        legend();
        for (int i = 0; i <= TICKS; i++) {
            double seconds = iteration.length() * i / TICKS;
            String x = Figures.coordinate(x(seconds));
            out.empty("line", "class", "grid", "x1", x, "x2", x, "y1", String.valueOf(TOP), "y2",
                    String.valueOf(bottom));
            out.element("text", Numbers.seconds(seconds), "x", x, "y", String.valueOf(bottom + 18), "text-anchor",
                    "middle");
        }
        out.element("text", "time since the iteration began", "x", String.valueOf((LEFT + RIGHT) / 2), "y",
                String.valueOf(bottom + 38), "text-anchor", "middle").line();
        for (int rank = 0; rank < report.ranks().size(); rank++) {
            int y = TOP + LINE * rank;
            out.element("text", "rank " + rank, "x", String.valueOf(LEFT - 8), "y", String.valueOf(y + BAR - 1),
                    "text-anchor", "end").line();
            bars(report.ranks().get(rank), iteration.events().get(rank), y + (LINE - BAR) / 2);
        }
        out.close("svg").close("div").line();
    }

    private void legend() {
        int x = LEFT;
        for (RankPhase phase : RankPhase.values()) {
            out.open("g", "class", COLOURS.get(phase)).empty("rect", "class", "bar", "x", String.valueOf(x), "y", "8",
                    "width", "12", "height", "12").close("g");
            out.element("text", phase.label(), "x", String.valueOf(x + 18), "y", "18").line();
            x += KEY;
        }
    }

    private void bars(TimelineReport.Rank rank, List<TimelineReport.Event> events, int y) {
        for (TimelineReport.Event event : events) {
            double from = x(event.begin());
            double width = Math.max(SLIVER, x(event.end()) - from);
            out.open("g", "class", COLOURS.get(event.phase())).open("rect", "class", "bar", "x",
                    Figures.coordinate(from), "y", String.valueOf(y), "width", Figures.coordinate(width), "height",
                    String.valueOf(BAR));
            out.element("title", rank.activities().get(event.activity()).name() + ", " + event.phase().label() + ": "
                    + Numbers.seconds(event.end() - event.begin()) + " from " + Numbers.seconds(event.begin())
                    + " on").close("rect").close("g").line();
        }
    }

    private double x(double seconds) {
        return LEFT + Math.clamp(seconds / iteration.length(), 0, 1) * (RIGHT - LEFT);
    }
}
