package org.trellis.sparse;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A matrix as coordinates: a row, a column and a value for each entry, in any order. Several entries may have the same
 * place; the matrix element is their sum. Immutable.
 */
public final class CooMatrix implements SparseMatrix {
    /** Columns for each entry up to which they are counted. */
    private static final long COLUMNS_PER_ENTRY = 8;

    private final int rows;
    private final int columns;
    private final int[] rowIndices;
    private final int[] columnIndices;
    private final HostVector values;

    private CooMatrix(int rows, int columns, int[] rowIndices, int[] columnIndices, HostVector values) {
        this.rows = rows;
        this.columns = columns;
        this.rowIndices = rowIndices;
        this.columnIndices = columnIndices;
        this.values = values;
    }

    /**
     * Wraps arrays after checking them. Costs one pass.
     *
     * @param rows          number of rows
     * @param columns       number of columns
     * @param rowIndices    the row of each entry; not copied
     * @param columnIndices the column of each entry, as many; not copied
     * @param values        the value of each entry, as many; not copied
     * @return the matrix, which owns the arrays from now on
     * @throws IllegalArgumentException if lengths differ or an index is out of range; names the first violation
     */
    public static CooMatrix of(int rows, int columns, int[] rowIndices, int[] columnIndices, HostVector values) {
        Checks.notNegative("rows", rows);
        Checks.notNegative("columns", columns);
        Objects.requireNonNull(values);
        Checks.length("columnIndices.length", columnIndices.length, rowIndices.length);
        Checks.length("number of values", values.length(), rowIndices.length);
        CooMatrix matrix = new CooMatrix(rows, columns, rowIndices, columnIndices, values);
        matrix.firstViolation().ifPresent(violation -> {
            throw new IllegalArgumentException("COO matrix of " + rows + " x " + columns + ": " + violation);
        });
        return matrix;
    }

    /**
     * Lists the entries of a matrix row by row.
     *
     * @param matrix a matrix of fewer than 2³¹ non-zeros
     * @return a new matrix
     * @throws IllegalStateException if it has more
     */
    public static CooMatrix from(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        int[] rowIndices = new int[segment.nonZeros()];
        for (int row = 0; row < matrix.rows(); row++) {
            Arrays.fill(rowIndices, segment.rowOffsets()[row], segment.rowOffsets()[row + 1], row);
        }
        HostVector values = HostVector.zeros(matrix.precision(), rowIndices.length);
        segment.values().copyRange(0, values, 0, rowIndices.length);
        return new CooMatrix(matrix.rows(), matrix.columns(), rowIndices,
                Arrays.copyOf(segment.columnIndices(), rowIndices.length), values);
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    /**
     * Returns the number of stored entries; entries of the same place count each.
     *
     * @return at least 0
     */
    @Override
    public long nonZeros() {
        return rowIndices.length;
    }

    @Override
    public Precision precision() {
        return values.precision();
    }

    @Override
    public SparseFormat format() {
        return SparseFormat.COO;
    }

    @Override
    public long storedBytes() {
        return nonZeros() * (2L * Integer.BYTES + precision().bytes());
    }

    /**
     * Returns the row of each entry.
     *
     * @return the array itself, not to be written
     */
    public int[] rowIndices() {
        return rowIndices;
    }

    /**
     * Returns the column of each entry.
     *
     * @return the array itself, not to be written
     */
    public int[] columnIndices() {
        return columnIndices;
    }

    /**
     * Returns the value of each entry.
     *
     * @return the vector itself, not to be written
     */
    public HostVector values() {
        return values;
    }

    @Override
    public void forEachEntry(EntryConsumer consumer) {
        for (int k = 0; k < rowIndices.length; k++) {
            consumer.accept(rowIndices[k], columnIndices[k], values.get(k));
        }
    }

    @Override
    public Optional<String> firstViolation() {
        for (int k = 0; k < rowIndices.length; k++) {
            if (rowIndices[k] < 0 || rowIndices[k] >= rows) {
                return Optional.of("entry " + k + ": row " + rowIndices[k] + ", expected 0 to " + (rows - 1));
            }
            if (columnIndices[k] < 0 || columnIndices[k] >= columns) {
                return Optional.of("entry " + k + ": column " + columnIndices[k] + ", expected 0 to " + (columns - 1));
            }
        }
        return Optional.empty();
    }

    /**
     * Sorts the entries by row and column and adds up those of the same place, in the order in which they stand here.
     * Sums are formed in double precision and rounded once. Costs a counting sort by columns and one by rows.
     *
     * @return a new matrix
     * @throws IllegalArgumentException if there are so many rows that their offsets do not fit an array
     */
    @Override
    public CsrMatrix toCsr() {
        int[] offsets = new int[Checks.arrayLength("compressed sparse rows of " + this, rows + 1L)];
        for (int row : rowIndices) {
            offsets[row + 1]++;
        }
        ParallelRanges.accumulate(offsets);
        int[] next = Arrays.copyOf(offsets, rows);
        int[] order = new int[rowIndices.length];
        for (int k : byColumn()) {
            order[next[rowIndices[k]]++] = k;
        }
        return addUp(offsets, order);
    }

    /** Returns the entries by column, those of one column in the order in which they stand here. */
    private int[] byColumn() {
        int[] order = new int[columnIndices.length];
        if (columns > COLUMNS_PER_ENTRY * order.length) {
            long[] keys = new long[order.length];
            Arrays.setAll(keys, k -> (long) columnIndices[k] << Integer.SIZE | k);
            Arrays.sort(keys);
            Arrays.setAll(order, k -> (int) keys[k]);
            return order;
        }
        int[] next = new int[columns + 1];
        for (int column : columnIndices) {
            next[column + 1]++;
        }
        ParallelRanges.accumulate(next);
        for (int k = 0; k < order.length; k++) {
            order[next[columnIndices[k]]++] = k;
        }
        return order;
    }

    /** Makes rows of entries in order, of which those of one place are side by side, and changes offsets to theirs. */
    private CsrMatrix addUp(int[] offsets, int[] order) {
        int[] kept = new int[order.length];
        HostVector sums = HostVector.zeros(precision(), order.length);
        int count = 0;
        int end = 0;
        for (int row = 0; row < rows; row++) {
            int p = end;
            end = offsets[row + 1];
            while (p < end) {
                int column = columnIndices[order[p]];
                double sum = values.get(order[p++]);
                while (p < end && columnIndices[order[p]] == column) {
                    sum += values.get(order[p++]);
                }
                kept[count] = column;
                sums.set(count++, sum);
            }
            offsets[row + 1] = count;
        }
        if (count == kept.length) {
            return CsrMatrix.unchecked(rows, columns, offsets, kept, sums);
        }
        HostVector fewer = HostVector.zeros(precision(), count);
        sums.copyRange(0, fewer, 0, count);
        return CsrMatrix.unchecked(rows, columns, offsets, Arrays.copyOf(kept, count), fewer);
    }

    @Override
    public String toString() {
        return "COO matrix " + rows + " x " + columns + ", " + nonZeros() + " entries, " + precision().label();
    }
}
