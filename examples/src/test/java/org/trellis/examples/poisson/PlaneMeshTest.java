package org.trellis.examples.poisson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.testing.TestSeed;

/** Meshes of triangles, made and refined. */
final class PlaneMeshTest {
    /** A square of side 2 whose third node belongs to no triangle. */
    private static final double[] SQUARE = {0, 0, 2, 0, 9, 9, 2, 2, 0, 2};

    private static PlaneMesh twoTriangles() {
        return PlaneMesh.of(SQUARE, new int[]{0, 1, 3, 4, 3, 0});
    }

    @Test
    void twoTrianglesByHand() {
        PlaneMesh mesh = twoTriangles();
        assertEquals(4, mesh.nodes());
        assertArrayEquals(new double[]{0, 0, 2, 0, 2, 2, 0, 2}, mesh.coordinates());
        // The second triangle comes clockwise and is turned round.
        assertArrayEquals(new int[]{0, 1, 2, 3, 0, 2}, mesh.cellNodes());
        assertArrayEquals(new int[]{0, 1, 0, 2, 0, 3, 1, 2, 2, 3}, mesh.edgeNodes());
        assertArrayEquals(new int[]{0, 3, 1, 2, 1, 4}, mesh.cellEdges());
        assertEquals(0, mesh.interiorNodes());
        assertEquals(4, mesh.area());
        assertArrayEquals(new double[]{0, 0, 2}, mesh.frame());
    }

    @Test
    void twoTrianglesRefinedByHand() {
        Refinement refined = Refinement.of(twoTriangles());
        PlaneMesh fine = refined.fine();
        assertEquals(9, fine.nodes());
        assertEquals(8, fine.cells());
        assertEquals(16, fine.edges());
        assertEquals(1, fine.interiorNodes());
        // A coarse node, then the middles of the edges that it is the smaller end of.
        assertArrayEquals(new int[]{0, 0, 0, 1, 0, 2, 0, 3, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3}, refined.parents());
        assertFalse(fine.onBoundary(2));
        assertArrayEquals(new double[]{0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 2, 1, 2, 2, 1, 2, 0, 2}, fine.coordinates());
        assertArrayEquals(new int[]{0, 1, 2, 1, 4, 5, 2, 5, 6, 1, 5, 2}, first(fine.cellNodes(), 12));
    }

    private static int[] first(int[] array, int count) {
        return Arrays.copyOf(array, count);
    }

    private static double area(PlaneMesh mesh, int cell) {
        double[] x = mesh.coordinates();
        int a = 2 * mesh.cellNodes()[3 * cell];
        int b = 2 * mesh.cellNodes()[3 * cell + 1];
        int c = 2 * mesh.cellNodes()[3 * cell + 2];
        return 0.5 * ((x[b] - x[a]) * (x[c + 1] - x[a + 1]) - (x[c] - x[a]) * (x[b + 1] - x[a + 1]));
    }

    /** Counts, areas and neighbours of refined meshes with random nodes. */
    @Test
    void refinement() {
        SplittableRandom random = TestSeed.random("refined meshes");
        for (String text : List.of("disc:rings=1", "disc:rings=5", "square:n=1", "random")) {
            PlaneMesh coarse = text.equals("random")
                    ? PlaneInput.square(3 + random.nextInt(6), 0.3, random.nextLong())
                    : PlaneInput.generated(text);
            for (int times = 0; times < 2; times++) {
                Refinement refined = Refinement.of(coarse);
                PlaneMesh fine = refined.fine();
                assertEquals(4 * coarse.cells(), fine.cells(), text);
                assertEquals(coarse.nodes() + coarse.edges(), fine.nodes(), text);
                assertEquals(2 * coarse.edges() + 3 * coarse.cells(), fine.edges(), text);
                assertEquals(coarse.area(), fine.area(), 1e-13, text);
                for (int cell = 0; cell < fine.cells(); cell++) {
                    assertEquals(0.25 * area(coarse, cell / 4), area(fine, cell), 1e-14, text);
                }
                checkNeighbours(fine);
                for (int node = 0; node < fine.nodes(); node++) {
                    int a = refined.parents()[2 * node];
                    int b = refined.parents()[2 * node + 1];
                    for (int k = 0; k < 2; k++) {
                        assertEquals(0.5 * (coarse.coordinates()[2 * a + k] + coarse.coordinates()[2 * b + k]),
                                fine.coordinates()[2 * node + k], 1e-15, text);
                    }
                    assertTrue(!fine.onBoundary(node) || (coarse.onBoundary(a) && coarse.onBoundary(b)), text);
                }
                coarse = fine;
            }
        }
    }

