package org.trellis.bench.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Where commands print: results on one stream, progress and complaints on the other.
 *
 * @param out      results
 * @param err      progress and complaints
 * @param terminal whether somebody watches, so that lines may be overwritten
 */
public record Console(PrintWriter out, PrintWriter err, boolean terminal) {
    /**
     * Returns the console of this process.
     *
     * @return its standard streams
     */
    @SuppressWarnings("SystemConsoleNull") // it is null where the JDK's plain console is chosen and nobody is there
    public static Console ofProcess() {
        java.io.Console console = System.console();
        boolean terminal = console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
        return new Console(new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8), terminal);
    }

    /**
     * Prints one line of results.
     *
     * @param format    as of {@link String#format}, without a line break
     * @param arguments its arguments
     */
    public void print(String format, Object... arguments) {
        out.printf(Locale.ROOT, format + "%n", arguments);
        out.flush();
    }

    void complain(String message) {
        err.println("trellis: " + message);
        err.flush();
    }
}
