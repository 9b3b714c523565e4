package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.SharedData;

class AirfoilMeshTest {
    /** Two cells side by side. */
    private static final String SMALL = """
            6 2 1 6
            0.000000 0.000000
            1.000000 0.000000
            2.000000 0.000000
            0.000000 1.000000
            1.000000 1.000000
            -2.500000 1.000000
            0 1 4 3
            1 2 5 4
            1 4 1 0
            0 1 0 1
            1 2 1 1
            2 5 1 2
            5 4 1 2
            4 3 0 2
            3 0 0 2
            """;

    private static AirfoilMesh parse(String text) {
        return AirfoilFile.read(MeshText.of("small.dat", text.getBytes(StandardCharsets.ISO_8859_1), (char) 0));
    }

    private static String md5(AirfoilMesh mesh) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        try (OutputStream output = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            AirfoilFile.writeTo(mesh, output);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    @Test
    void tablesAreRead(@TempDir Path folder) throws IOException {
        AirfoilMesh mesh = parse(SMALL);
        assertEquals("airfoil mesh of 6 nodes, 2 cells, 1 edges and 6 boundary edges", mesh.toString());
        assertArrayEquals(new int[]{0, 1, 4, 3, 1, 2, 5, 4}, mesh.cellNodes());
        assertArrayEquals(new int[]{1, 4}, mesh.edgeNodes());
        assertArrayEquals(new int[]{1, 0}, mesh.edgeCells());
        assertArrayEquals(new int[]{0, 1, 1, 1, 0, 0}, mesh.boundaryCells());
        assertArrayEquals(new int[]{1, 1, 2, 2, 2, 2}, mesh.boundaryKinds());
        assertEquals(-2.5, mesh.coordinates()[10]);
        Path plain = folder.resolve("small.dat");
        mesh.write(plain);
        assertEquals(SMALL.indent(1).replace("\n", " \n"), Files.readString(plain));
        Path compressed = folder.resolve("small.dat.gz");
        mesh.write(compressed);
        assertEquals(mesh, AirfoilMesh.read(compressed));
        assertEquals(8, mesh.toMeshData().cellCount());
    }

    @Test
    void meshesTooLargeForArraysAreRefused() {
        int most = Integer.MAX_VALUE;
        for (int[] size : new int[][]{{2, most}, {most, most}, {30_000, 30_000}}) {
            IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> AirfoilMesh.generate(size[0], size[1]));
            assertTrue(error.getMessage().startsWith("i is " + size[0] + " and j " + size[1]), error.getMessage());
        }
    }

    @Test
    void wrongTextIsNamed() {
        MatrixFormatException error =
                assertThrows(MatrixFormatException.class, () -> parse(SMALL.replace("1 4 1 0", "1 6 1 0")));
        assertEquals("small.dat:10:3: found '6'; expected a node from 0 to 5", error.getMessage());
        assertThrows(MatrixFormatException.class, () -> parse(SMALL + "7"));
        assertThrows(MatrixFormatException.class, () -> parse(SMALL.replace("2.000000", "two")));
        assertThrows(MatrixFormatException.class, () -> parse(SMALL.replace("6 2 1 6", "6 2 1 2000000000")));
        assertThrows(MatrixFormatException.class, () -> parse(SMALL.substring(0, SMALL.length() - 3)));
        assertThrows(MatrixFormatException.class, () -> parse("-1 0 0 0"));
        assertThrows(MatrixFormatException.class, () -> parse(""));
        assertTrue(assertThrows(MatrixFormatException.class, () -> parse(SMALL.replace("3 0 0 2", "3 0 0 3")))
                .getMessage().contains("a boundary flag from 1 to 2"));
    }

    @Test
    void numbersAreRoundedAsInC() {
        assertEquals(-0.0, AirfoilFile.millionths(-1e-9));
        assertEquals(7812, AirfoilFile.millionths(0.0078125));
        assertEquals(-23438, AirfoilFile.millionths(-0.0234375));
        assertEquals(500_000_000_001.0, AirfoilFile.millionths(500_000.0000005001));
    }

    @Test
    void wrongSizesAreNamed() {
        assertThrows(IllegalArgumentException.class, () -> AirfoilMesh.generate(1, 1));
        assertThrows(IllegalArgumentException.class, () -> AirfoilMesh.generate(2, 0));
        assertThrows(IllegalArgumentException.class, () -> AirfoilMesh.generate(20_000, 20_000));
        assertThrows(IllegalArgumentException.class, () -> new AirfoilMesh(new double[2], new int[]{0, 0, 0, 1},
                new int[0], new int[0], new int[0], new int[0], new int[0]));
    }

    @ParameterizedTest
    @CsvSource({"64,96,e3745624daf28ae4e1457102cd691e4a", "400,600,66ed109de2e00a787c3415f09db202cc"})
    void theGeneratorReproducesTheReferenceMeshes(int i, int j, String expected)
            throws IOException, NoSuchAlgorithmException {
        AirfoilMesh mesh = AirfoilMesh.generate(i, j);
        assertEquals((3 * i + 1) * (j + 1), mesh.nodes());
        assertEquals(3 * i * j, mesh.cells());
        assertEquals((3 * i - 1) * j + 3 * i * (j - 1) + i, mesh.edges());
        assertEquals(4 * i + 2 * j, mesh.boundaryEdges());
        assertEquals(expected, md5(mesh));
    }

    @ParameterizedTest
    @CsvSource({"airfoil-small.dat.gz,64,96", "op2/airfoil_1800_new_grid.dat,20,30",
        "op2/airfoil_45000_new_grid.dat.gz,100,150"})
    void sharedMeshesAreTheGenerated(String name, int i, int j) throws IOException {
        AirfoilMesh mesh = AirfoilMesh.read(SharedData.folder("meshes").resolve(name));
        AirfoilMesh generated = AirfoilMesh.generate(i, j);
        assertArrayEquals(generated.coordinates(), Arrays.stream(mesh.coordinates()).toArray(), 1.01e-6);
        assertArrayEquals(generated.cellNodes(), mesh.cellNodes());
        assertArrayEquals(generated.edgeNodes(), mesh.edgeNodes());
        assertArrayEquals(generated.edgeCells(), mesh.edgeCells());
        assertArrayEquals(generated.boundaryNodes(), mesh.boundaryNodes());
        assertArrayEquals(generated.boundaryCells(), mesh.boundaryCells());
        assertArrayEquals(generated.boundaryKinds(), mesh.boundaryKinds());
    }

    @Test
    void theStandardMeshIsRead() throws IOException, NoSuchAlgorithmException {
        AirfoilMesh mesh = AirfoilMesh.read(SharedData.folder("meshes").resolve("airfoil-new_grid.dat.gz"));
        assertEquals("66ed109de2e00a787c3415f09db202cc", md5(mesh));
        double sum = 0;
        for (int i = 0; i < mesh.coordinates().length; i += 2) {
            sum += mesh.coordinates()[i];
        }
        assertEquals(-11420.110055, sum, 1e-6);
        long hash = 0;
        for (int k = 0; k < mesh.edges(); k++) {
            hash += (k + 1L) * (mesh.edgeNodes()[2 * k] + 3L * mesh.edgeNodes()[2 * k + 1]
                    + 5L * mesh.edgeCells()[2 * k] + 7L * mesh.edgeCells()[2 * k + 1]);
        }
        assertEquals(1057579608, hash % (1L << 31));
    }
}
