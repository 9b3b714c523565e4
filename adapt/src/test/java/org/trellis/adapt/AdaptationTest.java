package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.BackgroundMetric;
import org.trellis.adapt.metric.HessianRecovery;
import org.trellis.adapt.metric.InterpolatedMetric;
import org.trellis.adapt.metric.MetricBounds;
import org.trellis.adapt.metric.MetricInterpolation;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.VertexMetrics;
import org.trellis.common.ProgressListener;
import org.trellis.testing.TestSeed;

class AdaptationTest {
    private static AdaptedMesh adapt(SimplexMesh mesh, MetricSource source, AdaptOptions options) {
        return new Adaptation(mesh, source, options, ProgressListener.NONE).run();
    }

    private static AdaptOptions only(AdaptStep step, int sweeps) {
        return AdaptOptions.DEFAULT.withSteps(EnumSet.of(step)).withSweeps(sweeps)
                .withSmoothing(SmoothingMethod.METRIC_LAPLACIAN, true, 0);
    }

    /** A mesh with vertices moved and renumbered at random, and two regions. */
    private static SimplexMesh shaken(int d, int n, SplittableRandom random) {
        SimplexMesh plain = d == 2 ? SimplexMesh.square(n) : SimplexMesh.cube(n);
        double[] x = plain.coordinates().clone();
        for (int i = 0; i < x.length; i++) {
            if (x[i] > 0 && x[i] < 1 && x[i] != 0.5) {
                x[i] += random.nextDouble(-0.1, 0.1) / n;
            }
        }
        int[] places = new int[plain.vertices()];
        Arrays.setAll(places, v -> v);
        for (int v = places.length - 1; v > 0; v--) {
            int other = random.nextInt(v + 1);
            int kept = places[v];
            places[v] = places[other];
            places[other] = kept;
        }
        double[] moved = new double[x.length];
        for (int v = 0; v < places.length; v++) {
            System.arraycopy(x, v * d, moved, places[v] * d, d);
        }
        int[] corners = Arrays.stream(plain.corners()).map(v -> places[v]).toArray();
        int[] regions = new int[plain.elements()];
        Arrays.setAll(regions, e -> {
            double middle = 0;
            for (int k = 0; k <= d; k++) {
                middle += moved[corners[e * (d + 1) + k] * d] / (d + 1);
            }
            return n % 2 == 0 && middle > 0.5 ? 2 : 1;
        });
        return SimplexMesh.of(d, moved, corners, regions, new int[0], new int[0]);
    }

    /** A metric that differs from vertex to vertex of a coarse mesh. */
    private static MetricSource random(int d, double least, double greatest, SplittableRandom random) {
        SimplexMesh mesh = d == 2 ? SimplexMesh.square(3) : SimplexMesh.cube(2);
        int size = Tensors.size(d);
        double[] metric = new double[mesh.vertices() * size];
        double[] values = new double[d];
        double[] vectors = new double[d * d];
        for (int v = 0; v < mesh.vertices(); v++) {
            double[] tensor = new double[size];
            for (int i = 0; i < size; i++) {
                tensor[i] = random.nextDouble(-1, 1);
            }
            Tensors.eigen(d, tensor, 0, values, vectors);
            for (int i = 0; i < d; i++) {
                double h = least * Math.pow(greatest / least, random.nextDouble());
                values[i] = 1 / (h * h);
            }
            Tensors.compose(d, values, vectors, metric, v * size);
        }
        return BackgroundMetric.of(mesh, metric, MetricInterpolation.LOG_EUCLIDEAN);
    }

    private static double[] regionMeasures(SimplexMesh mesh) {
        double[] measures = new double[3];
        for (int e = 0; e < mesh.elements(); e++) {
            measures[mesh.regions()[e]] += SimplexQuality.measure(mesh.dimension(), mesh.coordinates(), mesh.corners(),
                    e * (mesh.dimension() + 1));
        }
        return measures;
    }

