package org.trellis.examples.airfoil;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.testing.SharedData;

class AirfoilGeneratorTest {
    @TempDir
    private Path folder;

    @Test
    void wrongSizesAreNamed() {
        int most = Integer.MAX_VALUE;
        for (int[] size : new int[][]{{1, 1}, {2, most}, {most, most}, {20_000, 20_000}}) {
            IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> AirfoilGenerator.generate(size[0], size[1]));
            assertTrue(error.getMessage().startsWith("i is " + size[0] + " and j " + size[1]), error.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> AirfoilGenerator.generate(2, 0));
    }

    /** By the sums of the files that OP2's own generator writes. */
    @ParameterizedTest
    @CsvSource({"64,96,e3745624daf28ae4e1457102cd691e4a", "400,600,66ed109de2e00a787c3415f09db202cc"})
    void theReferenceMeshesAreReproduced(int i, int j, String expected) throws IOException, NoSuchAlgorithmException {
        AirfoilMesh mesh = AirfoilGenerator.generate(i, j);
        assertEquals((3 * i + 1) * (j + 1), mesh.nodes());
        assertEquals(3 * i * j, mesh.cells());
        assertEquals((3 * i - 1) * j + 3 * i * (j - 1) + i, mesh.edges());
        assertEquals(4 * i + 2 * j, mesh.boundaryEdges());
        Path file = folder.resolve("new_grid.dat");
        mesh.write(file);
        assertEquals(expected, HexFormat.of().formatHex(MessageDigest.getInstance("MD5")
                .digest(Files.readAllBytes(file))));
    }

    @ParameterizedTest
    @CsvSource({"airfoil-small.dat.gz,64,96", "op2/airfoil_1800_new_grid.dat,20,30",
        "op2/airfoil_45000_new_grid.dat.gz,100,150"})
    void sharedMeshesAreTheGenerated(String name, int i, int j) throws IOException {
        AirfoilMesh mesh = AirfoilMesh.read(SharedData.folder("meshes").resolve(name));
        AirfoilMesh generated = AirfoilGenerator.generate(i, j);
        assertArrayEquals(generated.coordinates(), mesh.coordinates(), 1.01e-6);
        assertArrayEquals(generated.cellNodes(), mesh.cellNodes());
        assertArrayEquals(generated.edgeNodes(), mesh.edgeNodes());
        assertArrayEquals(generated.edgeCells(), mesh.edgeCells());
        assertArrayEquals(generated.boundaryNodes(), mesh.boundaryNodes());
        assertArrayEquals(generated.boundaryCells(), mesh.boundaryCells());
        assertArrayEquals(generated.boundaryKinds(), mesh.boundaryKinds());
    }
}
