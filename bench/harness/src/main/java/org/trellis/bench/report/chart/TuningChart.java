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
import org.trellis.bench.tune.HeatMap;
import org.trellis.bench.tune.TuningEvaluation;
import org.trellis.bench.tune.TuningOutcome;

/** What tuning finds: its convergence, and what a search measured. */
public final class TuningChart {
    private static final double LOWEST = 50;
    private static final double PALE = 0.5;
    /** A share at which a cell is not coloured at all. */
    private static final double PALEST = 0.3;
    /** Colour from which white letters are read better. */
    private static final double DARK = 0.6;
    private static final int SHADES = 20;

    private TuningChart() {}

    /**
     * Shows the share of the exhaustive optimum over the products of run-time tuning; thesis, figure 4.19.
     *
     * @param outcomes how tuning did, at least one
     * @param products products to show
     * @param device   what was tuned on, for the title
     * @return the chart
     */
    public static Chart convergence(List<TuningOutcome> outcomes, int products, String device) {
        Axis across = Axis.of("product", Scale.linear(1, Math.max(2, products))).counting();
        Axis up = Axis.of("% of the exhaustive optimum", Scale.linear(LOWEST, 101));
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            TuningOutcome outcome = outcomes.get(i);
            series.add(curve(i == 0 ? "each matrix" : "", Ink.FAINT, Look.THIN,
                    IntStream.rangeClosed(1, products).mapToDouble(outcome::shareAfter).toArray())
                    .withOpacity(PALE));
        }
        double rule = outcomes.stream().mapToDouble(outcome -> outcome.share(outcome.rule())).average().orElseThrow();
        series.add(Series.level("the rule's mean", Ink.C3, Math.max(LOWEST, 100 * rule), across));
        series.add(curve("mean", Ink.C1, Look.THICK, TuningEvaluation.meanShares(outcomes, products)));
        return Chart.of("Run-time tuning on " + device, across, up, series)
                .subtitled("mean of " + outcomes.size() + " matrices");
    }

    private static Series curve(String name, Ink ink, Look look, double... shares) {
        return Series.of(name, ink, look, IntStream.range(0, shares.length)
                .mapToObj(i -> Mark.point(i + 1, Math.max(LOWEST, 100 * shares[i]), "")).toList());
    }

    /**
     * Shows a search, cooperating threads across and rows of a group upwards: the darker, the nearer to the best
     * (thesis, figure 4.13).
     *
     * @param map  what was measured
     * @param name what was multiplied
     * @return the chart
     */
    public static Chart search(HeatMap map, String name) {
        List<String> threads = IntStream.of(map.threads()).mapToObj(String::valueOf).toList();
        List<String> rows = IntStream.of(map.rows()).mapToObj(String::valueOf).toList();
        List<Series> series = new ArrayList<>();
        List<List<Mark>> cells = new ArrayList<>();
        IntStream.rangeClosed(0, SHADES).forEach(shade -> cells.add(new ArrayList<>()));
        List<Mark> pale = new ArrayList<>();
        List<Mark> dark = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            for (int k = 0; k < rows.size(); k++) {
                double share = map.share(i, k);
                double colour = Double.isNaN(share) ? 0 : Math.max(0, (share - PALEST) / (1 - PALEST));
                String number = Double.isNaN(share) ? "–" : Numbers.percent(share);
                cells.get((int) Math.round(colour * SHADES)).add(Mark.cell(i, k,
                        threads.get(i) + " threads, " + rows.get(k) + " rows: " + number));
                (colour > DARK ? dark : pale).add(Mark.point(i, k, number));
            }
        }
        for (int shade = 0; shade <= SHADES; shade++) {
            series.add(Series.of("", Ink.ACCENT, Look.BOXES, cells.get(shade))
                    .withOpacity((double) shade / SHADES));
        }
        series.add(Series.of("", Ink.TEXT, Look.CENTRED_TEXT, pale));
        series.add(Series.of("", Ink.CARD, Look.CENTRED_TEXT, dark));
        return Chart.of("Search on " + name, Axis.names("cooperating threads", threads),
                Axis.names("rows of a group", rows), series)
                .subtitled(map.family().label() + ", " + map.precision().label()
                        + ": share of the best speed, best over the other parameters");
    }
}
