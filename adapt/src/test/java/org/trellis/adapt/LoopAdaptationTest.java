package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.adapt.geometry.CircleShape;
import org.trellis.adapt.geometry.CurvedBoundary;
import org.trellis.adapt.geometry.CurvedSurface;
import org.trellis.adapt.geometry.CylinderShape;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SphereShape;
import org.trellis.adapt.geometry.SurfaceShape;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ProgressListener;

/** Whole adaptations whose vertices are moved by loops. */
class LoopAdaptationTest {
    private static AdaptedMesh adapt(SimplexMesh mesh, RasterMetric metric, AdaptOptions options, Backend backend) {
        Adaptation adaptation = new Adaptation(mesh, metric, options, ProgressListener.NONE);
        return (backend == null ? adaptation : adaptation.smoothingOn(backend, false)).run();
    }

    /** Elements come, go and are swapped as on the host alone, and vertices end up in the same places. */
    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads"})
    void isTheAdaptationOfTheHost(String name) {
        SimplexMesh plane = SweepCases.shaken(6, true);
        SimplexMesh space = SweepCases.shakenCube(2, true);
        RasterMetric waves = SweepCases.waves(17);
        RasterMetric inSpace = RasterMetric.of(3, space.coordinates(), 5, AnalyticMetrics.uniform(3, 0.4));
        try (Backend backend = Backends.open(name, Configuration.load())) {
            compare(plane, waves, AdaptOptions.DEFAULT.withSweeps(4).withThreads(2), backend);
            compare(space, inSpace, AdaptOptions.DEFAULT.withSweeps(2)
                    .withSmoothing(SmoothingMethod.PAIN, true, 3), backend);
            compare(plane, waves, AdaptOptions.DEFAULT.withSweeps(2)
                    .withSmoothing(SmoothingMethod.OPTIMISATION, false, 0), backend);
        }
    }

    /** Vertices slide on circles, on cylinders and spheres, and on the ridges where these meet planes. */
    @Test
    void slidesOnCurvesAndSurfaces() {
        SimplexMesh ring = CurvedBoundary.of(SweepCases.ring(12, 2, 2 * Math.PI),
                List.of(new CircleShape(0, 0, 1), new CircleShape(0, 0, 0.4)), 0);
        SimplexMesh pipe = CurvedSurface.of(CurvedSurfaceTest.pipe(3),
                List.of(new CylinderShape(0, 0, 7, 0, 0, -2, 1), new CylinderShape(0, 0, 0, 0, 0, 1, 0.5)), 0);
        SimplexMesh shell = CurvedSurface.of(CurvedSurfaceTest.shell(2),
                List.of(new SphereShape(0, 0, 0, 1), new SphereShape(0, 0, 0, 0.5)), 0);
        try (Backend backend = Backends.open("threads", Configuration.load())) {
            compare(ring, RasterMetric.of(2, ring.coordinates(), 5, AnalyticMetrics.uniform(2, 0.25)),
                    AdaptOptions.DEFAULT.withSweeps(3), backend);
            for (SimplexMesh mesh : List.of(pipe, shell)) {
                compare(mesh, RasterMetric.of(3, mesh.coordinates(), 5, AnalyticMetrics.uniform(3, 0.4)),
                        AdaptOptions.DEFAULT.withSweeps(2).withSmoothing(SmoothingMethod.PAIN, true, 2), backend);
            }
        }
    }

    /** A program's own surface, of which loops know nothing. */
    private record OwnSurface(SurfaceShape like) implements SurfaceShape {
        @Override
        public void nearest(double[] x, int o, double[] point) {
            like.nearest(x, o, point);
        }

        @Override
        public void normal(double[] x, int o, double[] normal) {
            like.normal(x, o, normal);
        }
    }

    /** Splines, surfaces by normals, and those of a program, with a ridge of one and a plane: the host moves these. */
    @Test
    void slidesOnWhatOnlyTheHostKnows() {
        SimplexMesh quarter = CurvedBoundary.of(SweepCases.ring(8, 2, Math.PI / 2), List.of(), 30);
        SimplexMesh smooth = CurvedSurface.of(CurvedSurfaceTest.pipe(3), List.of(), 40);
        SimplexMesh own = CurvedSurface.of(CurvedSurfaceTest.pipe(3),
                List.of(new OwnSurface(new CylinderShape(0, 0, 7, 0, 0, -2, 1)),
                        new CylinderShape(0, 0, 0, 0, 0, 1, 0.5)),
                0);
        try (Backend backend = Backends.open("threads", Configuration.load())) {
            RasterMetric metric = RasterMetric.of(2, quarter.coordinates(), 5, AnalyticMetrics.uniform(2, 0.15));
            compare(quarter, metric, AdaptOptions.DEFAULT.withSweeps(3).withThreads(2), backend);
            for (SimplexMesh mesh : List.of(smooth, own)) {
                assertTrue(SweepCavities.of(mesh).host().length > 0, mesh.toString());
                compare(mesh, RasterMetric.of(3, mesh.coordinates(), 5, AnalyticMetrics.uniform(3, 0.4)),
                        AdaptOptions.DEFAULT.withSweeps(2).withSmoothing(SmoothingMethod.METRIC_LAPLACIAN, true, 2),
                        backend);
            }
        }
    }

