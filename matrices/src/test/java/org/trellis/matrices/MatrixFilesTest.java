package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.cache.MatrixCache;
import org.trellis.matrices.harwellboeing.HarwellBoeing;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.sparse.CsrMatrix;

class MatrixFilesTest {
    private static final String MARKET = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 3\n";
    private static final String BOEING = "title\n 3 1 1 1\nIUA 1 1 1 0\n(8I3) (8I3) (8I3)\n  1  2\n  1\n  7\n";

    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private MatrixFormatException refused(String name, String text) throws IOException {
        Path file = file(name, text);
        return assertThrows(MatrixFormatException.class, () -> MatrixFiles.read(file, ReadOptions.DEFAULT));
    }

    @Test
    void contentsDecideTheFormat() throws IOException {
        for (String name : List.of("a.mtx", "a.rb", "a", "a.txt")) {
            assertEquals(3, MatrixFiles.read(file(name, MARKET), ReadOptions.DEFAULT).get(0, 0));
            assertEquals(7, MatrixFiles.read(file(name, BOEING), ReadOptions.DEFAULT).get(0, 0));
        }
    }

    @Test
    void theNameDecidesIfTheContentsDoNot() throws IOException {
        assertTrue(refused("a.mtx", "rubbish\n").getMessage().contains("Matrix Market"));
        assertTrue(refused("a.rb", "rubbish\n").getMessage().contains("a line with the numbers of lines"));
        assertTrue(refused("a.rb", "").getMessage().contains("Matrix Market"));
        assertTrue(refused("a.rua", "x".repeat(100_000)).getMessage().contains("longer"));
    }

    @Test
    void writingAndReadingBack() throws IOException {
        CsrMatrix identity = CsrMatrix.identity(5, Precision.F64);
        for (String name : List.of("a.mtx", "b.MM", "c.mtx.gz")) {
            Path file = folder.resolve(name);
            MatrixFiles.write(file, identity, WriteOptions.DEFAULT);
            assertTrue(identity.sameAs(MatrixFiles.read(file, ReadOptions.DEFAULT, MatrixCache.OFF)));
            assertTrue(identity.sameAs(MatrixFiles.read(file)));
        }
        assertThrows(IllegalArgumentException.class,
                () -> MatrixFiles.write(folder.resolve("a.xyz"), identity, WriteOptions.DEFAULT));
    }

    @Test
    void names() {
        for (String name : List.of("a.mtx", "A.MTX.GZ", "x/y.mm", "a.rb", "a.RUA", "a.cua.gz", "a.hb", "a.mmx")) {
            assertTrue(MatrixFiles.hasMatrixName(Path.of(name)), name);
        }
        for (String name : List.of("a", "a.gz", "a.txt", "mtx", "a.rb.txt", "manifest.csv", "/")) {
            assertFalse(MatrixFiles.hasMatrixName(Path.of(name)), name);
        }
    }

    @Test
    void whatIsNotThereOrNoFile() {
        assertThrows(NoSuchFileException.class,
                () -> MatrixFiles.read(folder.resolve("nothing.mtx"), ReadOptions.DEFAULT, MatrixCache.OFF));
        assertThrows(IOException.class, () -> MatrixFiles.read(folder, ReadOptions.DEFAULT));
    }

    @Test
    void foldersAndPipesAreNamedAsSuch() throws IOException, InterruptedException {
        Path inner = Files.createDirectory(folder.resolve("inner.mtx"));
        IOException failure = assertThrows(IOException.class, () -> MatrixFiles.read(inner, ReadOptions.DEFAULT));
        assertEquals(inner + ": this is a folder; expected a matrix file", failure.getMessage());
        assertEquals(inner + ": this is a folder; expected a Matrix Market file",
                assertThrows(IOException.class, () -> MatrixMarket.readHeader(inner)).getMessage());
        assertThrows(IOException.class, () -> HarwellBoeing.read(inner, ReadOptions.DEFAULT));
        Path mesh = Files.createDirectory(folder.resolve("inner.vtk"));
        assertEquals(mesh + ": this is a folder; expected a mesh file",
                assertThrows(IOException.class, () -> MeshFiles.read(mesh)).getMessage());
        Path pipe = folder.resolve("pipe.mtx");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "no mkfifo here");
        assertEquals(0, new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor());
        failure = assertTimeoutPreemptively(Duration.ofSeconds(10),
                () -> assertThrows(IOException.class, () -> MatrixFiles.read(pipe, ReadOptions.DEFAULT)));
        assertEquals(pipe + ": this is a pipe, a device or a socket; expected a matrix file", failure.getMessage());
    }

    @Test
    void aTypeLineThatIsNearlyOneCostsNoTime() throws IOException {
        String line = "RUA 1 1 " + "1".repeat(60_000) + "\u0085";
        Path file = Files.writeString(folder.resolve("slow.txt"), "t\n 1\n" + line + "\n",
                StandardCharsets.ISO_8859_1);
        assertTimeoutPreemptively(Duration.ofSeconds(10),
                () -> assertThrows(MatrixFormatException.class, () -> MatrixFiles.read(file, ReadOptions.DEFAULT)));
    }
}
