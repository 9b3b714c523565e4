package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.testing.SharedData;

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
        assertEquals(-0.023438, AirfoilMesh.rounded(-0.0234375));
    }

    @Test
    void wrongSizesAreNamed() {
        assertThrows(IllegalArgumentException.class, () -> new AirfoilMesh(new double[2], new int[]{0, 0, 0, 1},
                new int[0], new int[0], new int[0], new int[0], new int[0]));
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

    // Shares of a file.

    @TempDir
    private Path folder;

    private List<AirfoilPart> shares(String text, int count) throws IOException {
        Path file = Files.writeString(folder.resolve("shares.dat"), text);
        long[] lines = new long[count];
        for (int share = 0; share < count; share++) {
            int own = share;
            try {
                AirfoilPart.read(file, own, count, found -> {
                    lines[own] = found;
                    throw new UnsupportedOperationException("the first pass only counts");
                });
            } catch (UnsupportedOperationException e) {
                assertTrue(lines[own] >= 0);
            }
        }
        List<AirfoilPart> shares = new ArrayList<>();
        for (int share = 0; share < count; share++) {
            long before = Arrays.stream(lines, 0, share).sum();
            shares.add(AirfoilPart.read(file, share, count, found -> before));
        }
        return shares;
    }

    private static String text(AirfoilMesh mesh) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        AirfoilFile.writeTo(mesh, bytes);
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /** A strip of cells from left to right, walls below and above, open at its ends. */
    private static AirfoilMesh strip(int cells) {
        int nodes = 2 * (cells + 1);
        double[] coordinates = new double[2 * nodes];
        for (int node = 0; node < nodes; node++) {
            coordinates[2 * node] = Math.floorDiv(node, 2);
            coordinates[2 * node + 1] = node % 2;
        }
        int[] cellNodes = IntStream.range(0, cells)
                .flatMap(cell -> IntStream.of(2 * cell, 2 * cell + 2, 2 * cell + 3, 2 * cell + 1)).toArray();
        int[] edgeNodes = IntStream.range(2, 2 * cells).toArray();
        int[] edgeCells = IntStream.range(1, cells).flatMap(cell -> IntStream.of(cell, cell - 1)).toArray();
        int[] walls = IntStream.range(0, cells)
                .flatMap(cell -> IntStream.of(2 * cell, 2 * cell + 2, 2 * cell + 3, 2 * cell + 1)).toArray();
        int[] wallCells = IntStream.range(0, 2 * cells).map(edge -> edge / 2).toArray();
        int[] boundaryNodes = IntStream.concat(Arrays.stream(walls), IntStream.of(1, 0, nodes - 2, nodes - 1))
                .toArray();
        int[] boundaryCells = IntStream.concat(Arrays.stream(wallCells), IntStream.of(0, cells - 1)).toArray();
        int[] kinds = IntStream.range(0, boundaryCells.length)
                .map(edge -> edge < 2 * cells ? AirfoilMesh.WALL : AirfoilMesh.FAR_FIELD).toArray();
        return new AirfoilMesh(coordinates, cellNodes, edgeNodes, edgeCells, boundaryNodes, boundaryCells, kinds);
    }

    private static int[] all(List<AirfoilPart> shares, Function<AirfoilPart, int[]> part) {
        return shares.stream().flatMapToInt(share -> Arrays.stream(part.apply(share))).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 200, 3000})
    void sharesHaveEveryLineOnce(int count) throws IOException {
        AirfoilMesh mesh = strip(36);
        List<AirfoilPart> shares = shares(text(mesh), count);
        assertArrayEquals(mesh.coordinates(),
                shares.stream().flatMapToDouble(share -> Arrays.stream(share.coordinates())).toArray());
        assertArrayEquals(IntStream.range(0, mesh.nodes()).toArray(), all(shares, AirfoilPart::ownNodes));
        assertArrayEquals(IntStream.range(0, mesh.cells()).toArray(), all(shares, AirfoilPart::ownCells));
        assertArrayEquals(mesh.cellNodes(), all(shares, AirfoilPart::cellNodes));
        assertArrayEquals(IntStream.range(0, mesh.edges()).toArray(), all(shares, AirfoilPart::ownEdges));
        assertArrayEquals(mesh.edgeNodes(), all(shares, AirfoilPart::edgeNodes));
        assertArrayEquals(mesh.edgeCells(), all(shares, AirfoilPart::edgeCells));
        assertArrayEquals(IntStream.range(0, mesh.boundaryEdges()).toArray(),
                all(shares, AirfoilPart::ownBoundaryEdges));
        assertArrayEquals(mesh.boundaryNodes(), all(shares, AirfoilPart::boundaryNodes));
        assertArrayEquals(mesh.boundaryCells(), all(shares, AirfoilPart::boundaryCells));
        assertArrayEquals(mesh.boundaryKinds(), all(shares, AirfoilPart::boundaryKinds));
        assertEquals(mesh.cells(), shares.getLast().cells());
        AirfoilPart whole = AirfoilPart.of(mesh);
        assertArrayEquals(mesh.edgeCells(), whole.edgeCells());
        assertArrayEquals(mesh.boundaryKinds(), whole.boundaryKinds());
    }

    private String problem(String text) {
        return assertThrows(MatrixFormatException.class, () -> shares(text, 3)).getMessage()
                .replaceFirst(".*shares.dat", "");
    }

    @Test
    void wrongSharesAreRefusedWithTheirLine() {
        assertEquals(":10:3: found '-4'; expected a node from 0 to 5", problem(SMALL.replace("1 4 1 0", "1 -4 1 0")));
        assertEquals(":10:7: found '2'; expected a cell from 0 to 1", problem(SMALL.replace("1 4 1 0", "1 4 1 2")));
        assertEquals(":10:6: the end of the line; expected a cell",
                problem(SMALL.replace("1 4 1 0", "1 4 1")));
        assertEquals(":8:9: found more; expected nothing behind it on this line",
                problem(SMALL.replace("0 1 4 3", "0 1 4 3 5")));
        assertEquals(":5:10: found 'one'; expected a coordinate",
                problem(SMALL.replace("0.000000 1.000000\n1", "0.000000 one\n1")));
        assertEquals(":16:7: found '3'; expected a boundary flag from 1 to 2",
                problem(SMALL.replace("3 0 0 2", "3 0 0 3")));
        assertEquals(":17:1: found more; expected nothing behind it on this line", problem(SMALL + "7\n"));
        assertEquals(": the file has 14 lines behind the first; expected 15 lines, one for each node, cell and edge",
                problem(SMALL.replace("3 0 0 2\n", "")));
        assertEquals(":1:5: found 'x'; expected a number of nodes, cells or edges from 0 to 536870911",
                problem("4 1 x 0\n"));
        assertEquals(":1:1: the end of the line; expected a number of nodes, cells or edges",
                problem(""));
        assertTrue(problem("\u001f\u008b").contains("compressed"));
    }
}
