package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.model.ModelReport;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;

/** Times over the number of ranks or over the size of matrices, both logarithmic. */
public final class ScalingChart {
    private static final double MARGIN_FACTOR = 1.5;
    private static final double SIDE = 1.1;

    private ScalingChart() {}

    /**
     * Shows measured times over the size of matrices, with one ring and with the best number.
     *
     * @param cases what was measured, at least one
     * @param name  what was measured
     * @return the chart
     */
    public static Chart overSize(List<Case> cases, String name) {
        Map<String, List<Mark>> curves = new LinkedHashMap<>();
        for (Case each : cases) {
            each.plain().ifPresent(variant -> add(curves, each, each.variants().size() > 1 ? ", 1 ring" : "", variant));
            each.best().filter(variant -> each.variants().size() > 1)
                    .ifPresent(variant -> add(curves, each, ", best rings", variant));
        }
        List<Series> series = new ArrayList<>();
        curves.forEach((label, marks) -> series.add(Series.of(label, Ink.ofCurve(series.size()), Look.DOTTED_LINE,
                marks.stream().sorted(Comparator.comparingDouble(Mark::fromX)).toList())));
        double[] sizes = series.stream().flatMap(each -> each.marks().stream()).mapToDouble(Mark::fromX).sorted()
                .toArray();
        Axis across = Axis.of("non-zeros",
                Scale.logarithmic(sizes[0] / MARGIN_FACTOR, sizes[sizes.length - 1] * MARGIN_FACTOR));
        return Chart.of(name + ", time over size", across, times(series), series);
    }

    private static void add(Map<String, List<Mark>> curves, Case each, String rings, Variant variant) {
        String label = (each.ranks() == 1 ? "1 rank" : each.ranks() + " ranks") + rings;
        curves.computeIfAbsent(label, key -> new ArrayList<>())
                .add(Mark.point((double) each.nonZeros(), variant.seconds(), label
                        + ", " + Numbers.count(each.nonZeros()) + " non-zeros: " + Numbers.seconds(variant.seconds())));
    }

    private static Axis times(List<Series> series) {
        double[] all = series.stream().flatMap(each -> each.marks().stream()).mapToDouble(Mark::fromY)
                .filter(seconds -> seconds > 0).sorted().toArray();
        Scale scale = all.length == 0
                ? Scale.logarithmic(1, 10)
                : Scale.logarithmic(all[0] / MARGIN_FACTOR, all[all.length - 1] * MARGIN_FACTOR);
        return Axis.of("", scale).labelled(Numbers::briefSeconds);
    }

    /**
     * Shows predicted times over the number of ranks, a curve for each number of rings.
     *
     * @param scales the predictions, at least one
     * @param steps  takes what is shown of a prediction
     * @param weak   whether each rank keeps its size, so that times are the same if nothing is lost
     * @param name   what is predicted
     * @return the chart, with a dashed line for what would be if nothing was lost
     */
    public static Chart overRanks(List<ModelReport.Scale> scales, Function<ModelReport.Scale, List<StepTimes>> steps,
            boolean weak, String name) {
        int first = scales.getFirst().ranks();
        int last = scales.getLast().ranks();
        Axis across = Axis.of("ranks", Scale.logarithmic(first / SIDE, Math.max(2 * first, last) * SIDE))
                .at(scales.stream().map(scale -> (double) scale.ranks()).toList())
                .labelled(ranks -> Numbers.count(Math.round(ranks)));
        List<Series> curves = new ArrayList<>();
        for (int i = 0; i < steps.apply(scales.getFirst()).size(); i++) {
            curves.add(curve(scales, steps, i));
        }
        Axis times = times(curves);
        List<Series> series = new ArrayList<>();
        double seconds = steps.apply(scales.getFirst()).getFirst().seconds();
        series.add(ideal(first, weak ? last : Math.min(last, first * seconds / times.low()), seconds, weak));
        series.addAll(curves);
        return Chart.of(name + ", predicted time over ranks", across, times, series);
    }

    private static Series curve(List<ModelReport.Scale> scales,
            Function<ModelReport.Scale, List<StepTimes>> steps, int index) {
        int rings = steps.apply(scales.getFirst()).get(index).rings();
        String label = rings == 1 ? "1 ring" : rings + " rings";
        List<Mark> marks = new ArrayList<>();
        for (ModelReport.Scale scale : scales) {
            double seconds = steps.apply(scale).get(index).seconds();
            if (seconds > 0) {
                marks.add(Mark.point(scale.ranks(), seconds,
                        label + ", " + scale.ranks() + " ranks: " + Numbers.seconds(seconds)));
            }
        }
        return Series.of(label, Ink.ofCurve(index), Look.DOTTED_LINE, marks);
    }

    /** What the first number of ranks would become if nothing was lost. */
    private static Series ideal(int first, double last, double seconds, boolean weak) {
        return Series.of("if nothing is lost", Ink.FAINT, Look.DASHED, new double[]{first, last},
                new double[]{seconds, weak ? seconds : seconds * first / last});
    }
}
