package org.trellis.matrices.edges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class EdgeListsTest {
    private static CsrMatrix read(Path folder, String text) throws IOException {
        Path file = folder.resolve("graph.edges");
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        return MatrixFiles.read(file, ReadOptions.DEFAULT);
    }

    @Test
    void readsWhatOthersWrite(@TempDir Path folder) throws IOException {
        CsrMatrix expected = DenseBlocks.fromRows(new double[][]{{0, 2, 0}, {0, 0, 1}, {0.5, 0, 0}}, Precision.F64);
        CsrMatrix snap = read(folder, "# Directed graph\n# Nodes: 3 Edges: 4\n0\t1\n0\t1\n1\t2\r\n2 0 0.5\n\n");
        assertTrue(snap.sameAs(expected), snap.toText());
        assertTrue(read(folder, "% other\n0,1,2\n1;2;1e0\n 2, 0, .5").sameAs(expected));
        assertEquals(0, read(folder, "# nothing\n").rows());
    }

    @Test
    void goesThereAndBack(@TempDir Path folder) throws IOException {
        for (Precision precision : Precision.values()) {
            for (Map.Entry<String, CsrMatrix> named : AwkwardMatrices.all(precision, TestSeed.random("edges"))
                    .entrySet()) {
                Path file = folder.resolve(named.getKey().length() % 2 == 0 ? "there.wel" : "there.el.gz");
                MatrixFiles.write(file, named.getValue(), WriteOptions.DEFAULT.withComments(List.of("a comment")));
                CsrMatrix back = MatrixFiles.read(file, ReadOptions.DEFAULT.withPrecision(precision));
                assertTrue(back.sameAs(named.getValue()), named.getKey());
            }
        }
        CsrMatrix identity = CsrMatrix.identity(3, Precision.F64).scaled(7);
        Path file = folder.resolve("pattern.el");
        MatrixFiles.write(file, identity, WriteOptions.DEFAULT.withPattern(true));
        assertTrue(MatrixFiles.read(file, ReadOptions.DEFAULT).sameAs(CsrMatrix.identity(3, Precision.F64)));
        assertThrows(IllegalArgumentException.class,
                () -> MatrixFiles.write(file, identity, WriteOptions.DEFAULT.withSymmetric(true)));
    }

    @Test
    void mistakesAreNamed(@TempDir Path folder) {
        Map<String, String> mistakes = Map.of("0 1\n2\n", ":2", "0 1 2 3\n", "perhaps a weight", "0 -1\n", "-1",
                "0 1 heavy\n", "heavy", "0 1.5\n", "a vertex", "0 2000000000\n", "vertices in a file of this size",
                "# trellis: rows 2 columns 2\n0 2\n", "0 to 1", "# trellis: rows x columns 2\n", "number of rows",
                "0 1\n# trellis: rows 2 columns 2\n", "before the first edge");
        mistakes.forEach((text, part) -> {
            String message = assertThrows(MatrixFormatException.class, () -> read(folder, text), text).getMessage();
            assertTrue(message.contains(part), message);
        });
    }

    /** Changed characters give a matrix or a message, never another exception. */
    @Test
    void damageIsAMessage(@TempDir Path folder) throws IOException {
        SplittableRandom random = TestSeed.random("edges damageIsAMessage");
        String text = "# trellis: rows 40 columns 40\n0 1 2.5\n3 4\n# c\n5,6,1e3\n39 39 -1\n";
        String characters = "0123456789 -+.eE,;#%\n\t\0x\u00ff";
        int refused = 0;
        for (int round = 0; round < 150; round++) {
            StringBuilder changed = new StringBuilder(text);
            for (int change = random.nextInt(1, 5); change > 0; change--) {
                changed.setCharAt(random.nextInt(text.length()),
                        characters.charAt(random.nextInt(characters.length())));
            }
            try {
                assertTrue(read(folder, changed.toString()).firstViolation().isEmpty());
            } catch (MatrixFormatException e) {
                refused++;
                assertTrue(e.getMessage().length() < 700, e.getMessage());
            }
        }
        assertTrue(refused > 20, refused + " refused");
    }
}
