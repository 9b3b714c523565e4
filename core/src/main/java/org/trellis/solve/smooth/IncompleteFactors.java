package org.trellis.solve.smooth;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorisationException;
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
 */
record IncompleteFactors(CsrMatrix triangles, HostVector lowerInverse, HostVector upperInverse,
        HostVector pivotInverse) {
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
                changed ? null : HostVector.of(Precision.F64, inverse.length, i -> inverse[i] * inverse[i]));
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
                HostVector.of(inverse).convert(matrix.precision()), changed ? null : HostVector.of(inverse));
    }

    private static FactorisationException broken(SmootherContext input, int row, double pivot, String expected,
            double shift) {
        return new FactorisationException(input.name() + " of " + input.matrix() + ": the pivot of row " + row + " is "
                + pivot + " with shift=" + shift + ", expected " + expected + "; a greater shift, such as "
                + (shift == 0 ? 0.01 : 4 * shift) + ", may help", row, pivot);
    }
}
