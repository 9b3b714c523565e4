package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;
import org.trellis.testing.TestSeed;

/** Edges, normals and boundaries; meshes cut into smaller triangles. */
final class MeshTopologyTest {
    private static final double[] SQUARE = {0, 0, 2, 0, 2, 2, 0, 2};

    private static TriangleMesh square(int... triangles) {
        return new TriangleMesh(SQUARE, new double[]{0, 1, 2, 3}, triangles, new int[]{3, 0}, new int[]{
            ShallowWater.SEA});
    }

    @Test
    void twoTriangles() {
        MeshTopology topology = MeshTopology.of(square(0, 1, 2, 3, 2, 0));
        assertEquals(5, topology.edges());
        assertEquals(4, topology.boundaryEdges());
        // The second triangle comes clockwise and is turned round.
        assertArrayEquals(new int[]{0, 1, 2, 3, 0, 2}, topology.cellNodes());
        assertArrayEquals(new int[]{0, 1, 2, 3, 2, 4}, topology.cellEdges());
        assertArrayEquals(new int[]{0, 1, 1, 2, 2, 0, 3, 0, 2, 3}, topology.edgeNodes());
        assertArrayEquals(new int[]{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, topology.edgeCells());
        assertArrayEquals(new int[]{1, 1, 0, ShallowWater.SEA, 1}, topology.kinds());
        assertArrayEquals(new double[]{2, 2}, topology.areas());
        double diagonal = Math.sqrt(0.5);
        assertArrayEquals(new double[]{0, -1, 2, 1, 0, 2, -diagonal, diagonal, 2 * Math.sqrt(2), -1, 0, 2, 0, 1, 2},
                topology.faces(), 1e-15);
        assertArrayEquals(new double[]{4.0 / 3, 2.0 / 3, 2.0 / 3, 4.0 / 3}, topology.centres(), 1e-15);
        assertArrayEquals(new double[]{1, 5.0 / 3}, topology.mesh().cellMeans(topology.mesh().bed()), 1e-15);
    }

    private static void fails(String expected, TriangleMesh mesh) {
        String message = assertThrows(IllegalArgumentException.class, () -> MeshTopology.of(mesh)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void refusesWhatIsNoMesh() {
        fails("triangle 1 with nodes 1, 1 and 2 has the area 0.0", square(0, 1, 2, 1, 1, 2));
        fails("triangles 0 and 1 lie on the same side of the edge of nodes 1 and 2", square(0, 1, 2, 1, 2, 3));
        fails("nodes 3 and 0 of boundary edge 0 are not joined", square(0, 1, 2));
        fails("the edge of nodes 0 and 2 belongs to triangles", square(0, 1, 2, 0, 2, 3, 0, 2, 3));
        assertThrows(IllegalArgumentException.class, () -> square(0, 1, 4));
        assertThrows(IllegalArgumentException.class, () -> square(0, 1));
        assertThrows(IllegalArgumentException.class, () -> square());
    }

    private static double[] around(MeshTopology topology) {
        double[] sums = new double[2 * topology.cells()];
        double[] faces = topology.faces();
        for (int edge = 0; edge < topology.edges(); edge++) {
            for (int side = 0; side < 2; side++) {
                int cell = topology.edgeCells()[2 * edge + side];
                if (side == 0 || topology.kinds()[edge] == ShallowWater.INTERIOR) {
                    sums[2 * cell] += (1 - 2 * side) * faces[3 * edge] * faces[3 * edge + 2];
                    sums[2 * cell + 1] += (1 - 2 * side) * faces[3 * edge + 1] * faces[3 * edge + 2];
                }
            }
        }
        return sums;
    }

    private static void checkClosed(MeshTopology topology) {
        for (double sum : around(topology)) {
            assertEquals(0, sum, 1e-12);
        }
        for (int side = 0; side < topology.cellEdges().length; side++) {
            int edge = topology.cellEdges()[side];
            assertTrue(topology.edgeCells()[2 * edge] == side / 3 || topology.edgeCells()[2 * edge + 1] == side / 3);
        }
    }

    @Test
    void rectangle() {
        MeshTopology topology = MeshTopology
                .of(Rectangles.of(new Bounds(0, 0, 7, 3), 14, 5, ShallowWater.OPEN));
        assertEquals(140, topology.cells());
        assertEquals(38, topology.boundaryEdges());
        assertEquals((3 * 140 + 38) / 2, topology.edges());
        assertEquals(10, Arrays.stream(topology.kinds()).filter(kind -> kind == ShallowWater.OPEN).count());
        assertEquals(21, Arrays.stream(topology.areas()).sum(), 1e-12);
        checkClosed(topology);
    }

    /** Cutting keeps area, bed and boundary, and the parts fit together whatever way round the triangles were. */
    @Test
    void subdivision() {
        TriangleMesh flat = Rectangles.of(new Bounds(-1, 2, 5, 6), 3, 4, ShallowWater.SEA);
        TriangleMesh coarse = turned(flat).withBed((x, y) -> 2 * x - y);
        for (int parts : new int[]{1, 2, 3, 4, 7}) {
            TriangleMesh fine = Subdivision.of(coarse, parts);
            MeshTopology topology = MeshTopology.of(fine);
            assertEquals(24 * parts * parts, topology.cells());
            assertEquals(14 * parts, topology.boundaryEdges());
            assertEquals(topology.edges() + 1, fine.nodes() + topology.cells(), "Euler's formula");
            assertEquals(8L * parts, Arrays.stream(topology.kinds()).filter(kind -> kind == ShallowWater.SEA).count());
            assertEquals(24, Arrays.stream(topology.areas()).sum(), 1e-12);
            for (double area : topology.areas()) {
                assertEquals(1.0 / (parts * parts), area, 1e-12);
            }
            for (int node = 0; node < fine.nodes(); node++) {
                assertEquals(2 * fine.x(node) - fine.y(node), fine.bed()[node], 1e-12);
            }
            checkClosed(topology);
        }
        assertThrows(IllegalArgumentException.class, () -> Subdivision.of(coarse, 0));
        assertThrows(IllegalArgumentException.class, () -> Subdivision.of(coarse, 16000));
    }

    private static TriangleMesh turned(TriangleMesh mesh) {
        SplittableRandom random = TestSeed.random("turned triangles");
        int[] triangles = mesh.triangles().clone();
        for (int cell = 0; cell < mesh.cells(); cell++) {
            int from = random.nextInt(3);
            int step = random.nextBoolean() ? 1 : 2;
            for (int corner = 0; corner < 3; corner++) {
                triangles[3 * cell + corner] = mesh.triangles()[3 * cell + (from + step * corner) % 3];
            }
        }
        return new TriangleMesh(mesh.coordinates(), mesh.bed(), triangles, mesh.boundaryNodes(), mesh.boundaryKinds());
    }
}
