package org.trellis.bench.picture;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trellis.solve.SolveReport;

/** The residual norm of an iterative solution over its iterations. */
public final class ConvergencePicture {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int RIGHT = 48;

    private ConvergencePicture() {}

    /**
     * Draws the history of a solution.
     *
     * @param report    the report of the solution
     * @param threshold residual norm at which it counts as converged; not drawn if it is 0
     * @param name      what was solved, for the title
     * @param file      where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(SolveReport report, double threshold, String name, Path file) throws IOException {
        Figure figure = new Figure(WIDTH, HEIGHT, RIGHT);
        figure.title("Convergence on " + name, String.format(Locale.ROOT, "%s after %,d iterations, %.3g s",
                report.status().name().toLowerCase(Locale.ROOT).replace('_', ' '), report.iterations(),
                report.seconds()));
        List<Double> drawn =
                report.residualHistory().stream().filter(norm -> norm > 0 && Double.isFinite(norm)).toList();
        double least = drawn.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        double most = drawn.stream().mapToDouble(Double::doubleValue).max().orElse(10);
        double low = threshold > 0 ? Math.min(least, threshold) : least;
        Scale norms = Scale.logarithmic(low / 2, most * 2);
        Scale iterations = Scale.linear(0, Math.max(1, report.iterations()));
        figure.horizontalAxis(iterations, "iteration", true);
        figure.verticalAxis(norms, "residual norm", true, false);
        if (threshold > 0) {
            double y = figure.top() + (1 - norms.position(threshold)) * figure.height();
            figure.line(Figure.ORANGE, figure.left(), y, figure.left() + figure.width(), y);
            figure.text("tolerance", Figure.ORANGE, 14, figure.left() + 10, y - 6);
        }
        curve(figure, report.residualHistory(), iterations, norms);
        figure.frame();
        figure.write(file);
    }

    private static void curve(Figure figure, List<Double> history, Scale iterations, Scale norms) {
        Path2D path = new Path2D.Double();
        boolean open = false;
        for (int i = 0; i < history.size(); i++) {
            double norm = history.get(i);
            if (norm > 0 && Double.isFinite(norm)) {
                double x = figure.left() + iterations.position(i) * figure.width();
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
        graphics.setColor(Figure.BLUE);
        graphics.setStroke(new BasicStroke(2.2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        graphics.draw(path);
    }
}
