package org.trellis.internal.threads.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Units cover all rows in order, hold about equal work, and cut long rows at places that do not depend on threads. */
final class RowPartitionTest {
    private static final int LONG = 100_000;

    private static int[] offsets() {
        int[] offsets = new int[3001];
        for (int row = 0; row < 3000; row++) {
            offsets[row + 1] = offsets[row] + (row == 1234 ? LONG : row % 50);
        }
        return offsets;
    }

    @Test
    void coversAllRowsInOrder() {
        for (int threads : new int[]{1, 2, 5}) {
            RowPartition partition = RowPartition.of(offsets(), threads, false);
            int next = 0;
            for (int unit = 0; unit < partition.units(); unit++) {
                assertEquals(next, partition.firstRow(unit));
                assertFalse(partition.isPiece(unit));
                next = partition.endRow(unit);
            }
            assertEquals(3000, next);
        }
    }

    @Test
    void cutsLongRowsTheSameWayForAnyNumberOfThreads() {
        for (int threads : new int[]{1, 2, 5}) {
            RowPartition partition = RowPartition.of(offsets(), threads, true);
            assertEquals((LONG + RowPartition.PIECE - 1) / RowPartition.PIECE, partition.pieces());
            int piece = 0;
            for (int unit = 0; unit < partition.units(); unit++) {
                if (partition.isPiece(unit)) {
                    assertEquals(1234, partition.firstRow(unit));
                    assertEquals(piece * RowPartition.PIECE, partition.pieceBegin(unit));
                    assertEquals(piece++, partition.piece(unit));
                } else {
                    assertTrue(partition.firstRow(unit) > 1234 || partition.endRow(unit) <= 1234);
                }
            }
        }
    }

    @Test
    void sharesWorkEvenly() {
        RowPartition partition = RowPartition.of(offsets(), 2, true);
        int largest = RowPartition.unitSize(offsets()[3000], 3000, 2) + 50;
        for (int unit = 0; unit < partition.units(); unit++) {
            if (!partition.isPiece(unit)) {
                int work = offsets()[partition.endRow(unit)] - offsets()[partition.firstRow(unit)];
                assertTrue(work <= largest, work + " non-zeros, expected at most " + largest);
            }
        }
    }

    @Test
    void hasNothingToDoWithoutRows() {
        assertEquals(0, RowPartition.of(new int[]{0}, 3, true).units());
    }
}
