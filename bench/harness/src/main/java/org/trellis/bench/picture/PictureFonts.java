package org.trellis.bench.picture;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.file.Path;

/** Whether text can be drawn: a JVM on a server may find neither fonts nor what reads them. */
public final class PictureFonts {
    private PictureFonts() {}

    /**
     * Checks that a picture can be drawn, before the work whose result it is to show.
     *
     * @param option the option that asks for it
     * @param file   the picture, or a folder for pictures, or null if there is none
     * @throws IllegalArgumentException if text cannot be drawn; says why
     */
    public static void check(String option, Path file) {
        if (file != null) {
            check(option, file, PictureFonts::measureText);
        }
    }

    /** The same with another way of trying. */
    static void check(String option, Path file, Runnable attempt) {
        try {
            attempt.run();
        } catch (RuntimeException | LinkageError | InternalError e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new IllegalArgumentException(option + " " + file + ": this JVM cannot draw text (" + cause
                    + "), expected fonts and the library fontconfig", e);
        }
    }

    private static void measureText() {
        Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        graphics.setFont(Figure.font(Font.PLAIN, 14));
        if (graphics.getFontMetrics().stringWidth("0") < 1) {
            throw new IllegalStateException("a digit has no width");
        }
        graphics.dispose();
    }
}
