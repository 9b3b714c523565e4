package org.trellis.bench.picture;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.bench.tune.HeatMap;
import org.trellis.tuner.profile.TuningResult;

/**
 * What a search found, cooperating threads across and rows of a group upwards: of each pair the best time of the family
 * that won, whatever its other parameters, as a share of the best of all (thesis, figure 4.13).
 */
public final class HeatMapPicture {
    private static final int CELL = 92;
    private static final int RIGHT = 48;
    private static final int DARK = 70;

    private HeatMapPicture() {}

    /**
     * Draws a search.
     *
     * @param results what was measured
     * @param name    what was multiplied, for the title
     * @param file    where to write the picture, as PNG; overwritten
     * @return false if nothing was drawn, since the winner's family does not vary both
     * @throws IOException if it cannot be written
     */
    public static boolean write(List<TuningResult> results, String name, Path file) throws IOException {
        Optional<HeatMap> found = HeatMap.of(results);
        if (found.isEmpty()) {
            return false;
        }
        HeatMap map = found.get();
        int[] threads = map.threads();
        int[] rows = map.rows();
        Figure figure = new Figure(CELL * Math.max(4, threads.length), CELL * Math.max(2, rows.length), RIGHT);
        figure.title("Search on " + name, map.family().label() + ", " + map.precision().label()
                + ": share of the best time, best over the other parameters");
        double width = (double) figure.width() / threads.length;
        double height = (double) figure.height() / rows.length;
        for (int i = 0; i < threads.length; i++) {
            for (int k = 0; k < rows.length; k++) {
                cell(figure, figure.left() + i * width, figure.top() + (rows.length - 1 - k) * height, width, height,
                        map.share(i, k));
            }
        }
        labels(figure, threads, rows, width, height);
        figure.frame();
        figure.write(file);
        return true;
    }

    private static void cell(Figure figure, double x, double y, double width, double height, double share) {
        if (Double.isNaN(share)) {
            figure.text("–", Figure.FAINT, 15, x + width / 2 - 4, y + height / 2 + 5);
            return;
        }
        double shade = Math.max(0, (share - 0.3) / 0.7);
        figure.graphics().setColor(Shades.of(shade));
        figure.graphics().fill(new Rectangle2D.Double(x, y, width, height));
        String text = String.format(Locale.ROOT, "%.0f %%", 100 * share);
        figure.text(text, 100 * share > DARK ? Color.WHITE : Figure.INK, 15, x + width / 2 - 18, y + height / 2 + 5);
    }

    private static void labels(Figure figure, int[] threads, int[] rows, double width, double height) {
        int bottom = figure.top() + figure.height();
        for (int i = 0; i < threads.length; i++) {
            figure.text(Integer.toString(threads[i]), Figure.INK, 14, figure.left() + (i + 0.5) * width - 5,
                    bottom + 24);
        }
        for (int k = 0; k < rows.length; k++) {
            figure.text(Integer.toString(rows[k]), Figure.INK, 14, figure.left() - 30,
                    figure.top() + (rows.length - 0.5 - k) * height + 5);
        }
        figure.text("cooperating threads", Figure.INK, 14, figure.left() + figure.width() / 2.0 - 70, bottom + 54);
        figure.text("rows of a group", Figure.INK, 14, 8, figure.top() - 8);
    }
}
