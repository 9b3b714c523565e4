package org.trellis.bench.peer.solver;

import java.util.Map;

/**
 * How peers are run.
 *
 * @param processes processes, or 0 for as many as {@code threads} where there is a launcher for them, else one
 * @param threads   threads of Trellis
 * @param options   options of the peer's own, by name
 */
public record PeerSettings(int processes, int threads, Map<String, String> options) {
    /**
     * Copies the options.
     *
     * @throws IllegalArgumentException if a number is not in its range
     */
    public PeerSettings {
        if (processes < 0 || threads < 1) {
            throw new IllegalArgumentException("peers with " + processes + " processes beside " + threads
                    + " threads, expected no negative number, and at least 1 thread");
        }
        options = Map.copyOf(options);
    }
}
