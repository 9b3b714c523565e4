package org.trellis.sparse;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A matrix in compressed sparse columns: a view of its transpose in {@link CsrMatrix compressed rows}, whose arrays are
 * the column offsets, row indices and values. Making the view of a transpose that is there costs nothing; so does going
 * back to it. Immutable.
 */
public final class CscView {
    private final CsrMatrix transpose;

    private CscView(CsrMatrix transpose) {
        this.transpose = Objects.requireNonNull(transpose);
    }

    /**
     * Makes the columns of a matrix accessible. Costs a transposition.
     *
     * @param matrix the matrix
     * @return a view of its transpose, which is made here
     */
    public static CscView of(CsrMatrix matrix) {
        return new CscView(matrix.transpose());
    }

    /**
     * Reads compressed rows as compressed columns. Costs nothing.
     *
     * @param transpose the transpose of the matrix that is meant; not copied
     * @return the view
     */
    public static CscView ofTranspose(CsrMatrix transpose) {
        return new CscView(transpose);
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int rows() {
        return transpose.columns();
    }

    /**
     * Returns the number of columns.
     *
     * @return at least 0
     */
    public int columns() {
        return transpose.rows();
    }

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    public long nonZeros() {
        return transpose.nonZeros();
    }

    /**
     * Returns the type of the values.
     *
     * @return the precision
     */
    public Precision precision() {
        return transpose.precision();
    }

    /**
     * Returns where a column starts.
     *
     * @param column a column, or {@link #columns()} for the end of the last one
     * @return the number of entries in the columns before it
     * @throws IndexOutOfBoundsException if there is no such column
     */
    public long columnOffset(int column) {
        Checks.index("column", column, columns() + 1);
        return transpose.rowOffset(column);
    }

    /**
     * Returns the number of entries of a column.
     *
     * @param column its index
     * @return at least 0
     * @throws IndexOutOfBoundsException if there is no such column
     */
    public int columnLength(int column) {
        Checks.index("column", column, columns());
        return transpose.rowLength(column);
    }

    /**
     * Returns an element. Costs a binary search in its column.
     *
     * @param row    its row
     * @param column its column
     * @return its value, 0 if there is no entry
     * @throws IndexOutOfBoundsException if it lies outside the matrix
     */
    public double get(int row, int column) {
        Checks.index("row", row, rows());
        Checks.index("column", column, columns());
        return transpose.get(/* row= */ column, /* column= */ row);
    }

    /**
     * Shows the entries of a column in the order of their rows.
     *
     * @param column   the column
     * @param consumer receives row, column and value of each
     * @throws IndexOutOfBoundsException if there is no such column
     */
    public void forEachInColumn(int column, EntryConsumer consumer) {
        CsrSegment segment = transpose.segmentOf(Checks.index("column", column, columns()));
        for (int k = segment.rowStart(column); k < segment.rowEnd(column); k++) {
            consumer.accept(segment.columnIndices()[k], column, segment.values().get(k));
        }
    }

    /**
     * Returns a column with all its elements.
     *
     * @param column the column
     * @return a new vector of {@link #rows()} elements
     * @throws IndexOutOfBoundsException if there is no such column
     */
    public HostVector column(int column) {
        HostVector result = HostVector.zeros(precision(), rows());
        forEachInColumn(column, (row, j, value) -> result.set(row, value));
        return result;
    }

    /**
     * Returns the transpose in compressed rows, whose arrays are those of this matrix in compressed columns. Costs
     * nothing.
     *
     * @return the matrix that this is a view of
     */
    public CsrMatrix transposed() {
        return transpose;
    }

    /**
     * Returns the matrix in compressed rows. Costs a transposition.
     *
     * @return a new matrix
     */
    public CsrMatrix toCsr() {
        return transpose.transpose();
    }

    @Override
    public String toString() {
        return "CSC matrix " + rows() + " x " + columns() + ", " + nonZeros() + " non-zeros, " + precision().label();
    }
}
