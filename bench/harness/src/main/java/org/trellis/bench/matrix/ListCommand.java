package org.trellis.bench.matrix;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.report.Numbers;
import org.trellis.common.Configuration;
import org.trellis.matrices.catalogue.Catalogue;
import org.trellis.matrices.catalogue.CatalogueEntry;
import org.trellis.matrices.catalogue.EntryKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the catalogue. */
@Command(name = "list", sortOptions = false, description = {
    "Lists the named matrices: files in the folders of trellis.matrices.path, those that come with the library, "
            + "generators with fixed parameters, and surrogates.",
    "A surrogate is generated with the sizes and row-length statistics of a matrix of the thesis. It is not that "
            + "matrix."})
public final class ListCommand implements Callable<Integer> {
    private final Console console;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only one kind: ${COMPLETION-CANDIDATES}.")
    private EntryKind kind;

    @Option(names = "--long", description = "Show where each comes from, too.")
    private boolean withProvenance;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public ListCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        TextTable table = new TextTable("<name", "<kind", "rows", "columns", "non-zeros", "deviation", "<description");
        for (CatalogueEntry entry : Catalogue.open(Configuration.load()).entries()) {
            if (kind == null || entry.kind() == kind) {
                table.row(entry.name(), entry.kind().label(), count(entry.facts().rows()),
                        count(entry.facts().columns()), count(entry.facts().nonZeros()),
                        entry.facts().rowLengthDeviation().isPresent()
                                ? Numbers.real(entry.facts().rowLengthDeviation().getAsDouble())
                                : "",
                        entry.description() + (withProvenance ? " [" + entry.provenance() + "]" : ""));
            }
        }
        console.printText(table.render());
        return ExitCode.OK;
    }

    private static String count(OptionalLong number) {
        return number.isPresent() ? Numbers.count(number.getAsLong()) : "";
    }
}
