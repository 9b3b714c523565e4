package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;

/** Loops as a smoother. */
final class LoopSmootherTest {
    /** Of powers of two, so that nothing is rounded. */
    private static final double[] DIAGONAL = {1, 2, 4, 0.5, 8};

    /** A diagonal system. */
    private static final class Scene implements AutoCloseable {
        final Backend backend;
        final Mesh mesh;
        final Dat b;
        final Dat x;
        final LoopSequence half;
        final LoopSequence forward;
        final LoopSequence backward;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Scene(String name, Precision precision) {
            backend = Backends.open(name, Configuration.load());
            mesh = Mesh.on(backend);
            MeshSet rows = mesh.set("rows", DIAGONAL.length);
            Dat d = mesh.dat("d", rows, 1, precision, DIAGONAL);
            b = mesh.dat("b", rows, 1, precision);
            x = mesh.dat("x", rows, 1, precision);
            half = mesh.sequence("half").run(mesh.loop(SweepKernelsLoops.HALF, rows, d, b, x)).build();
            forward = mesh.sequence("forward").run(mesh.loop(SweepKernelsLoops.FORWARD, rows, d, b, x)).build();
            backward = mesh.sequence("backward").run(mesh.loop(SweepKernelsLoops.BACKWARD, rows, d, b, x)).build();
        }

        LoopSmoother smoother(boolean directions) {
            return LoopSmoother.of(b, x, new LoopSmoother.Sweeps(half, forward, directions ? backward : forward),
                    !directions, "by hand");
        }

        @Override
        public void close() {
            mesh.close();
            backend.close();
        }
    }

    private static HostVector vector(Precision precision, double... values) {
        return HostVector.of(precision, values.length, i -> values[i]);
    }

    @ParameterizedTest
    @CsvSource({"reference, F64", "reference, F32", "threads, F64", "threads, F32", "simd, F64", "cpu, F32"})
    void sweepsByHand(String backend, Precision precision) {
        try (Scene scene = new Scene(backend, precision); LoopSmoother smoother = scene.smoother(true)) {
            HostVector b = vector(precision, 4, 4, 4, 4, 4);
            HostVector x = vector(precision, 1, 1, 1, 1, 1);
            smoother.apply(2, b, 1, x);
            assertArrayEquals(new double[]{5, 3, 2, 9, 1.5}, x.toDoubleArray());
            smoother.apply(b, x);
            assertArrayEquals(new double[]{2, 1, 0.5, 4, 0.25}, x.toDoubleArray());
            smoother.sweep(b, x, SweepDirection.FORWARD);
            assertArrayEquals(new double[]{3, 1.5, 0.75, 6, 0.375}, x.toDoubleArray());
            smoother.sweep(b, x, SweepDirection.BACKWARD);
            assertArrayEquals(new double[]{3.25, 1.625, 0.8125, 6.5, 0.40625}, x.toDoubleArray());
            HostVector again = vector(precision, 2, 1, 0.5, 4, 0.25);
            smoother.bindSweep(b, again, SweepDirection.SYMMETRIC).forEach(PreparedStep::run);
            assertArrayEquals(x.toDoubleArray(), again.toDoubleArray());
            assertTrue(smoother.hasDirections());
            assertFalse(smoother.symmetric());
            assertThrows(UnsupportedOperationException.class, () -> smoother.applyTransposed(1, b, 0, x));
            assertEquals(2L * DIAGONAL.length * precision.bytes(), smoother.storedBytes());
        }
    }

    @Test
    void takesTheVectorsOfItsDats() {
        try (Scene scene = new Scene("threads", Precision.F64); LoopSmoother smoother = scene.smoother(false)) {
            scene.b.setAll(new double[]{4, 4, 4, 4, 4});
            smoother.apply(scene.b.vector(), scene.x.vector());
            assertArrayEquals(new double[]{2, 1, 0.5, 4, 0.25}, scene.x.toArray());
            smoother.sweep(scene.b.vector(), scene.x.vector(), SweepDirection.SYMMETRIC);
            assertArrayEquals(new double[]{3, 1.5, 0.75, 6, 0.375}, scene.x.toArray());
            smoother.applyTransposed(2, scene.b.vector(), 0, scene.x.vector());
            assertArrayEquals(new double[]{4, 2, 1, 8, 0.5}, scene.x.toArray());
            HostVector other = vector(Precision.F64, 0, 0, 0, 0, 0);
            assertThrows(IllegalArgumentException.class, () -> smoother.apply(scene.x.vector(), other));
            assertThrows(IllegalArgumentException.class, () -> smoother.apply(other, scene.b.vector()));
            assertThrows(IllegalArgumentException.class,
                    () -> smoother.apply(1, scene.b.vector(), 1, scene.x.vector()));
            assertThrows(IllegalArgumentException.class, () -> smoother.sweep(other, other, SweepDirection.FORWARD));
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (Scene scene = new Scene("reference", Precision.F64)) {
            LoopSmoother.Sweeps sweeps = new LoopSmoother.Sweeps(scene.half, scene.forward, scene.forward);
            assertThrows(IllegalArgumentException.class,
                    () -> LoopSmoother.of(scene.b, scene.b, sweeps, true, "one dat"));
            Dat single = scene.mesh.dat("single", scene.x.set(), 1, Precision.F32);
            String message = assertThrows(IllegalArgumentException.class,
                    () -> LoopSmoother.of(scene.b, single, sweeps, true, "two precisions")).getMessage();
            assertTrue(message.contains("two precisions"), message);

            LoopSmoother smoother = scene.smoother(false);
            HostVector b = vector(Precision.F64, 1, 1, 1, 1, 1);
            HostVector x = vector(Precision.F64, 0, 0, 0, 0, 0);
            PreparedStep bound = smoother.bindSweep(b, x, SweepDirection.FORWARD).getFirst();
            MeshOrder.shuffle(scene.mesh, new SplittableRandom(3));
            assertThrows(IllegalStateException.class, bound::run);
            smoother.close();
            assertThrows(IllegalStateException.class, () -> smoother.apply(b, x));
        }
    }
}
