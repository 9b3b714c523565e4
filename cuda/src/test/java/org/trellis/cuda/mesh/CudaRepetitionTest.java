package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.TestGpu;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Repetition;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepListener;
import org.trellis.mesh.StopCondition;
import org.trellis.mesh.loop.Layout;
import org.trellis.testing.InterpretedKernel;

/** Sequences that the device repeats by itself, on an emulated GPU and, where there is one, on a real one. */
class CudaRepetitionTest {
    private static final int SIZE = 100;
    private static final int SUM = 0;
    private static final int FLOOR = 1;
    private static final LoopKernel HALVE = InterpretedKernel.named("halve").dat(Access.READ_WRITE, 1)
            .cuda("p0[0] *= (REAL) 0.5;\n").does(v -> {});
    private static final LoopKernel TOTAL = InterpretedKernel.named("total").dat(Access.READ, 1).global(Access.SUM, 1)
            .cuda("p1[0] += p0[0];\n").does(v -> {});

    @TempDir
    private Path folder;

    /** Halves values as long as their sum is more than a floor. */
    private static void check(CudaBackend backend, boolean byItself) {
        MeshOptions options = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false);
        try (Mesh mesh = Mesh.on(backend, options)) {
            MeshSet set = mesh.set("set", SIZE);
            Dat values = mesh.dat("values", set, 1, Precision.F64).fill(1);
            Scalars scalars = mesh.scalars("scalars", 3);
            LoopSequence halve = mesh.sequence("halve").run(mesh.loop(HALVE, set, values))
                    .run(mesh.loop(TOTAL, set, values, scalars.at(SUM))).build();
            Repetition repetition = mesh.repetition("halving", List.of(halve),
                    new StopCondition(scalars.at(SUM, 2), List.of(new StopCondition.Bound(scalars.at(SUM), scalars.at(FLOOR)))), 10);
            scalars.set(FLOOR, 10);
            assertFalse(repetition.isOnDevice(), "loops have not been prepared");
            double[] recorded = new double[20];
            assertEquals(4, repetition.run(10, recorded));
            assertArrayEquals(new double[]{50, 10, 25, 10, 12.5, 10, 6.25, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                    recorded);
            assertEquals(byItself, repetition.isOnDevice());
            for (double floor : new double[]{10, 30, 1, 60, 0}) {
                values.fill(1);
                scalars.set(FLOOR, floor);
                int expected = 1;
                for (double sum = 50; sum > floor && expected < 10; sum /= 2) {
                    expected++;
                }
                assertEquals(expected, repetition.run(10, recorded), "floor " + floor);
                assertEquals(SIZE * Math.pow(0.5, expected), recorded[2 * expected - 2], "floor " + floor);
                assertEquals(Math.pow(0.5, expected), values.get(SIZE - 1, 0), "floor " + floor);
            }
            values.fill(1);
            assertEquals(3, repetition.run(3, recorded), "a limit of rounds");
            assertEquals(0.125, values.get(0, 0));
            values.fill(Double.NaN);
            assertEquals(1, repetition.run(10, recorded), "what is not a number is not more than the floor");
            checkRefusals(mesh, repetition, halve, scalars);
        }
    }

    private static void checkRefusals(Mesh mesh, Repetition repetition, LoopSequence sequence, Scalars scalars) {
        double[] room = new double[20];
        assertThrows(IllegalArgumentException.class, () -> repetition.run(0, room));
        assertThrows(IllegalArgumentException.class, () -> repetition.run(11, room));
        assertThrows(IllegalArgumentException.class, () -> repetition.run(10, new double[19]));
        StopCondition watch = new StopCondition(scalars.at(SUM), List.of());
        assertThrows(IllegalArgumentException.class, () -> mesh.repetition("none", List.of(), watch, 1));
        assertThrows(IllegalArgumentException.class, () -> mesh.repetition("none", List.of(sequence), watch, 0));
        Scalars others = mesh.scalars("others", 1);
        assertThrows(IllegalArgumentException.class, () -> new StopCondition.Bound(scalars.at(SUM), others.at(0)));
        assertThrows(IllegalArgumentException.class, () -> new StopCondition.Bound(scalars.at(SUM), scalars.at(SUM, 2)));
        assertThrows(IllegalArgumentException.class,
                () -> new StopCondition(others.at(0), List.of(new StopCondition.Bound(scalars.at(SUM), scalars.at(FLOOR)))));
        List<Step> seen = new ArrayList<>();
        StepListener listener = seen::add;
        mesh.addListener(listener);
        assertFalse(repetition.isOnDevice(), "somebody listens");
        repetition.run(2, room);
        mesh.removeListener(listener);
        assertEquals(2, seen.size(), "a round");
    }

    @Test
    void emulatedDevicesRepeat() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        gpu.driver().withConditionalNodes();
        try (CudaBackend backend = gpu.open()) {
            check(backend, true);
            // Seven runs by itself; two rounds of the first run and one of the last one are graphs of a sequence.
            assertEquals(10, gpu.graphLaunches());
        }
        assertEquals(0, gpu.driver().open());
    }

    @Test
    void hostsRepeatForDriversWithoutConditionalNodes() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open()) {
            check(backend, false);
        }
    }

    @Test
    void devicesRepeat() {
        try (CudaBackend backend = TestGpu.open()) {
            Assumptions.assumeTrue(backend.kernels(LoopKernels.class).repeats(), "no conditional nodes");
            check(backend, true);
        }
    }

    @Test
    void loopsOverNothingAreRepeated() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        gpu.driver().withConditionalNodes();
        try (CudaBackend backend = gpu.open(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 0);
            Dat values = mesh.dat("values", set, 1, Precision.F64);
            Scalars scalars = mesh.scalars("scalars", 2);
            LoopSequence halve = mesh.sequence("halve").run(mesh.loop(HALVE, set, values)).build();
            Repetition repetition = mesh.repetition("halving", List.of(halve),
                    new StopCondition(scalars.at(0), List.of(new StopCondition.Bound(scalars.at(0), scalars.at(1)))), 5);
            assertEquals(1, repetition.run(5, new double[5]));
            assertFalse(repetition.isOnDevice(), "there is nothing to launch");
            scalars.set(0, 1);
            assertEquals(5, repetition.run(5, new double[5]));
            assertTrue(repetition.toString().contains("halving"));
        }
    }
}
