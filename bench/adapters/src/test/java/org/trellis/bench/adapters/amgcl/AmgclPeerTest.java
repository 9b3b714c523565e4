package org.trellis.bench.adapters.amgcl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.PeerSolution;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** amgcl where its headers are named; what is said of it anywhere. */
class AmgclPeerTest {
    private static final SolverConfig AMG = SolverConfig.of("cg", "amg");

    /** Of more rows than amgcl factorises at once. */
    private static PeerSystem system() {
        CsrMatrix stencil = AwkwardMatrices.stencil(90, 60, Precision.F64, TestSeed.random("system"));
        CsrMatrix positive = stencil.mapValues((row, column, value) -> row == column ? 5 : -1).symmetricPart();
        HostVector b = HostVector.of(Precision.F64, positive.rows(), row -> 1 + row % 7);
        return new PeerSystem(positive, b, true);
    }

    private static PeerSettings settings(Map<String, String> options) {
        return new PeerSettings(0, 2, options);
    }

    @Test
    void saysWhereHeadersAreLookedFor(@TempDir Path empty) {
        AmgclPeer unnamed = new AmgclPeer((String) null);
        assertTrue(unnamed.probe().reason().startsWith("AMGCL_HOME is not set"), unnamed.probe()::reason);
        AmgclPeer elsewhere = new AmgclPeer(empty.toString());
        assertFalse(elsewhere.probe().available());
        assertTrue(elsewhere.probe().reason().contains(empty + ", where no amgcl/amg.hpp is"),
                elsewhere.probe()::reason);
        try (PeerSystem system = system()) {
            String message = assertThrows(PeerFailedException.class,
                    () -> open(elsewhere, system, Map.of())).getMessage();
            assertTrue(message.startsWith("peer amgcl: AMGCL_HOME is "), message);
        }
    }

    private static void open(AmgclPeer peer, PeerSystem system, Map<String, String> options) {
        try (PeerSession session = peer.open(AMG, system, settings(options))) {
            throw new AssertionError("opened " + session);
        }
    }

    @Test
    void isSetAgainstMultigridOnly() {
        AmgclPeer peer = new AmgclPeer((String) null);
        try (PeerSystem system = system()) {
            assertEquals(Optional.empty(), peer.objection(AMG, system));
            assertTrue(peer.objection(SolverConfig.of("cg", "jacobi"), system).orElseThrow()
                    .contains("method cg with preconditioner amg"));
            assertEquals("CG with amg: coarsening=ruge_stuben, relaxation=spai0", peer.describe(AMG, system,
                    settings(Map.of("coarsening", "ruge_stuben"))));
            assertTrue(assertThrows(IllegalArgumentException.class,
                    () -> peer.describe(AMG, system, settings(Map.of("smoother", "spai0")))).getMessage()
                    .contains("no option 'smoother', expected one of [coarsening, relaxation]"));
            assertTrue(assertThrows(IllegalArgumentException.class,
                    () -> peer.describe(AMG, system, settings(Map.of("relaxation", "ilu0")))).getMessage()
                    .contains("relaxation=ilu0, expected one of [spai0, gauss_seidel, chebyshev]"));
        }
    }

    @Test
    void solvesAgainAndAgain() {
        AmgclPeer peer = new AmgclPeer();
        assumeTrue(peer.probe().available(), () -> peer.probe().reason());
        for (String coarsening : new String[]{"smoothed_aggregation", "ruge_stuben"}) {
            try (PeerSystem system = system();
                    PeerSession session = peer.open(AMG, system, settings(Map.of("coarsening", coarsening)))) {
                for (int round = 0; round < 2; round++) {
                    PeerSolution solution = session.solve(60);
                    assertTrue(solution.converged() && solution.iterations() > 1, solution::toString);
                    assertTrue(solution.setupSeconds() > 0 && solution.solveSeconds() > 0, solution::toString);
                }
                HostVector x = HostVector.zeros(Precision.F64, system.matrix().rows());
                session.readSolution(x);
                double[] product = system.matrix().multiply(x.doubles());
                for (int row = 0; row < product.length; row++) {
                    assertEquals(system.rightHandSide().get(row), product[row], 1e-5, "row " + row);
                }
            }
        }
    }
}
