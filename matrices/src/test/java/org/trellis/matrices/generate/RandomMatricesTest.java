package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.RandomMatrix.Locality;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.MatrixStatistics;

class RandomMatricesTest {
    private static final long SEED = seed();

    private static long seed() {
        String text = System.getProperty("trellis.test.seed", "");
        long seed = text.isEmpty() ? System.nanoTime() : Long.parseLong(text);
        System.out.println("RandomMatricesTest: trellis.test.seed=" + seed);
        return seed;
    }

    private static RandomMatrix random(int rows, int columns, RowLengths lengths, int window) {
        return new RandomMatrix(rows, columns, lengths, new Locality(window, 0, false), ValueRule.UNIFORM, SEED);
    }

    @Test
    void constantLengthsAreExact() {
        MatrixStatistics facts =
                random(1000, 500, new RowLengths.Constant(17), 0).generate(Precision.F32).statistics();
        assertEquals(17_000, facts.nonZeros());
        assertEquals(0, facts.rowLengthDeviation());
    }

    @Test
    void columnsAreUniform() {
        // 400,000 draws over 50 columns: 8000 expected each, deviation below 90.
        int[] counts = new int[50];
        random(40_000, 50, new RowLengths.Constant(10), 0).generate(Precision.F64)
                .forEachEntry((i, j, value) -> counts[j]++);
        for (int j = 0; j < counts.length; j++) {
            assertEquals(8000, counts[j], 500, "column " + j);
        }
    }

    @Test
    void fullAndNearlyFullRowsWork() {
        for (int length : new int[]{0, 1, 19, 20, 21, 39, 40, 50}) {
            CsrMatrix matrix = random(30, 40, new RowLengths.Constant(length), 0).generate(Precision.F64);
            assertEquals(30L * Math.min(40, length), matrix.nonZeros(), "length " + length);
        }
    }

    @Test
    void normalLengthsHaveMeanAndDeviation() {
        MatrixStatistics facts =
                random(100_000, 100_000, new RowLengths.Normal(20, 4), 0).generate(Precision.F32).statistics();
        assertEquals(20, facts.meanRowLength(), 0.08);
        assertEquals(Math.sqrt(16 + 1 / 12.0), facts.rowLengthDeviation(), 0.06);
    }

    @Test
    void powerLawLengthsHaveTheirMean() {
        RowLengths.PowerLaw law = RowLengths.PowerLaw.of(2.5, 500);
        MatrixStatistics facts = random(200_000, 10_000, law, 0).generate(Precision.F32).statistics();
        assertEquals(law.mean(), facts.meanRowLength(), 0.1);
        assertEquals(1, facts.minimumRowLength());
        assertTrue(facts.maximumRowLength() > 100 && facts.maximumRowLength() <= 500);
        // P(1) = 1 / zeta(2.5) = 0.745.
        long ones = java.util.Arrays.stream(
                random(200_000, 10_000, law, 0).generate(Precision.F32).rowLengths()).filter(l -> l == 1).count();
        assertEquals(0.745, ones / 200_000.0, 0.006);
    }

    @Test
    void hugeRowsAreSpreadEvenly() {
        for (int count : new int[]{0, 1, 2, 3, 7, 99, 100, 101, 200}) {
            RowLengths huge = new RowLengths.Huge(3, count, 50);
            int found = 0;
            for (int row = 0; row < 100; row++) {
                found += huge.length(1, row, 100) == 50 ? 1 : 0;
            }
            assertEquals(Math.min(100, count), found, "rows " + count);
        }
        assertEquals(50, new RowLengths.Huge(3, 1, 50).length(1, 50, 100), "one long row is in the middle");
    }

    @Test
    void windowsHoldTheColumns() {
        CsrMatrix matrix = random(300, 600, new RowLengths.Constant(9), 40).generate(Precision.F64);
        matrix.forEachEntry((i, j, value) -> assertTrue(j >= 2 * i - 60 && j < 2 * i + 60, i + ", " + j));
        assertEquals(2700, matrix.nonZeros());
        int[] first = {600};
        matrix.forEachEntry((i, j, value) -> first[0] = i == 0 ? Math.max(j, 0) : first[0]);
        assertTrue(first[0] < 40, "the first row's window lies inside");
    }

