package org.trellis.bench.report.html;

import java.util.List;
import java.util.Locale;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolveRun;

/** Residual norms of solutions, relative to the right-hand side, over iterations or over time. */
final class ResidualPlot {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 400;
    private static final int LEFT = 72;
    private static final int RIGHT = WIDTH - 240;
    private static final int TOP = 16;
    private static final int BOTTOM = HEIGHT - 52;
    private static final int TICKS = 8;
    private static final int LINE = 18;
    private static final int COLOURS = 8;
    /** A curve has no more points than there are pixels. */
    private static final int MOST_POINTS = 800;

    private final List<SolveRun> runs;
    private final boolean overTime;
    private final Markup out;
    private final double most;
    private final LogAxis axis;

    ResidualPlot(List<SolveRun> runs, boolean overTime, Markup out) {
        this.runs = runs;
        this.overTime = overTime;
        this.out = out;
        this.most = Math.max(runs.stream().mapToDouble(run -> at(run, run.report().iterations())).max().orElse(1),
                Double.MIN_NORMAL);
        double[] all = runs.stream().flatMapToDouble(run -> run.report().residualHistory().stream()
                .mapToDouble(norm -> relative(run, norm))).filter(r -> r > 0 && Double.isFinite(r)).sorted().toArray();
        double low = all.length == 0 ? 0.1 : all[0] / 2;
        double high = all.length == 0 ? 1 : all[all.length - 1] * 2;
        this.axis = new LogAxis(low, high, BOTTOM, TOP);
    }

    private static double relative(SolveRun run, double norm) {
        double scale = run.report().rightHandSideNorm();
        return scale > 0 ? norm / scale : norm;
    }

    private double at(SolveRun run, int iteration) {
        if (!overTime) {
            return iteration;
        }
        int known = Math.min(iteration, run.iterationSeconds().size());
        return known == 0 ? 0 : run.iterationSeconds().get(known - 1);
    }

    void write() {
        out.open("svg", "viewBox", "0 0 " + WIDTH + ' ' + HEIGHT, "class", "chart", "role", "img", "aria-label",
                "Residuals over " + (overTime ? "time" : "iterations")).line();
        axes();
        for (int i = 0; i < runs.size(); i++) {
            curve(runs.get(i), "c" + i % COLOURS);
            out.element("text", runs.get(i).name(), "class", "legend c" + i % COLOURS, "x",
                    String.valueOf(RIGHT + 12), "y", String.valueOf(TOP + (i + 1) * LINE)).line();
        }
        out.close("svg").line();
    }

    private void axes() {
        for (double tick : axis.ticks()) {
            String y = Figures.coordinate(axis.at(tick));
            out.empty("line", "class", "grid", "x1", String.valueOf(LEFT), "x2", String.valueOf(RIGHT), "y1", y, "y2",
                    y);
            out.element("text", String.format(Locale.ROOT, "%.0e", tick), "x", String.valueOf(LEFT - 8), "y", y, "dy",
                    "4", "text-anchor", "end");
        }
        double step = roundStep(most / TICKS, !overTime);
        for (int i = 0; i * step <= most * (1 + 1e-9); i++) {
            double value = i * step;
            out.element("text", overTime ? Numbers.seconds(value) : String.valueOf(Math.round(value)), "x",
                    Figures.coordinate(x(value)), "y", String.valueOf(BOTTOM + 18), "text-anchor", "middle");
        }
        out.element("text", overTime ? "time since the beginning" : "iteration", "x",
                String.valueOf((LEFT + RIGHT) / 2), "y", String.valueOf(HEIGHT - 8), "text-anchor", "middle").line();
    }

    /** Returns the least of 1, 2 and 5 times a power of ten that is no less, and at least 1 if it has to be whole. */
    static double roundStep(double least, boolean whole) {
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        double step = 10 * power;
        for (double factor : new double[]{5, 2, 1}) {
            step = factor * power >= least * (1 - 1e-9) ? factor * power : step;
        }
        return whole ? Math.max(1, step) : step;
    }

    private double x(double value) {
        return LEFT + value / most * (RIGHT - LEFT);
    }

    private void curve(SolveRun run, String colour) {
        List<Double> history = run.report().residualHistory();
        int step = Math.max(1, history.size() / MOST_POINTS);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < history.size(); i += step) {
            double value = relative(run, history.get(i));
            if (value > 0 && Double.isFinite(value)) {
                points.append(Figures.coordinate(x(at(run, i)))).append(',')
                        .append(Figures.coordinate(axis.at(value))).append(' ');
            }
        }
        out.open("polyline", "class", "curve " + colour, "points", points.toString().stripTrailing())
                .element("title", run.name()).close("polyline").line();
    }
}
