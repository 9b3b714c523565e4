package org.trellis.bench.option;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.Usage;
import org.trellis.bench.report.Provenance;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * What every command is made of: where it prints, its command line, and how mistakes in that are refused before
 * anything is done. Options that several commands have are mixins of this package; a command declares only its own.
 */
public abstract class ConsoleCommand implements Callable<Integer> {
    private final Console console;

    @Spec
    private CommandSpec spec;

    /**
     * Makes a command, whose options the command line sets.
     *
     * @param console where it prints
     */
    protected ConsoleCommand(Console console) {
        this.console = console;
    }

    /**
     * Returns where the command prints.
     *
     * @return the console
     */
    protected final Console console() {
        return console;
    }

    /**
     * Returns the command as the command line knows it.
     *
     * @return its description
     */
    protected final CommandSpec spec() {
        return spec;
    }

    /**
     * Runs a check of the command line. If it complains, nothing is done and the exit code is that of a wrong usage.
     *
     * @param check throws {@link IllegalArgumentException} to complain
     */
    protected final void checkUsage(Runnable check) {
        Usage.check(spec, check);
    }

    /**
     * Gets something whose failure is a mistake of the command line.
     *
     * @param <T>      what it is
     * @param supplier throws {@link IllegalArgumentException} to complain
     * @return what was got
     */
    protected final <T> T checked(Supplier<T> supplier) {
        return Usage.get(spec, supplier);
    }

    /**
     * Returns the command line that was given, for reports.
     *
     * @return in one line
     */
    protected final String commandLine() {
        return Usage.commandLine(spec);
    }

    /**
     * Returns what made the results, for reports.
     *
     * @return this version of the library, this machine, and the command line
     */
    protected final Provenance provenance() {
        return Provenance.of(commandLine());
    }
}
