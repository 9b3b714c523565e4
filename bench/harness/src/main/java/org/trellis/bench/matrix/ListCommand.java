package org.trellis.bench.matrix;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.console.Usage;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.common.Configuration;
import org.trellis.matrices.catalogue.Catalogue;
import org.trellis.matrices.catalogue.CatalogueEntry;
import org.trellis.matrices.catalogue.EntryKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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

    @Option(names = "--json", paramLabel = "FILE", description = "Write the same as JSON.")
    private Path json;

    @Spec
    private CommandSpec spec;

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
        Usage.check(spec, () -> OutputFile.check("--json", json));
        ObjectNode root = JsonReport.start("trellis-list", Provenance.of(Usage.commandLine(spec)));
        ArrayNode all = root.putArray("entries");
        TextTable table = new TextTable("<name", "<kind", "rows", "columns", "non-zeros", "deviation", "<description");
        for (CatalogueEntry entry : Catalogue.open(Configuration.load()).entries()) {
            if (kind == null || entry.kind() == kind) {
                table.row(entry.name(), entry.kind().label(), count(entry.facts().rows()),
                        count(entry.facts().columns()), count(entry.facts().nonZeros()),
                        entry.facts().rowLengthDeviation().isPresent()
                                ? Numbers.real(entry.facts().rowLengthDeviation().getAsDouble())
                                : "",
                        entry.description() + (withProvenance ? " [" + entry.provenance() + "]" : ""));
                add(all.addObject(), entry);
            }
        }
        console.printText(table.render());
        if (json != null) {
            OutputFile.write(json, JsonReport.finish(root));
        }
        return ExitCode.OK;
    }

    private static void add(ObjectNode node, CatalogueEntry entry) {
        node.put("name", entry.name()).put("kind", entry.kind().label()).put("description", entry.description())
                .put("provenance", entry.provenance());
        entry.facts().rows().ifPresent(rows -> node.put("rows", rows));
        entry.facts().columns().ifPresent(columns -> node.put("columns", columns));
        entry.facts().nonZeros().ifPresent(nonZeros -> node.put("nonZeros", nonZeros));
        entry.facts().rowLengthDeviation().ifPresent(deviation -> node.put("rowLengthDeviation", deviation));
    }

    private static String count(OptionalLong number) {
        return number.isPresent() ? Numbers.count(number.getAsLong()) : "";
    }
}
