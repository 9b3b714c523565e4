package org.trellis.adapt.metric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.Tensors;

class MetricTest {
    @Test
    void leastSquaresAreExactForQuadraticFields() {
        for (SimplexMesh mesh : new SimplexMesh[]{SimplexMesh.square(6), SimplexMesh.cube(3)}) {
            int d = mesh.dimension();
            double[] values = new double[mesh.vertices()];
            for (int v = 0; v < values.length; v++) {
                double x = mesh.coordinates()[v * d];
                double y = mesh.coordinates()[v * d + 1];
                double z = d == 3 ? mesh.coordinates()[v * d + 2] : 0;
                values[v] = 3 * x * x - 2 * x * y + 0.5 * y * y + x - 7 + 4 * y * z - z * z;
            }
            double[] hessian = HessianRecovery.leastSquares(mesh, values);
            double[] wanted = d == 2 ? new double[]{6, -2, 1} : new double[]{6, -2, 0, 1, 4, -2};
            for (int v = 0; v < values.length; v++) {
                assertArrayEquals(wanted, Arrays.copyOfRange(hessian, v * wanted.length, (v + 1) * wanted.length),
                        1e-9, "vertex " + v);
            }
        }
    }

    @Test
    void doubleProjectionIsExactInsideForQuadraticFields() {
        SimplexMesh mesh = SimplexMesh.square(10);
        double[] values = new double[mesh.vertices()];
        Arrays.setAll(values, v -> mesh.coordinates()[2 * v] * mesh.coordinates()[2 * v]);
        double[] hessian = HessianRecovery.doubleProjection(mesh, values);
        int middle = 5 * 11 + 5;
        assertEquals(2, hessian[3 * middle], 1e-12);
        assertEquals(0, hessian[3 * middle + 2], 1e-12);
    }

    /** |H| over the error, times its determinant to -1 / (2 p + d); here H = diag(2, 2) and p = 1. */
    @Test
    void metricOfAHessianIsThatOfTheFormula() {
        double[] tensor = {2, 0, -2};
        HessianRecovery.toMetric(2, tensor, 0, 0.001, 1);
        assertArrayEquals(new double[]{2000 / Math.sqrt(2), 0, 2000 / Math.sqrt(2)}, tensor, 1e-9);
        double[] maximum = {2, 0, -8};
        HessianRecovery.toMetric(2, maximum, 0, 0.5, 0);
        assertArrayEquals(new double[]{4, 0, 16}, maximum, 1e-12);
    }

    @Test
    void boundsAreKept() {
        double[] tensor = {1e6, 0, 1e-6};
        MetricBounds.NONE.withLengths(0.01, 2).withAspect(10).apply(2, tensor, 0);
        assertArrayEquals(new double[]{1e4, 0, 100}, tensor, 1e-9);
        assertThrows(IllegalArgumentException.class, () -> MetricBounds.NONE.withLengths(2, 1));
        assertThrows(IllegalArgumentException.class, () -> MetricBounds.NONE.withAspect(0.5));
    }

    @Test
    void rescalingGivesTheNumberOfElements() {
        SimplexMesh square = SimplexMesh.square(4);
        double[] metric = AnalyticMetrics.linear(2, 0.1, 0.5).atAll(2, square.coordinates());
        VertexMetrics.rescale(square, metric, 1000);
        assertEquals(1000, VertexMetrics.complexity(square, metric), 1e-9);
        SimplexMesh cube = SimplexMesh.cube(2);
        double[] inSpace = AnalyticMetrics.uniform(3, 0.3).atAll(3, cube.coordinates());
        VertexMetrics.rescale(cube, inSpace, 500);
        assertEquals(500, VertexMetrics.complexity(cube, inSpace), 1e-9);
    }

    /** A jump from 0.01 to 1 becomes gradual: afterwards nothing changes any more. */
    @Test
    void gradationLimitsGrowth() {
        SimplexMesh mesh = SimplexMesh.square(8);
        double[] metric = AnalyticMetrics.uniform(2, 1).atAll(2, mesh.coordinates());
        metric[0] = 1e4;
        metric[2] = 1e4;
        double far = metric[3 * 40];
        assertTrue(VertexMetrics.gradate(mesh, metric, 1.5) > 1);
        assertEquals(1e4, metric[0]);
        assertTrue(metric[3] > 1.5, "a neighbour has " + metric[3]);
        assertTrue(metric[3 * 40] >= far);
        assertEquals(1, VertexMetrics.gradate(mesh, metric, 1.5));
        assertThrows(IllegalArgumentException.class, () -> VertexMetrics.gradate(mesh, metric, 1));
    }

