package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.report.Numbers;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.TimelineReport;

/** One iteration: a row for each rank, a bar for each phase. */
public final class TimelineChart {
    /** The shortest bar that can be seen, as a share of the iteration. */
    private static final double SLIVER = 5e-4;
    private static final Map<RankPhase, Ink> COLOURS = Map.of(RankPhase.INTERIOR, Ink.C2, RankPhase.BOUNDARY, Ink.C1,
            RankPhase.PACK, Ink.C4, RankPhase.WAIT, Ink.C3, RankPhase.REDUCE, Ink.C5);

    private TimelineChart() {}

    /**
     * Shows an iteration.
     *
     * @param report    what ranks were at
     * @param iteration the iteration, which must have a length
     * @return the chart
     */
    public static Chart of(TimelineReport report, TimelineReport.Iteration iteration) {
        Axis across = Axis.of("time since the iteration began", Scale.linear(0, iteration.length()))
                .labelled(Numbers::briefSeconds);
        Axis ranks = Axis.rows("", IntStream.range(0, report.ranks().size()).mapToObj(rank -> "rank " + rank).toList());
        List<Series> series = new ArrayList<>();
        for (RankPhase phase : RankPhase.values()) {
            List<Mark> bars = new ArrayList<>();
            for (int rank = 0; rank < report.ranks().size(); rank++) {
                for (TimelineReport.Event event : iteration.events().get(rank)) {
                    if (event.phase() == phase) {
                        bars.add(bar(report.ranks().get(rank), rank, event, iteration.length()));
                    }
                }
            }
            series.add(Series.of(phase.label(), COLOURS.get(phase), Series.Look.BOXES, bars));
        }
        return Chart.of("What each rank is at during one iteration", across, ranks, series);
    }

    private static Mark bar(TimelineReport.Rank rank, int number, TimelineReport.Event event, double length) {
        double begin = Math.clamp(event.begin(), 0, length);
        double end = Math.max(Math.min(event.end(), length), begin + SLIVER * length);
        return Mark.bar(number, begin, end, rank.activities().get(event.activity()).name() + ", "
                + event.phase().label() + ": " + Numbers.seconds(event.end() - event.begin()) + " from "
                + Numbers.seconds(event.begin()) + " on");
    }
}
