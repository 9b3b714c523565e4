package org.trellis.bench.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.image.BufferedImage;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.function.DoublePredicate;
import javax.imageio.ImageIO;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.text.Printable;
import org.trellis.file.AtomicFile;

/** A picture with a title, a plotting area, and axes at its left and lower edges. */
final class Figure {
    static final Color INK = new Color(0x1f2933);
    static final Color FAINT = new Color(0x7b8794);
    static final Color GRID = new Color(0xe4e7eb);
    static final Color BLUE = new Color(0x2563a8);
    static final Color ORANGE = new Color(0xd97706);
    private static final int LEFT = 96;
    private static final int TOP = 92;
    private static final int BOTTOM = 76;
    private static final int PIXELS_A_TICK = 90;
    private static final int TICK_LENGTH = 6;

    private final BufferedImage image;
    private final Graphics2D graphics;
    private final int width;
    private final int height;

    static {
        // A picture is drawn into memory; a display is not needed, and may not be there.
        System.setProperty("java.awt.headless", "true");
    }

    /**
     * Starts a picture.
     *
     * @param width  pixels of the plotting area
     * @param height pixels of the plotting area
     * @param right  pixels to the right of it
     */
    Figure(int width, int height, int right) {
        this.width = width;
        this.height = height;
        this.image = new BufferedImage(LEFT + width + right, TOP + height + BOTTOM, BufferedImage.TYPE_INT_RGB);
        this.graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    }

    int left() {
        return LEFT;
    }

    int top() {
        return TOP;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    Graphics2D graphics() {
        return graphics;
    }

    BufferedImage image() {
        return image;
    }

    void title(String title, String subtitle) {
        graphics.setFont(font(Font.BOLD, 22));
        graphics.setColor(INK);
        graphics.drawString(shortened(Printable.line(title)), LEFT, 40);
        graphics.setFont(font(Font.PLAIN, 15));
        graphics.setColor(FAINT);
        graphics.drawString(shortened(Printable.line(subtitle)), LEFT, 66);
    }

    private String shortened(String text) {
        FontMetrics metrics = graphics.getFontMetrics();
        int room = image.getWidth() - LEFT - 16;
        String result = text;
        while (metrics.stringWidth(result) > room && result.length() > 2) {
            result = result.substring(0, result.length() - 2) + "…";
        }
        return result;
    }

    static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }

    /** Draws the lower axis; with a grid, lines across the plotting area. */
    void horizontalAxis(Scale scale, String name, boolean grid) {
        horizontalAxis(scale, name, grid, tick -> true);
    }

    /** The same for an axis that counts: only whole numbers have ticks. */
    void countingAxis(Scale scale, String name, boolean grid) {
        horizontalAxis(scale, name, grid, tick -> tick == Math.rint(tick));
    }

    private void horizontalAxis(Scale scale, String name, boolean grid, DoublePredicate shown) {
        graphics.setFont(font(Font.PLAIN, 14));
        FontMetrics metrics = graphics.getFontMetrics();
        int bottom = TOP + height;
        for (double tick : scale.ticks(Math.max(2, width / PIXELS_A_TICK))) {
            if (!shown.test(tick)) {
                continue;
            }
            double x = LEFT + scale.position(tick) * width;
            if (grid) {
                line(GRID, x, TOP, x, bottom);
            }
            line(INK, x, bottom, x, bottom + TICK_LENGTH);
            String label = scale.label(tick);
            graphics.drawString(label, (float) (x - metrics.stringWidth(label) / 2.0), bottom + 24);
        }
        graphics.drawString(name, LEFT + (width - metrics.stringWidth(name)) / 2, bottom + 54);
    }

    /** Draws the left axis; downward if its values grow towards the bottom, as rows do. */
    void verticalAxis(Scale scale, String name, boolean grid, boolean downward) {
        graphics.setFont(font(Font.PLAIN, 14));
        FontMetrics metrics = graphics.getFontMetrics();
        for (double tick : scale.ticks(Math.max(2, height / PIXELS_A_TICK))) {
            double share = scale.position(tick);
            double y = TOP + (downward ? share : 1 - share) * height;
            if (grid) {
                line(GRID, LEFT, y, LEFT + width, y);
            }
            line(INK, LEFT - TICK_LENGTH, y, LEFT, y);
            String label = scale.label(tick);
            graphics.drawString(label, LEFT - TICK_LENGTH - 5 - metrics.stringWidth(label),
                    (float) (y + metrics.getAscent() / 2.0 - 2));
        }
        graphics.rotate(-Math.PI / 2);
        graphics.drawString(name, -(TOP + (height + metrics.stringWidth(name)) / 2), 24);
        graphics.rotate(Math.PI / 2);
    }

    void frame() {
        graphics.setColor(INK);
        graphics.setStroke(new BasicStroke(1.2f));
        graphics.drawRect(LEFT, TOP, width, height);
    }

    void line(Color colour, double fromX, double fromY, double toX, double toY) {
        graphics.setColor(colour);
        graphics.setStroke(new BasicStroke(1));
        graphics.draw(new Line2D.Double(fromX, fromY, toX, toY));
        graphics.setColor(INK);
    }

    void text(String text, Color colour, int size, double x, double y) {
        graphics.setFont(font(Font.PLAIN, size));
        graphics.setColor(colour);
        graphics.drawString(text, (float) x, (float) y);
    }

    void write(Path file) throws IOException {
        graphics.dispose();
        AtomicFile.write(file, raw -> {
            try (OutputStream output = new BufferedOutputStream(raw)) {
                if (!ImageIO.write(image, "png", output)) {
                    throw new IOException(file + ": this JVM has no PNG writer");
                }
            }
        });
    }
}
