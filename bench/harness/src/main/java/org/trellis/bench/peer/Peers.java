package org.trellis.bench.peer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Finds the peers that are on the class path. One whose library is missing or damaged does not stop the others. */
public final class Peers {
    private static final Logger LOGGER = System.getLogger(Peers.class.getName());
    private static final int MOST_FAILURES = 100;

    private Peers() {}

    /**
     * Returns all peers, whether they can be used or not.
     *
     * @return the peers by name; what they throw for want of a library, they answer when they are probed
     */
    public static List<Peer> all() {
        return all(Peers.class.getClassLoader());
    }

    static List<Peer> all(ClassLoader loader) {
        List<Peer> found = new ArrayList<>();
        Iterator<ServiceLoader.Provider<Peer>> providers = ServiceLoader.load(Peer.class, loader).stream().iterator();
        for (int failures = 0; failures < MOST_FAILURES;) {
            try {
                if (!providers.hasNext()) {
                    break;
                }
                found.add(create(providers.next()));
            } catch (ServiceConfigurationError | LinkageError e) {
                LOGGER.log(Level.WARNING, "a peer on the class path is left out: {0}", GuardedPeer.reason(e));
                failures++;
            }
        }
        found.sort(Comparator.comparing(Peer::name));
        return List.copyOf(found);
    }

    private static Peer create(ServiceLoader.Provider<Peer> provider) {
        try {
            return new GuardedPeer(provider.get());
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            return new BrokenPeer(BrokenPeer.nameOf(provider.type()), GuardedPeer.reason(e));
        }
    }

    /**
     * Returns a peer by its name, whether it can be used or not.
     *
     * @param name its name
     * @return the peer
     * @throws IllegalArgumentException if there is none of that name; says which there are
     */
    public static Peer named(String name) {
        List<Peer> all = all();
        for (Peer peer : all) {
            if (peer.name().equals(name)) {
                return peer;
            }
        }
        throw new IllegalArgumentException("peer '" + name + "' is unknown, "
                + (all.isEmpty()
                        ? "there are none on the class path (bench/adapters has them)"
                        : "expected one of " + all.stream().map(Peer::name).toList()));
    }
}
