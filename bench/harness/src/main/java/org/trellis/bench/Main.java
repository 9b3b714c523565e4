package org.trellis.bench;

import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;

/** The entry point of the command line {@code trellis}. */
public final class Main {
    private Main() {}

    /**
     * Runs a command and ends the JVM with its exit code.
     *
     * @param arguments the command and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(TrellisCommand.run(Console.ofProcess(), arguments));
    }
}
