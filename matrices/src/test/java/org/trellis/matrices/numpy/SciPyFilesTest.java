package org.trellis.matrices.numpy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** The files with names were written by SciPy 1.17. */
final class SciPyFilesTest {
    private static final CsrMatrix EXPECTED = DenseBlocks.fromRows(
            new double[][]{{0, 1.5, 0, 0}, {2, 0, 0, -3}, {0, 0, 0, 0}, {0, 0.25, 4, 0}}, Precision.F64);

    private static byte[] resource(String name) throws IOException {
        return Objects.requireNonNull(SciPyFilesTest.class.getResourceAsStream(name), name).readAllBytes();
    }

    private static CsrMatrix read(Path folder, byte[] bytes) throws IOException {
        Path file = folder.resolve("matrix.npz");
        Files.write(file, bytes);
        return MatrixFiles.read(file, ReadOptions.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"csr", "csc", "coo", "bsr", "dia", "array-f32-i64"})
    void readsWhatSciPyWrites(String format, @TempDir Path folder) throws IOException {
        CsrMatrix matrix = read(folder, resource(format + ".npz"));
        assertTrue(matrix.closeTo(EXPECTED, 0, 0), matrix.toText());
        assertEquals(Precision.F64, matrix.precision());
        assertTrue(matrix.firstViolation().isEmpty());
    }

    @Test
    void readsOtherTypes(@TempDir Path folder) throws IOException {
        assertTrue(read(folder, resource("bool.npz")).sameAs(EXPECTED.mapValues(value -> 1)));
        assertTrue(read(folder, resource("int16.npz")).sameAs(EXPECTED.scaled(4)));
        byte[] complex = resource("complex.npz");
        assertTrue(assertThrows(MatrixFormatException.class, () -> read(folder, complex)).getMessage()
                .contains("type c16"));
    }

    @Test
    void complexValues(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("complex.npz"), resource("complex.npz"));
        assertTrue(MatrixFiles.isComplex(file));
        ComplexCsr read = MatrixFiles.readComplex(file, ReadOptions.DEFAULT);
        assertTrue(read.imaginaryPart().closeTo(EXPECTED, 0, 0) || read.realPart().closeTo(EXPECTED, 0, 0),
                () -> read.realPart().toText() + read.imaginaryPart().toText());
        ReadOptions realForm = ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_FORM);
        assertTrue(MatrixFiles.read(file, realForm).sameAs(read.realForm()));
        for (Precision precision : Precision.values()) {
            Path again = folder.resolve("again.npz");
            MatrixFiles.writeComplex(again, read.toPrecision(precision), WriteOptions.DEFAULT);
            assertTrue(MatrixFiles.readComplex(again, ReadOptions.DEFAULT.withPrecision(precision)).realForm()
                    .sameAs(read.toPrecision(precision).realForm()));
        }
        assertFalse(MatrixFiles.isComplex(Files.write(folder.resolve("csr.npz"), resource("csr.npz"))));
    }

    @Test
    void goesThereAndBack(@TempDir Path folder) throws IOException {
        for (Precision precision : Precision.values()) {
            for (Map.Entry<String, CsrMatrix> named : AwkwardMatrices.all(precision, TestSeed.random("npz"))
                    .entrySet()) {
                Path file = folder.resolve("there.npz");
                MatrixFiles.write(file, named.getValue(), WriteOptions.DEFAULT);
                CsrMatrix back = SciPyFiles.read(file, ReadOptions.DEFAULT.withPrecision(precision));
                assertTrue(back.sameAs(named.getValue()), named.getKey());
            }
        }
        Path file = folder.resolve("again.npz");
        SciPyFiles.write(file, EXPECTED);
        byte[] first = Files.readAllBytes(file);
        SciPyFiles.write(file, EXPECTED);
        assertArrayEquals(first, Files.readAllBytes(file));
        assertThrows(IllegalArgumentException.class,
                () -> MatrixFiles.write(file, EXPECTED, WriteOptions.DEFAULT.withPattern(true)));
    }

    /** An archive whose arrays are changed: where {@code from} stands is {@code to}, of the same length. */
    private static byte[] changed(String name, String array, String from, String to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipInputStream in = new ZipInputStream(SciPyFilesTest.class.getResourceAsStream(name));
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String content = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                boolean here = entry.getName().equals(array + ".npy");
                if (here && to.isEmpty()) {
                    continue;
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                String changed = here ? content.replace(from, to) : content;
                assertFalse(here && changed.equals(content), "nothing was changed");
                out.write(changed.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void mistakesAreNamed(@TempDir Path folder) throws IOException {
        Map<byte[], String> mistakes = Map.of("no archive".getBytes(StandardCharsets.UTF_8), "ZIP archive",
                changed("csr.npz", "format", "csr", "lil"), "csr, csc, coo, bsr or dia",
                changed("csr.npz", "shape", "\4\0\0\0\0\0\0\0", "\3\0\0\0\0\0\0\0"), "expected",
                changed("csr.npz", "shape", "\4\0\0\0\0\0\0\0", "\4\0\0\0\0\1\0\0"), "rows",
                changed("csr.npz", "data", "<f8", "<f4"), "bytes of elements",
                changed("csr.npz", "data", "NUMPY", "DUMPY"), "magic number",
                changed("csr.npz", "indptr", "", ""), "no array indptr",
                changed("csr.npz", "indices", "\3\0\0\0", "\7\0\0\0"), "0 to 3");
        mistakes.forEach((bytes, part) -> {
            String message = assertThrows(MatrixFormatException.class, () -> read(folder, bytes), part).getMessage();
            assertTrue(message.contains(part), message);
        });
        Path small = folder.resolve("small.npz");
        Files.write(small, resource("csr.npz"));
        assertTrue(assertThrows(MatrixFormatException.class,
                () -> SciPyFiles.read(small, ReadOptions.DEFAULT.withMaximumTextBytes(200))).getMessage()
                .contains("bytes left"));
    }

    /** Changed bytes give a matrix or a message, never another exception. */
    @Test
    void damageIsAMessage(@TempDir Path folder) throws IOException {
        SplittableRandom random = TestSeed.random("damageIsAMessage");
        byte[][] files = {resource("coo.npz"), resource("csr.npz"), stored("csr.npz"), stored("bsr.npz"),
            stored("dia.npz"), stored("csc.npz")};
        int refused = 0;
        for (int round = 0; round < 150; round++) {
            byte[] bytes = files[random.nextInt(files.length)].clone();
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                assertTrue(read(folder, bytes).firstViolation().isEmpty());
            } catch (MatrixFormatException e) {
                refused++;
                assertTrue(e.getMessage().length() < 700, e.getMessage());
            }
        }
        assertTrue(refused > 20, refused + " refused");
    }

    /** Without compression, so that changes reach the arrays. */
    private static byte[] stored(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipInputStream in = new ZipInputStream(SciPyFilesTest.class.getResourceAsStream(name));
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.setLevel(0);
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                out.putNextEntry(new ZipEntry(entry.getName()));
                in.transferTo(out);
            }
        }
        return bytes.toByteArray();
    }
}
