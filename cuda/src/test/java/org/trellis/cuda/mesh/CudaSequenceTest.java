package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.CombinedStep;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.WorkStep;
import org.trellis.mesh.loop.Layout;
import org.trellis.testing.InterpretedKernel;

/** Sequences as graphs on an emulated GPU: when they are recorded, what a run changes in them, when the host waits. */
class CudaSequenceTest {
    private static final int SIZE = 100;
    private static final LoopKernel TOTAL = InterpretedKernel.named("total").dat(Access.READ, 1).global(Access.SUM, 1)
            .cuda("p1[0] += p0[0];\n").does(v -> {});
    private static final LoopKernel ADD = InterpretedKernel.named("add").dat(Access.READ_WRITE, 1)
            .global(Access.READ, 1).global(Access.READ, 1).cuda("p0[0] += p1[0] * p2[0];\n").does(v -> {});
    private static final LoopKernel MANY = InterpretedKernel.named("many").dat(Access.READ_WRITE, 1)
            .global(Access.READ, 40).cuda("p0[0] += p1[39];\n").does(v -> {});
    private static final LoopKernel SUMS = InterpretedKernel.named("sums").dat(Access.READ, 1).global(Access.SUM, 40)
            .cuda("p1[39] += p0[0];\n").does(v -> {});

    @TempDir
    private Path folder;

