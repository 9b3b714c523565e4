package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.CurvedSurface;
import org.trellis.adapt.geometry.CylinderShape;
import org.trellis.adapt.geometry.PlaneShape;
import org.trellis.adapt.geometry.RidgeShape;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SmoothSurface;
import org.trellis.adapt.geometry.SphereShape;
import org.trellis.adapt.geometry.SurfaceShape;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.common.ProgressListener;
import org.trellis.testing.TestSeed;

class CurvedSurfaceTest {
    private static final double INNER = 0.5;
    private static final SurfaceShape OUTER_CYLINDER = new CylinderShape(0, 0, 7, 0, 0, -2, 1);
    private static final SurfaceShape INNER_CYLINDER = new CylinderShape(0, 0, 0, 0, 0, 1, INNER);

    /** Half of a cone around the z axis, whose angle with the plane z = 0 has this slope: a user's own surface. */
    private record Cone(double slope) implements SurfaceShape {
        @Override
        public void nearest(double[] x, int o, double[] point) {
            double radius = Math.hypot(x[o], x[o + 1]);
            double along = (radius + slope * x[o + 2]) / (1 + slope * slope);
            double scale = along / radius;
            double px = x[o] * scale;
            double py = x[o + 1] * scale;
            point[0] = px;
            point[1] = py;
            point[2] = slope * along;
        }

        @Override
        public void normal(double[] x, int o, double[] normal) {
            double radius = Math.hypot(x[o], x[o + 1]);
            double scale = 1 / Math.sqrt(1 + slope * slope);
            normal[0] = -slope * x[o] / radius * scale;
            normal[1] = -slope * x[o + 1] / radius * scale;
            normal[2] = scale;
        }
    }

    private static SimplexMesh mapped(int n, UnaryOperator<double[]> map) {
        SimplexMesh cube = SimplexMesh.cube(n);
        double[] x = new double[cube.coordinates().length];
        for (int v = 0; v < cube.vertices(); v++) {
            double[] point = map.apply(Arrays.copyOfRange(cube.coordinates(), 3 * v, 3 * v + 3));
            System.arraycopy(point, 0, x, 3 * v, 3);
        }
        return SimplexMesh.of(3, x, cube.corners());
    }

    /** A quarter of a pipe of length one. */
    static SimplexMesh pipe(int n) {
        return mapped(n, p -> {
            double radius = INNER + (1 - INNER) * p[2];
            return new double[]{radius * Math.cos(Math.PI / 2 * p[0]), radius * Math.sin(Math.PI / 2 * p[0]), p[1]};
        });
    }

    /** A part of a shell: between two spheres, two planes through the axis, and two cones around it. */
    static SimplexMesh shell(int n) {
        return mapped(n, p -> {
            double radius = INNER + (1 - INNER) * p[2];
            double longitude = Math.PI / 2 * p[0];
            double latitude = Math.PI / 4 * (2 * p[1] - 1);
            return new double[]{radius * Math.cos(latitude) * Math.cos(longitude),
                radius * Math.cos(latitude) * Math.sin(longitude), radius * Math.sin(latitude)};
        });
    }

    private static AdaptedMesh adapt(SimplexMesh mesh, double length, int sweeps, int threads) {
        AdaptedMesh adapted = new Adaptation(mesh, AnalyticMetrics.uniform(3, length),
                AdaptOptions.DEFAULT.withSweeps(sweeps).withThreads(threads), ProgressListener.NONE).run();
        adapted.mesh().verify();
        assertEquals(0, adapted.quality().inverted());
        return adapted;
    }

    private static double distance(BoundaryShape shape, double[] x, int vertex) {
        double[] point = new double[3];
        shape.nearest(x, 3 * vertex, point);
        return Math.hypot(Math.hypot(point[0] - x[3 * vertex], point[1] - x[3 * vertex + 1]),
                point[2] - x[3 * vertex + 2]);
    }

    private static void assertOnShapes(SimplexMesh mesh) {
        int[] facet = new int[3];
        for (int i = 0; i < mesh.patches().length; i++) {
            if (mesh.patches()[i] != 0) {
                mesh.facet(i / 4, i % 4, facet);
                for (int vertex : facet) {
                    assertTrue(distance(mesh.shapes()[mesh.patches()[i]], mesh.coordinates(), vertex) < 1e-12,
                            "vertex " + vertex + " on " + mesh.shapes()[mesh.patches()[i]]);
                }
            }
        }
    }

