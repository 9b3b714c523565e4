package org.trellis.examples.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.examples.tsunami.HandFusedStep;
import org.trellis.examples.tsunami.TsunamiSolver;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;

/** What is put together by hand and what the mesh puts together are the same, and as many loops. */
final class ByHandTest {
    private static final MeshOptions OPTIONS =
            new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true);

    @MustBeClosed
    private static Backend threads() {
        return Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
    }

    @Test
    void conjugateGradients() {
        try (Backend backend = threads();
                Mesh one = Mesh.on(backend, OPTIONS);
                Mesh other = Mesh.on(backend, OPTIONS.fusion(Fusion.ON))) {
            ConjugateGradients expected = new ConjugateGradients(one, 40, true);
            ConjugateGradients actual = new ConjugateGradients(other, 40, false);
            for (int i = 0; i < 3; i++) {
                expected.run();
                actual.run();
            }
            assertEquals(1, actual.value() / expected.value(), 1e-12);
            assertEquals(List.of("fused.apply.dot", "fused.less.square", "fused.forward.renew", "fused.apply.dot",
                    "fused.less.square", "fused.forward.renew"), MeshChains.reports(other).getFirst().fused());
        }
    }

    @Test
    void tsunami() {
        try (Backend backend = threads();
                Mesh one = Mesh.on(backend, OPTIONS);
                Mesh lean = Mesh.on(backend, OPTIONS);
                Mesh other = Mesh.on(backend, OPTIONS.fusion(Fusion.ON))) {
            HandFusedStep expected = new HandFusedStep(one, "drop:n=10", false);
            HandFusedStep least = new HandFusedStep(lean, "drop:n=10", true);
            TsunamiSolver actual = HandFusedStep.plain(other, "drop:n=10");
            for (int i = 0; i < 3; i++) {
                expected.run();
                least.run();
                actual.step(1e9);
            }
            assertArrayEquals(expected.values(), least.values());
            assertArrayEquals(expected.values(), actual.state().toArray(), 1e-12);
            assertEquals(List.of("fused.computeFlux.spaceDiscretisation", "fused.computeFlux.spaceDiscretisation"),
                    MeshChains.reports(other).getFirst().fused());
        }
    }
}
