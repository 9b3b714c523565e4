package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;

/** From the mesh of a file to triangles with a bed and a boundary. */
final class SeaFileTest {
    private static final double[] POINTS = {0, 0, -4, 1, 0, -3, 1, 1, -2, 0, 1, -1, 2, 0, 0};

    /** A square and a triangle beside it, with two tagged lines. */
    private static MeshData file(List<DataArray> pointData) {
        return new MeshData(3, POINTS, List.of(
                new CellBlock(CellShape.LINE, 2, new int[]{3, 0, 1, 4}, new int[]{0, 3}),
                new CellBlock(CellShape.QUADRILATERAL, 4, new int[]{0, 1, 2, 3}, new int[]{1}),
                new CellBlock(CellShape.TRIANGLE, 3, new int[]{1, 4, 2}, new int[]{2})), pointData,
                List.of(DataArray.of(MeshData.PHYSICAL, 1, 7, 1, 1, 9)), List.of(new CellGroup(1, 7, "west")));
    }

    @Test
    void cutsSquaresAndMarksTheBoundary() {
        TriangleMesh mesh = new SeaFile(file(List.of()),
                Map.of("west", ShallowWater.SEA, "9", ShallowWater.OPEN)).mesh(false);
        assertArrayEquals(new int[]{0, 1, 2, 0, 2, 3, 1, 4, 2}, mesh.triangles());
        assertArrayEquals(new double[]{0, 0, 1, 0, 1, 1, 0, 1, 2, 0}, mesh.coordinates());
        assertArrayEquals(new double[]{-4, -3, -2, -1, 0}, mesh.bed());
        assertArrayEquals(new int[]{3, 0, 1, 4}, mesh.boundaryNodes());
        assertArrayEquals(new int[]{ShallowWater.SEA, ShallowWater.OPEN}, mesh.boundaryKinds());
        assertEquals(7, MeshTopology.of(mesh).edges());
    }

    @Test
    void depthIsDownwards() {
        MeshData file = file(List.of(DataArray.of("depth", 1, 5, 4, 3, 2, -1)));
        assertArrayEquals(new double[]{-5, -4, -3, -2, 1}, new SeaFile(file, Map.of()).mesh(false).bed());
    }

    /** ADCIRC's lines have types; open boundaries lead to the sea unless an option says otherwise. */
    @Test
    void openBoundaries() {
        MeshData gmsh = file(List.of());
        MeshData adcirc = new MeshData(3, gmsh.points(), gmsh.blocks(), List.of(),
                List.of(DataArray.of("kind", 1, -1, 0, 0, 20)), List.of());
        assertArrayEquals(new int[]{ShallowWater.SEA}, new SeaFile(adcirc, Map.of()).mesh(false).boundaryKinds());
        assertArrayEquals(new int[]{ShallowWater.OPEN, ShallowWater.SEA},
                new SeaFile(adcirc, Map.of("open", ShallowWater.OPEN, "20", ShallowWater.SEA)).mesh(false)
                        .boundaryKinds());
        String message = assertThrows(IllegalArgumentException.class,
                () -> new SeaFile(adcirc, Map.of("east", 2)).mesh(false)).getMessage();
        assertTrue(message.contains("expected a number or one of [open]"), message);
    }

    /** A degree of latitude is 111 km, one of longitude shrinks with the latitude. */
    @Test
    void degrees() {
        double[] points = {10, 59, 11, 59, 10, 61};
        MeshData file = new MeshData(2, points,
                List.of(new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 1, 2}, new int[]{0})), List.of(), List.of(),
                List.of());
        TriangleMesh mesh = new SeaFile(file, Map.of()).mesh(true);
        assertEquals(111_194.9, mesh.y(2), 0.1);
        assertEquals(-111_194.9, mesh.y(0), 0.1);
        assertEquals(111_194.9 / 2, mesh.x(1) - mesh.x(0), 0.1);
        assertArrayEquals(new double[3], mesh.bed());
    }

    @Test
    void complaints() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> new SeaFile(file(List.of()), Map.of("east", 2)).mesh(false)).getMessage();
        assertTrue(message.contains("'east' is not in the file, expected a number or one of [west]"), message);
        MeshData lines = new MeshData(2, new double[4],
                List.of(new CellBlock(CellShape.LINE, 2, new int[]{0, 1}, new int[]{0})), List.of(), List.of(),
                List.of());
        assertThrows(IllegalArgumentException.class, () -> new SeaFile(lines, Map.of()).mesh(false));
        MeshData far = new MeshData(2, new double[]{0, 0, 500, 0, 0, 500},
                List.of(new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 1, 2}, new int[]{0})), List.of(), List.of(),
                List.of());
        assertThrows(IllegalArgumentException.class, () -> new SeaFile(far, Map.of()).mesh(true));
    }
}
