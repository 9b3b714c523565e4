package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.cache.MatrixCache;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
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
                () -> MatrixFiles.write(folder.resolve("a.rb"), identity, WriteOptions.DEFAULT));
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
}
