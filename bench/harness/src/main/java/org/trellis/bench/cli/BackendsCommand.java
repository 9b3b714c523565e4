package org.trellis.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.trellis.backend.Availability;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.peer.solver.SolverPeers;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists what can multiply here. */
@Command(name = "backends", description = "Lists the backends and peers: available, or why not.")
final class BackendsCommand extends ConsoleCommand {
    @Mixin
    private JsonOption json;

    BackendsCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(json::check);
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
        console().printText(table.text());
        json.write(() -> {
            ObjectNode root = JsonReport.start("trellis-backends", provenance());
            table.putInto(root.putArray("backends"));
            return JsonReport.finish(root);
        });
        return ExitCode.OK;
    }

    private static void add(Table table, String name, String kind, Integer priority, Availability found) {
        table.row(name, kind, priority, found.available(), found.reason());
    }
}
