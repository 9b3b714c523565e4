package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.report.Numbers;

/** Times over how often something was done, both logarithmic, with a curve for each that did it. */
public final class CountChart {
    private static final double MARGIN_FACTOR = 1.5;

    private CountChart() {}

    /**
     * Shows times over counts.
     *
     * @param title  above the chart
     * @param across what is counted
     * @param curves for each name seconds by counts; at least one number above 0
     * @return the chart, without what took no time or was not measured
     * @throws IllegalArgumentException if there is nothing to show
     */
    public static Chart of(String title, String across, Map<String, SortedMap<Integer, Double>> curves) {
        List<Series> series = new ArrayList<>();
        curves.forEach((name, times) -> {
            List<Mark> marks = new ArrayList<>();
            times.forEach((count, seconds) -> {
                if (seconds > 0 && count > 0) {
                    marks.add(Mark.point(count, seconds,
                            name + ", " + Numbers.count(count) + " " + across + ": " + Numbers.seconds(seconds)));
                }
            });
            series.add(Series.of(name, Ink.ofCurve(series.size()), Look.DOTTED_LINE, marks));
        });
        return Chart.of(title, Axis.of(across, scale(series, Mark::fromX)),
                Axis.of("", scale(series, Mark::fromY)).labelled(Numbers::briefSeconds), series);
    }

    private static Scale scale(List<Series> series, ToDoubleFunction<Mark> place) {
        double[] all = series.stream().flatMap(each -> each.marks().stream()).mapToDouble(place).sorted().toArray();
        if (all.length == 0) {
            throw new IllegalArgumentException("chart of " + series.size() + " curves without a time above 0");
        }
        return Scale.logarithmic(all[0] / MARGIN_FACTOR, all[all.length - 1] * MARGIN_FACTOR);
    }
}
