package org.trellis.sparse;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A sparse matrix of complex numbers in compressed rows. Immutable.
 *
 * <p>Complex numbers are interleaved everywhere: a vector of n numbers is an array of 2n, the real part of number i at
 * 2i and its imaginary part at 2i + 1. So vectors are also those of {@linkplain #realForm the equivalent real matrix},
 * in which an entry a + b i is the block {@code [a −b; b a]}. Everything that works on real matrices works on it:
 * backends, ranks, preconditioners, factors.
 *
 * <p>There are at most 2³⁰ − 4 entries, which lie in one array.
 */
public final class ComplexCsr {
    private static final int ROWS_PER_TASK = 1 << 10;
    private static final int VALUES_PER_TASK = 1 << 16;

    private final int rows;
    private final int columns;
    private final int[] rowOffsets;
    private final int[] columnIndices;
    private final HostVector values;

    private ComplexCsr(int rows, int columns, int[] rowOffsets, int[] columnIndices, HostVector values) {
        this.rows = rows;
        this.columns = columns;
        this.rowOffsets = rowOffsets;
        this.columnIndices = columnIndices;
        this.values = values;
    }

    /**
     * Makes a matrix of arrays after checking them.
     *
     * @param rows          number of rows
     * @param columns       number of columns
     * @param rowOffsets    {@code rows + 1} offsets, not decreasing, the first 0; not copied
     * @param columnIndices columns, strictly increasing within a row; not copied
     * @param values        interleaved values, twice as many as columns at least; not copied
     * @return the matrix, which owns the arrays from now on
     * @throws IllegalArgumentException if an invariant is violated; names the first violation
     */
    public static ComplexCsr of(int rows, int columns, int[] rowOffsets, int[] columnIndices, double[] values) {
        return of(rows, columns, rowOffsets, columnIndices, HostVector.of(values));
    }

    /**
     * Makes a matrix of arrays after checking them.
     *
     * @param rows          number of rows
     * @param columns       number of columns
     * @param rowOffsets    {@code rows + 1} offsets, not decreasing, the first 0; not copied
     * @param columnIndices columns, strictly increasing within a row; not copied
     * @param values        interleaved values in either precision, twice as many as columns at least; not copied
     * @return the matrix, which owns the arrays from now on
     * @throws IllegalArgumentException if an invariant is violated; names the first violation
     */
    public static ComplexCsr of(int rows, int columns, int[] rowOffsets, int[] columnIndices, HostVector values) {
        CsrMatrix checked = CsrMatrix.of(rows, columns, rowOffsets, columnIndices,
                HostVector.zeros(values.precision(), values.length() / 2));
        return new ComplexCsr(checked.rows(), checked.columns(), rowOffsets, columnIndices, values);
    }

    /**
     * Makes a matrix of its parts.
     *
     * @param real      the real parts
     * @param imaginary the imaginary parts, of the same size and precision
     * @return {@code real + i imaginary}, with an entry wherever one of them has one
     * @throws IllegalArgumentException if sizes or precisions differ
     * @throws IllegalStateException    if there are too many entries for one array
     */
    public static ComplexCsr of(CsrMatrix real, CsrMatrix imaginary) {
        CsrMatrix re = real.plus(imaginary.mapValues(value -> 0));
        CsrMatrix im = real.mapValues(value -> 0).plus(imaginary);
        CsrSegment structure = re.onlySegment();
        HostVector ofReal = structure.values();
        HostVector ofImaginary = im.onlySegment().values();
        int count = Math.toIntExact(re.nonZeros());
        HostVector both = HostVector.zeros(re.precision(), twice("values of a complex matrix", count));
        ParallelRanges.run(count, VALUES_PER_TASK, (from, to) -> {
            for (int k = from; k < to; k++) {
                both.set(2 * k, ofReal.get(k));
                both.set(2 * k + 1, ofImaginary.get(k));
            }
        });
        return new ComplexCsr(re.rows(), re.columns(), structure.rowOffsets(), structure.columnIndices(), both);
    }

    /**
     * Finds the complex matrix that a real one is the {@linkplain #realForm form} of.
     *
     * @param form a matrix of an even number of rows and columns
     * @return the complex matrix
     * @throws IllegalArgumentException if the matrix does not consist of blocks {@code [a −b; b a]}
     */
    public static ComplexCsr fromRealForm(CsrMatrix form) {
        if (form.rows() % 2 != 0 || form.columns() % 2 != 0) {
            throw new IllegalArgumentException("complex matrix of " + form
                    + ", expected an even number of rows and columns, two for each complex number");
        }
        CsrBuilder re = new CsrBuilder(form.columns() / 2, form.precision(), form.nonZeros() / 4);
        CsrBuilder im = new CsrBuilder(form.columns() / 2, form.precision(), form.nonZeros() / 4);
        for (CsrSegment segment : form.segments()) {
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                for (int k = segment.rowStart(row); row % 2 == 0 && k < segment.rowEnd(row); k++) {
                    int column = segment.columnIndices()[k];
                    if (column % 2 == 0) {
                        re.add(column / 2, segment.values().get(k));
                    } else {
                        im.add(column / 2, -segment.values().get(k));
                    }
                }
                if (row % 2 == 0) {
                    re.endRow();
                    im.endRow();
                }
            }
        }
        ComplexCsr found = of(re.build(), im.build());
        if (!found.realForm().closeTo(form, 0, 0)) {
            throw new IllegalArgumentException("complex matrix of " + form
                    + ", expected blocks [a -b; b a] of two rows and columns, which its entries are not");
        }
        return found;
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int rows() {
        return rows;
    }

    /**
     * Returns the number of columns.
     *
     * @return at least 0
     */
    public int columns() {
        return columns;
    }

    /**
     * Returns the number of stored entries.
     *
     * @return at least 0
     */
    public long nonZeros() {
        return rowOffsets[rows];
    }

    /**
     * Returns the type of real and imaginary parts.
     *
     * @return the precision
     */
    public Precision precision() {
        return values.precision();
    }

    /**
     * Returns the offsets of the rows.
     *
     * @return {@code rows + 1} offsets, not a copy; do not change them
     */
    public int[] rowOffsets() {
        return rowOffsets;
    }

    /**
     * Returns the columns of the entries.
     *
     * @return indices, not a copy; do not change them
     */
    public int[] columnIndices() {
        return columnIndices;
    }

    /**
     * Returns the values.
     *
     * @return interleaved values, not a copy; do not change them
     */
    public HostVector values() {
        return values;
    }

    /**
     * Returns an element.
     *
     * @param row    its row
     * @param column its column
     * @return real and imaginary part, both 0 where nothing is stored
     * @throws IndexOutOfBoundsException if it lies outside
     */
    public double[] get(int row, int column) {
        Checks.index("row", row, rows);
        Checks.index("column", column, columns);
        int k = Arrays.binarySearch(columnIndices, rowOffsets[row], rowOffsets[row + 1], column);
        return k < 0 ? new double[2] : new double[]{values.get(2 * k), values.get(2 * k + 1)};
    }

    /**
     * Returns the real parts.
     *
     * @return a matrix of the same structure, whose arrays are shared, and values of its own
     */
    public CsrMatrix realPart() {
        return part(0);
    }

    /**
     * Returns the imaginary parts.
     *
     * @return a matrix of the same structure, whose arrays are shared, and values of its own
     */
    public CsrMatrix imaginaryPart() {
        return part(1);
    }

    private CsrMatrix part(int which) {
        return CsrMatrix.unchecked(rows, columns, rowOffsets, columnIndices, every(values, which));
    }

    /**
     * Returns the matrix in another precision.
     *
     * @param wanted the precision
     * @return this if it has it, else a matrix of the same structure
     */
    public ComplexCsr toPrecision(Precision wanted) {
        return wanted == precision()
                ? this
                : new ComplexCsr(rows, columns, rowOffsets, columnIndices, values.convert(wanted));
    }

    /**
     * Multiplies with a vector, on the threads of the common pool. Sums are formed in double precision.
     *
     * @param x a vector of twice as many interleaved elements as columns, in either precision
     * @return {@code A x}, in the precision of the matrix
     * @throws IllegalArgumentException if the length does not fit
     */
    public HostVector multiply(HostVector x) {
        Checks.length("length of x", x.length(), 2L * columns);
        double[] from = x.precision() == Precision.F64 && x.offset() == 0 ? x.doubleStorage() : x.toDoubleArray();
        double[] to = new double[twice("length of the product", rows)];
        double[] doubles = precision() == Precision.F64 ? values.doubleStorage() : null;
        float[] floats = doubles == null ? values.floatStorage() : null;
        int first = values.offset();
        ParallelRanges.run(rows, ROWS_PER_TASK, (begin, end) -> {
            for (int row = begin; row < end; row++) {
                double re = 0;
                double im = 0;
                for (int k = rowOffsets[row]; k < rowOffsets[row + 1]; k++) {
                    int at = first + 2 * k;
                    double a = doubles != null ? doubles[at] : floats[at];
                    double b = doubles != null ? doubles[at + 1] : floats[at + 1];
                    double c = from[2 * columnIndices[k]];
                    double d = from[2 * columnIndices[k] + 1];
                    re += a * c - b * d;
                    im += a * d + b * c;
                }
                to[2 * row] = re;
                to[2 * row + 1] = im;
            }
        });
        return doubles != null ? HostVector.of(to) : HostVector.of(to).convert(Precision.F32);
    }

    /**
     * Multiplies with a vector.
     *
     * @param x a vector of twice as many interleaved elements as columns
     * @return {@code A x}, a new array of interleaved elements
     * @throws IllegalArgumentException if the length does not fit
     */
    public double[] multiply(double[] x) {
        return multiply(HostVector.of(x)).toDoubleArray();
    }

    /**
     * Conjugates each entry.
     *
     * @return the conjugate, whose structure is shared
     */
    public ComplexCsr conjugate() {
        HostVector conjugated = values.copy();
        ParallelRanges.run(values.length() / 2, VALUES_PER_TASK, (from, to) -> {
            for (int k = from; k < to; k++) {
                conjugated.set(2 * k + 1, -values.get(2 * k + 1));
            }
        });
        return new ComplexCsr(rows, columns, rowOffsets, columnIndices, conjugated);
    }

    /**
     * Transposes without conjugating.
     *
     * @return {@code Aᵀ}
     */
    public ComplexCsr transpose() {
        return of(realPart().transpose(), imaginaryPart().transpose());
    }

    /**
     * Transposes and conjugates.
     *
     * @return {@code Aᴴ}, the adjoint
     */
    public ComplexCsr adjoint() {
        return transpose().conjugate();
    }

    /**
     * Says whether the matrix is its own transpose, as those of wave problems are, for COCG.
     *
     * @param relative by what share of the greater one two parts may differ
     * @return true if it is
     */
    public boolean isSymmetric(double relative) {
        CsrMatrix real = realPart();
        CsrMatrix imaginary = imaginaryPart();
        return rows == columns && real.closeTo(real.transpose(), relative, 0)
                && imaginary.closeTo(imaginary.transpose(), relative, 0);
    }

    /**
     * Says whether the matrix is its own adjoint, so that its real form is symmetric and its eigenvalues are real.
     *
     * @param relative by what share of the greater one two parts may differ
     * @return true if it is
     */
    public boolean isHermitian(double relative) {
        CsrMatrix real = realPart();
        CsrMatrix imaginary = imaginaryPart();
        return rows == columns && real.closeTo(real.transpose(), relative, 0)
                && imaginary.closeTo(imaginary.transpose().scaled(-1), relative, 0);
    }

    /**
     * Makes the equivalent real matrix. It has twice as many rows and columns and four times as many entries, zeros
     * among them, so that blocks are whole: incomplete factors of it are those of the complex matrix. It multiplies
     * interleaved vectors as this matrix does; its eigenvalues are those of this matrix and their conjugates.
     *
     * @return a matrix in which each entry a + b i is a block {@code [a −b; b a]}
     * @throws IllegalArgumentException if there are more rows or columns than fit
     */
    public CsrMatrix realForm() {
        int[] lengths = new int[twice("rows of the real form", rows)];
        Arrays.setAll(lengths, row -> 2 * (rowOffsets[row / 2 + 1] - rowOffsets[row / 2]));
        return CsrFill.fill(twice("columns of the real form", columns), precision(), lengths,
                () -> this::fillRealRow);
    }

    private void fillRealRow(int row, int[] toColumns, HostVector toValues, int at) {
        int next = at;
        for (int k = rowOffsets[row / 2]; k < rowOffsets[row / 2 + 1]; k++) {
            double a = values.get(2 * k);
            double b = values.get(2 * k + 1);
            toColumns[next] = 2 * columnIndices[k];
            toColumns[next + 1] = 2 * columnIndices[k] + 1;
            toValues.set(next, row % 2 == 0 ? a : b);
            toValues.set(next + 1, row % 2 == 0 ? 0 - b : a);
            next += 2;
        }
    }

    /**
     * Interleaves the parts of a vector.
     *
     * @param real      real parts
     * @param imaginary as many imaginary parts
     * @return a new array, twice as long
     * @throws IllegalArgumentException if the lengths differ
     */
    public static double[] interleave(double[] real, double[] imaginary) {
        Checks.length("number of imaginary parts", imaginary.length, real.length);
        double[] both = new double[twice("length of a complex vector", real.length)];
        Arrays.setAll(both, k -> k % 2 == 0 ? real[k / 2] : imaginary[k / 2]);
        return both;
    }

    /**
     * Takes the real parts out of a vector.
     *
     * @param interleaved real and imaginary parts in turns
     * @return a new array, half as long
     */
    public static double[] realParts(double[] interleaved) {
        return every(HostVector.of(interleaved), 0).toDoubleArray();
    }

    /**
     * Takes the imaginary parts out of a vector.
     *
     * @param interleaved real and imaginary parts in turns
     * @return a new array, half as long
     */
    public static double[] imaginaryParts(double[] interleaved) {
        return every(HostVector.of(interleaved), 1).toDoubleArray();
    }

    /** Every second element. */
    private static HostVector every(HostVector of, int first) {
        return HostVector.of(of.precision(), of.length() / 2, k -> of.get(2 * k + first));
    }

    private static int twice(String what, int count) {
        return Checks.arrayLength(what, 2L * count);
    }

    @Override
    public String toString() {
        return "complex CSR matrix " + rows + " x " + columns + ", " + nonZeros() + " non-zeros, "
                + precision().label();
    }
}
