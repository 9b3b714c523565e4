package org.trellis.bench.adapters.hypre;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** A machine without hypre, and one whose library of that name is another. */
class MissingLibraryTest {
    @Test
    void namesThePackageToInstall() {
        HyprePeer peer = new HyprePeer(List.of("libno-such-library.so"));
        assertFalse(peer.probe().available());
        String reason = peer.probe().reason();
        assertTrue(reason.contains("libno-such-library.so") && reason.contains("`apt-get install libhypre-dev"),
                reason);
        try (PeerSystem system = new PeerSystem(CsrMatrix.identity(2, Precision.F64),
                HostVector.zeros(Precision.F64, 2), true)) {
            String message = assertThrows(PeerFailedException.class, () -> open(peer, system)).getMessage();
            assertTrue(message.startsWith("peer hypre: its library cannot be used here"), message);
        }
    }

    private static void open(HyprePeer peer, PeerSystem system) {
        PeerSettings settings = new PeerSettings(1, 1, Map.of());
        try (PeerSession session = peer.open(SolverConfig.of("cg", "jacobi"), system, settings)) {
            throw new AssertionError("opened " + session);
        }
    }

    @Test
    void saysWhatALibraryLacks() {
        String library = System.mapLibraryName("java");
        HyprePeer peer = new HyprePeer(List.of(System.getProperty("java.home") + "/lib/" + library));
        assertTrue(peer.probe().reason().contains("was built without MPI"), peer.probe()::reason);
    }
}
