package org.trellis.bench.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.report.SolveRun;
import org.trellis.solve.SolveReport;

/** The residual norms of iterative solutions over their iterations or over time. */
public final class ConvergencePicture {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int RIGHT = 48;
    private static final int LEGEND = 250;
    private static final int LINE = 20;
    private static final Color[] COLOURS = {Figure.BLUE, new Color(0x0f8a5f), new Color(0xb4235a), new Color(0x7c3aed),
        new Color(0x8a5a00), new Color(0x1398a8), Figure.INK, Figure.FAINT};

    private ConvergencePicture() {}

    /**
     * What came of one solution.
     *
     * @param name             what it is called beside others
     * @param report           its residual norms
     * @param iterationSeconds since its beginning, when each of its iterations was known
     */
    public record Curve(String name, SolveReport report, List<Double> iterationSeconds) {
        /** Copies the list. */
        public Curve {
            iterationSeconds = List.copyOf(iterationSeconds);
        }
    }

    /**
     * Draws the histories of solutions.
     *
     * @param runs      the solutions, at least one
     * @param overTime  whether they are drawn over time, not over iterations
     * @param threshold residual norm at which they count as converged; not drawn if it is 0
     * @param name      what was solved, for the title
     * @param file      where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(List<SolveRun> runs, boolean overTime, double threshold, String name, Path file)
            throws IOException {
        draw(runs.stream().map(run -> new Curve(run.name(), run.report(), run.iterationSeconds())).toList(), overTime,
                threshold, name, file);
    }

    /**
     * Draws the histories of solutions that need not be those of a solver stack.
     *
     * @param runs      the solutions, at least one
     * @param overTime  whether they are drawn over time, not over iterations
     * @param threshold residual norm at which they count as converged; not drawn if it is 0
     * @param name      what was solved, for the title
     * @param file      where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void draw(List<Curve> runs, boolean overTime, double threshold, String name, Path file)
            throws IOException {
        boolean several = runs.size() > 1;
        Figure figure = new Figure(WIDTH, HEIGHT, several ? LEGEND : RIGHT);
        Curve first = runs.getFirst();
        figure.title("Convergence on " + name, several
                ? runs.size() + " ways to solve it"
                : String.format(Locale.ROOT, "%s after %,d iterations, %.3g s",
                        first.report().status().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        first.report().iterations(), first.report().seconds()));
        double tolerance = relative(first, threshold);
        Scale norms = norms(runs, tolerance);
        Scale across = Scale.linear(0, runs.stream().mapToDouble(run -> at(run, run.report().iterations(), overTime))
                .max().orElse(1));
        if (overTime) {
            figure.horizontalAxis(across, "seconds", true);
        } else {
            figure.countingAxis(across, "iteration", true);
        }
        figure.verticalAxis(norms, "norm of the residual over that of b", true, false);
        if (tolerance > 0) {
            double y = figure.top() + (1 - norms.position(tolerance)) * figure.height();
            figure.line(Figure.ORANGE, figure.left(), y, figure.left() + figure.width(), y);
            figure.text("tolerance", Figure.ORANGE, 14, figure.left() + 10, y - 6);
        }
        for (int i = 0; i < runs.size(); i++) {
            Color colour = COLOURS[i % COLOURS.length];
            curve(figure, runs.get(i), overTime, across, norms, colour);
            if (several) {
                figure.text(runs.get(i).name(), colour, 14, figure.left() + figure.width() + 12,
                        figure.top() + (i + 1) * LINE);
            }
        }
        figure.frame();
        figure.write(file);
    }

    /** A norm as a share of the right-hand side's; as it is where that is zero. */
    private static double relative(Curve run, double norm) {
        double scale = run.report().rightHandSideNorm();
        return scale > 0 && Double.isFinite(scale) ? norm / scale : norm;
    }

    private static Scale norms(List<Curve> runs, double tolerance) {
        double[] drawn = runs.stream()
                .flatMapToDouble(
                        run -> run.report().residualHistory().stream().mapToDouble(norm -> relative(run, norm)))
                .filter(norm -> norm > 0 && Double.isFinite(norm)).sorted().toArray();
        double least = drawn.length == 0 ? 1 : drawn[0];
        double most = drawn.length == 0 ? 10 : drawn[drawn.length - 1];
        return Scale.logarithmic((tolerance > 0 ? Math.min(least, tolerance) : least) / 2, most * 2);
    }

    /** Where an iteration is drawn. */
    private static double at(Curve run, int iteration, boolean overTime) {
        if (!overTime) {
            return iteration;
        }
        int known = Math.min(iteration, run.iterationSeconds().size());
        return known == 0 ? 0 : run.iterationSeconds().get(known - 1);
    }

    private static void curve(Figure figure, Curve run, boolean overTime, Scale across, Scale norms, Color colour) {
        Path2D path = new Path2D.Double();
        boolean open = false;
        List<Double> history = run.report().residualHistory();
        for (int i = 0; i < history.size(); i++) {
            double norm = relative(run, history.get(i));
            if (norm > 0 && Double.isFinite(norm)) {
                double x = figure.left() + across.position(at(run, i, overTime)) * figure.width();
                double y = figure.top() + (1 - norms.position(norm)) * figure.height();
                if (open) {
                    path.lineTo(x, y);
                } else {
                    path.moveTo(x, y);
                }
                open = true;
            }
        }
        Graphics2D graphics = figure.graphics();
        graphics.setColor(colour);
        graphics.setStroke(new BasicStroke(2.2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        graphics.draw(path);
    }
}
