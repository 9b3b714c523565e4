package org.trellis.sparse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * Builds a {@link CsrMatrix} row by row, in order, with increasing columns. Starts a new segment before a row that
 * would not fit the current one, so the number of non-zeros is bounded by memory alone. Not thread-safe.
 */
public final class CsrBuilder {
    private static final int FIRST_CAPACITY = 16;

    private final int columns;
    private final Precision precision;
    private final int segmentLimit;
    private final List<CsrSegment> segments = new ArrayList<>();

    private int rows;
    private int segmentFirstRow;
    private long segmentBase;
    private int[] offsets = new int[FIRST_CAPACITY];
    private int[] columnIndices;
    private HostVector values;
    /** Entries of the open segment, the open row's included. */
    private int filled;
    private int previousColumn = -1;
    private boolean built;

    /**
     * Starts a matrix.
     *
     * @param columns          number of columns
     * @param precision        the type of the values
     * @param expectedNonZeros how many entries are expected, to avoid copying; any number works
     * @throws IllegalArgumentException if the number of columns is negative
     */
    public CsrBuilder(int columns, Precision precision, long expectedNonZeros) {
        this(columns, precision, expectedNonZeros, CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
    }

    CsrBuilder(int columns, Precision precision, long expectedNonZeros, int segmentLimit) {
        this.columns = Checks.notNegative("columns", columns);
        this.precision = precision;
        this.segmentLimit = segmentLimit;
        // What the heap cannot hold is not expected in earnest: entries get room as they come.
        long most = Runtime.getRuntime().maxMemory() / (Integer.BYTES + precision.bytes());
        long sensible = expectedNonZeros > most ? 0 : expectedNonZeros;
        int capacity = (int) Math.max(FIRST_CAPACITY, Math.min(segmentLimit, sensible));
        this.columnIndices = new int[capacity];
        this.values = HostVector.zeros(precision, capacity);
    }

    /**
     * Adds an entry to the open row.
     *
     * @param column its column, greater than that of the entry before it in the row
     * @param value  its value; rounded to nearest for {@link Precision#F32}
     * @return this builder
     * @throws IllegalArgumentException if the column is out of order or range
     * @throws IllegalStateException if the row has more entries than a segment of a matrix holds, or the matrix has
     *         been built
     */
    public CsrBuilder add(int column, double value) {
        requireOpen();
        if (column <= previousColumn || column >= columns) {
            throw new IllegalArgumentException("row " + rows + ": column " + column + ", expected "
                    + (previousColumn + 1) + " to " + (columns - 1) + " after the entries so far");
        }
        if (filled == columnIndices.length) {
            grow();
        }
        columnIndices[filled] = column;
        values.set(filled, value);
        filled++;
        previousColumn = column;
        return this;
    }

    /**
     * Ends the open row and opens the next.
     *
     * @return this builder
     * @throws IllegalArgumentException if there are more rows than an array has elements
     * @throws IllegalStateException if the matrix has been built
     */
    public CsrBuilder endRow() {
        requireOpen();
        int localRow = rows - segmentFirstRow;
        if (localRow + 2L > offsets.length) {
            int needed = Checks.arrayLength("matrix of more than " + rows + " rows", localRow + 2L);
            offsets =
                    Arrays.copyOf(offsets, Math.max(needed, (int) Math.min(Checks.LONGEST_ARRAY, offsets.length * 2L)));
        }
        offsets[localRow + 1] = filled;
        rows++;
        previousColumn = -1;
        return this;
    }

    /**
     * Ends the matrix; the open row must have no entries. The builder is used up: it goes into the matrix without a
     * copy of its segments.
     *
     * @return the matrix
     * @throws IllegalStateException if the open row has entries, or the matrix has been built
     */
    public CsrMatrix build() {
        requireOpen();
        int localRows = rows - segmentFirstRow;
        if (filled != offsets[localRows]) {
            throw new IllegalStateException("row " + rows + " has entries and was not ended");
        }
        built = true;
        closeSegment(localRows);
        return new CsrMatrix(rows, columns, precision, segments);
    }

    private void requireOpen() {
        if (built) {
            throw new IllegalStateException("builder of a matrix of " + rows + " x " + columns
                    + " is used after build(), expected a new one for each matrix");
        }
    }

    private void grow() {
        if (filled >= segmentLimit) {
            moveOpenRowToNewSegment();
            return;
        }
        int capacity = (int) Math.min(segmentLimit, Math.max(filled + 1L, filled * 2L));
        columnIndices = Arrays.copyOf(columnIndices, capacity);
        HostVector grown = HostVector.zeros(precision, capacity);
        values.copyRange(0, grown, 0, filled);
        values = grown;
    }

    private void moveOpenRowToNewSegment() {
        int localRows = rows - segmentFirstRow;
        int rowStart = offsets[localRows];
        int open = filled - rowStart;
        if (localRows == 0) {
            throw new IllegalStateException("row " + rows + " has more than " + segmentLimit
                    + " entries, expected no more in one row");
        }
        int[] openColumns = Arrays.copyOfRange(columnIndices, rowStart, filled);
        HostVector openValues = HostVector.zeros(precision, open);
        values.copyRange(rowStart, openValues, 0, open);
        closeSegment(localRows);
        int capacity = (int) Math.min(segmentLimit, Math.max(FIRST_CAPACITY, open * 2L));
        columnIndices = Arrays.copyOf(openColumns, capacity);
        values = HostVector.zeros(precision, capacity);
        openValues.copyRange(0, values, 0, open);
        offsets = new int[FIRST_CAPACITY];
        filled = open;
    }

    private void closeSegment(int localRows) {
        int end = offsets[localRows];
        HostVector trimmed = values;
        if (values.length() != end) {
            trimmed = HostVector.zeros(precision, end);
            values.copyRange(0, trimmed, 0, end);
        }
        segments.add(new CsrSegment(segmentFirstRow, segmentBase, Arrays.copyOf(offsets, localRows + 1),
                Arrays.copyOf(columnIndices, end), trimmed));
        segmentFirstRow = rows;
        segmentBase += end;
    }
}
