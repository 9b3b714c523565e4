package org.trellis.bench.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.trellis.backend.Availability;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.console.Usage;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.peer.solver.SolverPeers;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists what can multiply here. */
@Command(name = "backends", description = "Lists the backends and peers: available, or why not.")
final class BackendsCommand implements Callable<Integer> {
    private final Console console;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the same as JSON.")
    private Path json;

    @Spec
    private CommandSpec spec;

    BackendsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Usage.check(spec, () -> OutputFile.check("--json", json));
        ObjectNode root = JsonReport.start("trellis-backends", Provenance.of(Usage.commandLine(spec)));
        ArrayNode all = root.putArray("backends");
        TextTable table = new TextTable("<name", "<kind", "priority", "<available", "<what was found, or why not");
        for (BackendProvider provider : Backends.providers()) {
            add(table, all, provider.name(), "backend", String.valueOf(provider.priority()), provider.probe())
                    .put("priority", provider.priority());
        }
        for (Peer peer : Peers.all()) {
            add(table, all, peer.name(), "peer", "", peer.probe());
        }
        for (SolverPeer peer : SolverPeers.all()) {
            add(table, all, peer.name(), "solver peer", "", peer.probe());
        }
        console.printText(table.render());
        if (json != null) {
            OutputFile.write(json, JsonReport.finish(root));
        }
        return ExitCode.OK;
    }

    private static ObjectNode add(TextTable table, ArrayNode all, String name, String kind, String priority,
            Availability found) {
        table.row(name, kind, priority, found.available() ? "yes" : "no", found.reason());
        return all.addObject().put("name", name).put("kind", kind).put("available", found.available())
                .put("reason", found.reason());
    }
}
