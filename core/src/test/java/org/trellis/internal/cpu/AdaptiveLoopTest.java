package org.trellis.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.internal.threads.loop.LoopChooser;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopParameters;

/** When a mesh loop goes over to vector code, and that every bit stays the same. */
final class AdaptiveLoopTest {
    private static final MeshOptions OPTIONS =
            new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true);
    private static final int[] SIZE = {1201, 301};
    private static final int STEPS = 400;
    private static final RangeLoop SCALAR = (arguments, range) -> {};
    private static final RangeLoop VECTOR = (arguments, range) -> {
        throw new AssertionError("not run here");
    };

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the backend closes its team
    private static Backend backend() {
        return new CpuBackend(new WorkerTeam(2), true, true, CpuSparseKernelsTest.hasty());
    }

    /** Of all loops that may go over, in all layouts and schemes. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void scalarAndVectorCodeGiveTheSameBits(Precision precision) {
        int compared = 0;
        for (Layout layout : Layout.values()) {
            try (Backend backend = backend();
                    LoopCases cases = new LoopCases(backend, OPTIONS.withLayout(layout), SIZE, precision, 7)) {
                for (ParallelLoop loop : cases.loops()) {
                    List<LoopParameters> vector = backend.kernels(LoopKernels.class)
                            .parameterSpace(loop.declaration()).stream()
                            .filter(p -> p.style() == LoopStyle.SIMD && p.blockSize() < 2000).toList();
                    if (AdaptiveLoop.keepsOrder(loop.declaration())) {
                        for (LoopParameters parameters : vector) {
                            requireSame(loop, run(cases, loop, parameters.withStyle(LoopStyle.SCALAR)),
                                    run(cases, loop, parameters));
                            compared++;
                        }
                    }
                }
            }
        }
        assertTrue(compared > 10, compared + " compared");
    }

    private static List<double[]> run(LoopCases cases, ParallelLoop loop, LoopParameters parameters) {
        cases.restartWithFractions();
        loop.parameters(parameters).run();
        return cases.values();
    }

    private static void requireSame(ParallelLoop loop, List<double[]> expected, List<double[]> actual) {
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), actual.get(i), loop + ", values " + i);
        }
    }

    /** Before, while and after pieces of it and then whole runs are in vector code. */
    @Test
    void valuesStayTheSameWhileALoopGoesOver() {
        try (Backend backend = backend();
                LoopCases cases = new LoopCases(backend, OPTIONS, SIZE, Precision.F64, 3)) {
            for (ParallelLoop loop : cases.loops()) {
                LoopParameters parameters = loop.parameters();
                List<double[]> first = run(cases, loop, parameters);
                for (int times = 0; times < 60; times++) {
                    cases.restartWithFractions();
                    loop.run();
                    requireSame(loop, first, cases.values());
                }
            }
        }
    }

    @Test
    void triesPiecesThenComparesThenTakesTheFasterCode() {
        AdaptiveLoop loop = new AdaptiveLoop(100_000, 2, SCALAR, () -> VECTOR, CpuSparseKernelsTest.hasty());
        assertEquals(0, loop.pieces());
        loop.done(1_000_000);
        assertTrue(loop.pieces() > 0);
        assertEquals(VECTOR, loop.trial());
        loop.tried(50_000_000);
        loop.done(1_000_000);
        assertEquals(VariantSelector.Stage.TRYING, loop.stage());
        loop.tried(2_000);
        loop.done(1_000_000);
        assertEquals(VariantSelector.Stage.COMPARING, loop.stage());
        assertEquals(0, loop.pieces());
        for (int step = 0; step < STEPS && loop.stage() == VariantSelector.Stage.COMPARING; step++) {
            loop.done(loop.next() == VECTOR ? 600_000 : 1_000_000);
        }
        assertEquals(VECTOR, loop.next());
    }

    @Test
    void staysScalarIfVectorCodeIsNoFaster() {
        AdaptiveLoop loop = new AdaptiveLoop(100_000, 2, SCALAR, () -> VECTOR, CpuSparseKernelsTest.hasty());
        loop.done(10_000_000);
        assertEquals(VECTOR, loop.trial());
        for (int step = 0; step < STEPS; step++) {
            if (loop.pieces() > 0) {
                loop.tried(2_000);
            }
            loop.done(10_000_000);
        }
        assertEquals(VariantSelector.Stage.SETTLED, loop.stage());
        assertFalse(loop.isNewTaken());
        assertEquals(SCALAR, loop.next());
    }

    @Test
    void givesUpOnCodeThatIsNeverCompiled() {
        AdaptiveLoop loop = new AdaptiveLoop(100_000, 2, SCALAR, () -> VECTOR, CpuSparseKernelsTest.hasty());
        for (int step = 0; step < STEPS; step++) {
            loop.done(1_000_000);
            for (int piece = loop.pieces(); piece > 0; piece--) {
                loop.tried(3_000_000);
            }
        }
        assertEquals(VariantSelector.Stage.SETTLED, loop.stage());
        assertFalse(loop.isNewTaken());
    }

    /** Sums would be added up in another order, and so would what is added to one dat directly and through a map. */
    @Test
    void loopsThatAddInAnotherOrderStayScalar() {
        try (Backend backend = backend();
                LoopCases cases = new LoopCases(backend, OPTIONS, SIZE, Precision.F64, 3)) {
            List<LoopDeclaration> others = cases.loops().stream().map(ParallelLoop::declaration)
                    .filter(loop -> !AdaptiveLoop.keepsOrder(loop)).toList();
            assertTrue(others.stream().anyMatch(loop -> loop.kernel().signature().name().equals("CaseKernels.own")));
            assertTrue(others.size() > 1, others.toString());
            others.forEach(loop -> assertEquals(Optional.empty(),
                    AdaptiveLoop.of(loop, 2, new LoopChooser.Codes(SCALAR, () -> VECTOR), new TrialBudget())));
        }
    }
}
