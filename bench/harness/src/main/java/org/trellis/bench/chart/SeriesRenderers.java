package org.trellis.bench.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.LegendItem;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.labels.XYToolTipGenerator;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.AbstractXYItemRenderer;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYDotRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** Adds series to a plot of the library, each with what draws it. */
final class SeriesRenderers {
    private static final float THIN = 1;
    private static final float USUAL = 2;
    private static final float THICK = 3;
    private static final double RADIUS = 4;
    private static final float[] DASHES = {6, 4};
    /** Where a name above its row is, in rows from the middle. */
    private static final double ABOVE = -0.3;
    /** Where the middle of a bar is that has a name above it, and how much lower it is. */
    private static final double BELOW = 0.2;
    private static final double LOWER = 0.65;

    private final XYPlot plot;
    private final Font font;
    private final boolean namesAbove;

    /**
     * Prepares it.
     *
     * @param namesAbove whether rows leave room for their names
     */
    SeriesRenderers(XYPlot plot, Font font, boolean namesAbove) {
        this.plot = plot;
        this.font = font;
        this.namesAbove = namesAbove;
    }

    void add(Series series) {
        if (series.look().isText()) {
            text(series);
            return;
        }
        XYIntervalSeries values = new XYIntervalSeries(series.name(), false, true);
        for (Series.Mark mark : series.marks()) {
            double low = y(mark.fromY());
            double high = y(mark.toY());
            values.add(mark.x(), mark.fromX(), mark.toX(), (low + high) / 2, low, high);
        }
        XYIntervalSeriesCollection data = new XYIntervalSeriesCollection();
        data.addSeries(values);
        AbstractXYItemRenderer renderer = renderer(series);
        renderer.setSeriesPaint(0, series.ink().colour(series.opacity()));
        if (series.marks().stream().anyMatch(mark -> !mark.words().isEmpty())) {
            XYToolTipGenerator words = (set, row, item) -> series.marks().get(item).words();
            renderer.setDefaultToolTipGenerator(words);
        }
        int index = plot.getDatasetCount();
        plot.setDataset(plot.getDataset() == null ? 0 : index, data);
        plot.setRenderer(plot.indexOf(data), renderer);
    }

    /** Writes names above the rows that have them. */
    void names(List<String> names, double left) {
        for (int row = 0; row < names.size(); row++) {
            annotate(" " + names.get(row), left, row + ABOVE, TextAnchor.CENTER_LEFT, Ink.TEXT);
        }
    }

    private double y(double value) {
        if (!namesAbove) {
            return value;
        }
        double row = Math.rint(value);
        return row + BELOW + LOWER * (value - row);
    }

    private void text(Series series) {
        boolean centred = series.look() == Series.Look.CENTRED_TEXT;
        for (Series.Mark mark : series.marks()) {
            annotate(centred ? mark.words() : "  " + mark.words(), mark.x(), y(mark.y()),
                    centred ? TextAnchor.CENTER : TextAnchor.CENTER_LEFT, series.ink());
        }
    }

    private void annotate(String text, double x, double y, TextAnchor anchor, Ink ink) {
        XYTextAnnotation annotation = new XYTextAnnotation(text, x, y);
        annotation.setFont(font);
        annotation.setPaint(ink.colour());
        annotation.setTextAnchor(anchor);
        plot.addAnnotation(annotation);
    }

    private static AbstractXYItemRenderer renderer(Series series) {
        return switch (series.look()) {
            case BOXES -> boxes();
            case SAMPLES -> {
                XYDotRenderer dots = new XYDotRenderer();
                dots.setDotWidth((int) USUAL);
                dots.setDotHeight((int) USUAL);
                yield dots;
            }
            default -> lines(series);
        };
    }

    private static XYBarRenderer boxes() {
        XYBarRenderer boxes = new XYBarRenderer();
        boxes.setUseYInterval(true);
        boxes.setShadowVisible(false);
        boxes.setDrawBarOutline(false);
        boxes.setBarPainter(new StandardXYBarPainter());
        return boxes;
    }

    private static XYLineAndShapeRenderer lines(Series series) {
        boolean dots = !series.look().isLine() || series.look() == Series.Look.DOTTED_LINE;
        XYLineAndShapeRenderer lines = new XYLineAndShapeRenderer(series.look().isLine(), dots);
        lines.setDrawSeriesLineAsPath(true);
        lines.setSeriesStroke(0, stroke(series.look()));
        lines.setSeriesShape(0, shape(series.look()));
        return lines;
    }

    private static Shape shape(Series.Look look) {
        double side = 2 * RADIUS;
        return look == Series.Look.SQUARES
                ? new Rectangle2D.Double(-RADIUS, -RADIUS, side, side)
                : new Ellipse2D.Double(-RADIUS, -RADIUS, side, side);
    }

    private static Stroke stroke(Series.Look look) {
        return switch (look) {
            case THIN -> new BasicStroke(THIN);
            case THICK -> new BasicStroke(THICK, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
            case DASHED -> new BasicStroke(USUAL, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, THIN, DASHES, 0);
            default -> new BasicStroke(USUAL, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
        };
    }

    /** The entry of a series in the legend: a line, a line with a dot, a dot or a square. */
    static LegendItem legend(Series series, String name) {
        Color colour = series.ink().colour(series.opacity());
        boolean line = series.look().isLine();
        boolean mark = !line || series.look() == Series.Look.DOTTED_LINE;
        Shape shape = series.look() == Series.Look.BOXES
                ? new Rectangle2D.Double(-RADIUS, -RADIUS, 2 * RADIUS, 2 * RADIUS)
                : shape(series.look());
        return new LegendItem(name, null, null, null, mark, shape, true, colour, false, colour,
                new BasicStroke(THIN), line, new Line2D.Double(-10, 0, 10, 0), stroke(series.look()), colour);
    }
}
