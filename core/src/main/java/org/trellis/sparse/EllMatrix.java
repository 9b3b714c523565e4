package org.trellis.sparse;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A matrix in ELLPACK: all rows padded to the longest, stored slot by slot, so that entry {@code k} of row {@code i} is
 * at {@code k × rows + i}. Immutable. Good for rows of nearly equal length; {@link #from} refuses what would waste
 * memory.
 *
 * <p>Padding has value 0 and repeats the last column of its row (column 0 in an empty row), so it reads memory that the
 * row reads anyway.
 *
 * @see <a href="https://doi.org/10.1145/1654059.1654078">thesis, section 4.5, and N. Bell, M. Garland, Implementing
 *      Sparse Matrix-Vector Multiplication on Throughput-Oriented Processors, SC 2009</a>
 */
public final class EllMatrix implements SparseMatrix {
    private final int rows;
    private final int columns;
    private final long nonZeros;
    private final int width;
    private final int[] rowLengths;
    private final int[] columnIndices;
    private final HostVector values;

    private EllMatrix(CsrMatrix source, int width, int[] columnIndices, HostVector values) {
        this.rows = source.rows();
        this.columns = source.columns();
        this.nonZeros = source.nonZeros();
        this.width = width;
        this.rowLengths = source.rowLengths();
        this.columnIndices = columnIndices;
        this.values = values;
    }

    /**
     * Says whether a matrix can be stored in this format.
     *
     * @param rows         number of rows
     * @param longestRow   number of entries of the longest row
     * @return why not, or empty if it can
     */
    public static Optional<String> constraint(int rows, int longestRow) {
        long stored = (long) rows * longestRow;
        return stored <= CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS
                ? Optional.empty()
                : Optional.of("ELLPACK would store " + stored + " entries (" + rows + " rows of " + longestRow
                        + "), expected at most " + CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
    }

    /**
     * Converts a matrix. Costs one pass and {@code rows × longest row × (4 + bytes)} of memory.
     *
     * @param matrix the matrix to convert
     * @return a new matrix
     * @throws IllegalArgumentException if {@code rows × longest row} entries do not fit a Java array
     */
    public static EllMatrix from(CsrMatrix matrix) {
        int width = 0;
        for (int length : matrix.rowLengths()) {
            width = Math.max(width, length);
        }
        constraint(matrix.rows(), width).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        int[] columnIndices = new int[matrix.rows() * width];
        HostVector values = HostVector.zeros(matrix.precision(), columnIndices.length);
        PaddedRows padded = new PaddedRows(columnIndices, values);
        for (CsrSegment segment : matrix.segments()) {
            for (int i = 0; i < segment.rows(); i++) {
                padded.fill(segment, i, segment.firstRow() + i, matrix.rows(), width);
            }
        }
        return new EllMatrix(matrix, width, columnIndices, values);
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
        return SparseFormat.ELLPACK;
    }

    @Override
    public long storedBytes() {
        return (long) columnIndices.length * (Integer.BYTES + precision().bytes()) + (long) rows * Integer.BYTES;
    }

    /**
     * Returns the number of slots of every row.
     *
     * @return the length of the longest row
     */
    public int width() {
        return width;
    }

    /**
     * Returns the number of entries of each row, without padding.
     *
     * @return the array itself, not to be written
     */
    public int[] rowLengths() {
        return rowLengths;
    }

    /**
     * Returns the columns.
     *
     * @return {@code rows × width} columns, slot by slot; the array itself, not to be written
     */
    public int[] columnIndices() {
        return columnIndices;
    }

    /**
     * Returns the values.
     *
     * @return {@code rows × width} values, slot by slot; the vector itself, not to be written
     */
    public HostVector values() {
        return values;
    }

    @Override
    public void forEachEntry(EntryConsumer consumer) {
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < rowLengths[row]; k++) {
                consumer.accept(row, columnIndices[k * rows + row], values.get(k * rows + row));
            }
        }
    }

    @Override
    public Optional<String> firstViolation() {
        long total = 0;
        for (int row = 0; row < rows; row++) {
            if (rowLengths[row] < 0 || rowLengths[row] > width) {
                return Optional.of("row " + row + ": length " + rowLengths[row] + ", expected 0 to " + width);
            }
            total += rowLengths[row];
            Optional<String> violation = inRow(row);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return total == nonZeros
                ? Optional.empty()
                : Optional.of("row lengths add up to " + total + ", expected " + nonZeros);
    }

    private Optional<String> inRow(int row) {
        int previous = -1;
        for (int k = 0; k < width; k++) {
            int at = k * rows + row;
            int column = columnIndices[at];
            String place = "row " + row + ", slot " + k + ": ";
            if (k < rowLengths[row]) {
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
            for (int k = 0; k < rowLengths[row]; k++) {
                result.add(columnIndices[k * rows + row], values.get(k * rows + row));
            }
            result.endRow();
        }
        return result.build();
    }

    @Override
    public String toString() {
        return "ELLPACK matrix " + rows + " x " + columns + ", " + nonZeros + " non-zeros in " + width
                + " slots a row, "
                + precision().label();
    }
}