    /** The error of the volume falls with the square of the length of edges. */
    @Test
    void volumeOfAPipeConverges() {
        SimplexMesh start = CurvedSurface.of(pipe(3), List.of(OUTER_CYLINDER, INNER_CYLINDER), 0);
        assertEquals(7, start.patchTags().length);
        assertOnShapes(start);
        double exact = Math.PI / 4 * (1 - INNER * INNER);
        AdaptedMesh coarse = adapt(start, 0.3, 6, 1);
        AdaptedMesh fine = adapt(start, 0.15, 6, 2);
        assertOnShapes(coarse.mesh());
        assertOnShapes(fine.mesh());
        double first = Math.abs(coarse.mesh().measure() / exact - 1);
        double second = Math.abs(fine.mesh().measure() / exact - 1);
        assertTrue(Math.abs(start.measure() / exact - 1) > 0.04);
        assertTrue(first < 0.02 && second < first / 2.5, first + " and " + second);
        assertTrue(fine.quality().mean() > 0.7 && fine.quality().minimum() > 0.15, fine.quality().toString());
        assertTrue(fine.mesh().elements() > 2 * start.elements());
    }

    /** Spheres, planes and a user's cones, coarsened and refined: vertices on all of them, the same for any threads. */
    @Test
    void aShellKeepsItsSurfaces() {
        SimplexMesh start = CurvedSurface.of(shell(4), List.of(new SphereShape(0, 0, 0, 1),
                new SphereShape(0, 0, 0, INNER), new Cone(1), new Cone(-1)), 0);
        assertEquals(7, start.patchTags().length);
        double exact = (1 - INNER * INNER * INNER) / 3 * Math.PI / 2 * 2 * Math.sin(Math.PI / 4);
        AdaptedMesh one = adapt(start, 0.25, 4, 1);
        AdaptedMesh three = adapt(start, 0.25, 4, 3);
        assertOnShapes(one.mesh());
        assertEquals(exact, one.mesh().measure(), 0.03 * exact);
        assertTrue(one.report().collapses() > 0 && one.report().swaps() > 0);
        assertArrayEquals(one.mesh().coordinates(), three.mesh().coordinates());
        assertArrayEquals(one.mesh().corners(), three.mesh().corners());
    }

    /** Nearest points are on the surface, and the way there is along its normal, which tangents are orthogonal to. */
    @Test
    void nearestPointsAreFeetOfPerpendiculars() {
        SplittableRandom random = TestSeed.random("surfaces");
        PlaneShape plane = new PlaneShape(0.1, 0.2, 0.3, 0.6, 0, 0.8);
        List<SurfaceShape> surfaces = List.of(new SphereShape(0.1, -0.2, 0.3, 2), plane,
                new CylinderShape(1, 2, 3, 1, -1, 0.5, 0.7), new Cone(0.5));
        double[] foot = new double[3];
        double[] again = new double[3];
        double[] tangents = new double[6];
        for (int trial = 0; trial < 50; trial++) {
            double[] x = {random.nextDouble(2, 3), random.nextDouble(1, 2), random.nextDouble(0, 1)};
            for (SurfaceShape surface : surfaces) {
                surface.nearest(x, 0, foot);
                surface.nearest(foot, 0, again);
                assertArrayEquals(foot, again, 1e-14);
                surface.tangent(x, 0, tangents);
                for (int t = 0; t < 6; t += 3) {
                    double along = 0;
                    double square = 0;
                    for (int k = 0; k < 3; k++) {
                        along += (x[k] - foot[k]) * tangents[t + k];
                        square += tangents[t + k] * tangents[t + k];
                    }
                    assertEquals(0, along, 1e-14, surface + ", seed " + TestSeed.value());
                    assertEquals(1, square, 1e-14);
                }
            }
            RidgeShape circle = new RidgeShape(surfaces.getFirst(), plane);
            circle.nearest(x, 0, foot);
            assertEquals(0, distance(surfaces.getFirst(), foot, 0) + distance(plane, foot, 0), 1e-13);
            circle.tangent(foot, 0, tangents);
            assertEquals(0, 0.6 * tangents[0] + 0.8 * tangents[2], 1e-14);
        }
        new SphereShape(0, 0, 0, 2).nearest(new double[3], 0, foot);
        assertArrayEquals(new double[]{2, 0, 0}, foot);
        OUTER_CYLINDER.nearest(new double[]{0, 0, 4}, 0, foot);
        assertEquals(1, Math.hypot(foot[0], foot[1]), 1e-15);
        assertEquals(4, foot[2], 1e-15);
    }

