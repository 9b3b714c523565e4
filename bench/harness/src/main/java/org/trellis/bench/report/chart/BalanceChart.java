package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.report.Numbers;
import org.trellis.distributed.balance.BalanceModel;
import org.trellis.distributed.balance.Balancer;

/** Time of an iteration over the share of the first device, as figure 6.5 (I. Z. Reguly, PhD thesis, 2014). */
public final class BalanceChart {
    private static final int POINTS = 200;
    /** What is slower than so many times the fastest would leave no room for the rest. */
    private static final double HIGHEST = 4;
    private static final double MARGIN_FACTOR = 1.1;

    private BalanceChart() {}

    /**
     * Shows what balancing has measured.
     *
     * @param rounds what was measured, at least one round
     * @param model  the last model
     * @param first  name of the first device
     * @return the chart, in which what is higher than it is at its top
     */
    public static Chart of(List<Balancer.Round> rounds, BalanceModel model, String first) {
        DoubleUnaryOperator predicted = share -> model.predict(shares(model, share));
        double least = rounds.stream().mapToDouble(Balancer.Round::measured).min().orElseThrow();
        double most = rounds.stream().mapToDouble(Balancer.Round::measured).max().orElseThrow();
        double slowest = IntStream.range(1, POINTS).mapToDouble(p -> predicted.applyAsDouble((double) p / POINTS))
                .filter(seconds -> seconds < HIGHEST * least).max().orElse(0);
        double top = MARGIN_FACTOR * Math.max(1.2 * least, Math.min(HIGHEST * least, Math.max(most, slowest)));
        List<Mark> curve = IntStream.range(1, POINTS).mapToDouble(p -> (double) p / POINTS)
                .filter(share -> predicted.applyAsDouble(share) <= top)
                .mapToObj(share -> Mark.point(share, predicted.applyAsDouble(share), "")).toList();
        List<Mark> dots = new ArrayList<>();
        List<Mark> numbers = new ArrayList<>();
        for (int r = 0; r < rounds.size(); r++) {
            Balancer.Round round = rounds.get(r);
            double share = round.shares()[0] / Arrays.stream(round.shares()).sum();
            dots.add(Mark.point(share, Math.min(top, round.measured()), Numbers.seconds(round.measured())));
            numbers.add(Mark.point(share, Math.min(top, round.measured()), String.valueOf(r + 1)));
        }
        return Chart.of("Predicted and measured time of an iteration over the balance",
                Axis.of("share of " + first, Scale.linear(0, 1.04)).labelled(Numbers::percent),
                Axis.of("", Scale.linear(0, top)).labelled(Numbers::briefSeconds),
                List.of(Series.of("predicted", Ink.C1, Look.THICK, curve),
                        Series.of("measured, in the order of the numbers", Ink.C3, Look.DOTS, dots),
                        Series.of("", Ink.TEXT, Look.TEXT, numbers)));
    }

    /** Shares in which the first device has a part, and the others what they have among each other now. */
    private static double[] shares(BalanceModel model, double first) {
        double[] now = model.shares();
        double[] given = new double[now.length];
        for (int rank = 0; rank < given.length; rank++) {
            given[rank] = rank == 0 ? first : (1 - first) * now[rank] / (1 - now[0]);
        }
        return given;
    }
}
