package org.trellis.bench.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a chart shows in one colour: a curve, dots, boxes or text.
 *
 * @param name    in the legend; empty if it is not there
 * @param ink     its colour
 * @param look    how it is drawn
 * @param opacity from 0 to 1
 * @param marks   its points or boxes, in their order
 */
public record Series(String name, Ink ink, Look look, double opacity, List<Mark> marks) {
    /** Half the side of what stands for a row of named values. */
    private static final double HALF = 0.36;

    /** How a series is drawn. */
    public enum Look {
        /** A curve. */
        LINE,
        /** A curve that matters most. */
        THICK,
        /** A curve of many. */
        THIN,
        /** A curve of dashes. */
        DASHED,
        /** A curve with a dot at each point. */
        DOTTED_LINE,
        /** Dots. */
        DOTS,
        /** Squares. */
        SQUARES,
        /** Small dots, many of them. */
        SAMPLES,
        /** Boxes. */
        BOXES,
        /** Text in the middle of points. */
        CENTRED_TEXT,
        /** Text to the right of points. */
        TEXT;

        boolean isLine() {
            return this == LINE || this == THICK || this == THIN || this == DASHED || this == DOTTED_LINE;
        }

        boolean isText() {
            return this == TEXT || this == CENTRED_TEXT;
        }
    }

    /**
     * A point, or a box.
     *
     * @param fromX left edge; a point's place
     * @param toX   right edge
     * @param fromY lower edge
     * @param toY   upper edge
     * @param words shown when the mouse rests on it; what text reads; may be empty
     */
    public record Mark(double fromX, double toX, double fromY, double toY, String words) {
        /**
         * Makes a point.
         *
         * @param x     across
         * @param y     upwards
         * @param words what is shown when the mouse rests on it, or what is written there
         * @return a box without extent
         */
        public static Mark point(double x, double y, String words) {
            return new Mark(x, x, y, y, words);
        }

        /**
         * Makes the bar of a row.
         *
         * @param row   number of the row
         * @param from  left edge
         * @param to    right edge
         * @param words what is shown when the mouse rests on it
         * @return a box as high as bars are
         */
        public static Mark bar(int row, double from, double to, String words) {
            return new Mark(from, to, row - HALF, row + HALF, words);
        }

        /**
         * Makes the cell of a heat map.
         *
         * @param column number of the column
         * @param row    number of the row
         * @param words  what is shown when the mouse rests on it
         * @return a box that leaves a gap to the next
         */
        public static Mark cell(int column, int row, String words) {
            double half = 0.48;
            return new Mark(column - half, column + half, row - half, row + half, words);
        }

        double x() {
            return (fromX + toX) / 2;
        }

        double y() {
            return (fromY + toY) / 2;
        }

        boolean isFinite() {
            return Double.isFinite(fromX) && Double.isFinite(toX) && Double.isFinite(fromY) && Double.isFinite(toY);
        }
    }

    /** Leaves out what has no place. */
    public Series {
        marks = marks.stream().filter(Mark::isFinite).toList();
    }

    /**
     * Makes a series.
     *
     * @param name  in the legend; empty if it is not there
     * @param ink   its colour
     * @param look  how it is drawn
     * @param marks its points or boxes
     * @return an opaque series
     */
    public static Series of(String name, Ink ink, Look look, List<Mark> marks) {
        return new Series(name, ink, look, 1, marks);
    }

    /**
     * Makes a series of points without words.
     *
     * @param name in the legend; empty if it is not there
     * @param ink  its colour
     * @param look how it is drawn
     * @param xs   across
     * @param ys   upwards, as many
     * @return an opaque series
     * @throws IllegalArgumentException if there are not as many of the one as of the other
     */
    public static Series of(String name, Ink ink, Look look, double[] xs, double[] ys) {
        if (xs.length != ys.length) {
            throw new IllegalArgumentException(
                    "series " + name + " of " + xs.length + " and " + ys.length + " coordinates, expected as many");
        }
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < xs.length; i++) {
            marks.add(Mark.point(xs[i], ys[i], ""));
        }
        return of(name, ink, look, marks);
    }

    /**
     * Makes a level line.
     *
     * @param name in the legend
     * @param ink  its colour
     * @param y    its height
     * @param axis the axis across, whose ends it joins
     * @return a curve of two points
     */
    public static Series level(String name, Ink ink, double y, Axis axis) {
        double[] ys = new double[2];
        Arrays.fill(ys, y);
        return of(name, ink, Look.DASHED, new double[]{axis.low(), axis.high()}, ys);
    }

    /**
     * Makes it transparent.
     *
     * @param share from 0 to 1, what it covers of what is below
     * @return the same otherwise
     */
    public Series withOpacity(double share) {
        return new Series(name, ink, look, share, marks);
    }
}