    /**
     * The pipe again, given only that 22.5 degrees are smooth: caps stay flat, ridges as they are. Normals at the
     * ends of the surface are of one side only, so the middle is nearer to the cylinder.
     */
    @Test
    void normalsMakeASmoothPipe() {
        SimplexMesh start = CurvedSurface.of(pipe(4), List.of(), 40);
        assertEquals(7, start.patchTags().length);
        AdaptedMesh adapted = adapt(start, 0.15, 4, 2);
        double sagitta = 1 - Math.cos(Math.PI / 16);
        double[] x = adapted.mesh().coordinates();
        double worst = 0;
        int[] facet = new int[3];
        for (int i = 0; i < adapted.mesh().patches().length; i++) {
            BoundaryShape shape = adapted.mesh().shapes()[adapted.mesh().patches()[i]];
            if (shape instanceof SmoothSurface) {
                adapted.mesh().facet(i / 4, i % 4, facet);
                for (int vertex : facet) {
                    double angle = Math.atan2(x[3 * vertex + 1], x[3 * vertex]);
                    if (x[3 * vertex + 2] > 0 && x[3 * vertex + 2] < 1 && Math.abs(angle - Math.PI / 4) < Math.PI / 8) {
                        worst = Math.max(worst, Math.min(distance(OUTER_CYLINDER, x, vertex),
                                distance(INNER_CYLINDER, x, vertex)));
                    }
                }
            }
        }
        assertTrue(worst < sagitta / 8 && worst > 0, worst + " of " + sagitta);
        double exact = Math.PI / 4 * (1 - INNER * INNER);
        assertTrue(Math.abs(adapted.mesh().measure() - exact) < Math.abs(start.measure() - exact) / 3,
                adapted.mesh().measure() + " from " + start.measure() + " to " + exact);
    }

    /** On flat triangles the nearest point is known; in the middle of an arc it is nearly on it. */
    @Test
    void smoothSurfacesAreNearTheirTriangles() {
        SplittableRandom random = TestSeed.random("smooth");
        SimplexMesh square = SimplexMesh.square(9);
        double[] points = new double[3 * square.vertices()];
        for (int v = 0; v < square.vertices(); v++) {
            System.arraycopy(square.coordinates(), 2 * v, points, 3 * v, 2);
        }
        SmoothSurface flat = new SmoothSurface(points, square.corners());
        double[] found = new double[3];
        for (int trial = 0; trial < 200; trial++) {
            double[] x = random.doubles(3, -0.5, 1.5).toArray();
            flat.nearest(x, 0, found);
            assertArrayEquals(new double[]{Math.clamp(x[0], 0, 1), Math.clamp(x[1], 0, 1), 0}, found, 1e-14,
                    "seed " + TestSeed.value());
            flat.normal(x, 0, found);
            assertArrayEquals(new double[]{0, 0, 1}, found, 1e-14);
        }
        double[] arc = new double[30];
        for (int v = 0; v < 10; v++) {
            int column = v / 2;
            arc[3 * v] = Math.cos(0.2 * column);
            arc[3 * v + 1] = Math.sin(0.2 * column);
            arc[3 * v + 2] = 0.3 * (v % 2);
        }
        int[] strip = new int[24];
        for (int v = 0; v < 8; v += 2) {
            System.arraycopy(new int[]{v, v + 2, v + 3, v, v + 3, v + 1}, 0, strip, 3 * v, 6);
        }
        new SmoothSurface(arc, strip).nearest(new double[]{Math.cos(0.5), Math.sin(0.5), 0.1}, 0, found);
        assertEquals(1, Math.hypot(found[0], found[1]), 0.1 * (1 - Math.cos(0.1)));
        assertEquals(0.1, found[2], 1e-3);
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThrows(IllegalArgumentException.class, () -> new SphereShape(0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new CylinderShape(0, 0, 0, 0, 0, 0, 1));
        assertThrows(IllegalArgumentException.class,
                () -> CurvedSurface.of(SimplexMesh.square(2), List.of(OUTER_CYLINDER), 0));
        assertThrows(IllegalArgumentException.class, () -> CurvedSurface.of(pipe(2), List.of(), 90));
        assertThrows(IllegalArgumentException.class, () -> new SmoothSurface(new double[9], new int[0]));
        assertThrows(IndexOutOfBoundsException.class, () -> new SmoothSurface(new double[9], new int[]{0, 1, 3}));
        String message = assertThrows(IllegalArgumentException.class,
                () -> CurvedSurface.of(pipe(2), List.of(OUTER_CYLINDER, new SphereShape(0, 0, 0, 9)), 0)).getMessage();
        assertTrue(message.contains("SphereShape"), message);
    }
}
