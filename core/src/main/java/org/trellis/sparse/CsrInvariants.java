package org.trellis.sparse;

import java.util.Optional;
import org.trellis.common.ParallelRanges;

/** Checks the invariants of {@link CsrMatrix}. */
final class CsrInvariants {
    private static final int ROWS_PER_TASK = 1 << 12;

    private CsrInvariants() {}

    static Optional<String> firstViolation(CsrMatrix matrix) {
        int nextRow = 0;
        long nextBase = 0;
        for (CsrSegment segment : matrix.segments()) {
            if (segment.firstRow() != nextRow || segment.base() != nextBase) {
                return Optional.of("segment starts at row " + segment.firstRow() + " and offset " + segment.base()
                        + ", expected row " + nextRow + " and offset " + nextBase);
            }
            Optional<String> violation = inSegment(matrix, segment);
            if (violation.isPresent()) {
                return violation;
            }
            nextRow += segment.rows();
            nextBase += segment.nonZeros();
        }
        return nextRow == matrix.rows()
                ? Optional.empty()
                : Optional.of("segments hold " + nextRow + " rows, expected " + matrix.rows());
    }

    private static Optional<String> inSegment(CsrMatrix matrix, CsrSegment segment) {
        int[] offsets = segment.rowOffsets();
        if (offsets[0] != 0) {
            return Optional.of("rowOffsets[0] is " + offsets[0] + ", expected 0");
        }
        int stored = Math.min(segment.columnIndices().length, segment.values().length());
        int wrong = ParallelRanges.first(segment.rows(), ROWS_PER_TASK,
                i -> offsets[i] < 0 || ofOffset(segment, i, stored).isPresent()
                        || inRow(matrix, segment, i).isPresent());
        if (wrong < 0) {
            return Optional.empty();
        }
        Optional<String> violation = ofOffset(segment, wrong, stored);
        return violation.isPresent() ? violation : inRow(matrix, segment, wrong);
    }

    private static Optional<String> ofOffset(CsrSegment segment, int i, int stored) {
        int[] offsets = segment.rowOffsets();
        int row = segment.firstRow() + i;
        if (offsets[i + 1] < offsets[i]) {
            return Optional.of("rowOffsets[" + (row + 1) + "] is " + offsets[i + 1] + ", expected at least "
                    + offsets[i] + ", the offset before it");
        }
        if (offsets[i + 1] > stored) {
            return Optional.of("rowOffsets[" + (row + 1) + "] is " + offsets[i + 1] + ", expected at most " + stored
                    + ", the length of the shorter of columnIndices (" + segment.columnIndices().length
                    + ") and values (" + segment.values().length() + ")");
        }
        return Optional.empty();
    }

    private static Optional<String> inRow(CsrMatrix matrix, CsrSegment segment, int localRow) {
        int[] columns = segment.columnIndices();
        int previous = -1;
        for (int k = segment.rowOffsets()[localRow]; k < segment.rowOffsets()[localRow + 1]; k++) {
            int column = columns[k];
            if (column < 0 || column >= matrix.columns()) {
                return Optional.of("row " + (segment.firstRow() + localRow) + ", entry " + k + ": column " + column
                        + ", expected 0 to " + (matrix.columns() - 1));
            }
            if (column <= previous) {
                return Optional.of("row " + (segment.firstRow() + localRow) + ", entry " + k + ": column " + column
                        + " follows " + previous + ", expected columns that increase strictly");
            }
            previous = column;
        }
        return Optional.empty();
    }
}
