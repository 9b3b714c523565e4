package org.trellis.bench.cli;

import java.util.concurrent.Callable;
import org.trellis.backend.Availability;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.peer.solver.SolverPeers;
import picocli.CommandLine.Command;

/** Lists what can multiply here. */
@Command(name = "backends", description = "Lists the backends and peers: available, or why not.")
final class BackendsCommand implements Callable<Integer> {
    private final Console console;

    BackendsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        TextTable table = new TextTable("<name", "<kind", "priority", "<available", "<what was found, or why not");
        for (BackendProvider provider : Backends.providers()) {
            Availability found = provider.probe();
            table.row(provider.name(), "backend", String.valueOf(provider.priority()),
                    found.available() ? "yes" : "no", found.reason());
        }
        for (Peer peer : Peers.all()) {
            Availability found = peer.probe();
            table.row(peer.name(), "peer", "", found.available() ? "yes" : "no", found.reason());
        }
        for (SolverPeer peer : SolverPeers.all()) {
            Availability found = peer.probe();
            table.row(peer.name(), "solver peer", "", found.available() ? "yes" : "no", found.reason());
        }
        console.printText(table.render());
        return ExitCode.OK;
    }
}
