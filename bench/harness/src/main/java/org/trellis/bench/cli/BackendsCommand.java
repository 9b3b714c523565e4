package org.trellis.bench.cli;

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
import org.trellis.bench.console.Usage;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.peer.solver.SolverPeers;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
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
        Table table = new Table(Column.words("name").key("name"), Column.words("kind").key("kind"),
                Column.of("priority", Format.NUMBER).key("priority"),
                Column.of("available", Format.YES_NO).key("available"),
                Column.words("what was found, or why not").key("reason"));
        for (BackendProvider provider : Backends.providers()) {
            add(table, provider.name(), "backend", provider.priority(), provider.probe());
        }
        for (Peer peer : Peers.all()) {
            add(table, peer.name(), "peer", null, peer.probe());
        }
        for (SolverPeer peer : SolverPeers.all()) {
            add(table, peer.name(), "solver peer", null, peer.probe());
        }
        console.printText(table.text());
        if (json != null) {
            ObjectNode root = JsonReport.start("trellis-backends", Provenance.of(Usage.commandLine(spec)));
            table.putInto(root.putArray("backends"));
            OutputFile.write(json, JsonReport.finish(root));
        }
        return ExitCode.OK;
    }

    private static void add(Table table, String name, String kind, Integer priority, Availability found) {
        table.row(name, kind, priority, found.available(), found.reason());
    }
}
