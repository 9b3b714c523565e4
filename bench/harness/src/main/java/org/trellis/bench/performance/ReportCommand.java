package org.trellis.bench.performance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes pages from documents of measurements. */
@Command(name = "report", sortOptions = false,
        description = "Makes the page of performance from a list of figures and the measurements that it names.")
public final class ReportCommand implements Callable<Integer> {
    private final Console console;

    @Option(names = "--performance", paramLabel = "LIST", arity = "0..1", required = true,
            fallbackValue = "measurements/performance.json",
            description = "The list, JSON. Default: measurements/performance.json. A row either names documents of "
                    + "spmv --json or solve --json, from which its figure is computed, or states a figure.")
    private Path list;

    @Option(names = "--output", paramLabel = "FILE", defaultValue = "docs/performance.md",
            description = "The page. Default: ${DEFAULT-VALUE}.")
    private Path output;

    @Option(names = "--quote", paramLabel = "FILE", defaultValue = "README.md",
            description = "The page that quotes rows, in the table below its heading 'Three figures'. Default: "
                    + "${DEFAULT-VALUE}.")
    private Path quote;

    @Spec
    private CommandSpec spec;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public ReportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Usage.check(spec, () -> {
            OutputFile.check("--output", output);
            OutputFile.check("--quote", quote);
        });
        PerformanceDocument document = PerformanceDocument.read(list);
        String quoting = PerformancePage.quoted(document, Files.readString(quote), quote.toString());
        OutputFile.write(output, PerformancePage.of(document, output));
        OutputFile.write(quote, quoting);
        int rows = document.sections().stream().mapToInt(section -> section.rows().size()).sum();
        console.print("%s: %d figures, quoted in %s", output, rows, quote);
        return ExitCode.OK;
    }
}
