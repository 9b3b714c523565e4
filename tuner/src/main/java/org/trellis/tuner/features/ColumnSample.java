package org.trellis.tuner.features;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Looks at the columns of a few groups of rows, evenly spread over the matrix. How products use the operand depends
 * on it: neighbours in a row are loaded together, neighbours along a diagonal need no index of their own, and lines
 * that a group touches are what a gather costs.
 */
final class ColumnSample {
    /** Groups that are examined. */
    static final int GROUPS = 48;
    /** Entries of a row that are examined. */
    static final int ENTRIES = 64;
    /** Columns of a line: 128 bytes of doubles. */
    private static final int LINE_SHIFT = 4;

    private final int columns;
    private final int[] lines = new int[RowPass.GROUP * ENTRIES];
    private long entries;
    private long runs;
    private long diagonals;
    private long touched;
    private double spans;
    private int groups;

    private ColumnSample(int columns) {
        this.columns = columns;
    }

    static ColumnSample of(CsrMatrix matrix) {
        ColumnSample sample = new ColumnSample(matrix.columns());
        long all = (matrix.rows() + RowPass.GROUP - 1L) / RowPass.GROUP;
        long taken = Math.min(GROUPS, all);
        for (CsrSegment segment : matrix.segments()) {
            for (long i = 0; i < taken; i++) {
                // The middle of each of equal parts; all groups if there are few.
                long group = (2 * i + 1) * all / (2 * taken);
                long first = group * RowPass.GROUP - segment.firstRow();
                if (first >= 0 && first < segment.rows()) {
                    sample.add(segment, (int) first, (int) Math.min(segment.rows(), first + RowPass.GROUP));
                }
            }
        }
        return sample;
    }

    private void add(CsrSegment segment, int from, int to) {
        int[] offsets = segment.rowOffsets();
        int[] indices = segment.columnIndices();
        int count = 0;
        int least = Integer.MAX_VALUE;
        int most = -1;
        for (int row = from; row < to; row++) {
            int start = offsets[row];
            int end = Math.min(offsets[row + 1], start + ENTRIES);
            boolean hasNext = row + 1 < to;
            int next = hasNext ? offsets[row + 1] - start : 0;
            int nextEnd = hasNext ? offsets[row + 2] : 0;
            for (int k = start; k < end; k++) {
                int column = indices[k];
                runs += k > start && indices[k - 1] == column - 1 ? 1 : 0;
                diagonals += hasNext && k + next < nextEnd && indices[k + next] == column + 1 ? 1 : 0;
                lines[count++] = column >> LINE_SHIFT;
            }
            if (end > start) {
                least = Math.min(least, indices[start]);
                most = Math.max(most, indices[end - 1]);
            }
        }
        if (count > 0) {
            entries += count;
            touched += distinctLines(count);
            spans += (double) (most - least) / columns;
            groups++;
        }
    }

    private int distinctLines(int count) {
        Arrays.sort(lines, 0, count);
        int distinct = 1;
        for (int i = 1; i < count; i++) {
            distinct += lines[i] != lines[i - 1] ? 1 : 0;
        }
        return distinct;
    }

    double runShare() {
        return entries == 0 ? 0 : (double) runs / entries;
    }

    double diagonalShare() {
        return entries == 0 ? 0 : (double) diagonals / entries;
    }

    double linesPerEntry() {
        return entries == 0 ? 0 : (double) touched / entries;
    }

    double columnSpan() {
        return groups == 0 ? 0 : spans / groups;
    }
}