    @Test
    void aShareOfTheColumnsIsFar() {
        for (ValueRule values : ValueRule.values()) {
            CsrMatrix matrix =
                    new RandomMatrix(3000, 3000, new RowLengths.Constant(10), new Locality(100, 0.25, false), values,
                            SEED).generate(Precision.F64);
            assertEquals(30_000, matrix.nonZeros());
            int[] far = new int[1];
            matrix.forEachEntry((i, j, value) -> far[0] += Math.abs(i - j) > 100 ? 1 : 0);
            // 7500 expected outside the window, some of them less than 100 away at the edges.
            assertEquals(7500, far[0], 400);
        }
        CsrMatrix full = new RandomMatrix(300, 300, new RowLengths.Normal(3, 3), new Locality(9, 0.5, true),
                ValueRule.ONES, SEED).generate(Precision.F64);
        assertEquals(300, full.statistics().diagonalEntries());
        CsrMatrix wide =
                new RandomMatrix(20, 50, new RowLengths.Constant(50), new Locality(7, 0.1, false), ValueRule.ONES, 1)
                        .generate(Precision.F64);
        assertEquals(1000, wide.nonZeros(), "rows that do not fit the window spill over");
        StencilsTest.assertMessage("far is 2.0", () -> new Locality(1, 2, false));
    }

    @Test
    void dominantRandomRowsAreDominant() {
        CsrMatrix matrix =
                new RandomMatrix(200, 200, new RowLengths.Normal(6, 6), Locality.NONE, ValueRule.DOMINANT, SEED)
                        .generate(Precision.F64);
        double[] off = new double[200];
        matrix.forEachEntry((i, j, value) -> off[i] += i == j ? 0 : Math.abs(value));
        for (int i = 0; i < 200; i++) {
            assertEquals(off[i] + 1, matrix.get(i, i), 1e-13);
        }
    }

    @Test
    void valuesAreUniformAndSymmetric() {
        double sum = 0;
        double squares = 0;
        for (int k = 0; k < 100_000; k++) {
            double value = ValueRule.symmetric(SEED, k, 3);
            assertTrue(value > -1 && value < 1 && value != 0);
            assertEquals(value, ValueRule.symmetric(SEED, 3, k));
            sum += value;
            squares += value * value;
        }
        assertEquals(0, sum / 100_000, 0.01);
        assertEquals(1 / 3.0, squares / 100_000, 0.01);
    }

    @Test
    void bandsHaveTheirCounts() {
        CsrMatrix full = new BandedMatrix(50, 3, 5, 1, ValueRule.ONES, SEED).generate(Precision.F64);
        assertEquals(50 + 49 + 48 + 47 + 49 + 48 + 47 + 46 + 45, full.nonZeros());
        assertEquals(3, full.statistics().lowerBandwidth());
        assertEquals(5, full.statistics().upperBandwidth());
        CsrMatrix half = new BandedMatrix(20_000, 10, 10, 0.5, ValueRule.ONES, SEED).generate(Precision.F32);
        assertEquals(11, half.statistics().meanRowLength(), 0.1);
        assertTrue(half.statistics().patternSymmetric());
        assertEquals(30, new BandedMatrix(30, 9, 9, 0, ValueRule.ONES, SEED).generate(Precision.F32).nonZeros());
        assertEquals(9,
                new BandedMatrix(3, 9, Integer.MAX_VALUE, 1, ValueRule.ONES, 1).generate(Precision.F32).nonZeros());
    }

    @Test
    void dominantBandsAndBlocksAreDefinite() {
        MatrixGenerator[] generators = {new BandedMatrix(80, 7, 7, 0.6, ValueRule.DOMINANT, SEED),
            BlockMatrix.diagonal(13, 5, ValueRule.DOMINANT, SEED),
            BlockMatrix.random(15, 4, 5, 0, ValueRule.DOMINANT, SEED),
            BlockMatrix.random(70, 1, 3, 9, ValueRule.DOMINANT, SEED)};
        for (MatrixGenerator generator : generators) {
            CsrMatrix matrix = generator.generate(Precision.F64);
            assertTrue(Dense.isSymmetric(matrix));
            assertTrue(Dense.isPositiveDefinite(matrix));
        }
    }

    @Test
    void blocksAreDense() {
        CsrMatrix matrix = BlockMatrix.random(100, 3, 4, 0, ValueRule.ONES, SEED).generate(Precision.F64);
        assertEquals(300, matrix.rows());
        boolean[][] block = new boolean[100][100];
        matrix.forEachEntry((i, j, value) -> block[i / 3][j / 3] = true);
        int blocks = 0;
        for (int i = 0; i < 100; i++) {
            assertTrue(block[i][i]);
            for (int j = 0; j < 100; j++) {
                assertEquals(block[i][j], block[j][i]);
                blocks += block[i][j] ? 1 : 0;
            }
        }
        assertEquals(9L * blocks, matrix.nonZeros());
        assertEquals(500, blocks, 25, "four neighbours on average, less those drawn from both ends");
        assertEquals(13 * 25, BlockMatrix.diagonal(13, 5, ValueRule.ONES, 1).generate(Precision.F64).nonZeros());
    }

