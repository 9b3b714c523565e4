package org.trellis.bench.cli;

import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.RankJob;

/**
 * A command of the command line that another module brings. Found by {@link java.util.ServiceLoader} on the class path,
 * so that the harness needs to know none of them.
 */
public interface CommandPlugin {
    /**
     * Creates the command.
     *
     * @param console where it prints
     * @return an object that picocli can run, annotated with its name and options
     */
    Object create(Console console);

    /**
     * Creates the command for the ranks that it runs on.
     *
     * @param console where it prints
     * @param job     the ranks; of several only where {@link RankJob#COMMANDS} has the command
     * @return an object that picocli can run; unless overridden, that of one rank
     */
    default Object create(Console console, RankJob job) {
        return create(console);
    }
}