    private static void assertSameDomain(SimplexMesh before, SimplexMesh after, String what) {
        after.verify();
        assertEquals(before.measure(), after.measure(), 1e-12, what);
        assertEquals(before.boundaryMeasure(), after.boundaryMeasure(), 1e-11, what);
        assertArrayEquals(regionMeasures(before), regionMeasures(after), 1e-12, what);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void keepsMeshesValidAndDoesNotDependOnThreads(int d) {
        SplittableRandom random = TestSeed.random("adapt" + d);
        for (int trial = 0; trial < (d == 2 ? 3 : 2); trial++) {
            String what = "seed " + TestSeed.value() + ", trial " + trial;
            SimplexMesh mesh = shaken(d, d == 2 ? random.nextInt(5, 16) : random.nextInt(2, 4), random);
            MetricSource source = random(d, d == 2 ? 0.03 : 0.2, 0.6, random);
            AdaptOptions options = AdaptOptions.DEFAULT.withSweeps(4).withSmoothing(
                    SmoothingMethod.METRIC_LAPLACIAN, true, 3);
            AdaptedMesh one = adapt(mesh, source, options);
            AdaptedMesh two = adapt(mesh, source, options.withThreads(3));
            assertSameDomain(mesh, one.mesh(), what);
            assertEquals(0, one.quality().inverted(), what);
            assertArrayEquals(one.mesh().coordinates(), two.mesh().coordinates(), what);
            assertArrayEquals(one.mesh().corners(), two.mesh().corners(), what);
            assertArrayEquals(one.mesh().patches(), two.mesh().patches(), what);
            assertArrayEquals(one.quality().histogram(), two.quality().histogram(), what);
            assertEquals(one.quality().meanLength(), two.quality().meanLength(), what);
            assertTrue(one.quality().mean() > MeshQuality.of(mesh, source).mean(), what);
        }
    }

    /** Each kind of step alone, on its own. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void everyStepAloneKeepsMeshesValid(int d) {
        SplittableRandom random = TestSeed.random("steps" + d);
        for (AdaptStep step : AdaptStep.values()) {
            SimplexMesh mesh = shaken(d, 4, random);
            MetricSource source = random(d, 0.2, 0.6, random);
            AdaptedMesh adapted = adapt(mesh, source, only(step, 3));
            assertSameDomain(mesh, adapted.mesh(), step + ", seed " + TestSeed.value());
        }
    }

    @Test
    void coarsensASquareToTwoTrianglesAndACubeToItsCorners() {
        AdaptedMesh plane = adapt(SimplexMesh.square(20), AnalyticMetrics.uniform(2, Math.sqrt(2)),
                only(AdaptStep.COARSEN, 1));
        assertEquals(2, plane.mesh().elements());
        assertEquals(21 * 21 - 4, plane.report().collapses());
        assertEquals(4, plane.mesh().boundaryMeasure());
        AdaptedMesh space = adapt(SimplexMesh.cube(5), AnalyticMetrics.uniform(3, Math.sqrt(2)),
                only(AdaptStep.COARSEN, 1));
        assertTrue(space.mesh().elements() < 50, space.mesh().toString());
        assertEquals(1, space.mesh().measure(), 1e-15);
    }

    /** The metric of x^2 + y^2 is the same everywhere, so refinement stays regular; the value is pragmatic's. */
    @Test
    void refinesRegularly() {
        SimplexMesh mesh = SimplexMesh.square(10);
        double[] values = new double[mesh.vertices()];
        Arrays.setAll(values, v -> Math.pow(mesh.coordinates()[2 * v], 2) + Math.pow(mesh.coordinates()[2 * v + 1], 2));
        double[] metric = HessianRecovery.metric(2, HessianRecovery.leastSquares(mesh, values), 0.001, 1,
                MetricBounds.NONE);
        AdaptedMesh refined = adapt(mesh, BackgroundMetric.of(mesh, metric, MetricInterpolation.LINEAR),
                only(AdaptStep.REFINE, 30));
        assertEquals(3200, refined.mesh().elements());
        assertEquals(0.880134, refined.quality().minimum(), 1e-6);
        assertEquals(0.880134, refined.quality().mean(), 1e-6);
        assertEquals(1560, refined.report().splits());
        assertTrue(refined.report().settled());
    }

    @Test
    void swapsABadDiagonal() {
        SimplexMesh mesh = SimplexMesh.of(2, new double[]{0, 0, 4, 0, 2, 0.5, 2, -0.5}, new int[]{0, 1, 2, 1, 0, 3});
        AdaptedMesh swapped = adapt(mesh, AnalyticMetrics.uniform(2, 1), only(AdaptStep.SWAP, 5));
        assertEquals(1, swapped.report().swaps());
        assertTrue(swapped.quality().minimum() > MeshQuality.of(mesh, AnalyticMetrics.uniform(2, 1)).minimum());
        assertSameDomain(mesh, swapped.mesh(), "diagonal");
    }

    /** Three long tetrahedra around an edge become two. */
    @Test
    void removesAnEdgeInSpace() {
        double h = Math.sqrt(3) / 2;
        double[] x = {1, 0, 0, -0.5, h, 0, -0.5, -h, 0, 0, 0, 1.2, 0, 0, -1.2};
        SimplexMesh mesh = SimplexMesh.of(3, x, new int[]{3, 4, 0, 1, 3, 4, 1, 2, 3, 4, 2, 0});
        AdaptedMesh swapped = adapt(mesh, AnalyticMetrics.uniform(3, 1.7), only(AdaptStep.SWAP, 5));
        assertEquals(2, swapped.mesh().elements());
        assertSameDomain(mesh, swapped.mesh(), "three to two");
    }

    @Test
    void reachesGoodQualityInThePlaneAndInSpace() {
        AdaptedMesh plane = adapt(SimplexMesh.square(10), AnalyticMetrics.linear(2, 0.02, 0.2), AdaptOptions.DEFAULT);
        assertTrue(plane.quality().mean() > 0.9, plane.quality().toString());
        assertTrue(plane.quality().minimum() > 0.65, plane.quality().toString());
        assertTrue(plane.quality().unitEdges() > 0.95, plane.quality().toString());
        AdaptedMesh space = adapt(SimplexMesh.cube(4), AnalyticMetrics.linear(3, 0.15, 0.4), AdaptOptions.DEFAULT);
        assertTrue(space.quality().mean() > 0.7, space.quality().toString());
        assertTrue(space.quality().minimum() > 0.4, space.quality().toString());
    }

    @Test
    void smartSmoothingNeverMakesTheWorstElementWorse() {
        SplittableRandom random = TestSeed.random("smart");
        for (SmoothingMethod method : SmoothingMethod.values()) {
            for (int d = 2; d <= 3; d++) {
                SimplexMesh mesh = shaken(d, 4, random);
                MetricSource source = random(d, 0.1, 0.4, random);
                AdaptedMesh smoothed = adapt(mesh, source,
                        only(AdaptStep.SMOOTH, 10).withSmoothing(method, true, 0));
                String what = method + ", seed " + TestSeed.value();
                assertTrue(smoothed.quality().minimum() >= MeshQuality.of(mesh, source).minimum(), what);
                assertSameDomain(mesh, smoothed.mesh(), what);
                assertArrayEquals(mesh.corners(), smoothed.mesh().corners(), what);
            }
        }
    }

    /** Linear interpolation keeps a linear field, wherever vertices go; one that is convex grows. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void carriedTensorsOfALinearFieldAreThoseOfTheField(int d) {
        SplittableRandom random = TestSeed.random("carried" + d);
        SimplexMesh mesh = shaken(d, d == 2 ? 9 : 3, random);
        double scale = d == 2 ? 200 : 20;
        MetricSource linear = (x, o, metric, p) -> {
            for (int i = 0, k = p; i < d; i++) {
                for (int j = i; j < d; j++, k++) {
                    metric[k] = scale * ((i == j ? 1 + x[o + i] : 0) + 0.1 * x[o] - 0.05 * x[o + 1]);
                }
            }
        };
        AdaptOptions options = AdaptOptions.DEFAULT.withSweeps(3).withSmoothing(SmoothingMethod.METRIC_LAPLACIAN, true,
                2);
        AdaptedMesh carried = adapt(mesh, new InterpolatedMetric(linear), options);
        assertSameDomain(mesh, carried.mesh(), "seed " + TestSeed.value());
        assertTrue(carried.report().splits() > 0);
        assertArrayEquals(linear.atAll(d, carried.mesh().coordinates()), carried.metric(), 1e-9 * scale,
                "seed " + TestSeed.value());
    }

    /** The test of smoothing in the plane of the program pragmatic, on a smaller mesh, as it carries its metric. */
    @Test
    void smoothsToALayerAsCarriedAndAsAsked() {
        MetricSource layer = AnalyticMetrics.layer(2, 0.05, 0.5);
        AdaptOptions smooth = AdaptOptions.DEFAULT.withSteps(EnumSet.of(AdaptStep.SMOOTH));
        AdaptedMesh first = adapt(SimplexMesh.square(20), new InterpolatedMetric(layer),
                smooth.withSweeps(100).withSmoothing(SmoothingMethod.METRIC_LAPLACIAN, false, 0));
        AdaptedMesh last = adapt(first.mesh(), new InterpolatedMetric(
                BackgroundMetric.of(first.mesh(), first.metric(), MetricInterpolation.LINEAR)),
                smooth.withSweeps(400).withSmoothing(SmoothingMethod.OPTIMISATION, true, 0));
        MeshQuality asked = MeshQuality.of(last.mesh(), layer);
        assertTrue(last.quality().minimum() > 0.25, last.quality().toString());
        assertTrue(last.quality().mean() > asked.mean(), last.quality() + ", asked " + asked);
        assertTrue(last.report().settled());
    }

    /** At the start, and where a vertex is put later. */
    @Test
    void metricsThatAreNotPositiveDefiniteAreNamed() {
        for (double wrong : new double[]{-1, 0, Double.NaN, Double.POSITIVE_INFINITY}) {
            for (int d = 2; d <= 3; d++) {
                SimplexMesh mesh = d == 2 ? SimplexMesh.square(4) : SimplexMesh.cube(2);
                double[] tensors = AnalyticMetrics.uniform(d, 0.3).atAll(d, mesh.coordinates());
                tensors[Tensors.size(d) * 7 + Tensors.size(d) - 1] = wrong;
                assertNamesVertex("the metric of vertex 7 at [",
                        () -> BackgroundMetric.of(mesh, tensors, MetricInterpolation.LOG_EUCLIDEAN));
                assertNamesVertex("the metric of vertex 7 at [", () -> VertexMetrics.gradate(mesh, tensors, 1.5));
                assertNamesVertex("the metric of vertex 7 at [", () -> VertexMetrics.rescale(mesh, tensors, 100));
                MetricSource inside = (x, o, metric, p) -> {
                    AnalyticMetrics.uniform(2, 0.2).at(x, o, metric, p);
                    metric[p + 2] = x[o] > 0.3 && x[o] < 0.4 ? wrong : metric[p + 2];
                };
                MetricSource atVertex = (x, o, metric, p) -> {
                    AnalyticMetrics.uniform(2, 0.2).at(x, o, metric, p);
                    metric[p] = x[o] == 0.5 && x[o + 1] == 0.5 ? wrong : metric[p];
                };
                SimplexMesh plane = SimplexMesh.square(4);
                assertNamesVertex("the metric of vertex 12 at [0.5, 0.5] is [",
                        () -> adapt(plane, atVertex, AdaptOptions.DEFAULT));
                assertNamesVertex(" is [", () -> adapt(plane, inside, AdaptOptions.DEFAULT.withSteps(
                        EnumSet.of(AdaptStep.REFINE))));
            }
        }
        assertFalse(Tensors.isPositiveDefinite(2, new double[]{1, 2, 1}, 0));
        assertFalse(Tensors.isPositiveDefinite(3, new double[]{1, 0, 0, 1, 2, 1}, 0));
        assertFalse(Tensors.isPositiveDefinite(3, new double[]{1, 0, 2, 1, 0, 1}, 0));
        assertTrue(Tensors.isPositiveDefinite(2, new double[]{1e200, 1e199, 1e200}, 0));
        assertTrue(Tensors.isPositiveDefinite(2, new double[]{1e-200, 0, 1e200}, 0));
        assertTrue(Tensors.isPositiveDefinite(3, new double[]{4, 1, 1, 4, 1, 4}, 0));
    }

    private static void assertNamesVertex(String part, Executable action) {
        String message = assertThrows(IllegalArgumentException.class, action).getMessage();
        assertTrue(message.contains(part), message);
        assertTrue(message.endsWith("expected a positive definite tensor of finite numbers"), message);
    }

    /** Constant tensors with given lengths along a direction and across it. */
    private static MetricSource stretched(double along, double across, double degrees) {
        double c = Math.cos(Math.toRadians(degrees));
        double s = Math.sin(Math.toRadians(degrees));
        double p = 1 / (along * along);
        double q = 1 / (across * across);
        return (x, o, metric, k) -> {
            metric[k] = c * c * p + s * s * q;
            metric[k + 1] = c * s * (p - q);
            metric[k + 2] = s * s * p + c * c * q;
        };
    }

    /**
     * Lengths of 1e-3 and 1000: strips across the square, 1000 of two triangles if they are upright. Splitting first
     * made millions.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 30, 90})
    void stretchedMetricsAreFollowedAlongDirections(int degrees) {
        SimplexMesh mesh = SimplexMesh.square(12);
        AdaptedMesh adapted = adapt(mesh, stretched(1e-3, 1000, degrees), AdaptOptions.DEFAULT);
        assertSameDomain(mesh, adapted.mesh(), degrees + " degrees");
        assertTrue(adapted.mesh().elements() > 1200 && adapted.mesh().elements() < 5000,
                adapted.mesh().elements() + " elements");
        assertTrue(adapted.report().splits() < 20_000, adapted.report().splits() + " splits");
        assertTrue(adapted.quality().longest() < 1.6, adapted.quality().longest() + " at most");
        AdaptedMesh again = adapt(mesh, stretched(1e-3, 1000, degrees), AdaptOptions.DEFAULT.withThreads(3));
        assertArrayEquals(adapted.mesh().coordinates(), again.mesh().coordinates());
        assertArrayEquals(adapted.mesh().corners(), again.mesh().corners());
    }

    @Test
    void stretchedMetricsAreReached() {
        AdaptedMesh plane = adapt(SimplexMesh.square(12), stretched(2e-3, 0.1, 40), AdaptOptions.DEFAULT);
        assertTrue(plane.quality().mean() > 0.9, plane.quality().toString());
        assertTrue(plane.quality().unitEdges() > 0.95, plane.quality().toString());
        MetricSource slab = (x, o, metric, k) -> {
            Arrays.fill(metric, k, k + 6, 0);
            metric[k] = 1e4;
            metric[k + 3] = 1;
            metric[k + 5] = 1;
        };
        AdaptedMesh space = adapt(SimplexMesh.cube(3), slab, AdaptOptions.DEFAULT.withSmoothing(
                SmoothingMethod.METRIC_LAPLACIAN, true, 2));
        space.mesh().verify();
        assertTrue(space.mesh().elements() < 6000, space.mesh().elements() + " elements");
        assertTrue(space.quality().longest() < 3, space.quality().toString());
    }

    @Test
    void metricsThatAskForTooManyElementsAreRefused() {
        String message = assertThrows(IllegalArgumentException.class, () -> adapt(SimplexMesh.square(3),
                AnalyticMetrics.uniform(2, 1e-9), AdaptOptions.DEFAULT)).getMessage();
        assertTrue(message.startsWith("the metric asks for about 2.3e+18 elements, expected at most "), message);
    }

    /** Splitting alone halves in all directions: without a limit, some 10^8 elements where 2,000 are asked for. */
    @Test
    @Tag("nightly")
    void splittingEndsWhereItMakesTooManyElements() {
        MetricSource metric = stretched(1e-5, 100, 30);
        SimplexMesh mesh = SimplexMesh.square(4);
        String message = assertThrows(IllegalArgumentException.class,
                () -> adapt(mesh, metric, AdaptOptions.DEFAULT.withSteps(EnumSet.of(AdaptStep.REFINE)))).getMessage();
        assertTrue(message.startsWith("the mesh has grown from 32 elements to "), message);
        assertTrue(message.contains(", more than 100 times the 2.3e+03 that the metric asks for"), message);
    }

    @Test
    void checksOptions() {
        assertThrows(IllegalArgumentException.class, () -> AdaptOptions.DEFAULT.withSweeps(0));
        assertThrows(IllegalArgumentException.class, () -> AdaptOptions.DEFAULT.withSteps(Set.of()));
        assertThrows(IllegalArgumentException.class, () -> AdaptOptions.DEFAULT.withLengths(2, 1));
        assertThrows(IllegalArgumentException.class, () -> AdaptOptions.DEFAULT.withThreads(0));
        assertThrows(IllegalArgumentException.class, () -> AdaptStep.of("no"));
        assertEquals(SmoothingMethod.METRIC_LAPLACIAN, SmoothingMethod.of("metric-laplacian"));
        assertThrows(IllegalArgumentException.class, () -> SmoothingMethod.of("no"));
    }
}
