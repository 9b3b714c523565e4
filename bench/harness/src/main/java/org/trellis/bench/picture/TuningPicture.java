package org.trellis.bench.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.trellis.bench.tune.TuningEvaluation;
import org.trellis.bench.tune.TuningOutcome;

/** The mean share of the exhaustive optimum over the products of run-time tuning; thesis, figure 4.19. */
public final class TuningPicture {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int RIGHT = 48;
    private static final double LOWEST = 50;

    private TuningPicture() {}

    /**
     * Draws the convergence of run-time tuning.
     *
     * @param outcomes how tuning did, at least one
     * @param products products to draw
     * @param device   what was tuned on, for the title
     * @param file     where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(List<TuningOutcome> outcomes, int products, String device, Path file) throws IOException {
        Figure figure = new Figure(WIDTH, HEIGHT, RIGHT);
        figure.title("Run-time tuning on " + device, "mean of " + outcomes.size()
                + " matrices; orange: the rule; grey: the way of each matrix");
        Scale across = Scale.linear(1, Math.max(2, products));
        Scale shares = Scale.linear(LOWEST, 100);
        figure.horizontalAxis(across, "product", true);
        figure.verticalAxis(shares, "% of the exhaustive optimum", true, false);
        for (TuningOutcome outcome : outcomes) {
            double[] own = new double[products];
            for (int i = 0; i < products; i++) {
                own[i] = outcome.shareAfter(i + 1);
            }
            curve(figure, across, shares, Figure.GRID, 1, own);
        }
        double rule = 100 * outcomes.stream().mapToDouble(outcome -> outcome.share(outcome.rule())).average()
                .orElseThrow();
        double y = figure.top() + (1 - shares.position(Math.max(LOWEST, rule))) * figure.height();
        figure.line(Figure.ORANGE, figure.left(), y, figure.left() + figure.width(), y);
        curve(figure, across, shares, Figure.BLUE, 2.6f, TuningEvaluation.meanShares(outcomes, products));
        figure.frame();
        figure.write(file);
    }

    private static void curve(Figure figure, Scale across, Scale shares, Color colour, float width, double... values) {
        Path2D path = new Path2D.Double();
        for (int i = 0; i < values.length; i++) {
            double x = figure.left() + across.position(i + 1) * figure.width();
            double share = Math.max(LOWEST, 100 * values[i]);
            double y = figure.top() + (1 - shares.position(share)) * figure.height();
            if (i == 0) {
                path.moveTo(x, y);
            } else {
                path.lineTo(x, y);
            }
        }
        figure.graphics().setColor(colour);
        figure.graphics().setStroke(new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        figure.graphics().draw(path);
    }
}
