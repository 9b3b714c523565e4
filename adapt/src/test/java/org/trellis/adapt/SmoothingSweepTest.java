package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.geometry.CircleShape;
import org.trellis.adapt.geometry.CurvedBoundary;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;

class SmoothingSweepTest {
    private static final int SWEEPS = 5;

    private static SweepOptions options(SmoothingMethod method, Acceptance acceptance, Precision precision) {
        return new SweepOptions(method, acceptance, precision, false);
    }

    private static double[] sweep(String name, SimplexMesh mesh, RasterMetric metric, SweepOptions options) {
        try (Backend backend = Backends.open(name, Configuration.load());
                SmoothingSweep sweep = new SmoothingSweep(backend, mesh, metric, options)) {
            sweep.run(SWEEPS);
            return sweep.coordinates();
        }
    }

    /** Loops and cavities take the same steps; what is tried and refused is the same too. */
    @ParameterizedTest
    @EnumSource(SmoothingMethod.class)
    void doesWhatCavitiesDo(SmoothingMethod method) {
        compare(SweepCases.shaken(9, true), SweepCases.waves(17), method);
    }

    @ParameterizedTest
    @EnumSource(SmoothingMethod.class)
    void doesWhatCavitiesDoInSpace(SmoothingMethod method) {
        compare(SweepCases.shakenCube(4, true), SweepCases.wavesInSpace(9), method);
    }

    /** A ring whose boundary is two splines: loops leave their vertices to the host, in any precision. */
    @ParameterizedTest
    @EnumSource(SmoothingMethod.class)
    void doesWhatCavitiesDoOnSplines(SmoothingMethod method) {
        SimplexMesh ring = splines();
        RasterMetric metric = RasterMetric.of(2, ring.coordinates(), 9,
                (x, o, m, p) -> {
                    m[p] = 40 + 30 * Math.sin(4 * x[o]);
                    m[p + 1] = 10 * x[o + 1];
                    m[p + 2] = 60;
                });
        compare(ring, metric, method);
        double[] rounded = sweep("threads", ring, metric, options(method, Acceptance.BETTER, Precision.F32));
        SimplexMesh moved = new SimplexMesh(2, rounded, ring.corners(), ring.regions(), ring.patches(),
                ring.patchTags(), ring.shapes());
        assertEquals(0, MeshQuality.of(moved, metric).inverted());
        assertFalse(Arrays.equals(ring.coordinates(), rounded));
    }

    private static SimplexMesh splines() {
        return CurvedBoundary.of(SweepCases.ring(12, 2, 2 * Math.PI), List.of(), 60);
    }

    private static void compare(SimplexMesh mesh, RasterMetric metric, SmoothingMethod method) {
        for (Acceptance acceptance : method == SmoothingMethod.OPTIMISATION
                ? List.of(Acceptance.BETTER)
                : List.of(Acceptance.VALID, Acceptance.BETTER)) {
            AdaptOptions wanted = AdaptOptions.DEFAULT.withSteps(EnumSet.of(AdaptStep.SMOOTH)).withSweeps(SWEEPS)
                    .withSmoothing(method, acceptance == Acceptance.BETTER, 0);
            double[] expected = new Adaptation(mesh, metric, wanted, ProgressListener.NONE).run().mesh().coordinates();
            assertFalse(Arrays.equals(mesh.coordinates(), expected));
            double[] first = sweep("reference", mesh, metric, options(method, acceptance, Precision.F64));
            assertArrayEquals(expected, first, 1e-9, "reference " + acceptance);
            for (String name : List.of("threads", "simd")) {
                assertArrayEquals(first, sweep(name, mesh, metric, options(method, acceptance, Precision.F64)),
                        name + " " + acceptance);
            }
        }
    }

