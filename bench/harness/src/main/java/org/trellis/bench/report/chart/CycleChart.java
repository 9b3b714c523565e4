package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.report.Numbers;
import org.trellis.solve.multigrid.MultigridReport;

/** A cycle of multigrid: in which order it comes to the levels, and how long it is on each. */
public final class CycleChart {
    /** More visits than these are a line without dots. */
    private static final int MOST_DOTS = 80;
    private static final double ROOM_FOR_NUMBERS = 1.8;

    private CycleChart() {}

    /**
     * Shows a cycle.
     *
     * @param report the levels and the visits to them
     * @return the chart
     */
    public static Chart of(MultigridReport report) {
        List<MultigridReport.Level> levels = report.levels();
        List<Integer> visits = report.visits();
        Axis steps = Axis.of("order of the visits", Scale.linear(0, Math.max(1, visits.size() + 1))).counting();
        Series path = Series.of("", Ink.C1, visits.size() > MOST_DOTS ? Look.LINE : Look.DOTTED_LINE,
                IntStream.range(0, visits.size())
                        .mapToObj(i -> Mark.point(i + 1, visits.get(i), "level " + visits.get(i))).toList());
        double most = levels.stream().mapToDouble(MultigridReport.Level::seconds).max().orElse(0);
        Axis times = Axis.of("time on the level, share of the cycle",
                Scale.linear(0, most > 0 ? most * ROOM_FOR_NUMBERS : 1)).labelled(Numbers::briefSeconds);
        List<Mark> bars = new ArrayList<>();
        List<Mark> numbers = new ArrayList<>();
        for (int level = 0; level < levels.size(); level++) {
            double seconds = levels.get(level).seconds();
            double share = report.cycleSeconds() > 0 ? seconds / report.cycleSeconds() : 0;
            String words = Numbers.seconds(seconds) + ", " + Numbers.percent(share);
            bars.add(Mark.bar(level, 0, seconds, words));
            numbers.add(Mark.point(seconds, level, words));
        }
        return new Chart("A cycle with the time of each level", "",
                Axis.rows("rows", levels.stream().map(level -> Numbers.count(level.rows())).toList()),
                List.of(new Chart.Panel(steps, List.of(path), 3), new Chart.Panel(times,
                        List.of(Series.of("", Ink.C0, Look.BOXES, bars),
                                Series.of("", Ink.TEXT, Look.TEXT, numbers)),
                        2)));
    }
}
