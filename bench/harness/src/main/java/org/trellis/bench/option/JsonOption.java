package org.trellis.bench.option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;
import picocli.CommandLine.Option;

/** The file into which a command writes what it shows, as JSON. */
public final class JsonOption {
    private static final String NAME = "--json";

    @Option(names = NAME, paramLabel = "FILE", description = "Write the results as JSON.")
    private Path file;

    /** Made by the command line that holds it, which then sets the option. */
    public JsonOption() {
        // The option is set by the command line.
    }

    /**
     * Returns whether JSON is asked for.
     *
     * @return true if the option is given
     */
    public boolean isGiven() {
        return file != null;
    }

    /**
     * Checks that the file can be written, before anything is measured for it.
     *
     * @throws IllegalArgumentException if it cannot; says why
     */
    public void check() {
        OutputFile.check(NAME, file);
    }

    /**
     * Writes the document if it is asked for.
     *
     * @param document makes it, called only if the option is given
     * @throws IOException if the file cannot be written; an old one then is as it was
     */
    public void write(Supplier<String> document) throws IOException {
        if (file != null) {
            OutputFile.write(file, document.get());
        }
    }

    /**
     * Writes the document if it is asked for, and prints where it is.
     *
     * @param console  where that is printed
     * @param document makes it, called only if the option is given
     * @throws IOException if the file cannot be written; an old one then is as it was
     */
    public void write(Console console, Supplier<String> document) throws IOException {
        write(document);
        if (file != null) {
            console.print("  JSON              %s", file);
        }
    }
}
