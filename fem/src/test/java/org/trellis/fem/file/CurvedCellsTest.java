package org.trellis.fem.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;

/** Cells of degree 2 and 3 in files. */
class CurvedCellsTest {
    @TempDir
    private Path folder;

    @Test
    void nodesAreTheLatticeEachOnce() {
        for (ElementShape shape : ElementShape.values()) {
            for (int degree = 2; degree <= 3; degree++) {
                LagrangeElement element = CurvedCells.element(shape, degree);
                Set<List<Integer>> found = new HashSet<>();
                CurvedCells.places(shape, degree).forEach(place -> found.add(Arrays.stream(place).boxed().toList()));
                assertEquals(element.nodes(), CurvedCells.places(shape, degree).size(), element.toString());
                for (int i = 0; i < element.nodes(); i++) {
                    int node = i;
                    List<Integer> place = java.util.stream.IntStream.range(0, shape.dimension())
                            .map(d -> element.lattice(node, d)).boxed().toList();
                    assertTrue(found.remove(place), element + ", " + place);
                }
                assertEquals(degree, CurvedCells.degree(shape, element.nodes()));
            }
        }
        assertEquals(0, CurvedCells.degree(ElementShape.QUADRILATERAL, 8));
    }

    /** Nodes as the pictures of Gmsh's manual and of VTK's book have them. */
    @ParameterizedTest
    @CsvSource({"TRIANGLE, 3, 7, 0 2", "TRIANGLE, 3, 9, 1 1", "QUADRILATERAL, 3, 10, 0 2", "QUADRILATERAL, 3, 14, 2 2",
        "QUADRILATERAL, 3, 8, 2 3", "TETRAHEDRON, 2, 8, 1 0 1", "TETRAHEDRON, 3, 10, 0 0 2",
        "TETRAHEDRON, 3, 16, 1 1 0",
        "TETRAHEDRON, 3, 19, 1 1 1", "HEXAHEDRON, 2, 20, 0 1 1", "HEXAHEDRON, 2, 24, 1 1 0", "HEXAHEDRON, 3, 10, 0 1 0",
        "HEXAHEDRON, 3, 32, 1 1 0", "HEXAHEDRON, 3, 33, 1 2 0", "HEXAHEDRON, 3, 56, 1 1 1"})
    void nodesLieWhereTheFormatsSay(ElementShape shape, int degree, int node, String place) {
        assertArrayEquals(Arrays.stream(place.split(" ")).mapToInt(Integer::parseInt).toArray(),
                CurvedCells.places(shape, degree).get(node));
    }

    @ParameterizedTest
    @CsvSource({"TRIANGLE, 2, 9", "TRIANGLE, 3, 21", "QUADRILATERAL, 2, 10", "QUADRILATERAL, 3, 36",
        "TETRAHEDRON, 3, 29", "HEXAHEDRON, 3, 92"})
    void bentMeshesAreReadAsTheyWere(ElementShape shape, int degree, int type) throws IOException {
        CellMesh bent = bent(CurvedCells.element(shape, degree));
        int[] order = order(bent.geometry());
        Path file = folder.resolve("bent.msh");
        Files.writeString(file, text(bent, type, order));
        CellMesh read = CellMeshes.read(file);
        assertEquals(bent.cells(), read.cells());
        assertEquals(bent.vertices(), read.vertices());
        double[] expected = new double[bent.geometry().nodes() * bent.dimension()];
        double[] found = new double[expected.length];
        for (int cell = 0; cell < bent.cells(); cell++) {
            bent.gather(cell, expected);
            read.gather(cell, found);
            assertArrayEquals(expected, found, 1e-15);
        }
    }

    @Test
    void cellsWithoutInnerNodesAreRefused() throws IOException {
        Path file = folder.resolve("eight.msh");
        Files.writeString(file, """
                $MeshFormat
                2.2 0 8
                $EndMeshFormat
                $Nodes
                8
                1 0 0 0
                2 1 0 0
                3 1 1 0
                4 0 1 0
                5 0.5 0 0
                6 1 0.5 0
                7 0.5 1 0
                8 0 0.5 0
                $EndNodes
                $Elements
                1
                1 16 2 1 1 1 2 3 4 5 6 7 8
                $EndElements
                """);
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> CellMeshes.read(file));
        assertTrue(e.getMessage().contains("of degree 1, 2 or 3 with all nodes"), e.getMessage());
    }

    private static CellMesh bent(LagrangeElement element) {
        FunctionSpace straight = FunctionSpace.of(StructuredMeshes.unit(element.shape(), 2, x -> x), element);
        int dimension = element.shape().dimension();
        double[] points = straight.coordinates().clone();
        for (int p = 0; p < points.length; p += dimension) {
            double[] moved = StructuredMeshes.distorted(Arrays.copyOfRange(points, p, p + dimension));
            System.arraycopy(moved, 0, points, p, dimension);
        }
        return CellMesh.isoparametric(element, points, straight.cellNodes());
    }

    /** The element's node of each node of a file. */
    private static int[] order(LagrangeElement element) {
        int n = element.nodes();
        int[] numbers = new int[n];
        Arrays.setAll(numbers, k -> k);
        int[] sorted = CurvedCells.sorted(CurvedCells.element(element.shape(), element.degree()), numbers);
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            order[sorted[i]] = i;
        }
        return order;
    }

    private static String text(CellMesh mesh, int type, int... order) {
        int dimension = mesh.dimension();
        double[] x = mesh.geometryPoints();
        StringBuilder text = new StringBuilder("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n")
                .append(x.length / dimension).append('\n');
        for (int p = 0; p < x.length / dimension; p++) {
            text.append(p + 1);
            for (int d = 0; d < 3; d++) {
                text.append(' ').append(d < dimension ? x[p * dimension + d] : 0.0);
            }
            text.append('\n');
        }
        text.append("$EndNodes\n$Elements\n").append(mesh.cells()).append('\n');
        for (int cell = 0; cell < mesh.cells(); cell++) {
            text.append(cell + 1).append(' ').append(type).append(" 2 1 1");
            for (int k : order) {
                text.append(' ').append(mesh.geometryNodes()[cell * order.length + k] + 1);
            }
            text.append('\n');
        }
        return text.append("$EndElements\n").toString();
    }
}
