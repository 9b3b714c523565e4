package org.trellis.bench.picture;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** A histogram of the quality of elements before and after an adaptation, in shares of their number. */
public final class QualityPicture {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 420;
    private static final int RIGHT = 48;
    private static final double ROOM = 1.1;

    private QualityPicture() {}

    /**
     * Draws the histogram.
     *
     * @param before counts of elements with a quality from 0 to 1, in equal parts
     * @param after  the same of the mesh afterwards, as many parts
     * @param name   what it is, for the title
     * @param file   where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(int[] before, int[] after, String name, Path file) throws IOException {
        Figure figure = new Figure(WIDTH, HEIGHT, RIGHT);
        double first = Math.max(1, Arrays.stream(before).sum());
        double second = Math.max(1, Arrays.stream(after).sum());
        figure.title("Quality: " + name,
                String.format(Locale.ROOT, "%,.0f elements before (grey), %,.0f after (blue)", first, second));
        double most = Math.max(Arrays.stream(before).max().orElse(0) / first,
                Arrays.stream(after).max().orElse(0) / second);
        Scale shares = Scale.linear(0, 100 * ROOM * most);
        figure.verticalAxis(shares, "elements, per cent", true, false);
        figure.horizontalAxis(Scale.linear(0, 1), "quality", false);
        bars(figure, before, first, shares, Figure.FAINT, 0);
        bars(figure, after, second, shares, Figure.BLUE, 1);
        figure.frame();
        figure.write(file);
    }

    private static void bars(Figure figure, int[] counts, double total, Scale shares, Color colour, int place) {
        Graphics2D graphics = figure.graphics();
        graphics.setColor(colour);
        double part = (double) figure.width() / counts.length;
        for (int i = 0; i < counts.length; i++) {
            double top = shares.position(100 * counts[i] / total) * figure.height();
            graphics.fill(new Rectangle2D.Double(figure.left() + (i + 0.08 + 0.43 * place) * part,
                    figure.top() + figure.height() - top, 0.4 * part, top));
        }
    }
}
