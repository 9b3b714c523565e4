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
     * Sums are formed in double precision and rounded once. Costs a counting sort by rows and a sort within each row.
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
        for (int k = 0; k < rowIndices.length; k++) {
            order[next[rowIndices[k]]++] = k;
        }
        CsrBuilder result = new CsrBuilder(columns, precision(), rowIndices.length);
        RowSorter sorter = new RowSorter();
        for (int row = 0; row < rows; row++) {
            sorter.clear();
            for (int p = offsets[row]; p < offsets[row + 1]; p++) {
                sorter.add(columnIndices[order[p]], values.get(order[p]));
            }
            sorter.sort();
            addRow(result, sorter);
        }
        return result.build();
    }

    private static void addRow(CsrBuilder result, RowSorter row) {
        int k = 0;
        while (k < row.size()) {
            int column = row.column(k);
            double sum = row.value(k++);
            while (k < row.size() && row.column(k) == column) {
                sum += row.value(k++);
            }
            result.add(column, sum);
        }
        result.endRow();
    }

    @Override
    public String toString() {
        return "COO matrix " + rows + " x " + columns + ", " + nonZeros() + " entries, " + precision().label();
    }
}
