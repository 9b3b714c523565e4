package org.trellis.bench.chart;

import java.awt.Color;

/**
 * The colours of charts. Pictures have those given here; pages have the variables of their style sheet, which differ
 * between light and dark.
 */
public enum Ink {
    /** Text, axes and roofs. */
    TEXT(0x1c2733, "ink"),
    /** Less important text and marks. */
    FAINT(0x66727f, "faint"),
    /** Lines of the grid. */
    GRID(0xe2e6ea, "line"),
    /** What charts are on. */
    CARD(0xffffff, "card"),
    /** Cells of heat maps. */
    ACCENT(0x0f6e84, "accent"),
    /** Grey. */
    C0(0x8a94a0, "c0"),
    /** Blue. */
    C1(0x2f6db3, "c1"),
    /** Green. */
    C2(0x14937f, "c2"),
    /** Orange. */
    C3(0xe08a1e, "c3"),
    /** Violet. */
    C4(0x8a5cc2, "c4"),
    /** Pink. */
    C5(0xd1568f, "c5"),
    /** Brown. */
    C6(0x9a7b4f, "c6"),
    /** Light green. */
    C7(0x6a9c1e, "c7");

    private static final Ink[] CURVES = {C1, C3, C2, C4, C5, C7, C6, C0};

    private final Color colour;
    private final String variable;

    Ink(int rgb, String variable) {
        this.colour = new Color(rgb);
        this.variable = variable;
    }

    /**
     * Returns the colour of one of many series.
     *
     * @param index from 0; colours repeat after eight
     * @return its colour
     */
    public static Ink ofCurve(int index) {
        return CURVES[Math.floorMod(index, CURVES.length)];
    }

    /**
     * Returns the name in style sheets.
     *
     * @return for example {@code c3}, which is a class and, after two hyphens, a variable
     */
    public String variable() {
        return variable;
    }

    Color colour() {
        return colour;
    }

    /** The same, more or less transparent. */
    Color colour(double opacity) {
        return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), (int) Math.round(255 * opacity));
    }
}
