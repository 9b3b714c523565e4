package org.trellis.sparse;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * Makes a {@link CsrMatrix} whose row lengths are known, its rows filled on several threads. The matrix is made in
 * place: nothing is stored twice. {@link CsrBuilder} is for rows whose lengths only show while they are made.
 */
public final class CsrFill {
    /** Steps that it takes at least to fill a place, whose fillers may search, sort or multiply. */
    private static final long STEPS_OF_ENTRY = 8;

    private static final int LARGE = 1 << 17;

    private CsrFill() {}

    /**
     * Makes a matrix. Costs one call of a filler for each row that has entries.
     *
     * @param columns    number of columns
     * @param precision  the type of the values
     * @param rowLengths the number of entries of each row
     * @param fillers    makes a filler with workspace of its own; no more than threads take part. Each must give the
     *                   same for a row whatever rows it filled before
     * @return the matrix. That the fillers kept their word is not checked, see {@link CsrMatrix#firstViolation}
     * @throws IllegalArgumentException if a row length is negative or more than one segment holds; names the row
     */
    public static CsrMatrix fill(int columns, Precision precision, int[] rowLengths,
            Supplier<? extends RowFiller> fillers) {
        return fill(columns, precision, rowLengths, fillers, CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
    }

    static CsrMatrix fill(int columns, Precision precision, int[] rowLengths, Supplier<? extends RowFiller> fillers,
            int segmentLimit) {
        Checks.notNegative("columns", columns);
        List<CsrSegment> segments = new ArrayList<>();
        int row = 0;
        long base = 0;
        do {
            CsrSegment segment = allocate(row, base, rowLengths, segmentLimit, precision);
            fill(segment, fillers);
            segments.add(segment);
            row += segment.rows();
            base += segment.nonZeros();
        } while (row < rowLengths.length);
        return new CsrMatrix(rowLengths.length, columns, precision, segments);
    }

    /**
     * Makes a segment of as many rows as fit, with room for their entries. Large arrays take long to clear, so two
     * threads do it.
     */
    static CsrSegment allocate(int row, long base, int[] rowLengths, int segmentLimit, Precision precision) {
        int[] offsets = offsetsFrom(row, rowLengths, segmentLimit);
        int nonZeros = offsets[offsets.length - 1];
        int[][] columns = new int[1][];
        HostVector[] values = new HostVector[1];
        ParallelRanges.run(2, nonZeros < LARGE ? 2 : 1, (from, to) -> {
            for (int part = from; part < to; part++) {
                if (part == 0) {
                    values[0] = HostVector.zeros(precision, nonZeros);
                } else {
                    columns[0] = new int[nonZeros];
                }
            }
        });
        return new CsrSegment(row, base, offsets, columns[0], values[0]);
    }

    /** Takes as many rows as fit a segment. */
    private static int[] offsetsFrom(int firstRow, int[] rowLengths, int limit) {
        long size = 0;
        int row = firstRow;
        while (row < rowLengths.length && size + rowLengths[row] <= limit) {
            if (rowLengths[row] < 0) {
                throw new IllegalArgumentException("row " + row + " has length " + rowLengths[row]
                        + ", expected at least 0");
            }
            size += rowLengths[row++];
        }
        if (row == firstRow && row < rowLengths.length) {
            throw new IllegalArgumentException("row " + row + " has " + rowLengths[row] + " entries, expected at most "
                    + limit);
        }
        int[] offsets = new int[row - firstRow + 1];
        for (int i = 1; i < offsets.length; i++) {
            offsets[i] = offsets[i - 1] + rowLengths[firstRow + i - 1];
        }
        return offsets;
    }

    private static void fill(CsrSegment segment, Supplier<? extends RowFiller> fillers) {
        int[] offsets = segment.rowOffsets();
        int grain = ParallelRanges.grain(segment.rows(), STEPS_OF_ENTRY * segment.nonZeros());
        ParallelRanges.run(segment.rows(), grain, fillers::get, (from, to, filler) -> {
            for (int i = from; i < to; i++) {
                if (offsets[i] < offsets[i + 1]) {
                    filler.fill(segment.firstRow() + i, segment.columnIndices(), segment.values(), offsets[i]);
                }
            }
        });
    }

    /** Fills rows; one object serves one thread at a time. */
    @FunctionalInterface
    public interface RowFiller {
        /**
         * Stores the entries of a row, with strictly increasing columns, as many as was said.
         *
         * @param row     the row
         * @param columns where the columns go
         * @param values  where the values go
         * @param at      where the row starts in both
         */
        void fill(int row, int[] columns, HostVector values, int at);
    }
}
