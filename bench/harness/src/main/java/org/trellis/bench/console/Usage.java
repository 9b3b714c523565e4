package org.trellis.bench.console;

import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What commands do with their command line before they start to work. */
public final class Usage {
    private Usage() {}

    /**
     * Runs a check whose complaint is about the command line, so that nothing is done and the exit code states it.
     *
     * @param spec  the command
     * @param check throws {@link IllegalArgumentException} to complain
     */
    public static void check(CommandSpec spec, Runnable check) {
        get(spec, () -> {
            check.run();
            return null;
        });
    }

    /**
     * Gets something whose failure is the command line's.
     *
     * @param <T>      what it is
     * @param spec     the command
     * @param supplier throws {@link IllegalArgumentException} to complain
     * @return what was got
     * @throws ParameterException if the supplier complains; with its words
     */
    public static <T> T get(CommandSpec spec, Supplier<T> supplier) {
        try {
            return supplier.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Returns the command line as it could be typed again.
     *
     * @param spec any command of it
     * @return its words, quoted where a shell needs it
     */
    public static String commandLine(CommandSpec spec) {
        List<String> words = spec.root().commandLine().getParseResult().originalArgs();
        return "trellis " + String.join(" ", words.stream().map(Usage::quoted).toList());
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:=,+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