    /** Steps that would turn tetrahedra over are halved or refused, in both precisions. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void invertsNoTetrahedron(Precision precision) {
        SimplexMesh mesh = SweepCases.shakenCube(5, false);
        RasterMetric metric = RasterMetric.of(3, mesh.coordinates(), 17, AnalyticMetrics.linear(3, 0.01, 1));
        for (SmoothingMethod method : List.of(SmoothingMethod.METRIC_LAPLACIAN, SmoothingMethod.LAPLACIAN)) {
            double[] x = sweep("threads", mesh, metric, options(method, Acceptance.VALID, precision));
            SimplexMesh moved = SimplexMesh.of(3, x, mesh.corners(), mesh.regions(), new int[0], new int[0]);
            assertEquals(0, MeshQuality.of(moved, metric).inverted());
            assertEquals(1, moved.measure(), precision == Precision.F64 ? 1e-12 : 1e-5);
            assertEquals(6, moved.boundaryMeasure(), precision == Precision.F64 ? 1e-12 : 1e-5);
        }
    }

    @Test
    void sweepsInSpaceAreJoined() {
        SimplexMesh mesh = SimplexMesh.cube(3);
        RasterMetric metric = SweepCases.wavesInSpace(7);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SmoothingSweep joined = new SmoothingSweep(backend, mesh, metric, SweepOptions.PAIN);
                SmoothingSweep checked = new SmoothingSweep(backend, mesh, metric,
                        options(SmoothingMethod.PAIN, Acceptance.VALID, Precision.F64))) {
            joined.run(35);
            checked.run(35);
            assertArrayEquals(checked.coordinates(), joined.coordinates(), 1e-12);
            assertArrayEquals(metric.atAll(3, joined.coordinates()), joined.metric(), 1e-12);
        }
    }

    @Test
    void cpuBackendsAgreeInEveryBit() {
        SimplexMesh mesh = SweepCases.shaken(8, false);
        RasterMetric metric = SweepCases.waves(13);
        for (Acceptance acceptance : Acceptance.values()) {
            SweepOptions options = options(SmoothingMethod.PAIN, acceptance, Precision.F64);
            assertArrayEquals(sweep("reference", mesh, metric, options), sweep("threads", mesh, metric, options));
        }
    }

    @Test
    void floatIsNearDouble() {
        SimplexMesh mesh = SweepCases.shaken(7, true);
        RasterMetric metric = SweepCases.waves(13);
        assertArrayEquals(sweep("threads", mesh, metric, SweepOptions.PAIN),
                sweep("threads", mesh, metric, options(SmoothingMethod.PAIN, Acceptance.ALL, Precision.F32)), 1e-5);
    }

    /** Steps that invert nothing are the same whether that is checked or not. */
    @Test
    void checkingChangesNothingWhereNothingIsInverted() {
        SimplexMesh mesh = SimplexMesh.square(6);
        RasterMetric metric = SweepCases.waves(9);
        assertArrayEquals(sweep("reference", mesh, metric, SweepOptions.PAIN), sweep("reference", mesh, metric,
                options(SmoothingMethod.PAIN, Acceptance.VALID, Precision.F64)), 1e-13);
    }

    /** Free and bound vertices in one colour: the steps are those of one vertex after the other, in that order. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sharedColoursTakeTheSteps(boolean shared) {
        SimplexMesh mesh = SweepCases.shaken(9, true);
        SweepCavities cavities = shared ? SweepCavities.sharingColours(mesh) : SweepCavities.of(mesh);
        double[] x = cavities.coordinates().clone();
        for (int i = 0; i < SWEEPS * cavities.order().length; i++) {
            step(cavities, i % cavities.order().length, x);
        }
        double[] expected = cavities.inMeshOrder(x);
        for (String name : List.of("reference", "threads", "simd")) {
            try (Backend backend = Backends.open(name, Configuration.load());
                    PainSweep sweep = new PainSweep(backend, cavities, false, 0.1, 0.5, Precision.F64)) {
                assertEquals(shared, sweep.colours() < 7, sweep.colours() + " colours");
                sweep.run(SWEEPS);
                assertArrayEquals(expected, sweep.coordinates(), 1e-13, name);
            }
        }
    }

    /** Pain's step of a vertex in the linear metric from 0.1 to 0.5. */
    private static void step(SweepCavities cavities, int v, double[] x) {
        double[] a = new double[2];
        double[] g = new double[2];
        for (int p = cavities.offsets()[v]; p < cavities.offsets()[v + 1]; p++) {
            for (int k = 0; k < 2; k++) {
                double other = x[2 * cavities.neighbours()[p] + k];
                double h = 0.5 - 0.4 * 0.5 * (x[2 * v + k] + other);
                a[k] += 1 / (h * h);
                g[k] += (other - x[2 * v + k]) / (h * h);
            }
        }
        double[] t = Arrays.copyOfRange(cavities.traits(), 4 * v, 4 * v + 3);
        double along = t[0] * t[0] * a[0] + t[1] * t[1] * a[1];
        double slide = along > 0 ? (t[0] * g[0] + t[1] * g[1]) / (4 * along) : 0;
        for (int k = 0; k < 2; k++) {
            x[2 * v + k] += t[2] > 0 ? g[k] / (4 * a[k]) : slide * t[k];
        }
    }

