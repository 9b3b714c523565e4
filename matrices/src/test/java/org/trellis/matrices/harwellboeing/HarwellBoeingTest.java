package org.trellis.matrices.harwellboeing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.SharedData;

class HarwellBoeingTest {
    private static final String COUNTS = "             3             1             1             1\n";
    private static final ReadOptions REAL_PART = ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_PART);
    private static final ReadOptions IMAGINARY_PART =
            ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.IMAGINARY_PART);

    @TempDir
    private Path folder;

    private static String file(String type, String sizes, String formats, String data) {
        return "A title of a test                                                       |key\n" + COUNTS + type
                + "            " + sizes + " 0\n" + formats + "\n" + data;
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("m.rb"), text, StandardCharsets.ISO_8859_1);
    }

    private void check(String text, ReadOptions options, double[]... rows) throws IOException {
        CsrMatrix matrix = HarwellBoeing.read(write(text), options);
        assertTrue(matrix.firstViolation().isEmpty());
        for (int i = 0; i < matrix.rows(); i++) {
            double[] row = new double[matrix.columns()];
            for (int j = 0; j < row.length; j++) {
                row[j] = matrix.get(i, j);
            }
            assertArrayEquals(rows[i], row, "row " + i);
        }
        assertEquals(rows.length, matrix.rows());
    }

    private static double[] row(double... values) {
        return values;
    }

    private void refuse(String text, ReadOptions options, long line, long column) throws IOException {
        Path file = write(text);
        MatrixFormatException failure =
                assertThrows(MatrixFormatException.class, () -> HarwellBoeing.read(file, options));
        assertEquals(line + ":" + column, failure.line() + ":" + failure.column(), failure.getMessage());
    }

    @Test
    void unsymmetricReal() throws IOException {
        String text = file("RUA", "2 3 3", "(8I3) (8I3) (3E10.3)",
                "  1  2  2  4\n  2  1  2\n 1.500E+00-2.000E+00 3.00D-01\n");
        check(text, ReadOptions.DEFAULT, row(0, 0, -2), row(1.5, 0, 0.3));
        HarwellBoeingHeader header = HarwellBoeing.readHeader(folder.resolve("m.rb"));
        assertEquals(new HarwellBoeingHeader("A title of a test", 'R', 'U', 2, 3, 3), header);
    }

    @Test
    void fieldsWithoutBlanksBetweenThem() throws IOException {
        check(file("IUA", "3 3 3", "(4I1) (3I1) (3I2)", "1234\n123\n-1-2-3\n"), ReadOptions.DEFAULT, row(-1, 0, 0),
                row(0, -2, 0), row(0, 0, -3));
    }

    @Test
    void linesWiderThanTheirFormatAreCutAtBlanks() throws IOException {
        check(file("IUA", "3 3 3", "(2I4) (1I6) (8I3)", "1 2 3 4\n1 2\n 3\n  5  6  7\n"), ReadOptions.DEFAULT,
                row(5, 0, 0), row(0, 6, 0), row(0, 0, 7));
    }

    @Test
    void linesThatEndInTheMiddleOfASection() throws IOException {
        check(file("IUA", "3 3 3", "(2I3) (1I3) (2I3)", "  1  2\n  3  4\n  1\n  2\n  3\n  5  6\n  7\n"),
                ReadOptions.DEFAULT, row(5, 0, 0), row(0, 6, 0), row(0, 0, 7));
    }

    @Test
    void symmetricSkewAndHermitian() throws IOException {
        String lower = "  1  3  4\n  1  2  2\n";
        check(file("ISA", "2 2 3", "(8I3) (8I3) (8I3)", lower + "  4  5  6\n"), ReadOptions.DEFAULT, row(4, 5),
                row(5, 6));
        check(file("PSA", "2 2 3", "(8I3) (8I3)", lower), ReadOptions.DEFAULT, row(1, 1), row(1, 1));
        check(file("IZA", "2 2 1", "(8I3) (8I3) (8I3)", "  1  2  2\n  2\n  5\n"), ReadOptions.DEFAULT, row(0, -5),
                row(5, 0));
        String hermitian = file("CHA", "2 2 2", "(8I3) (8I3) (8F4.1)", "  1  3  3\n  1  2\n 1.0 0.0 2.0 3.0\n");
        check(hermitian, REAL_PART, row(1, 2), row(2, 0));
        check(hermitian, IMAGINARY_PART, row(0, -3), row(3, 0));
        refuse(hermitian, ReadOptions.DEFAULT, 3, 1);
        refuse(hermitian.replace(" 0.0", " 1.0"), REAL_PART, 7, 6);
    }

    @Test
    void complexMatrices() throws IOException {
        String text = file("CHA", "2 2 2", "(8I3) (8I3) (8F4.1)", "  1  3  3\n  1  2\n 1.0 0.0 2.0 3.0\n");
        Path file = write(text);
        assertTrue(MatrixFiles.isComplex(file));
        ComplexCsr a = MatrixFiles.readComplex(file, ReadOptions.DEFAULT);
        assertArrayEquals(new double[]{2, -3}, a.get(0, 1));
        assertArrayEquals(new double[]{2, 3}, a.get(1, 0));
        ReadOptions realForm = ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_FORM);
        assertTrue(MatrixFiles.read(file, realForm).sameAs(a.realForm()));
        check(text, realForm, row(1, 0, 2, 3), row(0, 1, -3, 2), row(2, -3, 0, 0), row(3, 2, 0, 0));
        Path real = write(file("PSA", "2 2 3", "(8I3) (8I3)", "  1  3  4\n  1  2  2\n"));
        assertFalse(MatrixFiles.isComplex(real));
        assertArrayEquals(new double[]{1, 0}, MatrixFiles.readComplex(real, ReadOptions.DEFAULT).get(0, 1));
        assertEquals(2, MatrixFiles.read(real, realForm).rows());
    }

    @Test
    void fortranNumbers() throws IOException {
        String structure = "  1  8\n  1  2  3  4  5  6  7\n";
        String data = structure + "   1.5+02    -2.5-1  .5E 001     1.D+2      1234        5.    +1.E00\n";
        check(file("RRA", "7 1 7", "(8I3) (8I3) (7E10.3)", data), ReadOptions.DEFAULT, row(150), row(-0.25), row(5),
                row(100), row(1.234), row(5), row(1));
    }

    @Test
    void scaleFactors() throws IOException {
        String data = "  1  3\n  1  2\n     250.0   2.5E+00\n";
        check(file("RRA", "2 1 2", "(8I3) (8I3) (2P2F10.3)", data), ReadOptions.DEFAULT, row(2.5), row(2.5));
        check(file("RRA", "2 1 2", "(8I3) (8I3) (-1P,2E10.3)", data), ReadOptions.DEFAULT, row(2500), row(2.5));
    }

    @Test
    void rightHandSidesAreSkipped() throws IOException {
        String head = "title\n 5 1 1 1 2\nRUA 1 1 1 0\n(8I3) (8I3) (8F4.1) (8F4.1)\nF 1 0\n";
        String text = head + "  1  2\n  1\n 3.5\n 9.9\nwhatever\n";
        check(text, ReadOptions.DEFAULT, row(3.5));
        check(file("IUA", "1 1 1", "(8I3) (8I3) (8I3)", "F ignored\n  1  2\n  1\n  7\n"), ReadOptions.DEFAULT, row(7));
    }

    @Test
    void jumbledRowsAreSortedAndPrecisionIsKept() throws IOException {
        String text = file("RUA", "3 1 3", "(8I3) (8I3) (8F4.1)", "  1  4\n  3  1  2\n 3.1 1.0 2.0\n");
        check(text, ReadOptions.DEFAULT, row(1), row(2), row(3.1));
        CsrMatrix single = HarwellBoeing.read(write(text), ReadOptions.DEFAULT.withPrecision(Precision.F32));
        assertEquals(3.1f, single.get(2, 0));
        Path huge = write(file("RUA", "1 1 1", "(8I3) (8I3) (E9.1)", "  1  2\n  1\n  1.0E+39\n"));
        assertThrows(MatrixFormatException.class,
                () -> HarwellBoeing.read(huge, ReadOptions.DEFAULT.withPrecision(Precision.F32)));
    }

    @Test
    void compressedFiles() throws IOException {
        byte[] text = file("IUA", "1 1 1", "(8I3) (8I3) (8I3)", "  1  2\r\n  1\r\n  7\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(text);
        }
        Path file = Files.write(folder.resolve("m.gz"), compressed.toByteArray());
        assertEquals(7, HarwellBoeing.read(file, ReadOptions.DEFAULT).get(0, 0));
        Files.write(file, Arrays.copyOf(compressed.toByteArray(), compressed.size() - 12));
        assertThrows(MatrixFormatException.class, () -> HarwellBoeing.read(file, ReadOptions.DEFAULT));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "XUA|3|1", "RXA|3|1", "RUX|3|1", "RUE|3|1", "PHA|3|1", "R|3|1"})
    void wrongTypes(String type, long line, long column) throws IOException {
        refuse(file(type, "2 2 0", "(8I3) (8I3) (8F4.1)", "  1  1  1\n"), ReadOptions.DEFAULT, line, column);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x 2 0", "-2 2 0", "2 2147483648 0", "2 2 99999999999", "2 2"})
    void wrongSizes(String sizes) throws IOException {
        Path file = write("t\n" + COUNTS + "RUA " + sizes + "\n(8I3) (8I3) (8F4.1)\n  1  1  1\n");
        MatrixFormatException failure =
                assertThrows(MatrixFormatException.class, () -> HarwellBoeing.read(file, ReadOptions.DEFAULT));
        assertEquals(3, failure.line());
    }

    @Test
    void wrongData() throws IOException {
        String head = "(8I3) (8I3) (8I3)";
        refuse(file("ISA", "2 3 0", head, "  1  1  1  1\n"), ReadOptions.DEFAULT, 3, 16);
        refuse(file("IUA", "2 2 2", head, "  2  2  3\n  1  2\n  5  6\n"), ReadOptions.DEFAULT, 5, 3);
        refuse(file("IUA", "2 2 2", head, "  1  4  3\n  1  2\n  5  6\n"), ReadOptions.DEFAULT, 5, 6);
        refuse(file("IUA", "2 2 2", head, "  1  2  2\n  1  2\n  5  6\n"), ReadOptions.DEFAULT, 5, 9);
        refuse(file("IUA", "2 2 2", head, "  1  2  3\n  1  3\n  5  6\n"), ReadOptions.DEFAULT, 6, 6);
        refuse(file("IUA", "2 2 2", head, "  1  2  3\n  1  x\n  5  6\n"), ReadOptions.DEFAULT, 6, 6);
        refuse(file("IUA", "2 2 2", head, "  1  2  3\n  1  2\n  5\n"), ReadOptions.DEFAULT, 8, 1);
        refuse(file("IUA", "2 2 2", head, "  1  2  3\n  1  2\n  5  y\n"), ReadOptions.DEFAULT, 7, 6);
        refuse(file("IUA", "2 2 2", head, "  1  2  3\n  1  2\n  5  6  7\n"), ReadOptions.DEFAULT, 7, 9);
        refuse(file("IUA", "2 2 2", head, "  1  2  3\n  1  2\n  5  6\n7\n"), ReadOptions.DEFAULT, 8, 1);
        refuse(file("IUA", "2 1 2", head, "  1  3\n  2  2\n  5  6\n"), ReadOptions.DEFAULT, 6, 6);
        refuse(file("ISA", "2 2 2", head, "  1  2  3\n  1  1\n  5  6\n"), ReadOptions.DEFAULT, 6, 6);
        refuse(file("IZA", "2 2 1", head, "  1  2  2\n  1\n  5\n"), ReadOptions.DEFAULT, 6, 3);
        refuse(file("IUA", "2 2 2", "(8I3) (8I3)", "  1  2  3\n"), ReadOptions.DEFAULT, 4, 12);
        refuse(file("IUA", "2 2 2", "(8F3.1) (8I3) (8I3)", "  1  2  3\n"), ReadOptions.DEFAULT, 4, 1);
        refuse(file("IUA", "2 2 2", "(8I3) (8Z3) (8I3)", "  1  2  3\n"), ReadOptions.DEFAULT, 4, 7);
        refuse("", ReadOptions.DEFAULT, 1, 1);
        refuse("t\n1 2\n", ReadOptions.DEFAULT, 2, 1);
    }

    @Test
    void hugeClaimsCostNothing() throws IOException {
        refuse(file("PUA", "2 2147483647 2147483647", "(8I3) (8I3)", "  1  2\n"), ReadOptions.DEFAULT, 6, 1);
        refuse(file("PUA", "2147483647 1 2147483647", "(2I11) (8I3)", "          1 2147483648\n  1\n"),
                ReadOptions.DEFAULT, 7, 1);
        refuse(file("PUA", "2147483647 1 1", "(8I3) (8I3)", "  1  2\n  1\n"), ReadOptions.DEFAULT, 3, 1);
    }

    @Test
    void formats() {
        assertEquals(new FortranFormat(16, 'I', 5, 0, 0), FortranFormat.parse("(16I5)"));
        assertEquals(new FortranFormat(3, 'D', 24, 15, 1), FortranFormat.parse("(1P,3D24.15)"));
        assertEquals(new FortranFormat(1, 'E', 26, 18, 0), FortranFormat.parse("( e26.18e3 )"));
        assertNull(FortranFormat.parse("(0I5)"));
        assertNull(FortranFormat.parse("(5I0)"));
        assertNull(FortranFormat.parse("(A8)"));
    }

    @TestFactory
    Stream<DynamicTest> damagedFilesOfTheCorpus() throws IOException {
        Path corpus = SharedData.folder("mm-corpus");
        return SharedData.manifest(corpus.resolve("manifest.csv")).stream()
                .filter(row -> row.get(0).endsWith(".rb"))
                .map(row -> dynamicTest(row.get(0) + ": " + row.get(2), () -> {
                    Path file = corpus.resolve(row.get(0));
                    if (row.get(1).equals("odd")) {
                        assertTrue(HarwellBoeing.read(file, ReadOptions.DEFAULT).firstViolation().isEmpty());
                    } else {
                        MatrixFormatException failure = assertThrows(MatrixFormatException.class,
                                () -> HarwellBoeing.read(file, ReadOptions.DEFAULT));
                        assertTrue(failure.line() > 0 && failure.column() > 0, failure.getMessage());
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> realFiles() throws IOException {
        Path matrices = SharedData.folder("matrices");
        try (Stream<Path> files = Files.list(matrices.resolve("hb"))) {
            return files.sorted().toList().stream().map(file -> dynamicTest(file.getFileName().toString(), () -> {
                if (file.toString().endsWith(".pse")) {
                    assertThrows(MatrixFormatException.class, () -> HarwellBoeing.read(file, REAL_PART));
                    return;
                }
                HarwellBoeingHeader header = HarwellBoeing.readHeader(file);
                CsrMatrix matrix = HarwellBoeing.read(file, REAL_PART);
                assertEquals(header.rows(), matrix.rows());
                assertEquals(header.columns(), matrix.columns());
                assertTrue(matrix.nonZeros() >= header.entries());
                assertTrue(Set.of('U', 'R').contains(header.symmetry())
                        ? matrix.nonZeros() == header.entries()
                        : matrix.nonZeros() < 2L * header.entries() + 1);
            }));
        }
    }

    /** The same matrix in both formats, where the copies have the same digits. */
    @TestFactory
    Stream<DynamicTest> filesThatExistAsMatrixMarketToo() {
        Path matrices = SharedData.folder("matrices");
        return Map.of("mhd1280a.rb.gz", "mhd1280a.mtx.gz", "mhd1280b.rb.gz", "mhd1280b.mtx.gz", "qc324.rb.gz",
                "qc324.mtx.gz", "lap_25.rb", "lap_25.mtx", "can_24.psa", "can_24.mtx").entrySet().stream()
                .filter(pair -> Files.exists(matrices.resolve(pair.getValue())))
                .map(pair -> dynamicTest(pair.getKey(), () -> {
                    for (ReadOptions options : new ReadOptions[]{REAL_PART, IMAGINARY_PART}) {
                        CsrMatrix boeing = HarwellBoeing.read(matrices.resolve("hb").resolve(pair.getKey()), options);
                        assertTrue(boeing.sameAs(MatrixMarket.read(matrices.resolve(pair.getValue()), options)));
                    }
                }));
    }
}
