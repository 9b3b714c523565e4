package org.trellis.adapt.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.AdaptStep;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.MeshQuality;
import org.trellis.adapt.PainSweep;
import org.trellis.adapt.SmoothingMethod;
import org.trellis.adapt.SweepCavities;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.adapt.metric.VertexMetrics;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.matrices.mesh.NumberType;
import org.trellis.testing.SharedData;

/** Files to simplices and back, and adaptation of meshes of other programs. */
class SimplexMeshesTest {
    private static SimplexMesh box(String name) throws IOException {
        return SimplexMeshes.of(MeshFiles.read(SharedData.folder("meshes").resolve("vtk").resolve(name)));
    }

    @Test
    void regionsAndTaggedSidesComeBack() {
        double[] x = {0, 0, 1, 0, 1, 1, 0, 1, 9, 9};
        MeshData file = new MeshData(2, x,
                List.of(new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 1, 2, 0, 2, 3}, new int[]{1, 2}),
                        new CellBlock(CellShape.LINE, 2, new int[]{0, 1}, new int[]{0})),
                List.of(DataArray.of("u", 1, 1, 2, 3, 4, 5)),
                List.of(DataArray.of(MeshData.PHYSICAL, 1, 7, 3, 4)), List.of());
        SimplexMesh mesh = SimplexMeshes.of(file);
        assertEquals(4, mesh.vertices());
        assertArrayEquals(new int[]{3, 4}, mesh.regions());
        assertArrayEquals(new double[]{1, 2, 3, 4}, SimplexMeshes.pointValues(file, "u"));
        MeshData back = SimplexMeshes.toMeshData(mesh, new double[]{0.5, 0.25}, List.of());
        assertEquals(1, back.cellCount(CellShape.LINE));
        assertArrayEquals(new double[]{3, 4, 7}, back.cellArray(MeshData.PHYSICAL).orElseThrow().values());
        assertEquals(1 + 5, SimplexMeshes.of(back).patchTags().length);
        assertThrows(IllegalArgumentException.class, () -> SimplexMeshes.pointValues(file, "v"));
    }

    /** A square with a crack along its diagonal, one triangle clockwise, a point of no cell in a place of another's. */
    @Test
    void whatIsMendedIsRemarkedOn() {
        double[] x = {5, 5, 0, 0, 1, 0, 1, 1, -0.0, 0, 1, 1, 0, 1, 1, 0};
        MeshData cracked = new MeshData(2, x,
                List.of(new CellBlock(CellShape.TRIANGLE, 3, new int[]{1, 2, 3, 4, 6, 5}, new int[]{0, 1})), List.of(),
                List.of(), List.of());
        List<String> remarks = cracked.remarks();
        assertEquals(3, remarks.size(), remarks.toString());
        assertEquals("2 of 8 points belong to no cell, such as point 0 at [5.0, 5.0]; adaptation leaves them out",
                remarks.get(0));
        assertTrue(remarks.get(1).startsWith("2 of 8 points lie exactly where an earlier one does, such as point 4 "
                + "where point 1 is, at [-0.0, 0.0]; "), remarks.get(1));
        assertTrue(remarks.get(2).startsWith("1 of 2 triangles have their corners clockwise, such as cell 1; "),
                remarks.get(2));
        assertEquals(6, SimplexMeshes.of(cracked).vertices());
        assertEquals(List.of(), SimplexMeshes.toMeshData(SimplexMesh.square(9), new double[0], List.of()).remarks());
        assertEquals(List.of(), SimplexMeshes.toMeshData(SimplexMesh.cube(3), new double[0], List.of()).remarks());
        double[] corners = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        MeshData tetrahedron = new MeshData(3, corners,
                List.of(new CellBlock(CellShape.TETRAHEDRON, 4, new int[]{1, 0, 2, 3}, new int[]{0})), List.of(),
                List.of(), List.of());
        assertTrue(tetrahedron.remarks().getFirst().startsWith("1 of 1 tetrahedra have their corners in an order of "
                + "negative volume, such as cell 0"), tetrahedron.remarks().toString());
        double[] none = new double[60_000];
        Arrays.fill(none, Double.NaN);
        assertEquals(1, new MeshData(3, none, List.of(), List.of(), List.of(), List.of()).remarks().size());
    }

    @Test
    void refusesOtherCells() {
        MeshData squares = new MeshData(2, new double[]{0, 0, 1, 0, 1, 1, 0, 1},
                List.of(new CellBlock(CellShape.QUADRILATERAL, 4, new int[]{0, 1, 2, 3}, new int[]{0})), List.of(),
                List.of(), List.of());
        String message = assertThrows(IllegalArgumentException.class, () -> SimplexMeshes.of(squares)).getMessage();
        assertTrue(message.contains("triangles of 3 nodes"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {".vtu", ".vtk", ".msh", ".msh.gz", ".node", ".ele.gz"})
    void adaptedMeshesAreWrittenAndReadAgain(String ending, @TempDir Path folder) throws IOException {
        SimplexMesh adapted = new Adaptation(SimplexMesh.cube(2), AnalyticMetrics.uniform(3, 0.4),
                AdaptOptions.DEFAULT.withSweeps(2), ProgressListener.NONE).run().mesh();
        Path file = folder.resolve("adapted" + ending);
        MeshFiles.write(file, SimplexMeshes.toMeshData(adapted, new double[adapted.elements()], List.of()),
                MeshWriteOptions.DEFAULT);
        SimplexMesh again = SimplexMeshes.of(MeshFiles.read(file));
        assertArrayEquals(adapted.corners(), again.corners());
        assertArrayEquals(adapted.coordinates(), again.coordinates());
    }

    /** Two regions, a tagged side, values with markers: all that the format has room for. */
    @ParameterizedTest
    @ValueSource(strings = {".vtu", ".vtk", ".msh", ".node"})
    void regionsTagsAndValuesComeBack(String ending, @TempDir Path folder) throws IOException {
        SimplexMesh mesh = SimplexMesh.of(2, new double[]{0, 0, 1, 0, 1.25, 1, 0.1, 1}, new int[]{0, 1, 2, 0, 2, 3},
                new int[]{3, 4}, new int[]{1, 2}, new int[]{7});
        MeshData data =
                SimplexMeshes.toMeshData(mesh, new double[0], List.of(DataArray.of("u", 3, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                        10, 11, 1 / 3.0), new DataArray("marker", 1, NumberType.INT32, new double[]{1, 0, 0, 5})));
        Path file = folder.resolve("mesh" + ending);
        MeshFiles.write(file, data, MeshWriteOptions.DEFAULT);
        MeshData read = MeshFiles.read(file);
        SimplexMesh again = SimplexMeshes.of(read);
        assertArrayEquals(mesh.coordinates(), again.coordinates());
        assertArrayEquals(mesh.regions(), again.regions());
        assertArrayEquals(mesh.patches(), again.patches());
        assertArrayEquals(mesh.patchTags(), again.patchTags());
        assertArrayEquals(new double[]{1, 0, 0, 5}, SimplexMeshes.pointValues(read, "marker"));
        double[] second = ending.equals(".node")
                ? SimplexMeshes.pointValues(read, "attribute2")
                : SimplexMeshes.pointValues(read, "u");
        assertEquals(1 / 3.0, second[second.length - 1]);
    }

    @Test
    void rastersComeBack(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("raster.vtk");
        for (int d = 2; d <= 3; d++) {
            RasterMetric raster =
                    RasterMetric.of(d, d == 2 ? new double[]{0.1, 0.5, 0.2, 0.7} : new double[]{0, 0.1, 0.2, 1, 0.5, 1},
                            3, AnalyticMetrics.linear(d, 0.1, 0.3));
            MetricRasters.write(file, raster);
            RasterMetric again = MetricRasters.read(file);
            assertEquals(d, again.dimension());
            assertArrayEquals(raster.tensors(), again.tensors());
            assertArrayEquals(raster.spacing(), again.spacing());
            assertArrayEquals(raster.origin(), again.origin());
            assertArrayEquals(raster.samples(), again.samples());
        }
        String text = Files.readString(file);
        for (String[] wrong : new String[][]{{"SPACING", "spacing"}, {"DIMENSIONS 3", "DIMENSIONS 4"},
            {"metric 6", "metric 3"}, {"SPACING 0.5", "SPACING -0.5"}, {"ORIGIN", "ORIGIN x"}}) {
            Files.writeString(file, text.replace(wrong[0], wrong[1]));
            assertThrows(MatrixFormatException.class, () -> MetricRasters.read(file), wrong[1]);
        }
    }

    @Test
    void trianglesFilesHoldSimplicesOnly(@TempDir Path folder) {
        MeshData squares = new MeshData(2, new double[]{0, 0, 1, 0, 1, 1, 0, 1},
                List.of(new CellBlock(CellShape.QUADRILATERAL, 4, new int[]{0, 1, 2, 3}, new int[]{0})), List.of(),
                List.of(), List.of());
        String message = assertThrows(IllegalArgumentException.class,
                () -> MeshFiles.write(folder.resolve("a.node"), squares, MeshWriteOptions.DEFAULT)).getMessage();
        assertTrue(message.contains("expected triangles of 3 nodes"), message);
    }

    private static double[] scaled(SimplexMesh mesh, MetricSource source) {
        double[] metric = source.atAll(2, mesh.coordinates());
        VertexMetrics.rescale(mesh, metric, mesh.elements());
        return metric;
    }

    private static void assertMoved(double[] x, double sumX, double sumY, double squares) {
        double[] sums = new double[3];
        for (int i = 0; i < x.length; i += 2) {
            sums[0] += x[i];
            sums[1] += x[i + 1];
            sums[2] += x[i] * x[i] + x[i + 1] * x[i + 1];
        }
        assertEquals(sumX, sums[0], 1e-7);
        assertEquals(sumY, sums[1], 1e-7);
        assertEquals(squares, sums[2], 1e-7);
    }

    /** The beta of the report's rescaling, and ten sweeps, against values computed apart in another language. */
    @Test
    void painsSmoothingTakesTheStepsOfAnIndependentComputation() throws IOException {
        SimplexMesh mesh = box("box10x10.vtu");
        MetricSource linear = AnalyticMetrics.linear(2, 0.05, 0.5);
        double[] metric = scaled(mesh, linear);
        assertEquals(3.02955145501, metric[0] * 0.5 * 0.5, 1e-9);
        AdaptOptions plain = AdaptOptions.DEFAULT.withSteps(EnumSet.of(AdaptStep.SMOOTH))
                .withSmoothing(SmoothingMethod.PAIN, false, 0);
        AdaptedMesh once = new Adaptation(mesh, linear, plain.withSweeps(1), ProgressListener.NONE).run();
        assertMoved(once.mesh().coordinates(), 60.8576333744, 60.8589368421, 85.6236232051);
        assertEquals(0.30205478463038, once.mesh().coordinates()[120], 1e-12);
        AdaptedMesh ten = new Adaptation(mesh, linear, plain.withSweeps(10), ProgressListener.NONE).run();
        assertMoved(ten.mesh().coordinates(), 63.9042374301, 63.911567405, 93.3248070502);
        AdaptedMesh sine = new Adaptation(box("box50x50.vtu"), AnalyticMetrics.sine(0.05, 0.5), plain.withSweeps(10),
                ProgressListener.NONE).run();
        assertMoved(sine.mesh().coordinates(), 1300.73961316, 1300.36669354, 1750.57867158);
        double[] beta = AnalyticMetrics.linear(2, 0.05, 0.5).atAll(2, ten.mesh().coordinates());
        for (int i = 0; i < beta.length; i++) {
            beta[i] *= 3.02955145501;
        }
        MeshQuality quality = MeshQuality.of(ten.mesh(), beta);
        assertEquals(0.5867312862, quality.mean(), 1e-9);
        assertEquals(0.1351556625, quality.minimum(), 1e-9);
    }

    /** The same sweeps by the loops of the mesh runtime: the same bits on the CPU's backends. */
    @Test
    void painsSmoothingOfTheMeshRuntimeIsTheSame() throws IOException {
        SimplexMesh mesh = box("box10x10.vtu");
        SimplexMesh larger = box("box50x50.vtu");
        double[][] first = new double[2][];
        for (String name : List.of("reference", "threads", "simd")) {
            try (Backend backend = Backends.open(name, Configuration.load());
                    PainSweep linear = new PainSweep(backend, SweepCavities.of(mesh), false, 0.05, 0.5, Precision.F64);
                    PainSweep sine = new PainSweep(backend, SweepCavities.of(larger), true, 0.05, 0.5, Precision.F64)) {
                linear.run(10);
                sine.run(10);
                assertMoved(linear.coordinates(), 63.9042374301, 63.911567405, 93.3248070502);
                assertMoved(sine.coordinates(), 1300.73961316, 1300.36669354, 1750.57867158);
                assertEquals(4 + 3, linear.colours());
                if (first[0] == null) {
                    first[0] = linear.coordinates();
                    first[1] = sine.coordinates();
                }
                assertArrayEquals(first[0], linear.coordinates(), name);
                if (!name.equals("simd")) {
                    assertArrayEquals(first[1], sine.coordinates(), name);
                }
            }
        }
    }

    /** What the program pragmatic must do with its own meshes. */
    @Test
    void coarsensABoxOfPragmaticToTwoTriangles() throws IOException {
        AdaptedMesh coarse = new Adaptation(box("box50x50.vtu"), AnalyticMetrics.uniform(2, Math.sqrt(2)),
                AdaptOptions.DEFAULT.withSteps(EnumSet.of(AdaptStep.COARSEN)).withThreads(2),
                ProgressListener.NONE).run();
        assertEquals(2, coarse.mesh().elements());
        assertEquals(2597, coarse.report().collapses());
        assertEquals(0.793384, coarse.quality().minimum(), 1e-6);
        double[] corners = coarse.mesh().coordinates().clone();
        Arrays.sort(corners);
        assertArrayEquals(new double[]{0, 0, 0, 0, 1, 1, 1, 1}, corners);
    }
}
