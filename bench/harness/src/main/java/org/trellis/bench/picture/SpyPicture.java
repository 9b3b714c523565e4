package org.trellis.bench.picture;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.trellis.bench.chart.Scale;
import org.trellis.sparse.CsrMatrix;

/**
 * Shows where the entries of a matrix are. A small matrix has a square for each entry; of a larger one each cell of the
 * picture covers many places, and its shade is the number of entries in it on a logarithmic scale.
 */
public final class SpyPicture {
    private static final int SIDE = 800;
    private static final int SHORTEST = 160;
    private static final int RIGHT = 150;
    private static final int BAR_WIDTH = 22;
    /** Cells of a large matrix are two pixels wide: single pixels of a sparse pattern are hard to see. */
    private static final int CELL_PIXELS = 2;

    private final CsrMatrix matrix;
    private final int cellRows;
    private final int cellColumns;
    private final Figure figure;

    private SpyPicture(CsrMatrix matrix) {
        this.matrix = matrix;
        double longest = Math.max(1, Math.max(matrix.rows(), matrix.columns()));
        int height = (int) Math.max(SHORTEST, SIDE * (matrix.rows() / longest));
        int width = (int) Math.max(SHORTEST, SIDE * (matrix.columns() / longest));
        this.cellRows = Math.max(1, Math.min(matrix.rows(), height / CELL_PIXELS));
        this.cellColumns = Math.max(1, Math.min(matrix.columns(), width / CELL_PIXELS));
        this.figure = new Figure(width, height, RIGHT);
    }

    /**
     * Draws a matrix. Costs one pass over its entries.
     *
     * @param matrix the matrix
     * @param name   its name, for the title
     * @param file   where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(CsrMatrix matrix, String name, Path file) throws IOException {
        SpyPicture picture = new SpyPicture(matrix);
        picture.draw(name);
        picture.figure.write(file);
    }

    private void draw(String name) {
        figure.title(name, String.format(Locale.ROOT, "%,d rows, %,d columns, %,d non-zeros", matrix.rows(),
                matrix.columns(), matrix.nonZeros()));
        int[][] counts = count();
        int most = 1;
        for (int[] row : counts) {
            for (int count : row) {
                most = Math.max(most, count);
            }
        }
        paint(counts, most);
        figure.horizontalAxis(Scale.linear(0, matrix.columns()), "column", false);
        figure.verticalAxis(Scale.linear(0, matrix.rows()), "row", false, true);
        figure.frame();
        if (most > 1) {
            legend(most);
        }
    }

    private int[][] count() {
        int[][] counts = new int[cellRows][cellColumns];
        double rowScale = (double) cellRows / Math.max(1, matrix.rows());
        double columnScale = (double) cellColumns / Math.max(1, matrix.columns());
        matrix.forEachEntry((row, column, value) -> {
            int i = Math.min(cellRows - 1, (int) (row * rowScale));
            int j = Math.min(cellColumns - 1, (int) (column * columnScale));
            counts[i][j]++;
        });
        return counts;
    }

    private void paint(int[][] counts, int most) {
        Graphics2D graphics = figure.graphics();
        double cellWidth = (double) figure.width() / cellColumns;
        double cellHeight = (double) figure.height() / cellRows;
        for (int i = 0; i < cellRows; i++) {
            for (int j = 0; j < cellColumns; j++) {
                if (counts[i][j] > 0) {
                    graphics.setColor(shade(counts[i][j], most));
                    graphics.fill(new Rectangle2D.Double(figure.left() + j * cellWidth, figure.top() + i * cellHeight,
                            cellWidth, cellHeight));
                }
            }
        }
    }

    /** A single entry is already clearly visible. */
    private static Color shade(int count, int most) {
        return most == 1 ? Figure.BLUE : Shades.of(0.25 + 0.75 * Math.log(count) / Math.log(most));
    }

    private void legend(int most) {
        Graphics2D graphics = figure.graphics();
        int x = figure.left() + figure.width() + 28;
        int height = Math.min(260, figure.height());
        int bottom = figure.top() + height;
        Scale scale = Scale.logarithmic(1, most);
        for (int y = 0; y < height; y++) {
            graphics.setColor(Shades.of(0.25 + 0.75 * y / height));
            graphics.fillRect(x, bottom - y - 1, BAR_WIDTH, 1);
        }
        graphics.setColor(Figure.INK);
        graphics.drawRect(x, figure.top(), BAR_WIDTH, height);
        for (double tick : scale.ticks(5)) {
            double y = bottom - scale.position(tick) * height;
            figure.text(scale.label(tick), Figure.INK, 13, x + BAR_WIDTH + 6, y + 5);
        }
        figure.text("entries", Figure.FAINT, 13, x, bottom + 22);
        figure.text("in a cell", Figure.FAINT, 13, x, bottom + 38);
    }
}
