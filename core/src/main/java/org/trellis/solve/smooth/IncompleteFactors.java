package org.trellis.solve.smooth;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.Preordering;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Incomplete factorisations without fill: their factors have entries where the matrix has (J. Meijerink, H. van der
 * Vorst, Math. Comp. 31, 1977; Saad, Iterative Methods for Sparse Linear Systems, algorithm 10.4). Computed on the host
 * in double precision, row by row on one thread.
 *
 * @param triangles    both factors without their diagonals, the lower one below the diagonal
 * @param lowerInverse the inverses of the diagonal of the lower factor; null for ones
 * @param upperInverse the inverses of the diagonal of the upper factor
 * @param pivotInverse if the factors differ from the matrix by their pivots only, as on grids of five and seven points:
 *                     the inverses of these; else null
 * @param before       what is applied to a right-hand side before, an order with factors; null for nothing
 * @param after        what is applied to the solution of the triangles; null for nothing
 */
record IncompleteFactors(CsrMatrix triangles, HostVector lowerInverse, HostVector upperInverse,
        HostVector pivotInverse, CsrMatrix before, CsrMatrix after) {
    /** Factors of a matrix whose rows and columns were moved. */
    static IncompleteFactors ordered(CsrMatrix triangles, HostVector lowerInverse, HostVector upperInverse,
            Preordering ordering) {
        boolean identity = ordering.isIdentity();
        return new IncompleteFactors(triangles, lowerInverse, upperInverse, null,
                identity ? null : ordering.rows(triangles.precision()),
                identity ? null : ordering.columns(triangles.precision()));
    }

    /**
     * Factorises completely, with pivots.
     *
     * @param input  a matrix
     * @param limits what the factorisation may take
     * @throws FactorisationException if the matrix is nearly singular or a limit is reached
     */
    static IncompleteFactors complete(SmootherContext input, FactorLimits limits) {
        Precision precision = input.precision();
        SparseLu lu = SparseLu.of(input.matrix(), LuOptions.defaults().withBlocks(false).with(limits)
                .withSmallestPivot(LuOptions.CLEARLY_REGULAR));
        CsrMatrix triangles = lu.lower().plus(lu.upper()).filter((row, column, value) -> row != column)
                .toPrecision(precision);
        double[] pivots = lu.pivots();
        double[] rowScale = lu.rowScale();
        double[] columnScale = lu.columnScale();
        int[] rowAt = lu.rowPermutation().inverse().toArray();
        int[] placeOfColumn = lu.columnPermutation().toArray();
        int n = pivots.length;
        return new IncompleteFactors(triangles, null, HostVector.of(precision, n, k -> 1 / pivots[k]), null,
                moving(rowAt, HostVector.of(precision, n, k -> rowScale[rowAt[k]])),
                moving(placeOfColumn, HostVector.of(precision, n, j -> columnScale[j])));
    }

    private static CsrMatrix moving(int[] columns, HostVector values) {
        int[] offsets = new int[columns.length + 1];
        Arrays.setAll(offsets, k -> k);
        return CsrMatrix.of(columns.length, columns.length, offsets, columns, values);
    }

    /**
     * Factorises a symmetric matrix into {@code L Lᵀ}.
     *
     * @param input a symmetric matrix
     * @param shift what share of the diagonal is added to it before
     */
    static IncompleteFactors cholesky(SmootherContext input, double shift) {
        input.requireSymmetric();
        CsrMatrix matrix = input.matrix();
        CsrSegment lower = matrix.lowerTriangle(-1).onlySegment();
        HostVector diagonal = matrix.diagonal();
        int[] offsets = lower.rowOffsets();
        int[] columns = lower.columnIndices();
        double[] values = lower.values().toDoubleArray();
        double[] inverse = new double[matrix.rows()];
        boolean changed = false;
        for (int row = 0; row < inverse.length; row++) {
            double squares = 0;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                int column = columns[k];
                double sum = values[k];
                int a = offsets[row];
                int b = offsets[column];
                while (a < k && b < offsets[column + 1]) {
                    int difference = columns[a] - columns[b];
                    if (difference == 0) {
                        sum -= values[a] * values[b];
                        changed = true;
                    }
                    a += difference <= 0 ? 1 : 0;
                    b += difference >= 0 ? 1 : 0;
                }
                values[k] = sum * inverse[column];
                squares += values[k] * values[k];
            }
            double pivot = (1 + shift) * diagonal.get(row) - squares;
            if (!(pivot > 0) || !Double.isFinite(1 / pivot)) {
                throw broken(input, row, pivot, "a positive number", shift);
            }
            inverse[row] = 1 / Math.sqrt(pivot);
        }
        CsrMatrix factor = CsrMatrix.of(inverse.length, inverse.length, offsets, columns,
                HostVector.of(values).convert(matrix.precision()));
        HostVector inverses = HostVector.of(inverse).convert(matrix.precision());
        return new IncompleteFactors(factor.combine(1, factor.transpose(), 1), inverses, inverses,
                changed ? null : HostVector.of(Precision.F64, inverse.length, i -> inverse[i] * inverse[i]), null,
                null);
    }

    /**
     * Factorises a matrix into {@code L U}, where L has ones on its diagonal.
     *
     * @param input a matrix with a full diagonal
     * @param shift what share of the diagonal is added to it before
     */
    static IncompleteFactors lu(SmootherContext input, double shift) {
        CsrMatrix matrix = input.matrix();
        CsrSegment all = matrix.onlySegment();
        int[] offsets = all.rowOffsets();
        int[] columns = all.columnIndices();
        double[] values = all.values().toDoubleArray();
        int size = matrix.rows();
        double[] inverse = new double[size];
        int[] diagonals = new int[size];
        int[] placeOf = new int[size];
        Arrays.fill(placeOf, -1);
        boolean changed = false;
        for (int row = 0; row < size; row++) {
            diagonals[row] = Arrays.binarySearch(columns, offsets[row], offsets[row + 1], row);
            if (diagonals[row] < 0) {
                throw broken(input, row, 0, "an entry on the diagonal", shift);
            }
            values[diagonals[row]] *= 1 + shift;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                placeOf[columns[k]] = k;
            }
            for (int k = offsets[row]; k < diagonals[row]; k++) {
                int pivotRow = columns[k];
                values[k] *= inverse[pivotRow];
                for (int other = diagonals[pivotRow] + 1; other < offsets[pivotRow + 1]; other++) {
                    int place = placeOf[columns[other]];
                    if (place >= 0) {
                        values[place] -= values[k] * values[other];
                        changed |= place != diagonals[row];
                    }
                }
            }
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                placeOf[columns[k]] = -1;
            }
            double pivot = values[diagonals[row]];
            inverse[row] = 1 / pivot;
            if (!Double.isFinite(inverse[row]) || inverse[row] == 0) {
                throw broken(input, row, pivot, "a finite number other than 0", shift);
            }
        }
        CsrMatrix factors = CsrMatrix.of(size, size, offsets, columns,
                HostVector.of(values).convert(matrix.precision()));
        return new IncompleteFactors(factors.filter((row, column, value) -> row != column), null,
                HostVector.of(inverse).convert(matrix.precision()), changed ? null : HostVector.of(inverse), null,
                null);
    }

    /** Why a pivot cannot be used. */
    static FactorisationException broken(SmootherContext input, int row, double pivot, String expected,
            double shift) {
        return new FactorisationException(input.name() + " of " + input.matrix() + ": the pivot of row " + row + " is "
                + pivot + " with shift=" + shift + ", expected " + expected + "; a greater shift, such as "
                + (shift == 0 ? 0.01 : 4 * shift) + ", may help", row, pivot);
    }
}