    /** Adds a multiple of the sum of all values to each, twice. */
    private static final class Sums implements AutoCloseable {
        private final CudaBackend backend;
        private final Mesh mesh;
        private final Dat value;
        private final Global factor;
        private final Global sum;
        private final ParallelLoop total;
        private final LoopSequence sequence;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Sums(EmulatedGpu gpu) {
            backend = gpu.open();
            mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false));
            MeshSet set = mesh.set("set", SIZE);
            value = mesh.dat("value", set, 1, Precision.F32).fill(1);
            factor = mesh.global("factor", 0.5);
            sum = mesh.global("sum", 0);
            total = mesh.loop(TOTAL, set, value, sum);
            ParallelLoop add = mesh.loop(ADD, set, value, sum, factor);
            sequence = mesh.sequence("sums").set(sum, 0).run(total).run(add).run(total).run(add).build();
        }

        /** What a run makes of values that are all the same. */
        double after(double before) {
            double first = before + factor.get() * SIZE * before;
            return first + factor.get() * SIZE * (before + first);
        }

        @Override
        public void close() {
            mesh.close();
            backend.close();
        }
    }

    @Test
    void recordsOnceAndKeepsResultsOnTheDevice() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (Sums sums = new Sums(gpu)) {
            sums.factor.set(0.01);
            double expected = 1;
            for (int i = 0; i < 2; i++) {
                assertFalse(sums.sequence.isJoined());
                sums.sequence.run();
                expected = sums.after(expected);
            }
            assertTrue(sums.sequence.isJoined());
            assertEquals(0, gpu.graphLaunches());
            int launched = gpu.launches();
            int waits = gpu.driver().synchronisations();
            for (int i = 0; i < 3; i++) {
                sums.sequence.run();
                expected = sums.after(expected);
            }
            assertEquals(3, gpu.graphLaunches());
            assertEquals(launched + 12, gpu.launches());
            assertEquals(waits, gpu.driver().synchronisations(), "nobody has looked at the sum");
            int updates = gpu.updates();
            sums.factor.set(0.02);
            sums.sequence.run();
            expected = sums.after(expected);
            assertEquals(updates + 2, gpu.updates(), "the loops that read the factor");
            assertEquals(expected, sums.value.get(SIZE - 1, 0), 1e-4 * expected);
            assertEquals(4, sums.mesh.report().sequences().getFirst().joined());
            assertTrue(sums.mesh.report().toString().contains("sequence sums: 6 runs of 4 loops, 4 of them joined"),
                    sums.mesh.report().toString());
        }
        assertEquals("0 blocks, 0 pinned, 0 handles, 0 contexts", gpu.driver().alive());
    }

    @Test
    void recordsAnewWhenSomethingChanges() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (Sums sums = new Sums(gpu)) {
            sums.sequence.run();
            sums.sequence.run();
            sums.total.parameters(sums.total.parameters().withBlockSize(64));
            assertFalse(sums.sequence.isJoined());
            sums.sequence.run();
            assertTrue(sums.sequence.isJoined());
            sums.value.layout(Layout.SOA);
            assertFalse(sums.sequence.isJoined());
            sums.sequence.run();
            sums.mesh.resetTimes();
            assertFalse(sums.sequence.isJoined(), "the next runs time the loops");
            sums.sequence.run();
            sums.sequence.run();
            sums.sequence.joining(false).run();
            assertEquals(0, gpu.graphLaunches());
            sums.sequence.joining(true).run();
            assertEquals(1, gpu.graphLaunches());
            sums.mesh.close();
            assertThrows(IllegalStateException.class, sums.sequence::run);
        }
    }

    @Test
    void runsLoopByLoopWithoutGraphs() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        gpu.driver().withoutGraphs();
        try (Sums sums = new Sums(gpu)) {
            sums.factor.set(0.01);
            sums.sequence.run();
            sums.sequence.run();
            assertFalse(sums.sequence.isJoined());
            double expected = sums.after(sums.after(1));
            assertEquals(expected, sums.value.get(0, 0), 1e-5 * expected);
            assertEquals(0, sums.mesh.report().sequences().getFirst().joined());
        }
    }

    /** More values than registers hold are passed by the host, which has to fetch them first. */
    @Test
    void doesNotJoinWhatTheHostHasToPass() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", SIZE);
            Dat value = mesh.dat("value", set, 1, Precision.F64).fill(1);
            Global sums = mesh.global("sums", new double[40]);
            LoopSequence sequence = mesh.sequence("many").run(mesh.loop(SUMS, set, value, sums))
                    .run(mesh.loop(MANY, set, value, sums)).build();
            sequence.run();
            sequence.run();
            assertFalse(sequence.isJoined());
            assertEquals(1 + SIZE + SIZE * (2 + SIZE), value.get(0, 0));
        }
    }

    /** Sums and coefficients that are scalars never leave the device, and other data take a change of addresses. */
    @Test
    void scalarsStayOnTheDevice() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", SIZE);
            Dat value = mesh.dat("value", set, 1, Precision.F64).fill(1);
            Dat other = mesh.dat("other", set, 1, Precision.F64).fill(3);
            Scalars scalars = mesh.scalars("scalars", 3);
            scalars.set(1, 0.5);
            scalars.set(2, -1);
            ParallelLoop add = mesh.loop(ADD, set, value, scalars.at(0), scalars.at(1));
            LoopSequence sequence = mesh.sequence("scalars").run(mesh.loop(TOTAL, set, value, scalars.at(0))).run(add)
                    .build();
            double expected = 1;
            int waits = gpu.driver().synchronisations();
            for (int i = 0; i < 4; i++) {
                sequence.run();
                expected += 0.5 * SIZE * expected;
            }
            assertTrue(sequence.isJoined());
            assertEquals(2, gpu.graphLaunches());
            assertEquals(waits, gpu.driver().synchronisations(), "nobody has looked at the sum");
            assertEquals(expected, value.get(7, 0), 1e-9 * expected);
            assertEquals((expected / (1 + 0.5 * SIZE)) * SIZE, scalars.get(0), 1e-9 * expected * SIZE);
            int updates = gpu.updates();
            add.bind(other, scalars.at(0), scalars.at(2));
            assertTrue(sequence.isJoined(), "nothing is recorded anew");
            sequence.run();
            assertEquals(updates + 1, gpu.updates(), "the loop that was bound");
            assertEquals(3 - SIZE * expected, other.get(SIZE - 1, 0), 1e-9 * SIZE * expected);
            assertEquals(expected, value.get(7, 0), 1e-9 * expected);
            sequence.run();
            assertEquals(updates + 1, gpu.updates());
        }
        assertEquals("0 blocks, 0 pinned, 0 handles, 0 contexts", gpu.driver().alive());
    }

    /** The steps of a combination are parts of the graph each, and what guards it is asked at each run. */
    @Test
    void joinsWhatCombinationsConsistOf() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", SIZE);
            Dat value = mesh.dat("value", set, 1, Precision.F64).fill(1);
            Scalars scalars = mesh.scalars("scalars", 2);
            scalars.set(1, 1);
            LoopKernels kernels = backend.kernels(LoopKernels.class);
            ParallelLoop total = mesh.loop(TOTAL, set, value, scalars.at(0));
            ParallelLoop add = mesh.loop(ADD, set, value, scalars.at(0), scalars.at(1));
            boolean[] refused = new boolean[1];
            try (PreparedStep both = CombinedStep.of("both", () -> {},
                    () -> kernels.prepare(total.declaration(), total.parameters()),
                    () -> kernels.prepare(add.declaration(), add.parameters()));
                    PreparedStep twice = CombinedStep.of("twice", () -> {
                        if (refused[0]) {
                            throw new IllegalStateException("refused");
                        }
                    }, () -> both, () -> both)) {
                LoopSequence sequence = mesh.sequence("combined").run(new WorkStep("twice", twice, List.of()))
                        .run(total).build();
                double expected = 1;
                for (int i = 0; i < 4; i++) {
                    sequence.run();
                    expected *= (1.0 + SIZE) * (1 + SIZE);
                }
                assertTrue(sequence.isJoined());
                assertEquals(2, gpu.graphLaunches());
                assertEquals(expected, value.get(SIZE - 1, 0), 1e-9 * expected);
                assertEquals(SIZE * expected, scalars.get(0), 1e-9 * SIZE * expected);
                refused[0] = true;
                assertEquals("refused", assertThrows(IllegalStateException.class, sequence::run).getMessage());
            }
        }
        assertEquals("0 blocks, 0 pinned, 0 handles, 0 contexts", gpu.driver().alive());
    }

    /** What the host does in between cuts the graph in two. */
    @Test
    void callsCutGraphs() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", SIZE);
            Dat value = mesh.dat("value", set, 1, Precision.F64).fill(1);
            Scalars scalars = mesh.scalars("scalars", 2);
            scalars.set(1, 1);
            ParallelLoop total = mesh.loop(TOTAL, set, value, scalars.at(0));
            ParallelLoop add = mesh.loop(ADD, set, value, scalars.at(0), scalars.at(1));
            double[] seen = new double[1];
            LoopSequence sequence = mesh.sequence("cut").run(total).run(add)
                    .run(new CallStep("look", () -> seen[0] = value.get(0, 0), List.of())).run(total).run(add).build();
            double expected = 1;
            for (int i = 0; i < 3; i++) {
                sequence.run();
                assertEquals(expected * (1 + SIZE), seen[0], 1e-9 * seen[0]);
                expected *= (1.0 + SIZE) * (1 + SIZE);
            }
            assertEquals(2, gpu.graphLaunches());
            assertEquals(expected, value.get(0, 0), 1e-9 * expected);
        }
    }

    @Test
    void refusesPartsOfSetsAndManyScalars() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 1, 2, 3, 4);
            Scalars scalars = mesh.scalars("scalars", 40);
            Dat parts = mesh.dat("parts", set, 1, Precision.F64);
            assertUnsupported("is in parts", () -> mesh.loop(TOTAL, set, parts, scalars.at(0)));
            MeshSet whole = mesh.set("whole", 5);
            Dat value = mesh.dat("value", whole, 1, Precision.F64);
            assertUnsupported("expected at most 32 scalars",
                    () -> mesh.loop(MANY, whole, value, scalars.at(0, 40)));
            MeshSet none = mesh.set("none", 0);
            scalars.set(3, 9);
            mesh.loop(TOTAL, none, mesh.dat("nothing", none, 1, Precision.F64), scalars.at(3)).run();
            assertEquals(0, scalars.get(3));
        }
    }

    private static void assertUnsupported(String part, Executable wrong) {
        String message = assertThrows(UnsupportedKernelException.class, wrong).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void refusesStrangers() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (Sums sums = new Sums(gpu); Mesh other = Mesh.on(sums.backend)) {
            assertMessage("of another mesh", () -> other.sequence("x").run(sums.total));
            assertMessage("expected a global of the same mesh", () -> other.sequence("x").set(sums.sum, 1));
            assertMessage("to [1.0, 2.0]", () -> sums.mesh.sequence("x").set(sums.sum, 1, 2));
            assertMessage("has no loop", () -> sums.mesh.sequence("x").set(sums.sum, 1).build());
        }
    }

    private static void assertMessage(String part, Executable wrong) {
        String message = assertThrows(IllegalArgumentException.class, wrong).getMessage();
        assertTrue(message.contains(part), message);
    }
}
