package org.trellis.bench.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.MatrixStatistics;

/** A histogram of the row lengths of a matrix: how many rows have how many entries. */
public final class RowLengthPicture {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 420;
    private static final int RIGHT = 48;
    /** Counts that differ by more than this are shown on a logarithmic scale. */
    private static final double LARGE_RATIO = 50;

    private RowLengthPicture() {}

    /**
     * Draws the histogram of a matrix.
     *
     * @param matrix     the matrix
     * @param statistics its statistics
     * @param name       its name, for the title
     * @param file       where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(CsrMatrix matrix, MatrixStatistics statistics, String name, Path file)
            throws IOException {
        Figure figure = new Figure(WIDTH, HEIGHT, RIGHT);
        figure.title("Row lengths of " + name, String.format(Locale.ROOT,
                "mean %.2f, standard deviation %.2f, from %,d to %,d, %,d empty rows", statistics.meanRowLength(),
                statistics.rowLengthDeviation(), statistics.minimumRowLength(), statistics.maximumRowLength(),
                statistics.emptyRows()));
        draw(figure, RowLengthHistogram.of(matrix.rowLengths()), statistics.meanRowLength());
        figure.write(file);
    }

    private static void draw(Figure figure, RowLengthHistogram histogram, double mean) {
        boolean logarithmic = histogram.largestCount() > LARGE_RATIO * histogram.smallestCount();
        Scale counts = logarithmic
                ? Scale.logarithmic(0.7, 3.0 * histogram.largestCount())
                : Scale.linear(0, 1.15 * Math.max(1, histogram.largestCount()));
        int shortest = histogram.shortest();
        Scale lengths = histogram.logarithmic()
                ? Scale.logarithmic(shortest == 0 ? 0.5 : shortest / 1.1, histogram.end())
                : Scale.linear(shortest - 0.5, histogram.end() - 0.5);
        figure.verticalAxis(counts, logarithmic ? "rows (logarithmic)" : "rows", true, false);
        figure.countingAxis(lengths,
                histogram.logarithmic()
                        ? shortest > 0
                                ? "entries of a row (logarithmic)"
                                : "entries of a row (logarithmic; empty rows at the left)"
                        : "entries of a row",
                false);
        bars(figure, histogram, lengths, counts);
        if (mean > 0) {
            mark(figure, lengths.position(Math.max(mean, lengths.low())));
        }
        figure.frame();
    }

    private static void bars(Figure figure, RowLengthHistogram histogram, Scale lengths, Scale counts) {
        Graphics2D graphics = figure.graphics();
        double shift = histogram.logarithmic() ? 0 : 0.5;
        for (RowLengthHistogram.Bin bin : histogram.bins()) {
            if (bin.rows() > 0) {
                double from = lengths.position(Math.max(lengths.low(), bin.from() - shift));
                double to = lengths.position(bin.to() - shift);
                double top = Math.max(0, counts.position((double) bin.rows()));
                double gap = (to - from) * figure.width() > 4 ? 1 : 0;
                graphics.setColor(bin.from() == 0 && bin.to() == 1 ? Figure.FAINT : Figure.BLUE);
                graphics.fill(new Rectangle2D.Double(figure.left() + from * figure.width(),
                        figure.top() + (1 - top) * figure.height(), Math.max(1, (to - from) * figure.width() - gap),
                        top * figure.height()));
            }
        }
    }

    private static void mark(Figure figure, double share) {
        Graphics2D graphics = figure.graphics();
        double x = figure.left() + share * figure.width();
        Color colour = Figure.ORANGE;
        graphics.setColor(colour);
        graphics.setStroke(new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[]{6, 4}, 0));
        graphics.draw(new Line2D.Double(x, figure.top(), x, figure.top() + figure.height()));
        figure.text("mean", colour, 14, share > 0.9 ? x - 44 : x + 6, figure.top() + 18);
    }
}
