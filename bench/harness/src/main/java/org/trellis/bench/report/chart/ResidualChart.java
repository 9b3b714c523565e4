package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolveRun;
import org.trellis.solve.SolveReport;

/** Residual norms of solutions, relative to the right-hand side, over iterations or over time. */
public final class ResidualChart {
    /** A curve has no more points than there are pixels. */
    private static final int MOST_POINTS = 800;
    private static final double MARGIN_FACTOR = 2;

    private ResidualChart() {}

    /**
     * What came of one solution.
     *
     * @param name             what it is called beside others
     * @param report           its residual norms
     * @param iterationSeconds since its beginning, when each of its iterations was known
     * @param seconds          time of a solution that is reported, at which the curve ends
     */
    public record Curve(String name, SolveReport report, List<Double> iterationSeconds, double seconds) {
        /** Copies the list. */
        public Curve {
            iterationSeconds = List.copyOf(iterationSeconds);
        }

        /** A norm as a share of the right-hand side's; as it is where that is zero. */
        private double relative(double norm) {
            double scale = report.rightHandSideNorm();
            return scale > 0 && Double.isFinite(scale) ? norm / scale : norm;
        }

        /**
         * When an iteration was known. Iterations are timed in the first solution, which also makes code and plans;
         * their shares of the time that is reported are shown.
         */
        private double at(int iteration, boolean overTime) {
            if (!overTime) {
                return iteration;
            }
            int known = Math.min(iteration, iterationSeconds.size());
            return known == 0 ? 0 : iterationSeconds.get(known - 1) / iterationSeconds.getLast() * seconds;
        }

        private List<Mark> marks(boolean overTime) {
            List<Double> history = report.residualHistory();
            int step = Math.max(1, history.size() / MOST_POINTS);
            List<Mark> marks = new ArrayList<>();
            for (int i = 0; i < history.size(); i++) {
                double norm = relative(history.get(i));
                if (norm > 0 && (i % step == 0 || i == history.size() - 1)) {
                    marks.add(Mark.point(at(i, overTime), norm, ""));
                }
            }
            return marks;
        }
    }

    /**
     * Makes the curves of solver stacks.
     *
     * @param runs what came of them
     * @return a curve each; other libraries, which report no residuals of their iterations, have none
     */
    public static List<Curve> curves(List<SolveRun> runs) {
        return runs.stream().filter(run -> run.peer().isEmpty())
                .map(run -> new Curve(run.name(), run.report(), run.iterationSeconds(), run.medianSeconds())).toList();
    }

    /**
     * Shows the histories of solutions.
     *
     * @param runs      the solutions, at least one
     * @param overTime  whether they are drawn over time, not over iterations
     * @param threshold residual norm at which they count as converged; not drawn if it is 0
     * @param name      what was solved, for the title
     * @return the chart
     */
    public static Chart of(List<Curve> runs, boolean overTime, double threshold, String name) {
        double most = runs.stream().mapToDouble(run -> run.at(run.report().iterations(), overTime)).max().orElse(1);
        double end = Math.max(most, overTime ? Double.MIN_NORMAL : 1);
        Axis across = overTime
                ? Axis.of("time since the beginning", Scale.linear(0, end)).labelled(Numbers::briefSeconds)
                : Axis.of("iteration", Scale.linear(0, end)).counting();
        double tolerance = runs.isEmpty() ? 0 : runs.getFirst().relative(threshold);
        Axis up = Axis.of("relative norm of the residual", norms(runs, tolerance));
        List<Series> series = new ArrayList<>();
        if (tolerance > 0) {
            series.add(Series.level("tolerance", Ink.FAINT, tolerance, across));
        }
        for (int i = 0; i < runs.size(); i++) {
            series.add(Series.of(runs.get(i).name(), Ink.ofCurve(i), Series.Look.LINE, runs.get(i).marks(overTime)));
        }
        return Chart.of("Convergence on " + name, across, up, series).subtitled(subtitle(runs));
    }

    private static String subtitle(List<Curve> runs) {
        if (runs.size() != 1) {
            return runs.size() + " solvers";
        }
        SolveReport report = runs.getFirst().report();
        return String.format(Locale.ROOT, "%s after %,d iterations, %.3g s",
                report.status().name().toLowerCase(Locale.ROOT).replace('_', ' '), report.iterations(),
                runs.getFirst().seconds());
    }

    private static Scale norms(List<Curve> runs, double tolerance) {
        double[] drawn = runs.stream()
                .flatMapToDouble(run -> run.report().residualHistory().stream().mapToDouble(run::relative))
                .filter(norm -> norm > 0 && Double.isFinite(norm)).sorted().toArray();
        double least = drawn.length == 0 ? 1 : drawn[0];
        double most = drawn.length == 0 ? 10 : drawn[drawn.length - 1];
        double low = tolerance > 0 ? Math.min(least, tolerance) : least;
        return Scale.logarithmic(Math.max(Double.MIN_NORMAL, low / MARGIN_FACTOR), most * MARGIN_FACTOR);
    }
}
