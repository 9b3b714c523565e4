package org.trellis.bench.matrix;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Table;
import org.trellis.common.Configuration;
import org.trellis.matrices.catalogue.Catalogue;
import org.trellis.matrices.catalogue.CatalogueEntry;
import org.trellis.matrices.catalogue.EntryKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the catalogue. */
@Command(name = "list", sortOptions = false, description = {
    "Lists the named matrices: files in the folders of trellis.matrices.path, those that come with the library, "
            + "generators with fixed parameters, and surrogates.",
    "A surrogate is generated with the sizes and row-length statistics of a matrix of the thesis. It is not that "
            + "matrix."})
public final class ListCommand extends ConsoleCommand {
    @Option(names = "--kind", paramLabel = "KIND", description = "Only one kind: ${COMPLETION-CANDIDATES}.")
    private EntryKind kind;

    @Option(names = "--long", description = "Show where each comes from, too.")
    private boolean withProvenance;

    @Mixin
    private JsonOption json;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public ListCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(json::check);
        Table table = new Table(Column.words("name").key("name"), Column.words("kind").key("kind"),
                Column.of("rows", Format.COUNT).key("rows"), Column.of("columns", Format.COUNT).key("columns"),
                Column.of("non-zeros", Format.COUNT).key("nonZeros"),
                Column.of("deviation", Format.REAL).key("rowLengthDeviation"),
                Column.words("description").key("description"), Column.data("provenance"));
        for (CatalogueEntry entry : Catalogue.open(Configuration.load()).entries()) {
            if (kind == null || entry.kind() == kind) {
                table.row(entry.name(), entry.kind().label(), entry.facts().rows(), entry.facts().columns(),
                        entry.facts().nonZeros(), entry.facts().rowLengthDeviation(),
                        new Table.Shown(entry.description(),
                                entry.description() + (withProvenance ? " [" + entry.provenance() + "]" : "")),
                        entry.provenance());
            }
        }
        console().printText(table.text());
        json.write(() -> {
            ObjectNode root = JsonReport.start("trellis-list", provenance());
            table.putInto(root.putArray("entries"));
            return JsonReport.finish(root);
        });
        return ExitCode.OK;
    }

}
