package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.DenseReference;
import org.trellis.testing.TestSeed;

/** Sums, scalings, selections and the like against plain loops over dense arrays. */
final class CsrOperationsTest {
    /** [[1, 0, 2], [0, 0, 0], [0, 3, 4], [5, 0, 0]]. */
    private static CsrMatrix small() {
        return CsrMatrix.of(4, 3, new int[]{0, 2, 2, 4, 5}, new int[]{0, 2, 1, 2, 0}, new double[]{1, 2, 3, 4, 5});
    }

    private static void forAll(String purpose, BiConsumer<String, CsrMatrix> check) {
        SplittableRandom random = TestSeed.random(purpose);
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, matrix) -> check.accept(
                    purpose + ", " + name + ", " + precision.label() + ", seed " + TestSeed.value(), matrix));
        }
    }

    private interface ElementFunction {
        double at(int i, int j);
    }

    private static double[][] dense(int rows, int columns, ElementFunction function) {
        double[][] all = new double[rows][columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                all[i][j] = function.at(i, j);
            }
        }
        return all;
    }

    private static void check(CsrMatrix actual, int rows, int columns, String context, ElementFunction expected) {
        double tolerance = 2 * actual.precision().unitRoundoff();
        DenseReference.assertElements(dense(rows, columns, expected), columns, actual, tolerance, context);
    }

    @Test
    void addsUp() {
        SplittableRandom random = TestSeed.random("addsUp other");
        forAll("addsUp", (context, a) -> {
            CsrMatrix b = AwkwardMatrices.random(a.rows(), a.columns(), row -> random.nextInt(1 + a.columns() / 3),
                    a.precision(), random);
            double[][] da = DenseReference.of(a);
            double[][] db = DenseReference.of(b);
            check(a.plus(b), a.rows(), a.columns(), context, (i, j) -> da[i][j] + db[i][j]);
            check(a.combine(-2, b, 0.5), a.rows(), a.columns(), context, (i, j) -> -2 * da[i][j] + 0.5 * db[i][j]);
            check(a.combine(1, a, -1), a.rows(), a.columns(), context, (i, j) -> 0);
            assertEquals(a.nonZeros(), a.combine(1, a, -1).nonZeros(), context);
            assertEquals(0, a.combine(1, a, -1).dropSmall(0).nonZeros(), context);
        });
    }

    @Test
    void scales() {
        SplittableRandom random = TestSeed.random("scales factors");
        forAll("scales", (context, a) -> {
            double[][] d = DenseReference.of(a);
            HostVector r = HostVector.of(Precision.F64, a.rows(), i -> random.nextDouble(-2, 2));
            HostVector c = HostVector.of(Precision.F32, a.columns(), i -> random.nextDouble(-2, 2));
            check(a.scaled(-3), a.rows(), a.columns(), context, (i, j) -> -3 * d[i][j]);
            check(a.scaleRows(r), a.rows(), a.columns(), context, (i, j) -> r.get(i) * d[i][j]);
            check(a.scaleColumns(c), a.rows(), a.columns(), context, (i, j) -> c.get(j) * d[i][j]);
            check(a.mapValues(Math::abs), a.rows(), a.columns(), context, (i, j) -> Math.abs(d[i][j]));
            assertSame(a.segments().getFirst().columnIndices(), a.scaled(2).segments().getFirst().columnIndices());
        });
    }

    @Test
    void selects() {
        SplittableRandom random = TestSeed.random("selects lists");
        forAll("selects", (context, a) -> {
            double[][] d = DenseReference.of(a);
            int[] rows = list(a.rows(), random);
            int[] columns = list(a.columns(), random);
            check(a.selectRows(rows), rows.length, a.columns(), context, (i, j) -> d[rows[i]][j]);
            check(a.selectColumns(columns), a.rows(), columns.length, context, (i, j) -> d[i][columns[j]]);
            check(a.select(rows, columns), rows.length, columns.length, context, (i, j) -> d[rows[i]][columns[j]]);
        });
    }

    private static int[] list(int size, SplittableRandom random) {
        return size == 0 ? new int[0] : random.ints(random.nextInt(2 * Math.min(size, 300)), 0, size).toArray();
    }

    @Test
    void keepsParts() {
        SplittableRandom random = TestSeed.random("keepsParts offsets");
        forAll("keepsParts", (context, a) -> {
            double[][] d = DenseReference.of(a);
            for (int offset : new int[]{0, -1, random.nextInt(-20, 21), Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                check(a.lowerTriangle(offset), a.rows(), a.columns(), context + ", lower " + offset,
                        (i, j) -> (long) j - i <= offset ? d[i][j] : 0);
                check(a.upperTriangle(offset), a.rows(), a.columns(), context + ", upper " + offset,
                        (i, j) -> (long) j - i >= offset ? d[i][j] : 0);
            }
            CsrMatrix large = a.dropSmall(0.5);
            check(large, a.rows(), a.columns(), context, (i, j) -> Math.abs(d[i][j]) > 0.5 ? d[i][j] : 0);
            large.forEachEntry((i, j, value) -> assertTrue(Math.abs(value) > 0.5, context));
        });
    }

    @Test
    void goesToDenseAndBack() {
        forAll("goesToDenseAndBack", (context, a) -> {
            CsrMatrix clean = a.dropSmall(0);
            assertArrayEquals(DenseReference.of(a), DenseBlocks.toRows(a), context);
            CsrMatrix back = DenseBlocks.fromRowMajor(a.rows(), a.columns(),
                    DenseBlocks.toRowMajor(a).toDoubleArray(), a.precision());
            assertTrue(clean.sameAs(back), context);
            if (a.rows() > 0) {
                assertTrue(clean.sameAs(DenseBlocks.fromRows(DenseBlocks.toRows(a), a.precision())), context);
            }
        });
        assertEquals("length of row 1 is 1, expected 2", assertThrows(IllegalArgumentException.class,
                () -> DenseBlocks.fromRows(new double[][]{{1, 2}, {3}}, Precision.F64)).getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> DenseBlocks.toRowMajor(DenseBlocks.fromRows(new double[1 << 16][1], Precision.F64)
                        .selectColumns(new int[1 << 16])))
                .getMessage().contains("has 4294967296 elements"));
    }

    @Test
    void transposesOnThreads() {
        forAll("transposesOnThreads", (context, a) -> {
            double[][] d = DenseReference.of(a);
            CsrMatrix once = CsrTranspose.of(a, 1);
            check(once, /* rows= */ a.columns(), /* columns= */ a.rows(), context, (i, j) -> d[j][i]);
            for (int pieces : new int[]{2, 3, 7, 50}) {
                assertTrue(once.sameAs(CsrTranspose.of(a, pieces)), context + ", " + pieces + " pieces");
            }
        });
        SplittableRandom random = TestSeed.random("transposesOnThreads, large");
        CsrMatrix large = AwkwardMatrices.random(4000, 300, row -> row % 90, Precision.F32, random);
        assertTrue(CsrTranspose.of(large, 1).sameAs(large.transpose()));
    }

    @Test
    void transposesSegmentsIntoSegments() {
        SplittableRandom random = TestSeed.random("limits of transposesSegmentsIntoSegments");
        forAll("transposesSegmentsIntoSegments", (context, a) -> {
            CsrMatrix expected = CsrTranspose.of(a, 1); // compared with dense arrays by another test
            CsrMatrix cut = SparseKernelsContract.inSegments(a, Math.max(16, longestRow(a) + random.nextInt(40)));
            assertTrue(expected.sameAs(cut.transpose()), context);
            int longest = longestRow(expected);
            for (int limit : new int[]{longest, longest + 1 + random.nextInt(40), Integer.MAX_VALUE}) {
                for (int threads : new int[]{1, 3, 50}) {
                    String what = context + ", at most " + limit + " entries a segment, " + threads + " threads";
                    CsrMatrix transposed = CsrLargeTranspose.of(cut, limit, threads);
                    assertTrue(expected.sameAs(transposed), what);
                    checkSegments(transposed, limit, what);
                }
            }
        });
        CsrMatrix column = AwkwardMatrices.random(20, 1, row -> 1, Precision.F64, random);
        assertEquals("row 0 has 20 entries, expected at most 19", assertThrows(IllegalArgumentException.class,
                () -> CsrLargeTranspose.of(column, 19, 1)).getMessage());
    }

    private static int longestRow(CsrMatrix a) {
        return Arrays.stream(a.rowLengths()).max().orElse(0);
    }

    /** Each segment has arrays of just its entries, and the next one's first row would not fit it. */
    private static void checkSegments(CsrMatrix a, int limit, String context) {
        List<CsrSegment> segments = a.segments();
        for (int s = 0; s < segments.size(); s++) {
            CsrSegment segment = segments.get(s);
            assertEquals(segment.nonZeros(), segment.columnIndices().length, context);
            assertEquals(segment.nonZeros(), segment.values().length(), context);
            assertTrue(segment.nonZeros() <= limit, context);
            assertTrue(s == segments.size() - 1
                    || segment.nonZeros() + (long) segments.get(s + 1).rowOffsets()[1] > limit, context);
        }
    }

    @Test
    void viewsColumns() {
        forAll("viewsColumns", (context, a) -> {
            CscView view = CscView.of(a);
            assertEquals(a.rows(), view.rows(), context);
            assertEquals(a.columns(), view.columns(), context);
            assertTrue(a.sameAs(view.toCsr()), context);
            long[] count = new long[1];
            for (int column = 0; column < a.columns(); column++) {
                assertEquals(count[0], view.columnOffset(column), context);
                int[] previous = {-1};
                view.forEachInColumn(column, (i, j, value) -> {
                    assertEquals(a.get(i, j), value, context);
                    assertTrue(i > previous[0], context);
                    previous[0] = i;
                    count[0]++;
                });
                assertEquals(count[0] - view.columnOffset(column), view.columnLength(column), context);
            }
            assertEquals(a.nonZeros(), count[0], context);
        });
        CscView small = CscView.of(small());
        assertArrayEquals(new double[]{2, 0, 4, 0}, small.column(2).doubles());
        assertEquals(4, small.get(2, 2));
        assertSame(small.transposed(), CscView.ofTranspose(small.transposed()).transposed());
        assertEquals("column is 3, expected 0 to 2",
                assertThrows(IndexOutOfBoundsException.class, () -> small.columnLength(3)).getMessage());
    }

    @Test
    void comparesElements() {
        forAll("comparesElements", (context, a) -> {
            CsrMatrix zeros = a.combine(1, DenseBlocks.fromRowMajor(a.rows(), a.columns(),
                    new double[a.rows() * a.columns()], a.precision()), 1);
            assertTrue(a.closeTo(zeros, 0, 0) && zeros.closeTo(a, 0, 0), context);
            assertTrue(a.closeTo(a.toPrecision(Precision.F32), 0x1p-24, 0), context);
            CsrMatrix nonZero = a.dropSmall(1e-3);
            boolean any = nonZero.nonZeros() > 0;
            assertEquals(!any, nonZero.closeTo(nonZero.scaled(1.5), 0.1, 0), context);
            assertTrue(nonZero.closeTo(nonZero.scaled(1.5), 0.34, 0), context);
        });
        assertFalse(small().closeTo(small().transpose(), 1, 1));
        CsrMatrix infinite = small().scaled(Double.POSITIVE_INFINITY);
        assertTrue(infinite.closeTo(infinite, 0, 0));
        assertFalse(small().scaled(Double.NaN).closeTo(small().scaled(Double.NaN), 1, 1));
        CsrMatrix explicitZero = CsrMatrix.of(1, 1, new int[]{0, 1}, new int[]{0}, new double[]{0});
        assertTrue(explicitZero.closeTo(DenseBlocks.fromRows(new double[][]{{0}}, Precision.F32), 0, 0));
    }

    @Test
    void segmentsDoNotShow() {
        SplittableRandom random = TestSeed.random("operations segmentsDoNotShow");
        CsrMatrix whole = AwkwardMatrices.random(97, 61, row -> row % 5 == 0 ? 0 : row % 40, Precision.F32, random);
        CsrMatrix cut = SparseKernelsContract.inSegments(whole, 57);
        CsrMatrix other = SparseKernelsContract.inSegments(whole.mapValues(value -> 1 / value), 101);
        assertTrue(whole.plus(other).sameAs(cut.plus(other)));
        assertTrue(whole.scaleColumns(HostVector.of(Precision.F64, 61, i -> i)).sameAs(
                cut.scaleColumns(HostVector.of(Precision.F64, 61, i -> i))));
        assertTrue(whole.scaleRows(HostVector.of(Precision.F64, 97, i -> i)).sameAs(
                cut.scaleRows(HostVector.of(Precision.F64, 97, i -> i))));
        assertTrue(whole.select(new int[]{96, 3, 3}, new int[]{5, 60, 0}).sameAs(
                cut.select(new int[]{96, 3, 3}, new int[]{5, 60, 0})));
        assertTrue(whole.selectRows(96, 0, 50).sameAs(cut.selectRows(96, 0, 50)));
        assertTrue(whole.lowerTriangle(0).sameAs(cut.lowerTriangle(0)));
        assertTrue(whole.closeTo(cut, 0, 0));
        assertEquals(whole.toText(), cut.toText());
    }

    @Test
    void fillsSegments() {
        SplittableRandom random = TestSeed.random("fillsSegments");
        int[] lengths = random.ints(200, 0, 9).toArray();
        lengths[199] = 0;
        CsrMatrix expected = null;
        for (int limit : new int[]{1 << 20, 8, 9, 50}) {
            CsrMatrix filled = CsrFill.fill(20, Precision.F64, lengths, () -> (row, columns, values, at) -> {
                for (int k = 0; k < lengths[row]; k++) {
                    columns[at + k] = 2 * k;
                    values.set(at + k, row + 0.1 * k);
                }
            }, limit);
            assertTrue(filled.firstViolation().isEmpty(), filled.firstViolation().toString());
            assertArrayEquals(lengths, filled.rowLengths());
            assertTrue(filled.segments().stream().allMatch(segment -> segment.nonZeros() <= limit));
            assertTrue(expected == null || expected.sameAs(filled));
            expected = filled;
        }
        assertEquals("row 1 has 9 entries, expected at most 8", assertThrows(IllegalArgumentException.class,
                () -> CsrFill.fill(20, Precision.F64, new int[]{1, 9}, () -> (row, columns, values, at) -> {}, 8))
                .getMessage());
        assertEquals("row 0 has length -1, expected at least 0", assertThrows(IllegalArgumentException.class,
                () -> CsrFill.fill(20, Precision.F64, new int[]{-1}, () -> (row, columns, values, at) -> {}))
                .getMessage());
    }

    /** Pieces of rows that end where segments do not. */
    @Test
    void fillsPiecesOfRows() {
        SplittableRandom random = TestSeed.random("fillsPiecesOfRows");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(40, 12, row -> row % 9, precision, random);
            CsrSegment source = a.onlySegment();
            for (int limit : new int[]{1 << 20, 8, 30}) {
                for (int rows : new int[]{1, 7, 40, 100}) {
                    CsrMatrix filled = CsrFill.fill(12, precision, a.rowLengths(), rows,
                            (piece, start, count, columns, values, at) -> {
                                int from = source.rowStart(piece * rows) + start;
                                assertTrue(from + count <= source.rowEnd(Math.min(40, (piece + 1) * rows) - 1));
                                System.arraycopy(source.columnIndices(), from, columns, at, count);
                                source.values().copyRange(from, values, at, count);
                            }, limit);
                    String context =
                            precision + ", limit " + limit + ", pieces of " + rows + ", seed " + TestSeed.value();
                    assertEquals(limit == 1 << 20, filled.segments().size() == 1, context);
                    assertTrue(filled.sameAs(a), context);
                }
            }
        }
        CsrMatrix none = CsrFill.fill(3, Precision.F64, new int[0], 5, (piece, start, count, columns, values, at) -> {
            throw new AssertionError("no rows to fill");
        });
        assertEquals(0, none.rows());
        assertThrows(IllegalArgumentException.class, () -> CsrFill.fill(3, Precision.F64, new int[1], 0,
                (piece, start, count, columns, values, at) -> {}));
    }

    /** With and without a symmetric pattern, which decides how it is found. */
    @Test
    void takesSymmetricParts() {
        SplittableRandom random = TestSeed.random("takesSymmetricParts");
        for (Precision precision : Precision.values()) {
            CsrMatrix any = AwkwardMatrices.random(90, 90, row -> row % 9, precision, random);
            CsrMatrix pattern = AwkwardMatrices.symmetrised(any);
            CsrMatrix values =
                    pattern.mapValues((row, column, value) -> value * (1 + 0.1 * Math.sin(row - 2 * column)));
            CsrMatrix lower = pattern.lowerTriangle(0);
            for (CsrMatrix a : List.of(any, pattern, values, lower, lower.transpose())) {
                CsrMatrix part = a.symmetricPart();
                String context = a + ", seed " + TestSeed.value();
                assertTrue(part.sameAs(a.combine(0.5, a.transpose(), 0.5)), context);
                assertTrue(part.sameAs(SegmentedMatrices.cut(a, 40).symmetricPart()), context);
                assertTrue(part.sameAs(part.transpose()), context);
            }
        }
        CsrMatrix wide = AwkwardMatrices.random(2, 3, row -> 1, Precision.F64, random);
        assertTrue(assertThrows(IllegalArgumentException.class, wide::symmetricPart).getMessage()
                .contains("expected a square matrix"));
    }

    /** Whole arrays or row by row, of parts in one segment or in several, some of them without rows. */
    @Test
    void putsPartsBelowEachOtherInSegments() {
        SplittableRandom random = TestSeed.random("putsPartsBelowEachOtherInSegments");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(40, 12, row -> row % 9, precision, random);
            CsrMatrix none = AwkwardMatrices.random(0, 12, row -> 0, precision, random);
            CsrMatrix b = AwkwardMatrices.random(25, 12, row -> (row + 3) % 7, precision, random);
            List<CsrMatrix> parts = List.of(none, a, none, SegmentedMatrices.cut(b, 11), none);
            for (int limit : new int[]{1 << 20, 8, 13}) {
                CsrMatrix below = CsrFill.below(12, precision, parts, limit);
                String context = precision + ", limit " + limit + ", seed " + TestSeed.value();
                assertTrue(below.firstViolation().isEmpty(), context);
                assertEquals(limit == 1 << 20, below.segments().size() == 1, context);
                assertTrue(below.submatrix(0, 40, 0, 12).sameAs(a), context);
                assertTrue(below.submatrix(40, 65, 0, 12).sameAs(b), context);
            }
            assertEquals(0, CsrFill.below(12, precision, List.of(none)).rows());
        }
    }

    @Test
    void writesTables() {
        assertEquals("""
                CSR matrix 4 x 3, 5 non-zeros, f64
                1  .  2
                .  .  .
                .  3  4
                5  .  .
                """, small().toText());
        String[] lines = CsrMatrix.identity(100, Precision.F32).scaled(1 / 3.0).toText().split("\n");
        assertEquals(25, lines.length);
        assertEquals("0.3333 . . . . . … . . . . .", lines[1].replaceAll(" +", " ").strip());
        assertTrue(lines[24].strip().endsWith("0.3333"), lines[24]);
        assertTrue(lines[13].contains("…"), lines[13]);
        assertEquals("CSR matrix 0 x 5, 0 non-zeros, f64\n", DenseBlocks
                .fromRowMajor(0, 5, new double[0], Precision.F64).toText());
        assertEquals("-2.500e-11", DenseBlocks.fromRows(new double[][]{{-0.25000000001e-10}}, Precision.F64)
                .toText().split("\n")[1]);
    }

    @Test
    void sumsTheDiagonal() {
        assertEquals(1 + 4, small().selectRows(0, 1, 2).trace());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> small().trace()).getMessage()
                .contains("expected a square matrix"));
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> small().plus(small().transpose())).getMessage()
                .contains("expected equal sizes and precisions"));
        assertThrows(IllegalArgumentException.class, () -> small().plus(small().toPrecision(Precision.F32)));
        assertEquals("number of row factors is 3, expected 4", assertThrows(IllegalArgumentException.class,
                () -> small().scaleRows(HostVector.of(1.0, 2, 3))).getMessage());
        assertEquals("number of column factors is 4, expected 3", assertThrows(IllegalArgumentException.class,
                () -> small().scaleColumns(HostVector.of(1.0, 2, 3, 4))).getMessage());
        assertEquals("chosen column 1 is 3, expected 0 to 2", assertThrows(IndexOutOfBoundsException.class,
                () -> small().selectColumns(0, 3)).getMessage());
        assertEquals("chosen row 0 is -1, expected 0 to 3", assertThrows(IndexOutOfBoundsException.class,
                () -> small().selectRows(-1)).getMessage());
    }
}
