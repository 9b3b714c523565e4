package org.trellis.cuda.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.PainSweep;
import org.trellis.adapt.SmoothingMethod;
import org.trellis.adapt.SmoothingSweep;
import org.trellis.adapt.SweepCases;
import org.trellis.adapt.SweepCavities;
import org.trellis.adapt.SweepOptions;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.geometry.CurvedBoundary;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;

/** What a device must do with sweeps over colours: what {@code reference} does, but for rounding. */
final class SweepOnDevice {
    private static final int SWEEPS = 3;
    private static final double UPHILL = 100;

    private SweepOnDevice() {}

    static void formulas(Backend device, int n) {
        SimplexMesh mesh = SweepCases.shaken(n, true);
        formulas(device, SweepCavities.of(mesh));
        formulas(device, SweepCavities.sharingColours(mesh));
    }

    private static void formulas(Backend device, SweepCavities mesh) {
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            for (Precision precision : Precision.values()) {
                for (boolean sine : new boolean[]{false, true}) {
                    try (PainSweep expected = new PainSweep(reference, mesh, sine, 0.05, 0.5, Precision.F64);
                            PainSweep found = new PainSweep(device, mesh, sine, 0.05, 0.5, precision)) {
                        expected.run(SWEEPS);
                        found.run(SWEEPS);
                        assertEquals(expected.colours(), found.colours());
                        assertArrayEquals(expected.coordinates(), found.coordinates(), tolerance(precision));
                    }
                }
            }
        }
    }

    static void rasters(Backend device, int n) {
        SimplexMesh mesh = SweepCases.shaken(n, true);
        RasterMetric metric = SweepCases.waves(33);
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            for (SmoothingMethod method : SmoothingMethod.values()) {
                for (Acceptance acceptance : Acceptance.values()) {
                    if (method != SmoothingMethod.OPTIMISATION) {
                        compare(reference, device, mesh, metric, method, acceptance);
                    }
                }
            }
        }
    }

    static void rastersInSpace(Backend device, int n) {
        SimplexMesh mesh = SweepCases.shakenCube(n, true);
        RasterMetric metric = SweepCases.wavesInSpace(9);
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            compare(reference, device, mesh, metric, SmoothingMethod.PAIN, Acceptance.ALL);
            compare(reference, device, mesh, metric, SmoothingMethod.LAPLACIAN, Acceptance.VALID);
            compare(reference, device, mesh, metric, SmoothingMethod.METRIC_LAPLACIAN, Acceptance.BETTER);
        }
    }

    /** The same with colours that free and bound vertices share. */
    static void sharedColours(Backend device, int n) {
        SweepCavities mesh = SweepCavities.sharingColours(SweepCases.shaken(n, true));
        RasterMetric metric = SweepCases.waves(33);
        try (Backend reference = Backends.open("reference", Configuration.load());
                SmoothingSweep expected = new SmoothingSweep(reference, mesh, metric, SweepOptions.PAIN);
                SmoothingSweep found = new SmoothingSweep(device, mesh, metric, SweepOptions.PAIN)) {
            expected.run(SWEEPS);
            found.run(SWEEPS);
            assertArrayEquals(expected.coordinates(), found.coordinates(), tolerance(Precision.F64));
        }
    }

    /** Uphill in the plane and in space. */
    static void climbs(Backend device, int n) {
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            compare(reference, device, SweepCases.shaken(2 * n, false), SweepCases.waves(17),
                    SmoothingMethod.OPTIMISATION, Acceptance.BETTER);
            compare(reference, device, SweepCases.shakenCube(n, false), SweepCases.wavesInSpace(9),
                    SmoothingMethod.OPTIMISATION, Acceptance.BETTER);
        }
    }

    /** The host moves vertices on splines between the loops of the device. */
    static void splines(Backend device) {
        SimplexMesh ring = CurvedBoundary.of(SweepCases.ring(12, 2, 2 * Math.PI), List.of(), 60);
        RasterMetric metric = RasterMetric.of(2, ring.coordinates(), 9, AnalyticMetrics.sine(0.1, 0.4));
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            compare(reference, device, ring, metric, SmoothingMethod.METRIC_LAPLACIAN, Acceptance.BETTER);
        }
    }

    /** A whole adaptation whose vertices the device moves has the elements of the host's. */
    static void adapts(Backend device, int n) {
        SimplexMesh mesh = SweepCases.shaken(n, true);
        RasterMetric metric = SweepCases.waves(17);
        AdaptOptions options = AdaptOptions.DEFAULT.withSweeps(3).withThreads(2);
        AdaptedMesh expected = new Adaptation(mesh, metric, options, ProgressListener.NONE).run();
        AdaptedMesh found =
                new Adaptation(mesh, metric, options, ProgressListener.NONE).smoothingOn(device, false).run();
        assertArrayEquals(expected.mesh().corners(), found.mesh().corners());
        assertArrayEquals(expected.mesh().coordinates(), found.mesh().coordinates(), 1e-8);
        assertEquals(0, found.quality().inverted());
        assertEquals(device.name(), found.report().traffic().orElseThrow().backend());
    }

    private static void compare(Backend reference, Backend device, SimplexMesh mesh, RasterMetric metric,
            SmoothingMethod method, Acceptance acceptance) {
        try (SmoothingSweep expected = new SmoothingSweep(reference, mesh, metric,
                new SweepOptions(method, acceptance, Precision.F64, false))) {
            expected.run(SWEEPS);
            double[] positions = expected.coordinates();
            for (Precision precision : Precision.values()) {
                try (SmoothingSweep found = new SmoothingSweep(device, mesh, metric,
                        new SweepOptions(method, acceptance, precision, false))) {
                    found.run(SWEEPS);
                    if (precision == Precision.F64 || acceptance != Acceptance.BETTER) {
                        assertArrayEquals(positions, found.coordinates(), tolerance(method, precision),
                                method + " " + acceptance + " " + precision);
                    }
                    assertTrue(RasterMetric.lengthError(metric.dimension(), found.metric(),
                            metric.atAll(metric.dimension(), found.coordinates()))
                            .greatest() < (precision == Precision.F64 ? 1e-12 : 1e-4));
                }
            }
        }
    }

    /** A texture has 256 places between two points; lengths and steps are near those without. */
    static void textures(Backend device, int n) {
        SimplexMesh mesh = SweepCases.shaken(n, false);
        RasterMetric metric = SweepCases.waves(65);
        try (Backend reference = Backends.open("reference", Configuration.load());
                SmoothingSweep expected = new SmoothingSweep(reference, mesh, metric, SweepOptions.PAIN)) {
            expected.run(SWEEPS);
            for (Precision precision : Precision.values()) {
                try (SmoothingSweep found = new SmoothingSweep(device, mesh, metric,
                        new SweepOptions(SmoothingMethod.PAIN, Acceptance.ALL, precision, true))) {
                    found.run(SWEEPS);
                    assertArrayEquals(expected.coordinates(), found.coordinates(), 2e-4, precision.toString());
                    RasterMetric.LengthError error = RasterMetric.lengthError(2, found.metric(),
                            metric.atAll(2, found.coordinates()));
                    assertTrue(error.greatest() < 1e-3 && error.greatest() > 1e-9, error.toString());
                }
            }
        }
    }

    private static double tolerance(Precision precision) {
        return precision == Precision.F64 ? 1e-12 : 2e-5;
    }

    /** Uphill, steps follow a gradient over lengths and then search, which makes more of rounding than means do. */
    private static double tolerance(SmoothingMethod method, Precision precision) {
        return (method == SmoothingMethod.OPTIMISATION ? UPHILL : 1) * tolerance(precision);
    }
}
