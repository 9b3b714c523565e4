package org.trellis.bench.loop;

import java.io.IOException;
import java.nio.file.Path;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;

/** The option {@code --report} of applications: the table of their loops, printed or in a file. */
public final class LoopText {
    /** What the option holds if no file is named. */
    public static final String PRINTED = "-";

    private LoopText() {}

    /**
     * Returns whether the table goes to the standard output.
     *
     * @param report what the option holds, or null if it is not given
     * @return true if no file is named
     */
    public static boolean printed(Path report) {
        return report != null && PRINTED.equals(report.toString());
    }

    /**
     * Checks that the table can be written.
     *
     * @param report what the option holds, or null if it is not given
     * @throws IllegalArgumentException if a file is named that cannot be written; says why
     */
    public static void check(Path report) {
        if (!printed(report)) {
            OutputFile.check("--report", report);
        }
    }

    /**
     * Prints or writes the table.
     *
     * @param console where it is printed
     * @param report  what the option holds
     * @param text    the table, lines with their breaks
     * @throws IOException if the file cannot be written
     */
    public static void write(Console console, Path report, String text) throws IOException {
        if (printed(report)) {
            console.printText(text);
        } else {
            OutputFile.write(report, text);
            console.print("report: %s", report);
        }
    }
}