    @Test
    void intersectionOfFields() {
        double[] metric = {1, 0, 100, 4, 0, 4};
        VertexMetrics.intersect(2, metric, new double[]{50, 0, 2, 1, 0, 1});
        assertArrayEquals(new double[]{50, 0, 100, 4, 0, 4}, metric, 1e-12);
    }

    @Test
    void backgroundInterpolatesInBothWays() {
        SimplexMesh mesh = SimplexMesh.of(2, new double[]{0, 0, 1, 0, 0, 1}, new int[]{0, 1, 2});
        double[] metric = {1, 0, 1, 16, 0, 1, 1, 0, 1};
        double[] at = new double[3];
        BackgroundMetric.of(mesh, metric, MetricInterpolation.LINEAR).at(new double[]{0.5, 0}, 0, at, 0);
        assertArrayEquals(new double[]{8.5, 0, 1}, at, 1e-14);
        BackgroundMetric.of(mesh, metric, MetricInterpolation.LOG_EUCLIDEAN).at(new double[]{0.5, 0}, 0, at, 0);
        assertArrayEquals(new double[]{4, 0, 1}, at, 1e-12);
    }

    @Test
    void rasterIsExactAtItsPointsAndConvergesBetween() {
        double[] box = SimplexMesh.square(7).coordinates();
        MetricSource source = AnalyticMetrics.linear(2, 0.05, 0.5);
        double coarse = RasterMetric.of(2, box, 33, source).lengthError(source, box).greatest();
        double fine = RasterMetric.of(2, box, 129, source).lengthError(source, box).greatest();
        assertTrue(coarse > 1e-4 && fine < coarse / 8, coarse + " and " + fine);
        assertEquals(0, RasterMetric.of(2, box, 8, source).lengthError(source, box).greatest(), 1e-12);
        assertEquals(0, RasterMetric.of(3, SimplexMesh.cube(1).coordinates(), 3, AnalyticMetrics.uniform(3, 0.1))
                .lengthError(AnalyticMetrics.uniform(3, 0.1), new double[]{0.3, 0.1, 0.9}).greatest(), 1e-12);
        assertThrows(IllegalArgumentException.class, () -> RasterMetric.of(2, box, 1, source));
    }

    /** Two by three samples by hand, of axes that differ; lengths of a slanted tensor against those of the identity. */
    @Test
    void rasterOfGivenSamples() {
        double[] tensors = {1, 0, 1, 4, 0, 1, 1, 0, 2, 4, 0, 2, 1, 0, 3, 4, 0, 3};
        RasterMetric raster = RasterMetric.of(2, new double[]{10, 20}, new double[]{2, 1}, new int[]{2, 3}, tensors);
        double[] metric = new double[3];
        raster.at(new double[]{11, 20.5}, 0, metric, 0);
        assertArrayEquals(new double[]{2.5, 0, 1.5}, metric);
        raster.at(new double[]{99, 99}, 0, metric, 0);
        assertArrayEquals(new double[]{4, 0, 3}, metric);
        assertArrayEquals(new int[]{2, 3}, raster.samples());
        MetricSource slanted = (x, o, m, p) -> System.arraycopy(new double[]{2.5, 1.5, 2.5}, 0, m, p, 3);
        RasterMetric.LengthError error = RasterMetric.of(2, new double[]{0, 0, 1, 1}, 2, slanted)
                .lengthError(AnalyticMetrics.uniform(2, 1), new double[]{0.5, 0.5, 0.1, 0.9});
        assertEquals(1, error.greatest(), 1e-12); // eigenvalues 4 and 1: twice the length along the diagonal
        assertEquals(1, error.mean(), 1e-12);
        assertThrows(IllegalArgumentException.class, () -> RasterMetric.of(2, new double[2], new double[]{2, 0},
                new int[]{2, 3}, tensors));
        assertThrows(IllegalArgumentException.class, () -> RasterMetric.of(2, new double[2], new double[]{2, 1},
                new int[]{2, 2}, tensors));
        String message = assertThrows(IllegalArgumentException.class, () -> RasterMetric.of(2, new double[2],
                new double[]{1, 1}, new int[]{2, 2}, new double[]{1, 0, 1, 1, 2, 1, 1, 0, 1, 1, 0, 1})).getMessage();
        assertTrue(message.contains("tensor 1"), message);
    }

