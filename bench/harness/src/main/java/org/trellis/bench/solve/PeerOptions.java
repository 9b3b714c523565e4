package org.trellis.bench.solve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.peer.solver.SolverPeers;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import picocli.CommandLine.Option;

/** What the command line says about other libraries that solve the same system. */
public final class PeerOptions {
    @Option(names = "--peer", paramLabel = "NAME", split = ",", description = {
        "Libraries that solve the system too, in turns, each in the way that comes nearest and with the options that "
                + "its manual recommends: amgcl, hypre, petsc; for --method direct: cholmod, ejml, klu, superlu, "
                + "umfpack; for --method qr: ejml; may be repeated."})
    private List<String> names = new ArrayList<>();

    @Option(names = "--peer-processes", paramLabel = "N",
            description = "Processes of each of them. Default: as many as threads where a launcher of their MPI is "
                    + "installed, else 1.")
    private int processes;

    @Option(names = "--peer-option", paramLabel = "PEER.NAME=VALUE", arity = "1", description = {
        "An option of a library under its own name, such as hypre.strong_threshold=0.5 or "
                + "petsc.pc_gamg_threshold=0.02."})
    private Map<String, String> options = new LinkedHashMap<>();

    /** Creates options as if the command line had none of them. */
    public PeerOptions() {}

    /**
     * Returns the peers that were named, whether they can be used or not.
     *
     * @param precision the precision of the solution
     * @return each once
     * @throws IllegalArgumentException if one is unknown or something does not go together; says what would work
     */
    List<SolverPeer> peers(Precision precision) {
        if (names.isEmpty() && (processes != 0 || !options.isEmpty())) {
            throw new IllegalArgumentException("--peer-processes or --peer-option without --peer, expected the library "
                    + "that they are for");
        }
        if (processes < 0) {
            throw new IllegalArgumentException("--peer-processes is " + processes + ", expected at least 1");
        }
        if (!names.isEmpty() && precision != Precision.F64) {
            throw new IllegalArgumentException("--peer with --precision " + precision.label()
                    + ", expected f64: peers know no other");
        }
        for (String name : options.keySet()) {
            if (names.stream().noneMatch(peer -> name.startsWith(peer + '.'))) {
                throw new IllegalArgumentException("--peer-option " + name + " is for none of " + names
                        + ", expected the name of one of them and a dot before it");
            }
        }
        return names.stream().distinct().map(SolverPeers::named).toList();
    }

    /**
     * Returns the peers for a direct solution that were named, whether they can be used or not.
     *
     * @return each once
     * @throws IllegalArgumentException if one is unknown or has options; says what would work
     */
    List<DirectPeer> directPeers() {
        if (processes != 0 || !options.isEmpty()) {
            throw new IllegalArgumentException("--peer-processes or --peer-option with --method direct or qr, expected "
                    + "--peer alone: direct peers run in this process by their defaults");
        }
        return names.stream().distinct().map(DirectPeer::named).toList();
    }

    /**
     * Returns how peers are run.
     *
     * @param backend the backend beside which they are run
     * @return settings of each peer by its name
     */
    Map<String, PeerSettings> settings(BackendOptions backend) {
        int threads = backend.configuration().get(ConfigurationKeys.THREADS);
        Map<String, PeerSettings> settings = new LinkedHashMap<>();
        for (String peer : names) {
            Map<String, String> own = new LinkedHashMap<>();
            options.forEach((name, value) -> {
                if (name.startsWith(peer + '.')) {
                    own.put(name.substring(peer.length() + 1), value);
                }
            });
            settings.put(peer, new PeerSettings(processes, threads, own));
        }
        return settings;
    }
}
