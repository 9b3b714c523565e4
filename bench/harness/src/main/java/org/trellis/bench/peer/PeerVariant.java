package org.trellis.bench.peer;

import java.util.Objects;

/**
 * One way in which a peer computes a product.
 *
 * @param name    a short name
 * @param threads threads that it uses
 */
public record PeerVariant(String name, int threads) {
    /** Checks that there is a name. */
    public PeerVariant {
        Objects.requireNonNull(name);
    }
}
