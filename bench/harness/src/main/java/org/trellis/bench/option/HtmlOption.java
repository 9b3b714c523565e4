package org.trellis.bench.option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;
import picocli.CommandLine.Option;

/** The page into which a command writes what it shows, for a browser. */
public final class HtmlOption {
    private static final String NAME = "--html";

    @Option(names = NAME, paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_HTML,
            description = "Write an HTML report. Without FILE: ${FALLBACK-VALUE}.")
    private Path file;

    /** Made by the command line that holds it, which then sets the option. */
    public HtmlOption() {
        // The option is set by the command line.
    }

    /**
     * Returns whether a page is asked for.
     *
     * @return true if the option is given, or {@link #orDefault} was called
     */
    public boolean isGiven() {
        return file != null;
    }

    /** Asks for a page with the default name, unless the user did with another. */
    public void orDefault() {
        file = file == null ? Path.of(OutputFile.DEFAULT_HTML) : file;
    }

    /**
     * Checks that the page can be written, before anything is measured for it.
     *
     * @throws IllegalArgumentException if it cannot; says why
     */
    public void check() {
        OutputFile.checkHtml(NAME, file);
    }

    /**
     * Writes the page if it is asked for, and prints where it is.
     *
     * @param console where that is printed
     * @param page    makes it, called only if the option is given
     * @throws IOException if the file cannot be written; an old one then is as it was
     */
    public void write(Console console, Supplier<String> page) throws IOException {
        if (file != null) {
            OutputFile.write(file, page.get());
            console.print("  HTML              %s", file);
        }
    }
}