    /** Every edge has one or two triangles, those with one make closed lines, and Euler's formula holds. */
    private static void checkNeighbours(PlaneMesh mesh) {
        Map<Integer, Integer> sides = new HashMap<>();
        for (int side = 0; side < mesh.cellEdges().length; side++) {
            int edge = mesh.cellEdges()[side];
            int a = mesh.cellNodes()[side];
            int b = mesh.cellNodes()[side - side % 3 + (side + 1) % 3];
            assertEquals(Set.of(a, b),
                    new HashSet<>(List.of(mesh.edgeNodes()[2 * edge], mesh.edgeNodes()[2 * edge + 1])));
            sides.merge(edge, 1, Integer::sum);
        }
        assertEquals(mesh.edges(), sides.size());
        Map<Integer, Integer> boundary = new HashMap<>();
        sides.forEach((edge, count) -> {
            if (count == 1) {
                boundary.merge(mesh.edgeNodes()[2 * edge], 1, Integer::sum);
                boundary.merge(mesh.edgeNodes()[2 * edge + 1], 1, Integer::sum);
            }
        });
        boundary.values().forEach(count -> assertEquals(2, count));
        assertEquals(mesh.nodes() - boundary.size(), mesh.interiorNodes());
        assertEquals(1, mesh.nodes() - mesh.edges() + mesh.cells());
    }

    @Test
    void generatedMeshes() {
        PlaneMesh disc = PlaneInput.generated("disc:rings=7");
        assertEquals(6 * 49, disc.cells());
        assertEquals(1 + 3 * 7 * 8, disc.nodes());
        assertEquals(42 * 0.5 * Math.sin(2 * Math.PI / 42), disc.area(), 1e-13);
        checkNeighbours(disc);
        PlaneMesh square = PlaneInput.generated("square:n=6,shake=0.3");
        assertEquals(72, square.cells());
        assertEquals(1, square.area(), 1e-14);
        checkNeighbours(square);
        int[] places = new int[square.nodes()];
        Arrays.setAll(places, node -> (node * 10 + 3) % places.length);
        PlaneMesh other = PlaneInput.renumbered(square, places);
        assertEquals(square.edges(), other.edges());
        assertEquals(1, other.area(), 1e-14);
        for (int node = 0; node < places.length; node++) {
            assertEquals(square.coordinates()[2 * node], other.coordinates()[2 * places[node]]);
            assertEquals(square.onBoundary(node), other.onBoundary(places[node]));
        }
    }

    @Test
    void takesFiles() {
        double[] points = {0, 0, 5, 1, 0, 5, 1, 1, 5, 0, 1, 5, 2, 0, 5};
        MeshData file = new MeshData(3, points, List.of(
                new CellBlock(CellShape.QUADRILATERAL, 4, new int[]{0, 1, 2, 3}, new int[]{0}),
                new CellBlock(CellShape.TRIANGLE, 3, new int[]{1, 4, 2}, new int[]{1})), List.of(), List.of(),
                List.of());
        assertEquals(3, PlaneInput.of(file).cells());
        assertEquals(1.5, PlaneInput.of(file).area());
        points[5] = 6;
        fails("points at z = 5.0 and 6.0", () -> PlaneInput.of(file));
        points[5] = 5;
        fails("no triangles", () -> PlaneInput.of(new MeshData(3, points, List.of(), List.of(), List.of(),
                List.of())));
    }

    private static void fails(String expected, Runnable making) {
        String message = assertThrows(IllegalArgumentException.class, making::run).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void refusesWhatIsNoMesh() {
        fails("triangle 1 has the area 0.0", () -> PlaneMesh.of(SQUARE, new int[]{0, 1, 3, 1, 1, 3}));
        fails("node 7, expected 0 to 4", () -> PlaneMesh.of(SQUARE, new int[]{0, 1, 7}));
        fails("belongs to 3 triangles", () -> PlaneMesh.of(new double[]{0, 0, 2, 0, 9, 9, 2, 2, 0, 2, 1, 2},
                new int[]{0, 1, 3, 0, 3, 4, 0, 3, 5}));
        fails("expected three for each", () -> PlaneMesh.of(SQUARE, new int[]{0, 1}));
        fails("node 1 is at (NaN", () -> PlaneMesh.of(new double[]{0, 0, Double.NaN, 0, 1, 1}, new int[]{0, 1, 2}));
        fails("S from 0 to 0.3", () -> PlaneInput.generated("square:n=3,shake=0.4"));
        fails("mesh is 'disc:n=3'", () -> PlaneInput.generated("disc:n=3"));
    }
}