    /** The exact Hessian of the field against differences. */
    @Test
    void wavesAndFrontHaveTheirHessian() {
        double x = 0.37;
        double y = 0.61;
        double h = 1e-4;
        double xx = (AnalyticMetrics.wavesAndFront(x + h, y) - 2 * AnalyticMetrics.wavesAndFront(x, y)
                + AnalyticMetrics.wavesAndFront(x - h, y)) / (h * h);
        double yy = (AnalyticMetrics.wavesAndFront(x, y + h) - 2 * AnalyticMetrics.wavesAndFront(x, y)
                + AnalyticMetrics.wavesAndFront(x, y - h)) / (h * h);
        double xy = (AnalyticMetrics.wavesAndFront(x + h, y + h) - AnalyticMetrics.wavesAndFront(x + h, y - h)
                - AnalyticMetrics.wavesAndFront(x - h, y + h) + AnalyticMetrics.wavesAndFront(x - h, y - h))
                / (4 * h * h);
        double[] tensor = {xx, xy, yy};
        HessianRecovery.toMetric(2, tensor, 0, 0.001, 2);
        double[] metric = new double[3];
        AnalyticMetrics.pragmaticPlane().at(new double[]{x, y}, 0, metric, 0);
        for (int i = 0; i < 3; i++) {
            assertEquals(tensor[i], metric[i], 1e-3 * Math.abs(tensor[0]));
        }
    }

    @Test
    void namesAreKnown() {
        for (String name : AnalyticMetrics.names()) {
            int d = name.equals("pragmatic3d") ? 3 : 2;
            double[] metric = new double[Tensors.size(d)];
            AnalyticMetrics.named(name, d).at(new double[]{0.3, 0.4, 0.5}, 0, metric, 0);
            assertTrue(Tensors.determinant(d, metric, 0) > 0, name);
        }
        String message =
                assertThrows(IllegalArgumentException.class, () -> AnalyticMetrics.named("no", 2)).getMessage();
        assertTrue(message.contains("pragmatic2d"), message);
        assertThrows(IllegalArgumentException.class, () -> AnalyticMetrics.named("pragmatic3d", 2));
        double[] metric = new double[3];
        AnalyticMetrics.named("linear:0.25,2", 2).at(new double[]{0, 1}, 0, metric, 0);
        assertEquals(0.25, metric[0], 1e-14);
        assertEquals(16, metric[2], 1e-12);
        for (String wrong : new String[]{"linear:1", "linear:1,x", "linear:0,1", "layer:", "pragmatic2d:1,2"}) {
            assertThrows(IllegalArgumentException.class, () -> AnalyticMetrics.named(wrong, 2), wrong);
        }
    }

    /** A raster is as fine as its error asks for and no finer, unless it may not have so many points. */
    @Test
    void rastersAreAsFineAsAsked() {
        for (SimplexMesh mesh : new SimplexMesh[]{SimplexMesh.square(20), SimplexMesh.cube(6)}) {
            int d = mesh.dimension();
            MetricSource source = AnalyticMetrics.linear(d, 0.01, 0.2);
            RasterMetric fine = RasterMetric.within(mesh, 0.01, 2_000_000, source);
            int samples = fine.samples()[0];
            assertTrue(samples > 17 && samples < 120, samples + " points");
            assertTrue(error(mesh, fine, source) <= 0.01);
            RasterMetric coarser = RasterMetric.of(d, mesh.coordinates(), (samples + 1) / 2, source);
            assertTrue(error(mesh, coarser, source) > 0.01);
            assertEquals(17, RasterMetric.within(mesh, 0.01, d == 2 ? 1000 : 20_000, source).samples()[0]);
            assertThrows(IllegalArgumentException.class, () -> RasterMetric.within(mesh, 0, 5000, source));
            assertThrows(IllegalArgumentException.class, () -> RasterMetric.within(mesh, 0.1, 200, source));
        }
    }

    /** The mean error of a raster at centres of elements, by how many unit elements fit into these. */
    private static double error(SimplexMesh mesh, RasterMetric raster, MetricSource source) {
        int d = mesh.dimension();
        double sum = 0;
        double all = 0;
        double[] tensor = new double[Tensors.size(d)];
        for (int e = 0; e < mesh.elements(); e++) {
            double[] centre = new double[d];
            for (int i = 0; i < d * (d + 1); i++) {
                centre[i % d] += mesh.coordinates()[mesh.corners()[e * (d + 1) + i / d] * d + i % d] / (d + 1);
            }
            source.at(centre, 0, tensor, 0);
            double weight = Math.sqrt(Tensors.determinant(d, tensor, 0));
            sum += weight * raster.lengthError(source, centre).mean();
            all += weight;
        }
        return sum / all;
    }
}
