package org.trellis.sparse;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A matrix in SELL-C-σ: rows are sorted by decreasing length within windows of σ rows, then cut into chunks of C rows,
 * each padded to its longest row and stored slot by slot. Slot {@code k} of the row at lane {@code l} of chunk {@code
 * c} is at {@code chunkOffsets[c] + k × C + l}. Immutable.
 *
 * <p>Padding has value 0 and repeats the last column of its row (column 0 in an empty row and in the lanes after the
 * last row).
 *
 * @see <a href="https://doi.org/10.1137/130930352">M. Kreutzer et al., SIAM J. Sci. Comput. 36(5), 2014</a>
 */
public final class SellMatrix implements SparseMatrix {
    private final int rows;
    private final int columns;
    private final long nonZeros;
    private final int chunkRows;
    private final int sortingWindow;
    private final Permutation order;
    private final int[] laneLengths;
    private final int[] chunkOffsets;
    private final int[] columnIndices;
    private final HostVector values;

    private SellMatrix(CsrMatrix source, Layout layout, int[] columnIndices, HostVector values) {
        this.rows = source.rows();
        this.columns = source.columns();
        this.nonZeros = source.nonZeros();
        this.chunkRows = layout.chunkRows;
        this.sortingWindow = layout.sortingWindow;
        this.order = layout.order;
        this.laneLengths = layout.laneLengths;
        this.chunkOffsets = layout.chunkOffsets;
        this.columnIndices = columnIndices;
        this.values = values;
    }

    /** Where the rows of a matrix go. */
    private static final class Layout {
        private final int chunkRows;
        private final int sortingWindow;
        private final Permutation order;
        private final int[] laneLengths;
        private final int[] chunkOffsets;

        Layout(int chunkRows, int sortingWindow, Permutation order, int[] laneLengths, int[] chunkOffsets) {
            this.chunkRows = chunkRows;
            this.sortingWindow = sortingWindow;
            this.order = order;
            this.laneLengths = laneLengths;
            this.chunkOffsets = chunkOffsets;
        }
    }

    /**
     * Converts a matrix. Costs a sort within the windows and one pass.
     *
     * @param matrix        the matrix to convert
     * @param chunkRows     C, rows of a chunk, at least 1
     * @param sortingWindow σ, rows of a sorting window, at least 1; 1 keeps the order of the rows
     * @return a new matrix
     * @throws IllegalArgumentException if a parameter is less than 1 or the padded entries do not fit a Java array
     */
    public static SellMatrix from(CsrMatrix matrix, int chunkRows, int sortingWindow) {
        Layout layout = layOut(matrix, Checks.positive("chunkRows", chunkRows),
                Checks.positive("sortingWindow", sortingWindow));
        int chunks = layout.chunkOffsets.length - 1;
        int stored = layout.chunkOffsets[chunks];
        int[] columnIndices = new int[stored];
        HostVector values = HostVector.zeros(matrix.precision(), stored);
        PaddedRows padded = new PaddedRows(columnIndices, values);
        int[] rowAt = layout.order.inverse().toArray();
        for (int position = 0; position < matrix.rows(); position++) {
            int row = rowAt[position];
            int chunk = position / chunkRows;
            int width = (layout.chunkOffsets[chunk + 1] - layout.chunkOffsets[chunk]) / chunkRows;
            int first = layout.chunkOffsets[chunk] + position % chunkRows;
            CsrSegment segment = matrix.segmentOf(row);
            padded.fill(segment, row - segment.firstRow(), first, chunkRows, width);
        }
        return new SellMatrix(matrix, layout, columnIndices, values);
    }

    private static Layout layOut(CsrMatrix matrix, int chunkRows, int sortingWindow) {
        int rows = matrix.rows();
        int[] lengths = matrix.rowLengths();
        Permutation order = sortWindows(lengths, sortingWindow);
        int chunks = Math.ceilDiv(rows, chunkRows);
        int[] laneLengths = new int[rows];
        for (int row = 0; row < rows; row++) {
            laneLengths[order.newIndex(row)] = lengths[row];
        }
        int[] chunkOffsets = new int[chunks + 1];
        for (int chunk = 0; chunk < chunks; chunk++) {
            int width = 0;
            for (int p = chunk * chunkRows; p < Math.min(rows, (chunk + 1L) * chunkRows); p++) {
                width = Math.max(width, laneLengths[p]);
            }
            long end = chunkOffsets[chunk] + (long) width * chunkRows;
            if (end > CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS) {
                throw new IllegalArgumentException("SELL of chunks of " + chunkRows + " rows, sorting window "
                        + sortingWindow + ": more than " + CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS
                        + " entries with padding at chunk " + chunk + " of " + chunks + ", expected no more");
            }
            chunkOffsets[chunk + 1] = (int) end;
        }
        return new Layout(chunkRows, sortingWindow, order, laneLengths, chunkOffsets);
    }

