package org.trellis.bench.cli;

import org.trellis.bench.console.Console;

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
}
