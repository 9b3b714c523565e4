package org.trellis.bench.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.block.LengthConstraintType;
import org.jfree.chart.block.LineBorder;
import org.jfree.chart.block.RectangleConstraint;
import org.jfree.chart.entity.ChartEntity;
import org.jfree.chart.plot.CombinedRangeXYPlot;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.Range;
import org.trellis.bench.text.Printable;

/** A chart for one width, as the plotting library draws it. */
final class ChartDrawing {
    private static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 18);
    private static final Font SUBTITLE = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    /** Names that take more of the width are written above their rows. */
    private static final double WIDEST_NAMES = 0.3;
    private static final int AXIS = 58;
    private static final int SIDE = 26;
    private static final int ROW = 27;
    private static final int TALL_ROW = 42;
    private static final int LEGEND_MARK = 46;
    private static final int NAMES_MARGIN = 48;
    private static final int LABELS = 56;

    private final Chart chart;
    private final int width;
    private final boolean phone;
    private final boolean namesAbove;
    private final Graphics2D measuring = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    private final JFreeChart drawn;
    private final int height;

    static {
        // Text that is turned stays text.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
    }

    /**
     * Words that belong to a part of the chart.
     *
     * @param area  the part
     * @param words shown when the mouse rests on it
     */
    record Tip(Rectangle2D area, String words) {}

    private ChartDrawing(Chart chart, int width, boolean phone, boolean picture) {
        this.chart = chart;
        this.width = width;
        this.phone = phone;
        FontMetrics metrics = measuring.getFontMetrics(PLAIN);
        this.namesAbove = phone && chart.up().isNamed() && chart.up().names().stream()
                .mapToInt(metrics::stringWidth).max().orElse(0) > WIDEST_NAMES * width;
        XYPlot plot = plot();
        this.drawn = new JFreeChart(null, null, plot, false);
        drawn.setBackgroundPaint(picture ? Color.WHITE : null);
        drawn.setPadding(new RectangleInsets(6, namesAbove ? SIDE : 4, 4, SIDE));
        int titles = picture ? titles() : 0;
        this.height = plotHeight() + AXIS + titles + legend(plot);
    }

    /** A chart as wide as a page. */
    static ChartDrawing of(Chart chart, int width) {
        return new ChartDrawing(chart, width, false, false);
    }

    /** A chart as wide as a phone, of one panel. */
    static ChartDrawing ofPhone(Chart chart, int width) {
        return new ChartDrawing(chart, width, true, false);
    }

    /** A chart with its title on white. */
    static ChartDrawing ofPicture(Chart chart, int width) {
        return new ChartDrawing(chart, width, false, true);
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    String title() {
        return chart.title();
    }

    /** Draws and returns what has words. */
    List<Tip> draw(Graphics2D graphics) {
        ChartRenderingInfo info = new ChartRenderingInfo();
        drawn.draw(graphics, new Rectangle2D.Double(0, 0, width, height), info);
        List<Tip> tips = new ArrayList<>();
        for (Object each : info.getEntityCollection().getEntities()) {
            if (each instanceof ChartEntity entity && entity.getToolTipText() != null
                    && !entity.getToolTipText().isEmpty()) {
                tips.add(new Tip(entity.getArea().getBounds2D(), entity.getToolTipText()));
            }
        }
        return tips;
    }

    BufferedImage image(double pixels) {
        return drawn.createBufferedImage((int) (width * pixels), (int) (height * pixels), width, height, null);
    }

    private int plotHeight() {
        if (chart.up().isNamed()) {
            return Math.max(2, chart.up().names().size()) * (namesAbove ? TALL_ROW : ROW);
        }
        return phone ? 260 : 400;
    }

    private XYPlot plot() {
        RoundAxis up = axis(chart.up());
        up.setTickLabelsVisible(!namesAbove);
        up.setTickMarksVisible(!chart.up().isNamed());
        if (chart.panels().size() == 1) {
            XYPlot plot = panel(chart.panels().getFirst());
            plot.setRangeAxis(up);
            return plot;
        }
        CombinedRangeXYPlot combined = new CombinedRangeXYPlot(up);
        combined.setGap(SIDE);
        chart.panels().forEach(panel -> combined.add(panel(panel), panel.weight()));
        combined.setBackgroundPaint(null);
        combined.setOutlineVisible(false);
        return combined;
    }

    private XYPlot panel(Chart.Panel panel) {
        XYPlot plot = new XYPlot();
        plot.setDomainAxis(axis(panel.across()));
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        BasicStroke thin = new BasicStroke(1);
        plot.setDomainGridlineStroke(thin);
        plot.setDomainGridlinePaint(Ink.GRID.colour());
        plot.setDomainGridlinesVisible(!panel.across().isNamed());
        plot.setRangeGridlineStroke(thin);
        plot.setRangeGridlinePaint(Ink.GRID.colour());
        plot.setRangeGridlinesVisible(!chart.up().isNamed());
        SeriesRenderers renderers = new SeriesRenderers(plot, PLAIN, namesAbove);
        panel.series().forEach(renderers::add);
        if (namesAbove) {
            renderers.names(chart.up().names().stream()
                    .map(name -> shortened(name, PLAIN, width - SIDE - NAMES_MARGIN)).toList(), panel.across().low());
        }
        return plot;
    }

    private RoundAxis axis(Axis axis) {
        RoundAxis drawn = new RoundAxis(axis);
        if (drawn.getLabel() != null) {
            drawn.setLabel(shortened(axis.title(), PLAIN, (axis == chart.up() ? plotHeight() : width) - LABELS));
        }
        drawn.setTickLabelFont(PLAIN);
        drawn.setTickLabelPaint(Ink.TEXT.colour());
        drawn.setLabelFont(PLAIN);
        drawn.setLabelPaint(Ink.FAINT.colour());
        drawn.setAxisLinePaint(Ink.FAINT.colour());
        drawn.setTickMarkPaint(Ink.FAINT.colour());
        drawn.setAxisLineStroke(new BasicStroke(1));
        return drawn;
    }

    /** Adds the titles and returns their height. */
    private int titles() {
        title(chart.subtitle(), SUBTITLE, Ink.FAINT);
        title(chart.title(), TITLE, Ink.TEXT);
        return chart.subtitle().isEmpty() ? 34 : 58;
    }

    private void title(String text, Font font, Ink ink) {
        if (!text.isEmpty()) {
            TextTitle title = new TextTitle(shortened(Printable.line(text), font, width - 2 * SIDE), font,
                    ink.colour(), RectangleEdge.TOP, HorizontalAlignment.LEFT, TextTitle.DEFAULT_VERTICAL_ALIGNMENT,
                    new RectangleInsets(4, 8, 2, 8));
            drawn.addSubtitle(0, title);
        }
    }

    /** Takes from the middle what has no room, since names often differ at their ends. */
    private String shortened(String text, Font font, int room) {
        FontMetrics metrics = measuring.getFontMetrics(font);
        String result = text;
        for (int kept = text.length() - 2; metrics.stringWidth(result) > room && kept > 2; kept--) {
            int end = kept / 3;
            result = text.substring(0, kept - end).stripTrailing() + '…' + text.substring(text.length() - end);
        }
        return result;
    }

    /** Adds the legend and returns its height. */
    private int legend(XYPlot plot) {
        LegendItemCollection items = new LegendItemCollection();
        for (Chart.Panel panel : chart.panels()) {
            for (Series series : panel.series()) {
                if (!series.name().isEmpty()) {
                    items.add(item(series));
                }
            }
        }
        plot.setFixedLegendItems(items);
        if (items.getItemCount() == 0) {
            return 0;
        }
        LegendTitle legend = new LegendTitle(plot);
        legend.setPosition(RectangleEdge.BOTTOM);
        legend.setItemFont(PLAIN);
        legend.setItemPaint(Ink.TEXT.colour());
        legend.setBackgroundPaint(null);
        legend.setFrame(new LineBorder(new Color(0, 0, 0, 0), new BasicStroke(0), RectangleInsets.ZERO_INSETS));
        legend.setItemLabelPadding(new RectangleInsets(2, 4, 2, 12));
        drawn.addLegend(legend);
        double room = width - SIDE - 8.0;
        return (int) Math.ceil(legend.arrange(measuring, new RectangleConstraint(room, new Range(0, room),
                LengthConstraintType.RANGE, 1e4, new Range(0, 1e4),
                LengthConstraintType.RANGE)).getHeight()) + 6;
    }

    private LegendItem item(Series series) {
        String name = shortened(Printable.line(series.name()), PLAIN, width - SIDE - LEGEND_MARK);
        LegendItem item = SeriesRenderers.legend(series, name);
        item.setLabelFont(PLAIN);
        item.setLabelPaint(Ink.TEXT.colour());
        return item;
    }
}
