package org.trellis.tuner.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Features and fingerprints on matrices small enough for a pencil, and on awkward ones. */
class MatrixFeaturesTest {
    private final SplittableRandom random = TestSeed.random("features");

    private static CsrMatrix matrix(int columns, int[] offsets, int... indices) {
        return CsrMatrix.of(offsets.length - 1, columns, offsets, indices,
                HostVector.zeros(Precision.F64, indices.length).fill(1));
    }

    @Test
    void countsByHand() {
        // Rows of 2, 0, 3 and 1 entries: mean 1.5, squares of differences 0.25 + 2.25 + 2.25 + 0.25.
        MatrixFeatures features = MatrixFeatures.of(matrix(40, new int[]{0, 2, 2, 5, 6}, 0, 1, 0, 1, 20, 1));
        assertEquals(4, features.rows());
        assertEquals(40, features.columns());
        assertEquals(6, features.nonZeros());
        assertEquals(1.5, features.meanRowLength());
        assertEquals(Math.sqrt(1.25), features.rowLengthDeviation(), 1e-15);
        assertEquals(0, features.rowLengthSkew(), 1e-15);
        assertEquals(3, features.maximumRowLength());
        assertEquals(0.25, features.emptyShare());
        assertEquals(4 * 3 / 6.0, features.groupPadding());
        // (0, 1) and (2, 1) have a left neighbour; of the first place of row 2, the next row has its neighbour.
        assertEquals(2 / 6.0, features.runShare(), 1e-15);
        assertEquals(1 / 6.0, features.diagonalShare(), 1e-15);
        // Columns 0 and 1 lie in one line of 16, column 20 in the next.
        assertEquals(2 / 6.0, features.linesPerEntry(), 1e-15);
        assertEquals(20 / 40.0, features.columnSpan(), 1e-15);
    }

    @Test
    void skewOfOneLongRow() {
        int[] offsets = new int[101];
        for (int i = 1; i <= 100; i++) {
            offsets[i] = offsets[i - 1] + (i == 50 ? 100 : 1);
        }
        int[] columns = new int[offsets[100]];
        for (int k = 0; k < 100; k++) {
            columns[offsets[49] + k] = k;
        }
        // Lengths 1 and one of 100: the skew of a rare event of probability p is (1 - 2p) / sqrt(p (1 - p)).
        double expected = (1 - 0.02) / Math.sqrt(0.01 * 0.99);
        assertEquals(expected, MatrixFeatures.of(matrix(100, offsets, columns)).rowLengthSkew(), 1e-10);
    }

