package org.trellis.bench.peer.solver;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** Systems in files. */
class SystemFileTest {
    @TempDir
    private Path folder;

    /** Rows of 1, 5, 0, 2, 1 and 1 entries. */
    private static CsrMatrix matrix() {
        return CsrMatrix.of(6, 6, new int[]{0, 1, 6, 6, 8, 9, 10}, new int[]{0, 0, 1, 2, 4, 5, 3, 5, 4, 5},
                new double[]{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    }

    @Test
    void holdWhatWasWritten() throws IOException {
        Path file;
        try (Arena arena = Arena.ofConfined();
                PeerSystem system = new PeerSystem(matrix(), HostVector.of(6.0, 5, 4, 3, 2, 1), false)) {
            file = system.file();
            assertEquals(file, system.file());
            SystemFile mapped = SystemFile.map(file, arena);
            assertEquals(6, mapped.rows());
            assertEquals(6, mapped.offset(3));
            assertArrayEquals(new double[]{5, 4, 3}, mapped.rightHandSide(1, 4).toArray(JAVA_DOUBLE));
            assertArrayEquals(new double[]{7, 8, 9}, mapped.values(2, 5).toArray(JAVA_DOUBLE));
            assertArrayEquals(new int[]{0, 0, 1, 2, 4, 5}, mapped.columns(0, 3).toArray(JAVA_INT));
        }
        assertFalse(Files.exists(file));
        assertFalse(Files.exists(file.getParent()));
    }

    @Test
    void areDividedByEntriesInWholeBlocks() throws IOException {
        try (Arena arena = Arena.ofConfined();
                PeerSystem system = new PeerSystem(matrix(), HostVector.zeros(Precision.F64, 6), false)) {
            SystemFile mapped = SystemFile.map(system.file(), arena);
            // Ten entries: five each are passed within row 1.
            assertEquals(0, mapped.firstRow(0, 2, 1));
            assertEquals(2, mapped.firstRow(1, 2, 1));
            assertEquals(6, mapped.firstRow(2, 2, 1));
            assertEquals(3, mapped.firstRow(1, 2, 3));
            assertEquals(6, mapped.firstRow(9, 9, 2));
            for (int part = 0; part < 9; part++) {
                assertTrue(mapped.firstRow(part, 9, 1) <= mapped.firstRow(part + 1, 9, 1));
            }
        }
    }

    @Test
    void refuseWhatIsNone() throws IOException {
        Path file = Files.write(folder.resolve("short.bin"), new byte[10]);
        Path other = Files.write(folder.resolve("other.bin"), new byte[100]);
        try (Arena arena = Arena.ofConfined()) {
            assertTrue(assertThrows(IOException.class, () -> SystemFile.map(file, arena)).getMessage()
                    .contains("has 10 bytes, expected a system"));
            assertTrue(assertThrows(IOException.class, () -> SystemFile.map(other, arena)).getMessage()
                    .contains("has 100 bytes, expected a system of 0 rows"));
        }
        String message = assertThrows(IllegalArgumentException.class,
                () -> new PeerSystem(matrix().toPrecision(Precision.F32), HostVector.zeros(Precision.F64, 6), true))
                .getMessage();
        assertTrue(message.contains("expected f64"), message);
    }
}
