package org.trellis.bench.chart;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.trellis.bench.text.Markup;
import org.trellis.file.AtomicFile;

/**
 * A chart: series over one axis upwards and one axis, or one in each of several panels, across. Into a page it is
 * drawn twice, for desks and for phones, where panels are below each other and long names above their rows.
 *
 * @param title    what it shows, for those who do not see it, and above a picture
 * @param subtitle below the title of a picture; may be empty
 * @param up       the axis upwards
 * @param panels   from left to right, at least one
 */
public record Chart(String title, String subtitle, Axis up, List<Panel> panels) {
    private static final int WIDE_PIXELS = 1080;
    private static final int NARROW_PIXELS = 360;
    private static final int PICTURE = 1000;
    private static final double PIXELS = 1.5;

    /**
     * A part of a chart with an axis across of its own.
     *
     * @param across the axis
     * @param series what is shown, the first at the back
     * @param weight its share of the width, relative to the others'
     */
    public record Panel(Axis across, List<Series> series, int weight) {
        /** Copies the list. */
        public Panel {
            series = List.copyOf(series);
        }
    }

    /** Copies the list. */
    public Chart {
        panels = List.copyOf(panels);
    }

    /**
     * Makes a chart of one panel.
     *
     * @param title  what it shows
     * @param across the axis across
     * @param up     the axis upwards
     * @param series what is shown, the first at the back
     * @return the chart
     */
    public static Chart of(String title, Axis across, Axis up, List<Series> series) {
        return new Chart(title, "", up, List.of(new Panel(across, series, 1)));
    }

    /**
     * Adds a line below the title of a picture.
     *
     * @param text the line
     * @return the same otherwise
     */
    public Chart subtitled(String text) {
        return new Chart(title, text, up, panels);
    }

    /**
     * Draws the chart into a page, or says there why it cannot be drawn.
     *
     * @param out the page, whose style sheet chooses what is shown and in which colours
     */
    public void writeTo(Markup out) {
        Optional<String> trouble = ChartFonts.trouble();
        if (trouble.isPresent()) {
            out.element("p", "No chart of " + title + ": " + trouble.get(), "class", "note").line();
            return;
        }
        out.open("div", "class", "chart").line();
        new SvgDrawing(ChartDrawing.of(this, WIDE_PIXELS), "wide", out).write();
        parts().forEach(part -> new SvgDrawing(ChartDrawing.ofPhone(part, NARROW_PIXELS), "narrow", out).write());
        out.close("div").line();
    }

    /** A chart of each panel. */
    private List<Chart> parts() {
        return IntStream.range(0, panels.size())
                .mapToObj(i -> new Chart(title, subtitle, up, panels.subList(i, i + 1))).toList();
    }

    /**
     * Draws the chart as a picture.
     *
     * @param file where to write it, as PNG; overwritten
     * @throws IOException           if it cannot be written
     * @throws IllegalStateException if this JVM cannot draw text
     */
    public void write(Path file) throws IOException {
        ChartFonts.trouble().ifPresent(trouble -> {
            throw new IllegalStateException(file + ": " + trouble);
        });
        ChartDrawing drawing = ChartDrawing.ofPicture(this, PICTURE);
        AtomicFile.write(file, raw -> {
            try (OutputStream output = new BufferedOutputStream(raw)) {
                if (!ImageIO.write(drawing.image(PIXELS), "png", output)) {
                    throw new IOException(file + ": this JVM has no PNG writer");
                }
            }
        });
    }
}
