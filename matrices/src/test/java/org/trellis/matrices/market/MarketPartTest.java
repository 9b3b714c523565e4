package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/** Shares of a file, which together must be what a reader of the whole gets. */
class MarketPartTest {
    @TempDir
    private Path folder;

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("matrix.mtx"), text, StandardCharsets.US_ASCII);
    }

    private static void assertSharesMakeTheWhole(Path file, ReadOptions options) throws IOException {
        CsrMatrix whole = MatrixMarket.read(file, options);
        for (int shares : new int[]{1, 2, 3, 7, 40}) {
            double[][] sums = new double[whole.rows()][whole.columns()];
            long entries = 0;
            for (int share = 0; share < shares; share++) {
                MarketPart read = MarketPart.read(file, share, shares, options,
                        (row, column, value) -> sums[(int) row][(int) column] += value);
                entries += read.entries();
                assertEquals(whole.rows(), read.header().rows());
            }
            assertEquals(MatrixMarket.readHeader(file).entries(), entries);
            for (int row = 0; row < whole.rows(); row++) {
                double[] expected = new double[whole.columns()];
                for (int column = 0; column < expected.length; column++) {
                    expected[column] = whole.get(row, column);
                }
                assertArrayEquals(expected, sums[row], 1e-12, () -> shares + " shares, seed " + TestSeed.value());
            }
        }
    }

    /** Lines of all lengths, comments and empty lines, so that shares end wherever they may. */
    private static String text(String symmetry, String lineEnd, SplittableRandom random) {
        int size = 30;
        int entries = 500;
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real " + symmetry + lineEnd
                + "% a comment" + lineEnd + size + " " + size + " " + entries + lineEnd);
        for (int i = 0; i < entries; i++) {
            int row = random.nextInt(size);
            int column = symmetry.equals("general") ? random.nextInt(size) : random.nextInt(Math.max(1, row));
            int safeRow = symmetry.startsWith("skew") && row == column ? row + 1 : row;
            text.append(safeRow + 1).append(' ').append(column + 1).append(' ')
                    .append(random.nextBoolean() ? random.nextDouble() : random.nextInt(9)).append(lineEnd);
            if (random.nextInt(20) == 0) {
                text.append(random.nextBoolean() ? "% " + "x".repeat(random.nextInt(90)) : "").append(lineEnd);
            }
        }
        return text.toString();
    }

    @Test
    void sharesMakeTheWhole() throws IOException {
        SplittableRandom random = TestSeed.random("shares");
        for (String symmetry : new String[]{"general", "symmetric", "skew-symmetric"}) {
            for (String lineEnd : new String[]{"\n", "\r\n"}) {
                Path file = write(text(symmetry, lineEnd, random));
                assertSharesMakeTheWhole(file, ReadOptions.DEFAULT);
                if (symmetry.equals("symmetric")) {
                    assertSharesMakeTheWhole(file, ReadOptions.DEFAULT.withThreads(1));
                }
            }
        }
    }

    @Test
    void patternsAndFloats() throws IOException {
        Path file = write("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n");
        assertSharesMakeTheWhole(file, ReadOptions.DEFAULT);
        Path tenth = write("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 0.1\n");
        MarketPart.read(tenth, 0, 1, ReadOptions.DEFAULT.withPrecision(Precision.F32),
                (row, column, value) -> assertEquals((double) 0.1f, value));
    }

    @Test
    void placesOfErrorsAreThoseOfTheWholeFile() throws IOException {
        SplittableRandom random = TestSeed.random("errors of shares");
        String[] lines = text("general", "\n", random).split("\n", -1);
        for (int line = 3; line < lines.length - 1; line += 1 + random.nextInt(40)) {
            String[] broken = lines.clone();
            broken[line] = "7 seven 1";
            Path file = write(String.join("\n", broken));
            for (int shares : new int[]{1, 3, 8}) {
                MatrixFormatException thrown = assertThrows(MatrixFormatException.class, () -> {
                    for (int share = 0; share < shares; share++) {
                        MarketPart.read(file, share, shares, ReadOptions.DEFAULT, (row, column, value) -> {});
                    }
                });
                int expected = line + 1;
                assertEquals(expected, thrown.line(), () -> shares + " shares, seed " + TestSeed.value());
                assertEquals(3, thrown.column());
            }
        }
    }

    @Test
    void whatShowsInAllSharesOnly() throws IOException {
        Path file = write("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n1 2 2\n");
        MarketPart share = MarketPart.read(file, 0, 1, ReadOptions.DEFAULT, (row, column, value) -> {});
        assertTrue(share.below() && share.above());
        share.checkAll(file, 2, true, false);
        assertTrue(assertThrows(MatrixFormatException.class, () -> share.checkAll(file, 3, true, false)).getMessage()
                .contains("3 entries"));
        assertTrue(assertThrows(MatrixFormatException.class, () -> share.checkAll(file, 2, true, true)).getMessage()
                .contains("both sides"));
    }

    @Test
    void whatHasNoShares() throws IOException {
        Path array = write("%%MatrixMarket matrix array real general\n1 1\n1\n");
        assertThrows(MatrixFormatException.class,
                () -> MarketPart.read(array, 0, 1, ReadOptions.DEFAULT, (row, column, value) -> {}));
        Path complex = write("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n");
        assertThrows(MatrixFormatException.class,
                () -> MarketPart.read(complex, 0, 1, ReadOptions.DEFAULT, (row, column, value) -> {}));
        Path zipped = Files.write(folder.resolve("z.mtx"), new byte[]{0x1f, (byte) 0x8b, 8});
        assertThrows(MatrixFormatException.class,
                () -> MarketPart.read(zipped, 0, 1, ReadOptions.DEFAULT, (row, column, value) -> {}));
        assertThrows(IndexOutOfBoundsException.class,
                () -> MarketPart.read(array, 2, 2, ReadOptions.DEFAULT, (row, column, value) -> {}));
    }
}
