package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.trellis.testing.SharedData;

/** Every shared mesh of a format that is read has the points and cells that its description says. */
class SharedMeshesTest {
    private static final int VERTICES = 3;
    private static final int ELEMENTS = 4;

    @TestFactory
    Stream<DynamicTest> everyFileOfAKnownFormat() throws IOException {
        Path meshes = SharedData.folder("meshes");
        List<String> rows = Files.readAllLines(meshes.resolveSibling("README.md"));
        List<String[]> known =
                rows.stream().filter(row -> row.matches("\\| (vtk|gmsh|triangle|op2/airfoil|adcirc)\\S*/?.*"))
                        .map(row -> row.split("\\s*\\|\\s*")).filter(cells -> cells[1].contains("/"))
                        .filter(cells -> MeshFiles.hasMeshName(Path.of(fileOf(cells)))).toList();
        assertTrue(known.size() >= 60, known.size() + " files");
        return known.stream().map(cells -> dynamicTest(fileOf(cells), () -> check(meshes, cells)));
    }

    private static String fileOf(String[] cells) {
        return cells[1].split(",")[0];
    }

    private static int leading(String cell) {
        return Integer.parseInt(cell.replaceAll("\\D.*", ""));
    }

    private static void check(Path meshes, String[] cells) throws IOException {
        MeshData mesh = MeshFiles.read(meshes.resolve(fileOf(cells)));
        assertEquals(leading(cells[VERTICES]), mesh.pointCount());
        int highest = mesh.blocks().stream().mapToInt(block -> block.shape().dimension()).max().orElse(0);
        int ofHighest = mesh.blocks().stream().filter(block -> block.shape().dimension() == highest)
                .mapToInt(CellBlock::cells).sum();
        int expected = leading(cells[ELEMENTS]);
        assertTrue(expected == mesh.cellCount() || expected == ofHighest,
                expected + " elements, read " + mesh.cellCount() + ", " + ofHighest + " of them of dimension "
                        + highest);
        for (double x : mesh.points()) {
            assertTrue(Double.isFinite(x));
        }
    }

    @Test
    void oneMeshInAllEncodingsIsTheSame() throws IOException {
        Path folder = SharedData.folder("meshes").resolve("vtk");
        MeshData text = MeshFiles.read(folder.resolve("quad_ascii.vtu"));
        assertEquals(9, text.cellCount(CellShape.QUADRILATERAL));
        for (String name : List.of("append_b64", "append_b64_compress", "append_raw", "append_raw_compress", "binary",
                "binary_compress")) {
            MeshData mesh = MeshFiles.read(folder.resolve("quad_" + name + ".vtu"));
            assertEquals(text.blocks(), mesh.blocks(), name);
            assertEquals(0, Arrays.mismatch(text.points(), mesh.points()) + 1, name);
        }
        MeshData withData = MeshFiles.read(folder.resolve("quad_append_raw_compress.vtu"));
        DataArray distance = withData.pointArray("DistanceToCenter").orElseThrow();
        double least = Arrays.stream(distance.values()).min().orElseThrow();
        double most = Arrays.stream(distance.values()).max().orElseThrow();
        assertEquals(0.70710676908, least, 1e-10);
        assertEquals(2.1213202477, most, 1e-10);
    }

    @Test
    void volumesAreRight() throws IOException {
        Path folder = SharedData.folder("meshes");
        assertEquals(1.0, volume(MeshFiles.read(folder.resolve("gmsh/cube_msh41.msh"))), 1e-12);
        assertEquals(volume(MeshFiles.read(folder.resolve("vtk/beam-tet.vtk"))),
                volume(MeshFiles.read(folder.resolve("vtk/beam-hex.vtk"))), 1e-12);
        assertEquals(1.0, volume(MeshFiles.read(folder.resolve("vtk/box20x20x20.vtu"))), 1e-9);
    }

    /** Adds up tetrahedra, and hexahedra cut into six of them. */
    private static double volume(MeshData mesh) {
        int[][] pieces = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
        int[][] whole = {{0, 1, 2, 3}};
        double sum = 0;
        for (CellBlock block : mesh.blocks()) {
            if (block.shape().dimension() < 3) {
                continue;
            }
            for (int from = 0; from < block.nodes().length; from += block.nodesPerCell()) {
                for (int[] piece : block.shape() == CellShape.HEXAHEDRON ? pieces : whole) {
                    sum += Math.abs(determinant(mesh.points(), block.nodes(), from, piece)) / 6;
                }
            }
        }
        return sum;
    }

    private static double determinant(double[] points, int[] nodes, int from, int[] piece) {
        double[][] m = new double[3][3];
        for (int i = 0; i < 3; i++) {
            for (int d = 0; d < 3; d++) {
                m[i][d] = points[3 * nodes[from + piece[i + 1]] + d] - points[3 * nodes[from + piece[0]] + d];
            }
        }
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    }
}
