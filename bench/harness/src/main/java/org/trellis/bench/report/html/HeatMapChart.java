package org.trellis.bench.report.html;

import org.trellis.bench.report.Numbers;
import org.trellis.bench.tune.HeatMap;

/** Cooperating threads across and rows of a group upwards; the darker, the nearer to the best. */
final class HeatMapChart {
    private static final int CELL_WIDTH = 76;
    private static final int CELL_HEIGHT = 44;
    private static final int LEFT = 110;
    private static final int TOP = 14;
    private static final int BOTTOM = 52;
    private static final int WIDEST = 1080;
    /** A share at which a cell is not coloured at all. */
    private static final double PALEST = 0.3;
    /** Colour from which white letters are read better. */
    private static final double DARK = 0.6;

    private final HeatMap map;
    private final Markup out;

    HeatMapChart(HeatMap map, Markup out) {
        this.map = map;
        this.out = out;
    }

    void write() {
        int[] threads = map.threads();
        int[] rows = map.rows();
        int height = TOP + CELL_HEIGHT * rows.length + BOTTOM;
        out.open("svg", "viewBox", "0 0 " + WIDEST + ' ' + height, "class", "chart", "role", "img", "aria-label",
                "Share of the best speed by threads and rows").line();
        for (int i = 0; i < threads.length; i++) {
            for (int k = 0; k < rows.length; k++) {
                cell(LEFT + i * CELL_WIDTH, TOP + (rows.length - 1 - k) * CELL_HEIGHT, map.share(i, k),
                        threads[i] + " threads, " + rows[k] + " rows");
            }
        }
        for (int i = 0; i < threads.length; i++) {
            label(threads[i], LEFT + (i + 0.5) * CELL_WIDTH, TOP + rows.length * CELL_HEIGHT + 18, "middle");
        }
        for (int k = 0; k < rows.length; k++) {
            label(rows[k], LEFT - 8, TOP + (rows.length - 0.5 - k) * CELL_HEIGHT + 4, "end");
        }
        out.element("text", "cooperating threads", "x", String.valueOf(LEFT), "y", String.valueOf(height - 10),
                "class", "head");
        out.element("text", "rows of a group", "x", "0", "y", String.valueOf(TOP + 12), "class", "head");
        out.close("svg").line();
    }

    private void label(int number, double x, double y, String anchor) {
        out.element("text", String.valueOf(number), "x", Figures.coordinate(x), "y", Figures.coordinate(y),
                "text-anchor", anchor);
    }

    private void cell(int x, int y, double share, String name) {
        boolean measured = Double.isFinite(share);
        double colour = measured ? Math.max(0, (share - PALEST) / (1 - PALEST)) : 0;
        out.open("rect", "class", measured ? "cell" : "cell missing", "x", String.valueOf(x), "y", String.valueOf(y),
                "width", String.valueOf(CELL_WIDTH - 2), "height", String.valueOf(CELL_HEIGHT - 2), "rx", "3",
                "fill-opacity", Figures.exact(colour));
        out.element("title", name).close("rect");
        out.element("text", measured ? Numbers.percent(share) : "–", "x", Figures.coordinate(x + CELL_WIDTH / 2.0 - 1),
                "y", Figures.coordinate(y + CELL_HEIGHT / 2.0 + 3), "text-anchor", "middle", "class",
                colour > DARK ? "onDark" : "onPale");
        out.line();
    }
}
