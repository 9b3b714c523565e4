package org.trellis.sparse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
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

    /**
     * Makes a matrix of rows that lie somewhere in pieces of so many. Costs one call of the filler for each piece and
     * one more for each segment.
     *
     * @param columns     number of columns
     * @param precision   the type of the values
     * @param rowLengths  the number of entries of each row
     * @param rowsOfPiece rows of a piece, the first of which is the first row
     * @param filler      called on several threads
     * @return the matrix. That the filler kept its word is not checked, see {@link CsrMatrix#firstViolation}
     * @throws IllegalArgumentException if a row length is negative or more than one segment holds; names the row
     */
    public static CsrMatrix fill(int columns, Precision precision, int[] rowLengths, int rowsOfPiece,
            PieceFiller filler) {
        return fill(columns, precision, rowLengths, rowsOfPiece, filler, CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
    }

    static CsrMatrix fill(int columns, Precision precision, int[] rowLengths, int rowsOfPiece, PieceFiller filler,
            int segmentLimit) {
        Checks.positive("rows of a piece", rowsOfPiece);
        return segments(columns, precision, rowLengths, segmentLimit, segment -> {
            int[] offsets = segment.rowOffsets();
            int first = segment.firstRow();
            int end = first + segment.rows();
            int firstPiece = first / rowsOfPiece;
            ParallelRanges.run(Math.ceilDiv(end, rowsOfPiece) - firstPiece, 1, (from, to) -> {
                for (int piece = firstPiece + from; piece < firstPiece + to; piece++) {
                    int row = Math.max(first, piece * rowsOfPiece);
                    int last = (int) Math.min(end, (piece + 1L) * rowsOfPiece);
                    int at = offsets[row - first];
                    filler.fill(piece, entries(rowLengths, piece * rowsOfPiece, row), offsets[last - first] - at,
                            segment.columnIndices(), segment.values(), at);
                }
            });
        });
    }

    private static int entries(int[] rowLengths, int from, int to) {
        int sum = 0;
        for (int row = from; row < to; row++) {
            sum += rowLengths[row];
        }
        return sum;
    }

    /**
     * Makes a matrix of the rows of others, one matrix below the other. Copies whole arrays where one segment holds all
     * entries, and row by row otherwise.
     *
     * @param columns   number of columns of each
     * @param precision of each
     * @param parts     at least one
     * @return a new matrix
     * @throws IllegalArgumentException if there are 2³¹ rows
     */
    public static CsrMatrix below(int columns, Precision precision, List<CsrMatrix> parts) {
        return below(columns, precision, parts, CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
    }

    static CsrMatrix below(int columns, Precision precision, List<CsrMatrix> parts, int segmentLimit) {
        long rows = parts.stream().mapToLong(CsrMatrix::rows).sum();
        int[] offsets = new int[Checks.arrayLength("row offsets of all parts", rows + 1)];
        long nonZeros = parts.stream().mapToLong(CsrMatrix::nonZeros).sum();
        if (nonZeros > segmentLimit) {
            return rowByRow(columns, precision, parts, segmentLimit);
        }
        int[] indices = new int[(int) nonZeros];
        HostVector values = HostVector.zeros(precision, (int) nonZeros);
        int row = 0;
        int place = 0;
        for (CsrMatrix part : parts) {
            for (CsrSegment segment : part.segments()) {
                int count = segment.nonZeros();
                System.arraycopy(segment.columnIndices(), 0, indices, place, count);
                segment.values().copyRange(0, values, place, count);
                int[] own = segment.rowOffsets();
                for (int i = 0; i < segment.rows(); i++) {
                    offsets[row + i + 1] = place + own[i + 1];
                }
                row += segment.rows();
                place += count;
            }
        }
        return CsrMatrix.unchecked((int) rows, columns, offsets, indices, values);
    }

    private static CsrMatrix rowByRow(int columns, Precision precision, List<CsrMatrix> parts, int segmentLimit) {
        int[] starts = new int[parts.size() + 1];
        for (int i = 0; i < parts.size(); i++) {
            starts[i + 1] = starts[i] + parts.get(i).rows();
        }
        int[] lengths = new int[starts[parts.size()]];
        for (int i = 0; i < parts.size(); i++) {
            for (int row = starts[i]; row < starts[i + 1]; row++) {
                lengths[row] = parts.get(i).rowLength(row - starts[i]);
            }
        }
        return fill(columns, precision, lengths, () -> (row, indices, values, at) -> {
            int found = Arrays.binarySearch(starts, row);
            int i = found < 0 ? -found - 2 : found;
            while (starts[i + 1] <= row) {
                i++;
            }
            int own = row - starts[i];
            CsrSegment source = parts.get(i).segmentOf(own);
            int count = source.rowEnd(own) - source.rowStart(own);
            System.arraycopy(source.columnIndices(), source.rowStart(own), indices, at, count);
            source.values().copyRange(source.rowStart(own), values, at, count);
        }, segmentLimit);
    }

    static CsrMatrix fill(int columns, Precision precision, int[] rowLengths, Supplier<? extends RowFiller> fillers,
            int segmentLimit) {
        return segments(columns, precision, rowLengths, segmentLimit, segment -> fill(segment, fillers));
    }

    private static CsrMatrix segments(int columns, Precision precision, int[] rowLengths, int segmentLimit,
            Consumer<CsrSegment> fill) {
        Checks.notNegative("columns", columns);
        List<CsrSegment> segments = new ArrayList<>();
        int row = 0;
        long base = 0;
        do {
            CsrSegment segment = allocate(row, base, rowLengths, segmentLimit, precision);
            fill.accept(segment);
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

    /** Fills rows that follow one another and lie in a piece; for any thread. */
    @FunctionalInterface
    public interface PieceFiller {
        /**
         * Stores entries of a piece, one row behind the other.
         *
         * @param piece   which piece
         * @param start   its entries before the first one to store; 0 unless a segment of the matrix ends within it
         * @param count   the entries to store
         * @param columns where the columns go
         * @param values  where the values go
         * @param at      where the first entry goes in both
         */
        void fill(int piece, int start, int count, int[] columns, HostVector values, int at);
    }
}
