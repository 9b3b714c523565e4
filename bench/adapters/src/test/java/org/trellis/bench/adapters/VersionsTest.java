package org.trellis.bench.adapters;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;

/** The peers that need nothing but their jars can be used, and say their versions. */
final class VersionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"ejml", "ojalgo", "smile"})
    void peersOfPlainJavaAreAvailable(String name) {
        Peer peer = Peers.named(name);
        assertTrue(peer.probe().available(), () -> peer.probe().reason());
        assertTrue(peer.version().matches("\\d+\\.\\d+.*"), peer::version);
    }
}