    /** Sorts by decreasing length, rows of equal length in their order, within each window. */
    private static Permutation sortWindows(int[] lengths, int window) {
        if (window == 1) {
            return Permutation.identity(lengths.length);
        }
        long[] keys = new long[lengths.length];
        Arrays.setAll(keys, row -> (long) (Integer.MAX_VALUE - lengths[row]) << 32 | row);
        for (long from = 0; from < keys.length; from += window) {
            Arrays.sort(keys, (int) from, (int) Math.min(keys.length, from + window));
        }
        int[] rowAt = new int[keys.length];
        Arrays.setAll(rowAt, p -> (int) keys[p]);
        return Permutation.ofOldIndices(rowAt);
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public long nonZeros() {
        return nonZeros;
    }

    @Override
    public Precision precision() {
        return values.precision();
    }

    @Override
    public SparseFormat format() {
        return SparseFormat.SELL;
    }

    @Override
    public long storedBytes() {
        return (long) columnIndices.length * (Integer.BYTES + precision().bytes())
                + (2L * rows + chunkOffsets.length) * Integer.BYTES;
    }

    /**
     * Returns C.
     *
     * @return rows of a chunk
     */
    public int chunkRows() {
        return chunkRows;
    }

    /**
     * Returns σ.
     *
     * @return rows of a sorting window
     */
    public int sortingWindow() {
        return sortingWindow;
    }

    /**
     * Returns where each row of the matrix is stored.
     *
     * @return the permutation from rows to positions; position {@code p} is lane {@code p mod C} of chunk {@code p / C}
     */
    public Permutation order() {
        return order;
    }

    /**
     * Returns the number of entries at each position, without padding.
     *
     * @return {@code rows} lengths; the array itself, not to be written
     */
    public int[] laneLengths() {
        return laneLengths;
    }

    /**
     * Returns where each chunk starts.
     *
     * @return {@code chunks + 1} offsets; the array itself, not to be written
     */
    public int[] chunkOffsets() {
        return chunkOffsets;
    }

    /**
     * Returns the columns, padding included.
     *
     * @return the array itself, not to be written
     */
    public int[] columnIndices() {
        return columnIndices;
    }

    /**
     * Returns the values, padding included.
     *
     * @return the vector itself, not to be written
     */
    public HostVector values() {
        return values;
    }

    /**
     * Returns the number of chunks.
     *
     * @return ⌈rows / C⌉
     */
    public int chunks() {
        return chunkOffsets.length - 1;
    }

    @Override
    public void forEachEntry(EntryConsumer consumer) {
        int[] rowAt = order.inverse().toArray();
        for (int position = 0; position < rows; position++) {
            int at = chunkOffsets[position / chunkRows] + position % chunkRows;
            for (int k = 0; k < laneLengths[position]; k++, at += chunkRows) {
                consumer.accept(rowAt[position], columnIndices[at], values.get(at));
            }
        }
    }

    @Override
    public Optional<String> firstViolation() {
        long total = 0;
        for (int position = 0; position < rows; position++) {
            int chunk = position / chunkRows;
            int width = (chunkOffsets[chunk + 1] - chunkOffsets[chunk]) / chunkRows;
            if (laneLengths[position] < 0 || laneLengths[position] > width) {
                return Optional.of("position " + position + ": length " + laneLengths[position] + ", expected 0 to "
                        + width);
            }
            if (position % sortingWindow != 0 && laneLengths[position] > laneLengths[position - 1]) {
                return Optional.of("position " + position + ": length " + laneLengths[position] + " after "
                        + laneLengths[position - 1] + " in one sorting window, expected decreasing lengths");
            }
            total += laneLengths[position];
            Optional<String> violation = inLane(position, width);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return total == nonZeros
                ? Optional.empty()
                : Optional.of("lane lengths add up to " + total + ", expected " + nonZeros);
    }

    private Optional<String> inLane(int position, int width) {
        int first = chunkOffsets[position / chunkRows] + position % chunkRows;
        int previous = -1;
        for (int k = 0; k < width; k++) {
            int at = first + k * chunkRows;
            int column = columnIndices[at];
            String place = "position " + position + ", slot " + k + ": ";
            if (k < laneLengths[position]) {
                if (column <= previous || column >= columns) {
                    return Optional.of(place + "column " + column + ", expected " + (previous + 1) + " to "
                            + (columns - 1));
                }
                previous = column;
            } else if (column != Math.max(previous, 0)) {
                return Optional.of(place + "padding has column " + column + ", expected " + Math.max(previous, 0));
            } else if (values.get(at) != 0) {
                return Optional.of(place + "padding has value " + values.get(at) + ", expected 0");
            }
        }
        return Optional.empty();
    }

    @Override
    public CsrMatrix toCsr() {
        CsrBuilder result = new CsrBuilder(columns, precision(), nonZeros);
        for (int row = 0; row < rows; row++) {
            int position = order.newIndex(row);
            int at = chunkOffsets[position / chunkRows] + position % chunkRows;
            for (int k = 0; k < laneLengths[position]; k++, at += chunkRows) {
                result.add(columnIndices[at], values.get(at));
            }
            result.endRow();
        }
        return result.build();
    }

    @Override
    public String toString() {
        return "SELL-" + chunkRows + "-" + sortingWindow + " matrix " + rows + " x " + columns + ", " + nonZeros
                + " non-zeros, " + precision().label();
    }
}
