package org.trellis.bench.option;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import picocli.CommandLine.Option;

/** Whether a command shows how far it is. */
public final class ProgressOptions {
    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    /** Made by the command line that holds it, which then sets the option. */
    public ProgressOptions() {
        // The option is set by the command line.
    }

    /**
     * Starts to show progress, unless the user asked for none.
     *
     * @param console where
     * @return what shows it; the caller closes it
     */
    @MustBeClosed
    public ConsoleProgress open(Console console) {
        return new ConsoleProgress(console, quiet);
    }

    /**
     * Starts to show the progress of a job of several ranks, of which only the first shows any.
     *
     * @param console where
     * @param first   true on the first rank
     * @return what shows it; the caller closes it
     */
    @MustBeClosed
    public ConsoleProgress open(Console console, boolean first) {
        return new ConsoleProgress(console, quiet || !first);
    }
}
