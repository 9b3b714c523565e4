package org.trellis.convert.cgns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.NumberType;

/** Files that the CGNS library 3.4.0 has written; {@code make-cgns.c} beside them is the program. */
class CgnsFormatTest {
    private static final Path FOLDER = Path.of("src/test/resources/cgns");

    @TempDir
    private Path folder;

    private static CellBlock block(MeshData mesh, CellShape shape) {
        return mesh.blocks().stream().filter(block -> block.shape() == shape).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"separate.cgns", "mixed.cgns"})
    void readsCellsAndFaces(String name) throws IOException {
        MeshData mesh = MeshFiles.read(FOLDER.resolve(name));
        assertEquals(3, mesh.dimensions());
        assertEquals(12, mesh.pointCount());
        assertEquals(18, mesh.cellCount());
        assertArrayEquals(new double[]{0.5, 0.5, 2}, Arrays.copyOfRange(mesh.points(), 24, 27));
        assertArrayEquals(new int[]{0, 1, 2, 3, 4, 5, 6, 7}, block(mesh, CellShape.HEXAHEDRON).nodes());
        assertArrayEquals(new int[]{4, 5, 6, 7, 8}, block(mesh, CellShape.PYRAMID).nodes());
        assertArrayEquals(new int[]{1, 9, 5, 2, 10, 6}, block(mesh, CellShape.WEDGE).nodes());
        assertArrayEquals(new int[]{1, 5, 9, 11}, block(mesh, CellShape.TETRAHEDRON).nodes());
        assertArrayEquals(new int[]{3}, block(mesh, CellShape.TETRAHEDRON).numbers());
        assertArrayEquals(new int[]{4, 5, 6, 7, 8, 9}, block(mesh, CellShape.QUADRILATERAL).numbers());
        assertEquals(8, mesh.cellCount(CellShape.TRIANGLE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"separate.cgns", "mixed.cgns"})
    void namesTheBoundary(String name) throws IOException {
        MeshData mesh = MeshFiles.read(FOLDER.resolve(name));
        assertEquals(List.of(new CellGroup(2, 1, "far"), new CellGroup(2, 2, "slip-1"), new CellGroup(2, 3, "wall")),
                mesh.groups());
        assertArrayEquals(new double[]{0, 0, 0, 0, 3, 3, 3, 3, 1, 1, 2, 2, 2, 2, 1, 2, 2, 2},
                mesh.cellArray(MeshData.PHYSICAL).orElseThrow().values());
    }

    @Test
    void readsSolutions() throws IOException {
        MeshData mesh = MeshFiles.read(FOLDER.resolve("separate.cgns"));
        assertEquals(NumberType.FLOAT64, mesh.cellArray("Pressure").orElseThrow().type());
        assertArrayEquals(new double[]{1.5, 2.5, 3.5, 4.5, 0},
                Arrays.copyOf(mesh.cellArray("Pressure").orElseThrow().values(), 5));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {"polygons.cgns | elements are polygons or polyhedra (NGON_n)",
                "second-order.cgns | the kind of elements is number 11", "structured.cgns | of type Structured"})
    void refusesOtherKinds(String name, String problem) {
        String message = assertThrows(MatrixFormatException.class, () -> MeshFiles.read(FOLDER.resolve(name)))
                .getMessage();
        assertTrue(message.contains(problem) && message.contains("/Base/"), message);
    }

    @Test
    void refusesOtherFiles() throws IOException {
        Path file = Files.writeString(folder.resolve("a.cgns"), "AF1, an older file");
        String message = assertThrows(MatrixFormatException.class, () -> MeshFiles.read(file)).getMessage();
        assertTrue(message.contains("adf2hdf"), message);
    }

    /** Changes one number where the library has written it. */
    @Test
    void refusesWrongNumbers() throws IOException {
        byte[] bytes = Files.readAllBytes(FOLDER.resolve("separate.cgns"));
        int at = find(bytes, new byte[]{2, 0, 0, 0, 6, 0, 0, 0, 10, 0, 0, 0, 12, 0, 0, 0});
        bytes[at + 12] = 13;
        Path file = Files.write(folder.resolve("wrong.cgns"), bytes);
        String message = assertThrows(MatrixFormatException.class, () -> MeshFiles.read(file)).getMessage();
        assertTrue(message.contains("corner 4 of element 4 is 13") && message.contains("from 1 to 12"), message);
    }

    /** Files with a few changed bytes: sizes that ask for gigabytes, or that the library for HDF5 divides by. */
    @ParameterizedTest
    @ValueSource(strings = {"arith.cgns", "oom-read.cgns", "oom-prepare.cgns"})
    void damagedFilesAreRefusedInOneLine(String name) {
        String message = assertThrows(MatrixFormatException.class, () -> MeshFiles.read(FOLDER.resolve(name)))
                .getMessage();
        assertTrue(message.startsWith(FOLDER.resolve(name).toString()) && message.lines().count() == 1, message);
        assertTrue(message.contains("expected "), message);
    }

    private static int find(byte[] bytes, byte... part) {
        for (int i = 0; i + part.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new IllegalStateException("not in the file");
    }
}
