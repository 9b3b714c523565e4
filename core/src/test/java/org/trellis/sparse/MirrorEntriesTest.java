package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

class MirrorEntriesTest {
    private static final int MOST_PIECES = 5;

    private static CsrMatrix symmetric(int rows, SplittableRandom random) {
        CsrMatrix some = AwkwardMatrices.random(rows, rows, r -> random.nextInt(Math.min(rows, 6) + 1), Precision.F64,
                random);
        return some.combine(1, some.transpose(), 1);
    }

    /** Each entry on or right of the diagonal is met once, with the place of its image. */
    @Test
    void meetsEachPairOnce() {
        SplittableRandom random = TestSeed.random("mirrors");
        for (int rows : new int[]{0, 1, 2, 3, 40, 333}) {
            CsrMatrix matrix = symmetric(rows, random);
            CsrSegment segment = matrix.onlySegment();
            int[] rowOf = rowsOfEntries(matrix);
            Set<Integer> expected = new HashSet<>();
            for (int k = 0; k < segment.nonZeros(); k++) {
                if (segment.columnIndices()[k] >= rowOf[k]) {
                    expected.add(k);
                }
            }
            for (int pieces = 1; pieces <= MOST_PIECES; pieces++) {
                String context = rows + " rows in " + pieces + " pieces, seed " + TestSeed.value();
                Set<Integer> met = ConcurrentHashMap.newKeySet();
                assertTrue(MirrorEntries.all(segment, pieces, (k, mirror) -> {
                    assertTrue(met.add(k), context);
                    assertEquals(rowOf[k], segment.columnIndices()[mirror], context);
                    assertEquals(segment.columnIndices()[k], rowOf[mirror], context);
                    return true;
                }), context);
                assertEquals(expected, met, context);
            }
        }
    }

    private static int[] rowsOfEntries(CsrMatrix matrix) {
        int[] rowOf = new int[matrix.onlySegment().nonZeros()];
        int[] next = {0};
        matrix.forEachEntry((row, column, value) -> rowOf[next[0]++] = row);
        return rowOf;
    }

    /** One entry taken out of or put into any place off the diagonal is noticed, in whatever piece it is. */
    @Test
    void noticesEachEntryWithoutAnImage() {
        SplittableRandom random = TestSeed.random("lonely");
        CsrMatrix matrix = symmetric(30, random);
        int[] rowOf = rowsOfEntries(matrix);
        int[] columns = matrix.onlySegment().columnIndices();
        for (int k = 0; k < rowOf.length; k++) {
            int row = rowOf[k];
            int column = columns[k];
            CsrMatrix without = matrix.filter((i, j, value) -> i != row || j != column);
            for (int pieces = 1; pieces <= MOST_PIECES; pieces++) {
                assertEquals(row == column, MirrorEntries.all(without.onlySegment(), pieces, (entry, mirror) -> true),
                        "without (" + row + ", " + column + ") in " + pieces + " pieces, seed " + TestSeed.value());
            }
        }
    }

    @Test
    void endsWhereTheTestFails() {
        CsrSegment segment = CsrMatrix.identity(10, Precision.F64).onlySegment();
        for (int pieces = 1; pieces <= MOST_PIECES; pieces++) {
            assertFalse(MirrorEntries.all(segment, pieces, (entry, mirror) -> entry != 7));
        }
    }
}
