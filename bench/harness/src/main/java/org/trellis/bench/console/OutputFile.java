package org.trellis.bench.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.bench.chart.ChartFonts;
import org.trellis.file.AtomicFile;

/** Files that a command will write when it is done, checked before it starts. */
public final class OutputFile {
    /** The report that {@code --html} writes without a name. */
    public static final String DEFAULT_HTML = "trellis-report.html";
    /** The picture that {@code --picture} draws without a name. */
    public static final String DEFAULT_PICTURE = "trellis-picture.png";
    /** The picture that {@code --plot} draws without a name. */
    public static final String DEFAULT_PLOT = "trellis-convergence.png";

    private OutputFile() {}

    /** A name may be left out after these options, so what follows them might be meant as something else. */
    private static void checkEnding(String option, Path file, String... endings) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (Arrays.stream(endings).noneMatch(name::endsWith) && (!Files.exists(file) || Files.isRegularFile(file))) {
            throw new IllegalArgumentException(option + " names '" + file + "', expected a file that ends in "
                    + String.join(" or ", endings) + "; without a name, put " + option + " last");
        }
    }

    /**
     * Checks that a report for a browser can be written.
     *
     * @param option the option that names it
     * @param file   the file, or null if there is none
     * @throws IllegalArgumentException if it cannot, or does not end as such files do; says why
     */
    public static void checkHtml(String option, Path file) {
        check(option, file);
        if (file != null) {
            checkEnding(option, file, ".html", ".htm");
        }
    }

    /**
     * Checks that a file can be written.
     *
     * @param option the option that names it
     * @param file   the file, or null if there is none
     * @throws IllegalArgumentException if it cannot; says why
     */
    public static void check(String option, Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(option + " " + file + " is a folder, expected a file");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException(option + " " + file + ": there is no folder " + folder);
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw new IllegalArgumentException(option + " " + file + " cannot be written: access is denied");
        }
        if (!Files.exists(file) || Files.isRegularFile(file)) {
            checkReplaceable(option, file);
        }
    }

    /** A file is written beside the old one and takes its place, which is up to the folder. */
    private static void checkReplaceable(String option, Path file) {
        try {
            Path folder = AtomicFile.target(file).getParent();
            if (!Files.isDirectory(folder)) {
                throw new IllegalArgumentException(option + " " + file + ": there is no folder " + folder);
            }
            if (!Files.isWritable(folder)) {
                throw new IllegalArgumentException(
                        option + " " + file + " cannot be written: access to its folder " + folder + " is denied");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(option + " " + file + " cannot be written: " + ErrorMessages.describe(e),
                    e);
        }
    }

    /**
     * Checks that a folder is there or can be made.
     *
     * @param option the option that names it
     * @param folder the folder, or null if there is none
     * @throws IllegalArgumentException if it cannot; says why
     */
    static void checkFolder(String option, Path folder) {
        if (folder == null) {
            return;
        }
        Path existing = folder.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isDirectory(existing)) {
            throw new IllegalArgumentException(option + " " + folder + ": " + existing + " is not a folder");
        }
        if (!Files.isWritable(existing)) {
            throw new IllegalArgumentException(option + " " + folder + " cannot be written: access is denied");
        }
    }

    /**
     * The same for a folder that pictures will be drawn into.
     *
     * @param option the option that names it
     * @param folder the folder, or null if there is none
     * @throws IllegalArgumentException if pictures cannot be written there; says why
     */
    public static void checkPictureFolder(String option, Path folder) {
        checkFolder(option, folder);
        ChartFonts.check(option, folder);
    }

    /**
     * Checks that a picture can be drawn and written.
     *
     * @param option the option that names it
     * @param file   the file, or null if there is none
     * @throws IllegalArgumentException if it cannot, or does not end in .png; says why
     */
    public static void checkPicture(String option, Path file) {
        check(option, file);
        if (file != null) {
            checkEnding(option, file, ".png");
        }
        ChartFonts.check(option, file);
    }

    /**
     * Writes a text, all of it or nothing.
     *
     * @param file the file
     * @param text its new contents
     * @throws IOException if that fails; an old file then is as it was
     */
    public static void write(Path file, String text) throws IOException {
        AtomicFile.writeText(file, text);
    }
}
