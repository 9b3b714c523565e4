package org.trellis.bench.peer.solver;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the peers that solve systems. */
public final class SolverPeers {
    private SolverPeers() {}

    /**
     * Returns all peers on the class path, whether they can be used or not.
     *
     * @return the peers by name
     */
    public static List<SolverPeer> all() {
        return ServiceLoader.load(SolverPeer.class, SolverPeers.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get).sorted(Comparator.comparing(SolverPeer::name)).toList();
    }

    /**
     * Returns a peer by its name, whether it can be used or not.
     *
     * @param name its name
     * @return the peer
     * @throws IllegalArgumentException if there is none of that name; says which there are
     */
    public static SolverPeer named(String name) {
        List<SolverPeer> all = all();
        return all.stream().filter(peer -> peer.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("peer '" + name + "' solves no systems, "
                        + (all.isEmpty()
                                ? "and there is none on the class path that does (bench/adapters has them)"
                                : "expected one of " + all.stream().map(SolverPeer::name).toList())));
    }
}
