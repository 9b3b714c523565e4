package org.trellis.bench.report.html;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trellis.bench.tune.TuningEvaluation;
import org.trellis.bench.tune.TuningOutcome;

/** The share of the exhaustive optimum over the products of run-time tuning; thesis, figure 4.19. */
final class TuningPlot {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 400;
    private static final int LEFT = 64;
    private static final int RIGHT = WIDTH - 24;
    private static final int TOP = 16;
    private static final int BOTTOM = HEIGHT - 52;
    private static final int LOWEST_PERCENT = 50;
    private static final int PERCENT_A_TICK = 10;
    private static final int MOST_TICKS = 20;

    private final List<TuningOutcome> outcomes;
    private final int products;
    private final Markup out;

    TuningPlot(List<TuningOutcome> outcomes, int products, Markup out) {
        this.outcomes = outcomes;
        this.products = products;
        this.out = out;
    }

    void write() {
        out.open("svg", "viewBox", "0 0 " + WIDTH + ' ' + HEIGHT, "class", "chart", "role", "img", "aria-label",
                "Convergence of run-time tuning").line();
        axes();
        for (TuningOutcome outcome : outcomes) {
            curve("curve faint", outcome.matrix(), IntStream.rangeClosed(1, products)
                    .mapToDouble(outcome::shareAfter).toArray());
        }
        double rule = outcomes.stream().mapToDouble(outcome -> outcome.share(outcome.rule())).average().orElseThrow();
        String y = Figures.coordinate(at(rule));
        out.empty("line", "class", "curve c3", "x1", String.valueOf(LEFT), "x2", String.valueOf(RIGHT), "y1", y, "y2",
                y);
        curve("curve main c1", "mean", TuningEvaluation.meanShares(outcomes, products));
        out.close("svg").line();
    }

    private void axes() {
        for (int percent = LOWEST_PERCENT; percent <= 100; percent += PERCENT_A_TICK) {
            String y = Figures.coordinate(at(percent / 100.0));
            out.empty("line", "class", "grid", "x1", String.valueOf(LEFT), "x2", String.valueOf(RIGHT), "y1", y, "y2",
                    y);
            out.element("text", percent + " %", "x", String.valueOf(LEFT - 8), "y", y, "dy", "4", "text-anchor", "end");
        }
        int step = Math.max(1, (products + MOST_TICKS - 1) / MOST_TICKS);
        for (int product = 1; product <= products; product += step) {
            out.element("text", String.valueOf(product), "x", Figures.coordinate(x(product)), "y",
                    String.valueOf(BOTTOM + 18), "text-anchor", "middle");
        }
        out.element("text", "product", "x", String.valueOf((LEFT + RIGHT) / 2), "y", String.valueOf(HEIGHT - 8),
                "text-anchor", "middle").line();
    }

    private void curve(String style, String name, double... shares) {
        String points = IntStream.range(0, shares.length)
                .mapToObj(i -> Figures.coordinate(x(i + 1)) + ',' + Figures.coordinate(at(shares[i])))
                .collect(Collectors.joining(" "));
        out.open("polyline", "class", style, "points", points).element("title", name).close("polyline").line();
    }

    private double x(int product) {
        return LEFT + (double) (product - 1) / Math.max(1, products - 1) * (RIGHT - LEFT);
    }

    private static double at(double share) {
        double lowest = LOWEST_PERCENT / 100.0;
        return BOTTOM - (Math.max(lowest, share) - lowest) / (1 - lowest) * (BOTTOM - TOP);
    }
}
