package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;

/** Small files, checked by hand. */
class MatrixMarketReadTest {
    private static final String REAL = "%%MatrixMarket matrix coordinate real general\n";
    private static final ReadOptions REAL_PART =
            ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_PART);
    private static final ReadOptions IMAGINARY_PART =
            ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.IMAGINARY_PART);

    @TempDir
    private Path folder;

    private Texts texts;

    @BeforeEach
    void prepare() {
        texts = new Texts(folder);
    }

    private void check(String text, double[]... rows) {
        check(text, ReadOptions.DEFAULT, rows);
    }

    private void check(String text, ReadOptions options, double[]... rows) {
        assertArrayEquals(rows, Texts.dense(texts.read(text, options)));
        Path compressed = texts.file("m.gz", Texts.gzip(text.getBytes(StandardCharsets.ISO_8859_1)));
        assertArrayEquals(rows, Texts.dense(Texts.read(compressed, options)));
    }

    private static double[] row(double... values) {
        return values;
    }

    @Test
    void generalReal() {
        check(REAL + "2 3 3\n1 1 1.5\n2 3 -2e-1\n1 3 7\n", row(1.5, 0, 7), row(0, 0, -0.2));
    }

    @Test
    void lastLineWithoutLineFeed() {
        check(REAL + "1 2 1\n1 2 12345678.5", row(0, 12345678.5));
    }

    @Test
    void commentsBlankLinesAndAnySpacing() {
        String banner = "%%MatrixMarket   MATRIX\tCoordinate Real   GENERAL  \n";
        String sizes = "%\n\n  % indented\n\t\n \t2   2\t2  \n\n%x\n";
        String entries = "  1 \t 1   3 \n   \n% between 1 1 1\n\t2 2\t4\t\n%\n\n";
        check(banner + sizes + entries, row(3, 0), row(0, 4));
    }

    @Test
    void carriageReturnsBeforeLineFeeds() {
        check("%%MatrixMarket matrix coordinate real general\r\n%c\r\n\r\n2 2 2\r\n1 1 3\r\n\r\n2 2 4 \r\n\r\n",
                row(3, 0), row(0, 4));
        check("%%MatrixMarket matrix coordinate real general\r\n1 1 1\r\n1 1 3\r", row(3));
    }

    @Test
    void indentedBanner() {
        check("   %%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n", row(2));
    }

    @Test
    void patternCountsOne() {
        check("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n", row(0, 1), row(1, 0));
    }

    @Test
    void integers() {
        check("%%MatrixMarket matrix coordinate integer general\n1 3 3\n1 1 -5\n1 2 +7\n1 3 9007199254740993\n",
                row(-5, 7, 9007199254740992.0));
    }

    @Test
    void duplicatesAreAddedUpInTheOrderOfTheFile() {
        check(REAL + "2 2 5\n2 2 1e16\n1 1 5\n2 2 1\n2 2 -1e16\n2 2 1\n", row(5, 0), row(0, 1e16 + 1 - 1e16 + 1));
        assertEquals(2, texts.read(REAL + "2 2 5\n2 2 1e16\n1 1 5\n2 2 1\n2 2 -1e16\n2 2 1\n").nonZeros());
    }

    @Test
    void explicitZerosAreKept() {
        assertEquals(2, texts.read(REAL + "2 2 2\n1 1 0\n2 2 0.0\n").nonZeros());
    }

    @Test
    void symmetricFromTheLowerTriangle() {
        check("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n3 1 2\n2 2 3\n3 2 4\n", row(1, 0, 2),
                row(0, 3, 4), row(2, 4, 0));
    }

    @Test
    void symmetricFromTheUpperTriangle() {
        check("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n1 3 2\n2 2 3\n2 3 4\n", row(1, 0, 2),
                row(0, 3, 4), row(2, 4, 0));
    }

    @Test
    void symmetricWithEntriesInBothTrianglesIsRefused() {
        String text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n3 1 2\n%\n 1 3 2\n2 3 4\n";
        MatrixFormatException failure = texts.refuse(text, 6, 2);
        assertTrue(failure.getMessage().contains("entry (1, 3)"), failure.getMessage());
    }

    @Test
    void symmetricDuplicatesAreAddedUpOnBothSides() {
        check("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n2 1 1\n2 1 2\n1 1 4\n", row(4, 3), row(3, 0));
    }

    @Test
    void skewSymmetric() {
        check("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 2 -1\n", row(0, -5, 0),
                row(5, 0, 1), row(0, -1, 0));
    }

    @Test
    void skewSymmetricDiagonalIsRefused() {
        texts.refuse("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n2 2 0\n", 4, 1);
    }

    @Test
    void patternSymmetric() {
        check("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n", row(1, 1), row(1, 0));
    }

    @Test
    void realHermitianIsSymmetric() {
        check("%%MatrixMarket matrix coordinate real hermitian\n2 2 2\n1 1 3\n2 1 4\n", row(3, 4), row(4, 0));
    }

    @Test
    void complexIsRefusedUnlessAPartIsChosen() {
        String text = "%%MatrixMarket matrix coordinate complex general\n1 2 2\n1 1 3 4\n1 2 5 -6\n";
        MatrixFormatException failure = texts.refuse(text, 1, 34);
        assertTrue(failure.getMessage().contains("--complex=REAL_FORM"), failure.getMessage());
        check(text, REAL_PART, row(3, 5));
        check(text, IMAGINARY_PART, row(4, -6));
    }

    @Test
    void bothPartsOfComplexValuesAreChecked() {
        String banner = "%%MatrixMarket matrix coordinate complex general\n1 1 1\n";
        texts.refuse(banner + "1 1 3 x\n", REAL_PART, 3, 7);
        texts.refuse(banner + "1 1 x 3\n", IMAGINARY_PART, 3, 5);
        texts.refuse(banner + "1 1 3\n", REAL_PART, 3, 6);
    }

    @Test
    void hermitianPartsAreSymmetricAndSkew() {
        String text = "%%MatrixMarket matrix coordinate complex Hermitian\n2 2 2\n1 1 3 0\n2 1 5 6\n";
        check(text, REAL_PART, row(3, 5), row(5, 0));
        check(text, IMAGINARY_PART, row(0, -6), row(6, 0));
    }

    @Test
    void hermitianDiagonalMustBeReal() {
        texts.refuse("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 3 1\n", REAL_PART, 3, 7);
        texts.refuse("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 5\n", REAL_PART, 5, 3);
        check("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n", IMAGINARY_PART, row(0, -3),
                row(3, 0));
    }

    @Test
    void complexSymmetricAndSkew() {
        String entries = "2 2 1\n2 1 5 6\n";
        check("%%MatrixMarket matrix coordinate complex symmetric\n" + entries, IMAGINARY_PART, row(0, 6), row(6, 0));
        check("%%MatrixMarket matrix coordinate complex skew-symmetric\n" + entries, REAL_PART, row(0, -5),
                row(5, 0));
    }

    @Test
    void arraysRunDownTheColumns() {
        check("%%MatrixMarket matrix array real general\n2 3\n1\n2\n%\n0\n4\n\n5\n6\n", row(1, 0, 5), row(2, 4, 6));
        assertEquals(5, texts.read("%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5\n6\n").nonZeros());
    }

    @Test
    void arraysOfTriangles() {
        check("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", row(1, 2, 3), row(2, 4, 5),
                row(3, 5, 6));
        check("%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n", row(0, -1, -2), row(1, 0, -3),
                row(2, 3, 0));
    }

    @Test
    void vectorObjectsAreMatricesOfOneColumn() {
        check("%%MatrixMarket vector array real general\n3\n1\n0\n2\n", row(1), row(0), row(2));
        check("%%MatrixMarket vector coordinate integer general\n3 2\n1 5\n3 7\n", row(5), row(0), row(7));
        check("%%MatrixMarket vector coordinate pattern general\n2 1\n2\n", row(0), row(1));
        texts.refuse("%%MatrixMarket vector coordinate integer general\n3 2\n1 5\n4 7\n", 4, 1);
    }

    @Test
    void emptyMatrices() {
        for (String sizes : List.of("0 0 0", "0 4 0", "3 0 0", "3 4 0")) {
            CsrMatrix matrix = texts.read(REAL + sizes + "\n");
            assertEquals(sizes, matrix.rows() + " " + matrix.columns() + " " + matrix.nonZeros());
        }
        assertEquals(0, texts.read("%%MatrixMarket matrix array real general\n3 0").nonZeros());
    }

    @Test
    void infinityAndNanAreReadWhereTheFileSaysSo() {
        check(REAL + "1 3 3\n1 1 inf\n1 2 -Infinity\n1 3 NaN\n",
                row(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN));
    }

    @Test
    void numbersBeyondTheRangeAreRefused() {
        texts.refuse(REAL + "1 1 1\n1 1 1E310\n", 3, 5);
        texts.refuse(REAL + "1 1 1\n1 1 -1e9999\n", 3, 5);
        ReadOptions single = ReadOptions.DEFAULT.withPrecision(Precision.F32);
        texts.refuse(REAL + "1 1 1\n1 1 3.4028236e38\n", single, 3, 5);
        assertEquals(Float.MAX_VALUE, texts.read(REAL + "1 1 1\n1 1 3.4028235e38\n", single).get(0, 0));
        assertEquals(Double.POSITIVE_INFINITY, texts.read(REAL + "1 1 1\n1 1 inf\n", single).get(0, 0));
        assertEquals(0, texts.read(REAL + "1 1 1\n1 1 1e-999\n").get(0, 0));
    }

    @Test
    void singlePrecision() {
        CsrMatrix matrix = texts.read(REAL + "1 1 1\n1 1 0.1\n", ReadOptions.DEFAULT.withPrecision(Precision.F32));
        assertEquals(Precision.F32, matrix.precision());
        assertEquals(0.1f, matrix.get(0, 0));
    }

    @Test
    void headerAlone() throws IOException {
        MarketHeader header = MatrixMarket.readHeader(
                texts.file("%%MatrixMarket matrix coordinate integer symmetric\n% a b\n%%c\n7 7 99\nrubbish"));
        assertEquals(new MarketHeader(false, MarketFormat.COORDINATE, MarketField.INTEGER, MarketSymmetry.SYMMETRIC, 7,
                7, 99, List.of(" a b", "%c")), header);
    }

    @Test
    void vectors() throws IOException {
        Path column = texts.file("%%MatrixMarket matrix array real general\n3 1\n1.5\n0\n-2\n");
        assertArrayEquals(row(1.5, 0, -2), MatrixMarket.readVector(column, ReadOptions.DEFAULT).doubles());
        Path sparse = texts.file("%%MatrixMarket matrix coordinate real general\n3 1 2\n3 1 4\n1 1 5\n");
        assertArrayEquals(row(5, 0, 4), MatrixMarket.readVector(sparse, ReadOptions.DEFAULT).doubles());
        ReadOptions single = ReadOptions.DEFAULT.withPrecision(Precision.F32);
        assertArrayEquals(new float[]{5, 0, 4}, MatrixMarket.readVector(sparse, single).floats());
        Path wide = texts.file("%%MatrixMarket matrix array real general\n1 3\n1.5\n0\n-2\n");
        MatrixFormatException failure = assertThrows(MatrixFormatException.class,
                () -> MatrixMarket.readVector(wide, ReadOptions.DEFAULT));
        assertEquals("2:1", failure.line() + ":" + failure.column());
    }

    @Test
    void denseArrays() throws IOException {
        Path file = texts.file("%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5\n6\n");
        DenseArray array = MatrixMarket.readDense(file, ReadOptions.DEFAULT);
        assertEquals(new DenseArray(2, 3, row(1, 2, 0, 4, 5, 6)), array);
        assertArrayEquals(row(0, 4), array.column(1));
        assertEquals(6, array.get(1, 2));
        Path symmetric = texts.file("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 3\n2 2 4\n");
        assertArrayEquals(row(0, 3, 3, 4), MatrixMarket.readDense(symmetric, ReadOptions.DEFAULT).values());
    }

    @Test
    void streamsAreReadAndLeftOpen() throws IOException {
        byte[] text = (REAL + "1 2 1\n1 2 3\n").getBytes(StandardCharsets.ISO_8859_1);
        for (byte[] bytes : List.of(text, Texts.gzip(text))) {
            boolean[] closed = new boolean[1];
            InputStream input = new ByteArrayInputStream(bytes) {
                @Override
                public void close() {
                    closed[0] = true;
                }
            };
            CsrMatrix matrix = MatrixMarket.read(input, "resource", ReadOptions.DEFAULT);
            assertArrayEquals(new double[][]{row(0, 3)}, Texts.dense(matrix));
            assertFalse(closed[0]);
        }
        InputStream wrong = new ByteArrayInputStream((REAL + "1 2 1\n1 3 3\n").getBytes(StandardCharsets.UTF_8));
        MatrixFormatException failure = assertThrows(MatrixFormatException.class,
                () -> MatrixMarket.read(wrong, "resource", ReadOptions.DEFAULT));
        assertEquals("resource:3:3: found '3'; expected a column index from 1 to 2", failure.getMessage());
    }

    @Test
    void missingFilesAreIoExceptions() {
        assertThrows(NoSuchFileException.class, () -> MatrixMarket.read(folder.resolve("nothing.mtx")));
    }

    @Test
    void optionsAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> ReadOptions.DEFAULT.withThreads(0));
        assertThrows(IllegalArgumentException.class, () -> ReadOptions.DEFAULT.withMaximumTextBytes(-1));
        assertThrows(NullPointerException.class, () -> ReadOptions.DEFAULT.withPrecision(null));
    }
}
