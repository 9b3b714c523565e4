package org.trellis.bench.chart;

import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** An axis of the library that has the ticks of ours, as many as there is room for. */
final class RoundAxis extends NumberAxis {
    private static final long serialVersionUID = 1;
    private static final int ACROSS_A_TICK = 50;
    private static final int UP_A_TICK = 36;
    private static final int GAP = 10;

    private final transient Axis axis;

    RoundAxis(Axis axis) {
        super(axis.title().isEmpty() ? null : axis.title());
        this.axis = axis;
        setAutoRange(false);
        setRange(axis.low(), axis.high());
        setInverted(axis.reverse());
    }

    @Override
    public double valueToJava2D(double value, Rectangle2D area, RectangleEdge edge) {
        boolean across = RectangleEdge.isTopOrBottom(edge);
        double share = axis.scale().position(axis.scale().logarithmic() ? Math.max(value, axis.low()) : value);
        double forward = across == axis.reverse() ? 1 - share : share;
        return across
                ? area.getX() + forward * area.getWidth()
                : area.getY() + forward * area.getHeight();
    }

    @Override
    public List<?> refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        boolean across = RectangleEdge.isTopOrBottom(edge);
        graphics.setFont(getTickLabelFont());
        double length = across ? area.getWidth() : area.getHeight();
        List<Double> shown = List.of();
        for (int wanted = Math.max(2, (int) (length / (across ? ACROSS_A_TICK : UP_A_TICK))); wanted > 1; wanted--) {
            shown = axis.ticks(wanted);
            if (!across || fits(shown, graphics.getFontMetrics(), area, edge)) {
                break;
            }
        }
        return thinned(shown, graphics.getFontMetrics(), area, edge).stream()
                .map(tick -> new NumberTick(tick, axis.label().apply(tick),
                        across ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT, TextAnchor.CENTER, 0))
                .toList();
    }

    private boolean fits(List<Double> ticks, FontMetrics metrics, Rectangle2D area, RectangleEdge edge) {
        return thinned(ticks, metrics, area, edge).size() == ticks.size();
    }

    /** Leaves out what would touch the label before. */
    private List<Double> thinned(List<Double> ticks, FontMetrics metrics, Rectangle2D area, RectangleEdge edge) {
        if (axis.isNamed() && !RectangleEdge.isTopOrBottom(edge)) {
            return ticks;
        }
        List<Double> kept = new ArrayList<>();
        double end = Double.NEGATIVE_INFINITY;
        for (double tick : ticks) {
            double middle = valueToJava2D(tick, area, edge);
            if (RectangleEdge.isTopOrBottom(edge)) {
                double half = metrics.stringWidth(axis.label().apply(tick)) / 2.0;
                if (middle - half >= end) {
                    kept.add(tick);
                    end = middle + half + GAP;
                }
            } else if (kept.isEmpty() || Math.abs(middle - end) >= metrics.getHeight()) {
                kept.add(tick);
                end = middle;
            }
        }
        return kept;
    }
}
