package org.trellis.bench.chart;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.Optional;

/** Whether text can be drawn: a JVM on a server may find neither fonts nor what reads them. */
public final class ChartFonts {
    private static final int SIZE = 14;

    static {
        // What is drawn is drawn into memory; a display is not needed, and may not be there.
        System.setProperty("java.awt.headless", "true");
    }

    private ChartFonts() {}

    /** Tried when it is asked for first. */
    private static final class Tried {
        static final Optional<String> TROUBLE = troubleOf(ChartFonts::measureText);
    }

    /**
     * Returns why text cannot be drawn.
     *
     * @return the reason and what is expected; empty if it can
     */
    public static Optional<String> trouble() {
        return Tried.TROUBLE;
    }

    /**
     * Checks that a picture can be drawn, before the work whose result it is to show.
     *
     * @param option the option that asks for it
     * @param file   the picture, or a folder for pictures, or null if there is none
     * @throws IllegalArgumentException if text cannot be drawn; says why
     */
    public static void check(String option, Path file) {
        if (file != null) {
            trouble().ifPresent(why -> {
                throw new IllegalArgumentException(option + " " + file + ": " + why);
            });
        }
    }

    /** The same for another attempt. */
    static Optional<String> troubleOf(Runnable attempt) {
        try {
            attempt.run();
            return Optional.empty();
        } catch (RuntimeException | LinkageError | InternalError e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return Optional
                    .of("this JVM cannot draw text (" + cause + "), expected fonts and the library fontconfig");
        }
    }

    private static void measureText() {
        Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, SIZE));
        if (graphics.getFontMetrics().stringWidth("0") < 1) {
            throw new IllegalStateException("a digit has no width");
        }
        graphics.dispose();
    }
}