    /** With shared colours, too, looking whether something is inverted changes nothing where nothing is. */
    @Test
    void sharedColoursMakeTheSameMovesTriedOrNot() {
        SimplexMesh ring = CurvedBoundary.of(SweepCases.ring(12, 2, 2 * Math.PI),
                List.of(new CircleShape(0, 0, 1), new CircleShape(0, 0, 0.4)), 0);
        RasterMetric metric = SweepCases.waves(9);
        SweepCavities square = SweepCavities.sharingColours(SimplexMesh.square(6));
        try (Backend backend = Backends.open("threads", Configuration.load());
                SmoothingSweep all = new SmoothingSweep(backend, square, metric, SweepOptions.PAIN);
                SmoothingSweep tried = new SmoothingSweep(backend, square, metric,
                        options(SmoothingMethod.PAIN, Acceptance.VALID, Precision.F64));
                SmoothingSweep curved = new SmoothingSweep(backend, SweepCavities.sharingColours(ring), metric,
                        options(SmoothingMethod.PAIN, Acceptance.VALID, Precision.F64))) {
            all.run(SWEEPS);
            tried.run(SWEEPS);
            assertArrayEquals(tried.coordinates(), all.coordinates(), 1e-13);
            curved.run(SWEEPS);
            double[] x = curved.coordinates();
            assertFalse(Arrays.equals(ring.coordinates(), x));
            for (int v = 0; v < 12; v++) {
                assertEquals(0.4, Math.hypot(x[2 * v], x[2 * v + 1]), 1e-14);
            }
        }
    }

    @Test
    void stopsWhenNothingGetsBetter() {
        SimplexMesh mesh = SweepCases.shaken(5, true);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SmoothingSweep sweep = new SmoothingSweep(backend, mesh, SweepCases.waves(9),
                        options(SmoothingMethod.METRIC_LAPLACIAN, Acceptance.BETTER, Precision.F64))) {
            int done = sweep.run(2000);
            assertTrue(done < 2000, done + " sweeps");
            double[] settled = sweep.coordinates();
            assertEquals(1, sweep.run(10));
            assertArrayEquals(settled, sweep.coordinates());
        }
    }

    /** Many sweeps at once are as many one by one, and the metric is the raster's. */
    @Test
    void joinedSweepsAreSweeps() {
        SimplexMesh mesh = SweepCases.shaken(6, false);
        RasterMetric metric = SweepCases.waves(9);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SmoothingSweep joined = new SmoothingSweep(backend, mesh, metric, SweepOptions.PAIN);
                SmoothingSweep single = new SmoothingSweep(backend, mesh, metric, SweepOptions.PAIN)) {
            joined.run(35);
            for (int i = 0; i < 35; i++) {
                single.run(1);
            }
            assertArrayEquals(joined.coordinates(), single.coordinates());
            assertArrayEquals(metric.atAll(2, joined.coordinates()), joined.metric(), 1e-12);
            assertEquals(joined.colours(), single.colours());
        }
    }

    @Test
    void refusesWhatItCannotDo() {
        RasterMetric metric = SweepCases.waves(9);
        SimplexMesh disc = CurvedBoundary.of(SimplexMesh.of(2, new double[]{0, 0, 1, 0, 0, 1, -1, 0, 0, -1},
                new int[]{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1}), List.of(new CircleShape(0, 0, 1)), 30);
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            assertThrows(IllegalArgumentException.class,
                    () -> new SmoothingSweep(backend, SimplexMesh.cube(2), metric, SweepOptions.PAIN));
            assertThrows(IllegalArgumentException.class, () -> new PainSweep(backend,
                    SweepCavities.of(SimplexMesh.cube(2)), false, 0.1, 0.2, Precision.F64));
            assertThrows(IllegalArgumentException.class,
                    () -> new SmoothingSweep(backend, disc, metric, SweepOptions.PAIN));
            SweepCavities blob = SweepCavities.of(splines());
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new SmoothingSweep(backend, blob, metric,
                    options(SmoothingMethod.PAIN, Acceptance.VALID, Precision.F64))).getMessage()
                    .contains("expected the mesh itself"));
            RasterMetric space = RasterMetric.of(3, new double[3], new double[]{1, 1, 1}, new int[]{2, 2, 2},
                    AnalyticMetrics.uniform(3, 1).atAll(3, new double[24]));
            assertThrows(IllegalArgumentException.class,
                    () -> new SmoothingSweep(backend, SimplexMesh.square(2), space, SweepOptions.PAIN));
        }
        assertThrows(IllegalArgumentException.class,
                () -> options(SmoothingMethod.OPTIMISATION, Acceptance.VALID, Precision.F64));
    }
}