    @Test
    void everyMatrixHasFiniteFeaturesThatComeBack() {
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, matrix) -> {
                MatrixFeatures features = MatrixFeatures.of(matrix);
                assertEquals(features, MatrixFeatures.fromMap(features.toMap()), name);
                double[] vector = features.vector(precision);
                assertEquals(MatrixFeatures.vectorNames().size(), vector.length);
                for (double number : vector) {
                    assertTrue(Double.isFinite(number), name + ": " + features);
                }
                assertTrue(features.groupPadding() >= 1 && features.runShare() <= 1 && features.columnSpan() <= 1,
                        name);
            });
        }
    }

    @Test
    void missingFeaturesAreNamed() {
        Map<String, Number> map = new HashMap<>(MatrixFeatures.of(CsrMatrix.identity(3, Precision.F64)).toMap());
        map.remove("runShare");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> MatrixFeatures.fromMap(map));
        assertTrue(e.getMessage().startsWith("feature runShare is null"), e.getMessage());
    }

    @Test
    void fingerprintsTellStructuresApartAndNotValues() {
        Set<String> seen = new HashSet<>();
        AwkwardMatrices.all(Precision.F64, random).forEach((name, matrix) -> {
            Fingerprint fingerprint = Fingerprint.of(matrix);
            assertTrue(seen.add(fingerprint.text()), name);
            assertEquals(fingerprint, Fingerprint.of(matrix.mapValues((i, j, a) -> a * 2 + 1)), name);
            assertEquals(fingerprint, Fingerprint.of(matrix.toPrecision(Precision.F32)), name);
            assertEquals(fingerprint, new Fingerprint(fingerprint.text()));
        });
    }

    @Test
    void anyMovedEntryChangesTheFingerprint() {
        CsrMatrix matrix = AwkwardMatrices.random(50, 60, row -> 3, Precision.F64, random);
        Fingerprint before = Fingerprint.of(matrix);
        int[] offsets = matrix.onlySegment().rowOffsets();
        for (int run = 0; run < 200; run++) {
            int[] columns = matrix.onlySegment().columnIndices().clone();
            int row = random.nextInt(50);
            int last = offsets[row + 1] - 1;
            int moved = columns[last] < 59 ? columns[last] + 1 : columns[last];
            if (moved == columns[last]) {
                continue;
            }
            columns[last] = moved;
            assertNotEquals(before, Fingerprint.of(matrix(60, offsets, columns)), "row " + row);
        }
    }

    /** Rows of the columns that a function names, increasing. */
    private static CsrMatrix rows(int rows, int columns, IntFunction<int[]> columnsOf) {
        int[] offsets = new int[rows + 1];
        List<int[]> all = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            all.add(columnsOf.apply(row));
            offsets[row + 1] = offsets[row] + all.getLast().length;
        }
        return matrix(columns, offsets, all.stream().flatMapToInt(Arrays::stream).toArray());
    }

    @Test
    void fullDiagonalsByHand() {
        // Each of 64 rows has the columns row, row + 1 and row + 9: three full diagonals.
        ChunkFeatures chunks = MatrixFeatures.of(rows(64, 80, row -> new int[]{row, row + 1, row + 9})).chunks();
        assertEquals(1, chunks.diagonalPadding());
        assertEquals(1, chunks.diagonalStored());
        assertEquals(1, chunks.fullDiagonalShare());
        assertEquals(1, chunks.commonRun());
        // Distances of 1 and 8: 0 and 3 bits.
        assertEquals(1.5, chunks.gapBits());
        assertEquals(1, chunks.vectorPadding());
        assertEquals(1, chunks.sortedPadding());
        // Eight rows from a multiple of 8 touch the columns of two lines, and a third with the ninth diagonal's last.
        assertEquals(3 * 8 / (3 * 64.0), chunks.vectorLinesPerEntry(), 1e-15);
    }

    @Test
    void halfFullDiagonalsByHand() {
        // Even rows have the diagonals 0 and 10, odd ones 1 and 20: four diagonals of 32 entries each.
        ChunkFeatures chunks = MatrixFeatures.of(
                rows(64, 100, row -> row % 2 == 0 ? new int[]{row, row + 10} : new int[]{row + 1, row + 20})).chunks();
        assertEquals(2, chunks.diagonalPadding());
        assertEquals(1, chunks.diagonalStored(), "two places for each entry are still stored");
        assertEquals(0, chunks.fullDiagonalShare());
    }

    @Test
    void diagonalsThatAreNotThere() {
        // Each row has a diagonal of its own, and a chunk of 40 rows is none that is stored.
        ChunkFeatures scattered = MatrixFeatures.of(rows(64, 200, row -> new int[]{3 * row})).chunks();
        assertEquals(ChunkSample.MOST_PADDING, scattered.diagonalPadding());
        assertEquals(0, scattered.diagonalStored());
        assertEquals(0, scattered.fullDiagonalShare());
        ChunkFeatures few = MatrixFeatures.of(rows(40, 40, row -> new int[]{row})).chunks();
        assertEquals(1, few.diagonalPadding());
        assertEquals(0, few.diagonalStored());
        assertEquals(1, few.fullDiagonalShare());
    }

    @Test
    void commonRunsByHand() {
        // Half a chunk consists of runs of three, the other has one row of two.
        ChunkFeatures chunks = MatrixFeatures.of(rows(64, 300, row -> row == 40
                ? new int[]{160, 161}
                : new int[]{4 * row, 4 * row + 1, 4 * row + 2})).chunks();
        assertEquals(Math.pow(3, 96 / 191.0), chunks.commonRun(), 1e-12);
        ChunkFeatures sixes = MatrixFeatures.of(rows(32, 6, row -> new int[]{0, 1, 2, 3, 4, 5})).chunks();
        assertEquals(6, sixes.commonRun(), 1e-12);
    }

    @Test
    void paddingOfVectorsByHand() {
        // Rows of 2 and 1 entries in turn: 16 places for 12 entries as they lie, none empty once they are sorted.
        ChunkFeatures chunks =
                MatrixFeatures.of(rows(16, 2, row -> row % 2 == 0 ? new int[]{0, 1} : new int[]{1})).chunks();
        assertEquals(32 / 24.0, chunks.vectorPadding());
        assertEquals(1, chunks.sortedPadding());
        // Of ten rows, the last two are a vector of their own.
        assertEquals((8 * 1 + 2 * 3) / 12.0, MatrixFeatures.of(
                rows(10, 3, row -> row == 9 ? new int[]{0, 1, 2} : new int[]{row % 3})).chunks().vectorPadding());
    }

    @Test
    void featuresOfOlderProfilesAreReadAndStayAsTheyAre() {
        MatrixFeatures features = MatrixFeatures.of(CsrMatrix.identity(70, Precision.F64));
        Map<String, Number> old = new HashMap<>(features.toMap());
        old.keySet().removeAll(features.chunks().toMap().keySet());
        MatrixFeatures read = MatrixFeatures.fromMap(old);
        assertEquals(ChunkFeatures.UNKNOWN, read.chunks());
        assertEquals(old, read.toMap());
        assertEquals(17, read.knownNames().size());
        assertEquals(MatrixFeatures.vectorNames().subList(0, 17), read.knownNames());
        assertEquals(MatrixFeatures.vectorNames(), features.knownNames());
        double[] vector = read.vector(Precision.F64);
        double[] full = features.vector(Precision.F64);
        for (int i = 0; i < vector.length; i++) {
            assertEquals(i < 17 ? full[i] : Double.NaN, vector[i]);
        }
        Map<String, Number> some = new HashMap<>(features.toMap());
        some.remove("commonRun");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> MatrixFeatures.fromMap(some));
        assertTrue(e.getMessage().startsWith("feature commonRun is null"), e.getMessage());
    }

    @Test
    void badFingerprintsAreRefused() {
        for (String text : new String[]{"", "v2-1x1-1-00000000000000000000000000000000", "v1-1x1-1-abc", "v1-1x1"}) {
            assertThrows(IllegalArgumentException.class, () -> new Fingerprint(text), text);
        }
    }
}
