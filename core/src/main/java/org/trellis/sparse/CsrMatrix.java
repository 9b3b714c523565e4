package org.trellis.sparse;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A matrix in compressed sparse rows: for each row, the columns of its entries in increasing order and their values.
 * Immutable.
 *
 * <p>Columns are 32-bit; offsets are 64-bit where the non-zeros need them: the rows are then cut into several
 * {@link CsrSegment segments} of at most {@value #MAXIMUM_SEGMENT_NON_ZEROS} non-zeros, each with 32-bit offsets of its
 * own and a 64-bit base. All operations take any number of segments; plain arrays are in {@link #onlySegment()}.
 *
 * @see <a href="https://doi.org/10.1137/1.9780898718003">Y. Saad, Iterative Methods for Sparse Linear Systems, section
 *      3.4</a>
 */
public final class CsrMatrix implements SparseMatrix {
    /** The largest number of non-zeros that one segment holds. */
    public static final int MAXIMUM_SEGMENT_NON_ZEROS = Integer.MAX_VALUE - 8;

    private final int rows;
    private final int columns;
    private final Precision precision;
    private final CsrSegment[] segments;
    private final DefaultSpmv product = new DefaultSpmv(this);

    CsrMatrix(int rows, int columns, Precision precision, List<CsrSegment> segments) {
        this.rows = rows;
        this.columns = columns;
        this.precision = precision;
        this.segments = segments.toArray(new CsrSegment[0]);
    }

    /**
     * Wraps arrays after checking them. Costs one pass.
     *
     * @param rows          number of rows
     * @param columns       number of columns
     * @param rowOffsets    {@code rows + 1} offsets, not decreasing, the first 0; not copied
     * @param columnIndices columns, strictly increasing within a row, at least {@code rowOffsets[rows]} long; not
     *                      copied
     * @param values        values, as long as the columns at least; not copied
     * @return the matrix, which owns the arrays from now on
     * @throws IllegalArgumentException if an invariant is violated; names the first violation
     */
    public static CsrMatrix of(int rows, int columns, int[] rowOffsets, int[] columnIndices, double[] values) {
        return of(rows, columns, rowOffsets, columnIndices, HostVector.of(values));
    }

    /**
     * Wraps arrays after checking them. Costs one pass.
     *
     * @param rows          number of rows
     * @param columns       number of columns
     * @param rowOffsets    {@code rows + 1} offsets, not decreasing, the first 0; not copied
     * @param columnIndices columns, strictly increasing within a row, at least {@code rowOffsets[rows]} long; not
     *                      copied
     * @param values        values, as long as the columns at least; not copied
     * @return the matrix, which owns the arrays from now on
     * @throws IllegalArgumentException if an invariant is violated; names the first violation
     */
    public static CsrMatrix of(int rows, int columns, int[] rowOffsets, int[] columnIndices, float[] values) {
        return of(rows, columns, rowOffsets, columnIndices, HostVector.of(values));
    }

    /**
     * Wraps arrays after checking them. Costs one pass.
     *
     * @param rows          number of rows
     * @param columns       number of columns
     * @param rowOffsets    {@code rows + 1} offsets, not decreasing, the first 0; not copied
     * @param columnIndices columns, strictly increasing within a row, at least {@code rowOffsets[rows]} long; not
     *                      copied
     * @param values        values in either precision, as long as the columns at least; not copied
     * @return the matrix, which owns the arrays from now on
     * @throws IllegalArgumentException if an invariant is violated; names the first violation
     */
    public static CsrMatrix of(int rows, int columns, int[] rowOffsets, int[] columnIndices, HostVector values) {
        Checks.notNegative("rows", rows);
        Checks.notNegative("columns", columns);
        Checks.length("rowOffsets.length", rowOffsets.length, rows + 1L);
        CsrMatrix matrix = unchecked(rows, columns, rowOffsets, columnIndices, values);
        matrix.firstViolation().ifPresent(violation -> {
            throw new IllegalArgumentException("CSR matrix of " + rows + " x " + columns + ": " + violation);
        });
        return matrix;
    }

    /** Wraps arrays that are right by construction. */
    static CsrMatrix unchecked(int rows, int columns, int[] rowOffsets, int[] columnIndices, HostVector values) {
        CsrSegment segment = new CsrSegment(0, 0, rowOffsets, columnIndices, values);
        return new CsrMatrix(rows, columns, values.precision(), List.of(segment));
    }

    /**
     * Returns the identity.
     *
     * @param size      number of rows and columns
     * @param precision the type of the values
     * @return a matrix of ones on the diagonal
     * @throws IllegalArgumentException if the size is negative, or {@code size + 1} offsets do not fit an array
     */
    public static CsrMatrix identity(int size, Precision precision) {
        int[] offsets = new int[Checks.arrayLength("identity of size " + size, Checks.notNegative("size", size) + 1L)];
        Arrays.setAll(offsets, i -> i);
        int[] diagonal = Arrays.copyOf(offsets, size);
        return unchecked(size, size, offsets, diagonal, HostVector.zeros(precision, size).fill(1));
    }

    /**
     * Makes a matrix of its diagonals, as SciPy's {@code diags_array} does.
     *
     * @param rows      number of rows
     * @param columns   number of columns
     * @param precision the type of the values
     * @param offsets   which diagonals, each once, in any order: 0 the main one, {@code k > 0} the k-th above it,
     *                  {@code k < 0} below
     * @param diagonals the elements of each from the top down, or one number that all of them are
     * @return a matrix with an entry at each place of these diagonals, also where the element is 0
     * @throws IllegalArgumentException if there is no such diagonal, one is given twice, or a length does not fit; says
     *                                  what would
     */
    public static CsrMatrix diagonals(int rows, int columns, Precision precision, int[] offsets,
            double[]... diagonals) {
        return CsrDiagonals.of(rows, columns, precision, offsets, diagonals);
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
        CsrSegment last = segments[segments.length - 1];
        return last.base() + last.nonZeros();
    }

    @Override
    public Precision precision() {
        return precision;
    }

    @Override
    public SparseFormat format() {
        return SparseFormat.CSR;
    }

    @Override
    public long storedBytes() {
        return (rows + (long) segments.length) * Integer.BYTES + nonZeros() * (Integer.BYTES + precision.bytes());
    }

    /**
     * Returns the segments in the order of their rows.
     *
     * @return at least one segment, together all rows
     */
    public List<CsrSegment> segments() {
        return List.of(segments);
    }

    /**
     * Returns the segment of a matrix that has just one.
     *
     * @return the segment, whose arrays hold the whole matrix
     * @throws IllegalStateException if the matrix has more than {@value #MAXIMUM_SEGMENT_NON_ZEROS} non-zeros and so
     *                               several segments
     */
    public CsrSegment onlySegment() {
        if (segments.length != 1) {
            throw new IllegalStateException(this + " has " + segments.length + " segments, expected 1");
        }
        return segments[0];
    }

    /**
     * Returns where a row starts.
     *
     * @param row a row, or {@link #rows()} for the end of the last one
     * @return the number of non-zeros in the rows before it
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public long rowOffset(int row) {
        Checks.index("row", row, rows + 1);
        if (row == rows) {
            return nonZeros();
        }
        CsrSegment segment = segmentOf(row);
        return segment.base() + segment.rowOffsets()[row - segment.firstRow()];
    }

    /**
     * Returns the number of entries of a row.
     *
     * @param row its index
     * @return at least 0
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public int rowLength(int row) {
        CsrSegment segment = segmentOf(Checks.index("row", row, rows));
        int local = row - segment.firstRow();
        return segment.rowOffsets()[local + 1] - segment.rowOffsets()[local];
    }

    /**
     * Returns an element. Costs a binary search in its row; not for loops over the whole matrix.
     *
     * @param row    its row
     * @param column its column
     * @return its value, 0 if there is no entry
     * @throws IndexOutOfBoundsException if it lies outside the matrix
     */
    public double get(int row, int column) {
        Checks.index("column", column, columns);
        CsrSegment segment = segmentOf(Checks.index("row", row, rows));
        int local = row - segment.firstRow();
        int[] offsets = segment.rowOffsets();
        int found = Arrays.binarySearch(segment.columnIndices(), offsets[local], offsets[local + 1], column);
        return found < 0 ? 0 : segment.values().get(found);
    }

    /**
     * Finds the segment of a row by bisection. The row is not checked.
     *
     * @param row its index
     * @return the segment that has it
     */
    public CsrSegment segmentOf(int row) {
        int low = 0;
        int high = segments.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments[middle].firstRow() <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return segments[low];
    }

    /**
     * Returns the transpose. Costs a pass over the matrix and one more for each segment of the result, on several
     * threads, and as much memory again, and 8 bytes a column.
     *
     * @return a new matrix
     * @throws IllegalArgumentException if there are so many columns that as many offsets of rows do not fit an array
     */
    public CsrMatrix transpose() {
        return CsrTransformations.transpose(this);
    }

    /**
     * Moves rows and columns.
     *
     * @param rowOrder    where each row goes
     * @param columnOrder where each column goes
     * @return a new matrix with entry (i, j) at (rowOrder(i), columnOrder(j))
     * @throws IllegalArgumentException if a permutation has the wrong size
     */
    public CsrMatrix permute(Permutation rowOrder, Permutation columnOrder) {
        return CsrTransformations.permute(this, rowOrder, columnOrder);
    }

    /**
     * Cuts out a block.
     *
     * @param fromRow    first row
     * @param toRow      row after the last
     * @param fromColumn first column
     * @param toColumn   column after the last
     * @return a new matrix of {@code toRow - fromRow} rows and {@code toColumn - fromColumn} columns
     * @throws IndexOutOfBoundsException if the block does not lie within the matrix
     */
    public CsrMatrix submatrix(int fromRow, int toRow, int fromColumn, int toColumn) {
        return CsrTransformations.submatrix(this, fromRow, toRow, fromColumn, toColumn);
    }

    /**
     * Takes out rows by a list, which may name them in any order and often. Costs time for what is copied.
     *
     * @param chosen their indices; row i of the result is row {@code chosen[i]}
     * @return a new matrix of {@code chosen.length} rows
     * @throws IndexOutOfBoundsException if there is no such row; names the place in the list
     */
    public CsrMatrix selectRows(int... chosen) {
        return CsrSelections.rows(this, chosen);
    }

    /**
     * Takes out columns by a list, which may name them in any order and often. Costs two passes over the matrix.
     *
     * @param chosen their indices; column j of the result is column {@code chosen[j]}
     * @return a new matrix of {@code chosen.length} columns
     * @throws IndexOutOfBoundsException if there is no such column; names the place in the list
     */
    public CsrMatrix selectColumns(int... chosen) {
        int[] all = new int[rows];
        Arrays.setAll(all, i -> i);
        return CsrSelections.select(this, all, chosen);
    }

    /**
     * Takes out the elements where chosen rows and chosen columns meet. Costs two passes over the chosen rows.
     *
     * @param chosenRows    rows, in any order, also several times
     * @param chosenColumns columns, likewise
     * @return a new matrix whose element (i, j) is element {@code (chosenRows[i], chosenColumns[j])}
     * @throws IndexOutOfBoundsException if there is no such row or column; names the place in the list
     */
    public CsrMatrix select(int[] chosenRows, int[] chosenColumns) {
        return CsrSelections.select(this, chosenRows, chosenColumns);
    }

    /**
     * Keeps some of the entries. Costs two passes on several threads.
     *
     * @param kept asked twice about each entry, in no order
     * @return a new matrix of the same size
     */
    public CsrMatrix filter(EntryPredicate kept) {
        return CsrFilters.filter(this, kept);
    }

    /**
     * Keeps the entries on and below a diagonal.
     *
     * @param offset which diagonal: 0 the main one, {@code k > 0} the k-th above it, {@code k < 0} below
     * @return a new matrix of the same size, of the entries with {@code column - row <= offset}
     */
    public CsrMatrix lowerTriangle(int offset) {
        return filter((row, column, value) -> (long) column - row <= offset);
    }

    /**
     * Keeps the entries on and above a diagonal.
     *
     * @param offset which diagonal: 0 the main one, {@code k > 0} the k-th above it, {@code k < 0} below
     * @return a new matrix of the same size, of the entries with {@code column - row >= offset}
     */
    public CsrMatrix upperTriangle(int offset) {
        return filter((row, column, value) -> (long) column - row >= offset);
    }

    /**
     * Drops small entries. With a threshold of 0 the explicit zeros go.
     *
     * @param threshold the greatest absolute value that is dropped
     * @return a new matrix of the same size; entries that are NaN stay
     */
    public CsrMatrix dropSmall(double threshold) {
        return filter((row, column, value) -> !(Math.abs(value) <= threshold));
    }

    /**
     * Returns the entries on the main diagonal.
     *
     * @return a new vector of {@code min(rows, columns)} elements, 0 where there is no entry
     */
    public HostVector diagonal() {
        return CsrSelections.diagonal(this);
    }

    /**
     * Replaces the main diagonal.
     *
     * @param diagonal its elements, {@code min(rows, columns)} of them, in either precision
     * @return a new matrix of the same size with an entry at each place of the diagonal, also where the element is 0
     * @throws IllegalArgumentException if the length does not fit
     */
    public CsrMatrix withDiagonal(HostVector diagonal) {
        return CsrDiagonals.replaced(this, diagonal.toDoubleArray());
    }

    /**
     * Gives the elements, read row by row, other rows and columns. Costs a pass over the matrix.
     *
     * @param newRows    number of rows
     * @param newColumns number of columns, so that there are as many elements as before
     * @return a new matrix
     * @throws IllegalArgumentException if there are more or fewer elements
     */
    public CsrMatrix reshape(int newRows, int newColumns) {
        return CsrDiagonals.reshaped(this, newRows, newColumns);
    }

    /**
     * Returns the matrix in a given precision.
     *
     * @param wanted the precision; values are rounded to nearest
     * @return this object if it has that precision, else a new matrix that shares the structure
     */
    public CsrMatrix toPrecision(Precision wanted) {
        if (wanted == precision) {
            return this;
        }
        List<CsrSegment> converted = Arrays.stream(segments)
                .map(s -> new CsrSegment(s.firstRow(), s.base(), s.rowOffsets(), s.columnIndices(),
                        s.values().convert(wanted)))
                .toList();
        return new CsrMatrix(rows, columns, wanted, converted);
    }

    /**
     * Returns a matrix of the same structure with other values.
     *
     * @param function gives the new value from the row, the column and the old value
     * @return a new matrix that shares the structure
     */
    public CsrMatrix mapValues(EntryFunction function) {
        List<CsrSegment> mapped = Arrays.stream(segments)
                .map(s -> CsrTransformations.mapValues(s, precision, function))
                .toList();
        return new CsrMatrix(rows, columns, precision, mapped);
    }

    /**
     * Adds a matrix: {@code A + B}. Costs as {@link #combine}.
     *
     * @param other B, of the same size and precision
     * @return a new matrix
     * @throws IllegalArgumentException if sizes or precisions differ
     */
    public CsrMatrix plus(CsrMatrix other) {
        return combine(1, other, 1);
    }

    /**
     * Computes {@code alpha A + beta B}. Costs two passes over both, on several threads. There is an entry wherever one
     * of them has one, also if the sum is 0. Sums are formed in double precision and rounded once.
     *
     * @param alpha a factor
     * @param other B, of the same size and precision
     * @param beta  the factor of B
     * @return a new matrix
     * @throws IllegalArgumentException if sizes or precisions differ
     */
    public CsrMatrix combine(double alpha, CsrMatrix other, double beta) {
        return CsrSums.combine(alpha, this, beta, other);
    }

    /**
     * Returns the mean of this and the transpose, {@code (A + Aᵀ) / 2}. Where the pattern is symmetric it costs one
     * pass on one thread, else a transposition and what {@link #combine} does.
     *
     * @return a new symmetric matrix, which shares the structure where that is symmetric
     * @throws IllegalArgumentException if the matrix is not square
     */
    public CsrMatrix symmetricPart() {
        return SymmetricPart.of(this);
    }

    /**
     * Multiplies element by element: the Hadamard product {@code A ∘ B}. Costs two passes over both, on several
     * threads.
     *
     * @param other B, of the same size and precision
     * @return a new matrix with an entry wherever both have one
     * @throws IllegalArgumentException if sizes or precisions differ
     */
    public CsrMatrix hadamard(CsrMatrix other) {
        return CsrMerges.both("Hadamard product", this, other, (a, b) -> a * b);
    }

    /**
     * Takes the greater of each two elements; one without an entry counts as 0. Costs two passes over both, on several
     * threads.
     *
     * @param other a matrix of the same size and precision
     * @return a new matrix with an entry wherever one of them has one, also if it is 0; NaN if one of both is
     * @throws IllegalArgumentException if sizes or precisions differ
     */
    public CsrMatrix maximum(CsrMatrix other) {
        return CsrMerges.either("maximum", this, other, Math::max);
    }

    /**
     * Takes the lesser of each two elements; one without an entry counts as 0. Costs two passes over both, on several
     * threads.
     *
     * @param other a matrix of the same size and precision
     * @return a new matrix with an entry wherever one of them has one, also if it is 0; NaN if one of both is
     * @throws IllegalArgumentException if sizes or precisions differ
     */
    public CsrMatrix minimum(CsrMatrix other) {
        return CsrMerges.either("minimum", this, other, Math::min);
    }

    /**
     * Multiplies all values by a number.
     *
     * @param factor the number
     * @return a new matrix that shares the structure
     */
    public CsrMatrix scaled(double factor) {
        return mapValues(value -> factor * value);
    }

    /**
     * Multiplies each row by a number: {@code diag(factors) A}.
     *
     * @param factors one for each row, in either precision
     * @return a new matrix that shares the structure
     * @throws IllegalArgumentException if there are more or fewer factors than rows
     */
    public CsrMatrix scaleRows(HostVector factors) {
        return CsrValues.scaleRows(this, factors);
    }

    /**
     * Multiplies each column by a number: {@code A diag(factors)}.
     *
     * @param factors one for each column, in either precision
     * @return a new matrix that shares the structure
     * @throws IllegalArgumentException if there are more or fewer factors than columns
     */
    public CsrMatrix scaleColumns(HostVector factors) {
        return CsrValues.scaleColumns(this, factors);
    }

    /**
     * Returns the sum of the elements on the main diagonal.
     *
     * @return the sum, formed in double precision
     * @throws IllegalArgumentException if the matrix is not square
     */
    public double trace() {
        return CsrValues.trace(this);
    }

    /**
     * Computes {@code A x} with what is shared by the whole program: a small matrix on the calling thread, a larger one
     * by a CPU backend that is opened when it is first needed and never closed, whose threads do not keep the program
     * alive. One such product runs at a time; for others, or to choose how it runs, prepare a {@link SpmvOperator}. The
     * prepared form is kept with the matrix until memory is short.
     *
     * @param x {@code columns} elements of the precision of the matrix
     * @return a new vector of {@code rows} elements
     * @throws IllegalArgumentException if the length or precision does not fit
     */
    public HostVector multiply(HostVector x) {
        return product.multiply(x);
    }

    /**
     * Computes {@code A x} as {@link #multiply(HostVector)} does; for a matrix of floats, {@code x} is rounded first.
     *
     * @param x {@code columns} elements
     * @return a new array of {@code rows} elements
     * @throws IllegalArgumentException if the length does not fit
     */
    public double[] multiply(double[] x) {
        return product.multiply(HostVector.of(x).convert(precision)).toDoubleArray();
    }

    /**
     * Applies a function to the value of each entry, on several threads. Elements without an entry stay 0.
     *
     * @param function gives the new value; called in no order
     * @return a new matrix that shares the structure
     */
    public CsrMatrix mapValues(DoubleUnaryOperator function) {
        return CsrValues.map(this, function);
    }

    /**
     * Returns facts about the rows and the structure. Costs a few passes over the matrix, one of them a transposition
     * to find out about symmetry.
     *
     * @return the facts
     */
    public MatrixStatistics statistics() {
        return MatrixStatistics.of(this);
    }

    /**
     * Returns the lengths of all rows.
     *
     * @return a new array
     */
    public int[] rowLengths() {
        int[] lengths = new int[rows];
        for (CsrSegment segment : segments) {
            int[] offsets = segment.rowOffsets();
            for (int i = 0; i < segment.rows(); i++) {
                lengths[segment.firstRow() + i] = offsets[i + 1] - offsets[i];
            }
        }
        return lengths;
    }

    @Override
    public void forEachEntry(EntryConsumer consumer) {
        for (CsrSegment segment : segments) {
            int[] offsets = segment.rowOffsets();
            int[] columnIndices = segment.columnIndices();
            HostVector values = segment.values();
            // Looked up once: the vector would check its numbering at every entry.
            double[] doubles = values.precision() == Precision.F64 ? values.doubleStorage() : null;
            float[] floats = doubles == null ? values.floatStorage() : null;
            int first = values.offset();
            for (int i = 0; i < segment.rows(); i++) {
                for (int k = offsets[i]; k < offsets[i + 1]; k++) {
                    consumer.accept(segment.firstRow() + i, columnIndices[k],
                            doubles != null ? doubles[first + k] : floats[first + k]);
                }
            }
        }
    }

    @Override
    public Optional<String> firstViolation() {
        return CsrInvariants.firstViolation(this);
    }

    @Override
    public CsrMatrix toCsr() {
        return this;
    }

    /**
     * Says whether two matrices have the same size, precision, structure and values (compared by bits).
     *
     * @param other another matrix
     * @return true if they have; segment boundaries do not matter
     */
    public boolean sameAs(CsrMatrix other) {
        return CsrTransformations.same(this, other);
    }

    /**
     * Says whether two matrices have about the same elements; entries of value 0 and missing ones are the same, and
     * precisions may differ. Costs one pass over both.
     *
     * @param other     another matrix
     * @param relative  share of the greater absolute value by which two elements may differ
     * @param absolute  by how much they may differ in any case
     * @return true if the sizes are equal and {@code |a - b| <= max(relative max(|a|, |b|), absolute)} for all
     *         elements; NaN differs from everything
     */
    public boolean closeTo(CsrMatrix other, double relative, double absolute) {
        return CsrTransformations.close(this, other, relative, absolute);
    }

    /**
     * Writes the matrix as a table, {@code .} for an element without an entry, {@code …} for rows and columns that are
     * left out.
     *
     * @return several lines of at most 24 rows and 12 columns, after {@link #toString}
     */
    public String toText() {
        return MatrixText.of(this, 24, 12);
    }

    /**
     * Draws where the entries are, a dot for each element of a small matrix, for a block of elements of a large one.
     *
     * @return several lines of at most 24 rows and 60 columns of characters, after {@link #toString}
     */
    public String toPicture() {
        return MatrixPicture.of(this, 24, 60);
    }

    @Override
    public String toString() {
        return "CSR matrix " + rows + " x " + columns + ", " + nonZeros() + " non-zeros, " + precision.label();
    }

    /** A function of an entry. */
    @FunctionalInterface
    public interface EntryFunction {
        /**
         * Computes a value.
         *
         * @param row    the row of the entry
         * @param column the column of the entry
         * @param value  its value
         * @return the new value
         */
        double apply(int row, int column, double value);
    }
}
