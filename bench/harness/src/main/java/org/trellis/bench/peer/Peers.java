package org.trellis.bench.peer;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the peers that are on the class path. */
public final class Peers {
    private Peers() {}

    /**
     * Returns all peers, whether they can be used or not.
     *
     * @return the peers by name
     */
    public static List<Peer> all() {
        return ServiceLoader.load(Peer.class, Peers.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Peer::name))
                .toList();
    }

    /**
     * Returns a peer that can be used.
     *
     * @param name its name
     * @return the peer
     * @throws IllegalArgumentException if there is none of that name or it cannot be used; says which there are or why
     *                                  not
     */
    public static Peer require(String name) {
        List<Peer> all = all();
        for (Peer peer : all) {
            if (peer.name().equals(name)) {
                if (!peer.probe().available()) {
                    throw new IllegalArgumentException(
                            "peer '" + name + "' cannot be used here: " + peer.probe().reason());
                }
                return peer;
            }
        }
        throw new IllegalArgumentException("peer '" + name + "' is unknown, "
                + (all.isEmpty()
                        ? "there are none on the class path (bench/adapters has them)"
                        : "expected one of " + all.stream().map(Peer::name).toList()));
    }
}
