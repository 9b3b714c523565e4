package org.trellis.bench.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.trellis.bench.text.Printable;
import org.trellis.bench.text.PrintableStream;
import org.trellis.bench.text.PrintableWriter;

/**
 * Where commands print: results on one stream, progress and complaints on the other. Everything that is printed passes
 * through here and comes out printable, whatever file it was read from; only the command line's own colours and its
 * progress bar reach a terminal as they are.
 */
public final class Console {
    private final PrintWriter rawOut;
    private final PrintWriter rawErr;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean terminal;
    private final ResultStream results;

    /**
     * Creates a console.
     *
     * @param out      results
     * @param err      progress and complaints
     * @param terminal whether a terminal shows it, so that lines may be overwritten
     */
    public Console(PrintWriter out, PrintWriter err, boolean terminal) {
        this(out, err, terminal, null);
    }

    private Console(PrintWriter out, PrintWriter err, boolean terminal, ResultStream results) {
        this.rawOut = out;
        this.rawErr = err;
        this.out = new PrintWriter(new PrintableWriter(out), true);
        this.err = new PrintWriter(new PrintableWriter(err), true);
        this.terminal = terminal;
        this.results = results;
    }

    /** Thrown when no program reads the results any more, so that work for them ends. */
    public static final class ClosedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ClosedException() {
            super("no program reads the results");
        }
    }

    /**
     * Returns the console of this process. What others print to the standard error, loggers for example, is made
     * printable from now on.
     *
     * @return its standard streams
     */
    @SuppressWarnings("SystemConsoleNull") // null where the JDK's plain console is chosen and there is no terminal
    public static Console ofProcess() {
        java.io.Console console = System.console();
        boolean terminal = console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
        ResultStream results = new ResultStream(new FileOutputStream(FileDescriptor.out));
        FileOutputStream errors = new FileOutputStream(FileDescriptor.err);
        System.setErr(new PrintStream(new PrintableStream(errors), true, StandardCharsets.UTF_8));
        return new Console(new PrintWriter(results, false, StandardCharsets.UTF_8),
                new PrintWriter(errors, true, StandardCharsets.UTF_8), terminal, results);
    }

    /**
     * Returns where results are printed.
     *
     * @return a writer that shows control characters as their codes; to be flushed after use
     */
    public PrintWriter out() {
        return out;
    }

    /**
     * Returns where progress and complaints are printed.
     *
     * @return a writer that shows control characters as their codes; to be flushed after use
     */
    public PrintWriter err() {
        return err;
    }

    /**
     * Says whether a terminal shows the output.
     *
     * @return true if lines may be overwritten
     */
    public boolean terminal() {
        return terminal;
    }

    /**
     * For the colours of help texts, which hold nothing that a user or a file wrote.
     *
     * @return the standard output, unfiltered
     */
    public PrintWriter rawOut() {
        return rawOut;
    }

    /** For what moves the cursor. */
    PrintWriter rawErr() {
        return rawErr;
    }

    /**
     * Prints one line of results. Line breaks in an argument are shown as their codes, those of the format are made.
     *
     * @param format    as of {@link String#format}, without a line break
     * @param arguments its arguments
     */
    public void print(String format, Object... arguments) {
        Object[] shown = new Object[arguments.length];
        for (int i = 0; i < shown.length; i++) {
            Object given = arguments[i];
            shown[i] = given instanceof Number || given instanceof Boolean || given instanceof Character
                    ? given
                    : Printable.line(Printable.brief(String.valueOf(given)));
        }
        printText(String.format(Locale.ROOT, format + "%n", shown));
    }

    /**
     * Prints several lines of results.
     *
     * @param text the lines with their line breaks
     * @throws ClosedException if no program reads the results any more
     */
    public void printText(String text) {
        out.print(text);
        out.flush();
        if (results != null && results.isClosedPipe()) {
            throw new ClosedException();
        }
    }

    /**
     * Prints a complaint; what follows its first line is indented, so that nothing in it looks like another one.
     *
     * @param message what to say
     */
    public void complain(String message) {
        err.println("trellis: " + Printable.brief(String.valueOf(message)).replace("\n", "\n  "));
        err.flush();
    }

    /**
     * Ends a command: says if its results did not arrive.
     *
     * @param code how the command went
     * @return the exit code, which is not 0 if results were lost
     */
    public int finish(int code) {
        out.flush();
        boolean lost = rawOut.checkError();
        if (!lost) {
            return code;
        }
        if (results != null && results.isClosedPipe()) {
            return code == ExitCode.OK ? ExitCode.CLOSED_PIPE : code;
        }
        IOException failure = results == null ? null : results.failure();
        complain("the results could not be written to the standard output"
                + (failure == null ? "" : ": " + failure.getMessage()));
        return code == ExitCode.OK ? ExitCode.FAILED : code;
    }
}