    @Test
    void awkwardSizesWork() {
        for (int n : new int[]{0, 1, 2, 3}) {
            for (Precision precision : Precision.values()) {
                assertEquals(n, new BandedMatrix(n, 2, 2, 1, ValueRule.DOMINANT, 1).generate(precision).rows());
                assertEquals(n, BlockMatrix.random(n, 1, 7, 0, ValueRule.DOMINANT, 1).generate(precision).rows());
                assertEquals(n, random(n, n, new RowLengths.Constant(2), 0).generate(precision).rows());
                assertEquals(n, random(n, 0, new RowLengths.Constant(2), 5).generate(precision).rows());
                assertEquals(0, random(0, n, new RowLengths.Constant(2), 0).generate(precision).nonZeros());
            }
        }
        assertEquals(100_000,
                random(1, 1_000_000, new RowLengths.Constant(100_000), 0).generate(Precision.F32).nonZeros());
    }

    @Test
    void seedsDecideAndThreadsDoNot() {
        MatrixGenerator generator = random(5000, 5000, new RowLengths.Normal(9, 5), 100);
        CsrMatrix once = generator.generate(Precision.F64);
        assertTrue(once.sameAs(generator.generate(Precision.F64)));
        assertTrue(once.toPrecision(Precision.F32).sameAs(generator.generate(Precision.F32)));
        CsrMatrix other = new RandomMatrix(5000, 5000, new RowLengths.Normal(9, 5), new Locality(100, 0, false),
                ValueRule.UNIFORM, SEED + 1)
                .generate(Precision.F64);
        assertFalse(once.sameAs(other));
    }

    @Test
    void tooManyForOneSegmentAreStreamed() {
        RowSource source = random(500, 700, new RowLengths.Normal(9, 5), 0);
        CsrMatrix whole = source.generate(Precision.F64);
        assertTrue(whole.sameAs(RowAssembler.assemble(source, Precision.F64, ProgressListener.NONE, 100)));
    }

    @Test
    void whatDoesNotFitTheHeapIsRefused() {
        StencilsTest.assertMessage("-Xmx", () -> random(2_000_000_000, 1000, new RowLengths.Constant(1000), 0)
                .generate(Precision.F64));
        StencilsTest.assertMessage("-Xmx", () -> BlockMatrix.random(100_000_000, 10, 8, 0, ValueRule.ONES, 1)
                .generate(Precision.F32));
    }

    @Test
    void progressEndsAtTheTotal() {
        long[] last = new long[2];
        int[] calls = new int[1];
        random(5000, 50, new RowLengths.Constant(2), 0).generate(Precision.F64, (stage, done, total) -> {
            assertTrue(done > last[0]);
            last[0] = done;
            last[1] = total;
            calls[0]++;
        });
        assertEquals(5000, last[0]);
        assertEquals(5000, last[1]);
        assertTrue(calls[0] <= 101);
    }

    @Test
    void generatorOfNumbersIsTheOneOfThePaper() {
        // First outputs of SplitMix64 from state 1234567, as published with its reference code.
        SplitMix random = new SplitMix(1234567);
        assertEquals(6457827717110365317L, random.nextLong());
        assertEquals(3203168211198807973L, random.nextLong());
        Random check = new Random(SEED);
        for (int k = 0; k < 1000; k++) {
            int bound = 1 + check.nextInt(Integer.MAX_VALUE);
            int drawn = random.nextInt(bound);
            assertTrue(drawn >= 0 && drawn < bound);
        }
    }

    @Test
    void wrongParametersAreNamed() {
        StencilsTest.assertMessage("columns is 3, expected 2", () -> new RandomMatrix(2, 3,
                new RowLengths.Constant(1), Locality.NONE, ValueRule.DOMINANT, 1));
        StencilsTest.assertMessage("deviation is NaN", () -> new RowLengths.Normal(1, Double.NaN));
        StencilsTest.assertMessage("max is 0", () -> RowLengths.PowerLaw.of(2, 0));
        StencilsTest.assertMessage("density is 2.0", () -> new BandedMatrix(1, 1, 1, 2, ValueRule.ONES, 1));
        StencilsTest.assertMessage("pairs", () -> BlockMatrix.random(1 << 24, 1, 1000, 0, ValueRule.ONES, 1));
    }
}