    /** Lengths that loops have measured bound those of the host, until elements become others. */
    @Test
    void measuresLengthsOfEdges() {
        for (SimplexMesh start : List.of(SweepCases.shaken(6, true), SweepCases.shakenCube(3, true))) {
            int d = start.dimension();
            RasterMetric metric = d == 2 ? SweepCases.waves(17) : SweepCases.wavesInSpace(9);
            try (Backend backend = Backends.open("threads", Configuration.load());
                    Adapter adapter = new Adapter(start, metric, 2)) {
                CavityMesh mesh = adapter.mesh();
                assertTrue(mesh.mayHaveLonger(0, 1e9) && mesh.mayHaveShorter(0, 0));
                adapter.smoothOn(backend, metric, false);
                adapter.smooth(SmoothingMethod.METRIC_LAPLACIAN, true, 2, 1e-3, done -> {});
                for (int e = 0; e < mesh.elements; e++) {
                    assertEquals(longest(mesh, e), mesh.spans.longest(e), 1e-12, "element " + e);
                }
                double longest = adapter.longestEdge();
                assertEquals(0, adapter.refine(longest * (1 + 1e-6), 1));
                assertTrue(adapter.refine(0.95 * longest, 1) > 0);
                adapter.coarsen(0.1 * longest, longest, 0);
                int known = 0;
                for (int e = 0; e < mesh.elements; e++) {
                    if (mesh.isAlive(e)) {
                        assertTrue(mesh.spans.mayBeLonger(e, longest(mesh, e) - 1e-6));
                        known += mesh.spans.longest(e) < 1e9 ? 1 : 0;
                    }
                }
                assertTrue(known > 0 && known < mesh.elements, known + " of " + mesh.elements);
            }
        }
    }

    private static double longest(CavityMesh mesh, int element) {
        double longest = 0;
        for (int i = 0; i < mesh.width; i++) {
            for (int j = 0; j < i; j++) {
                longest = Math.max(longest, mesh.edgeLength(mesh.corners[element * mesh.width + i],
                        mesh.corners[element * mesh.width + j]));
            }
        }
        return longest;
    }

    private static void compare(SimplexMesh mesh, RasterMetric metric, AdaptOptions options, Backend backend) {
        AdaptedMesh expected = adapt(mesh, metric, options, null);
        AdaptedMesh found = adapt(mesh, metric, options, backend);
        assertTrue(expected.report().traffic().isEmpty());
        LoopTraffic traffic = found.report().traffic().orElseThrow();
        assertEquals(backend.name(), traffic.backend());
        assertTrue(traffic.runs() > 1 && traffic.bytesFetched() > 8L * found.mesh().coordinates().length,
                traffic.toString());
        assertArrayEquals(expected.mesh().corners(), found.mesh().corners());
        assertArrayEquals(expected.mesh().coordinates(), found.mesh().coordinates(), 1e-8);
        assertArrayEquals(expected.metric(), found.metric(), 1e-4);
        assertEquals(0, found.quality().inverted());
        assertEquals(expected.quality().mean(), found.quality().mean(), 1e-8);
        assertEquals(expected.report().swaps(), found.report().swaps());
    }

    @ParameterizedTest
    @ValueSource(strings = "reference")
    void needsARasterOfItsDimension(String name) {
        try (Backend backend = Backends.open(name, Configuration.load())) {
            Adaptation formula = new Adaptation(SimplexMesh.square(2), AnalyticMetrics.uniform(2, 0.3),
                    AdaptOptions.DEFAULT, ProgressListener.NONE);
            assertThrows(IllegalArgumentException.class, () -> formula.smoothingOn(backend, false));
            Adaptation space = new Adaptation(SimplexMesh.cube(1), SweepCases.waves(5), AdaptOptions.DEFAULT,
                    ProgressListener.NONE);
            assertThrows(IllegalArgumentException.class, () -> space.smoothingOn(backend, false));
        }
    }
}
