package org.trellis.solve.multigrid;

import java.util.Arrays;

/**
 * A small dense system under way, whose memory serves one system after the other. Solved by Gaussian elimination with
 * partial pivoting; unknowns whose columns depend on those before them get 0.
 */
final class LocalSystem {
    /** Pivots below this share of the greatest element of the matrix count as zero. */
    private static final double LEAST_PIVOT = 1e-13;

    private int size;
    private double[] matrix = new double[256];
    private double[] right = new double[16];
    private final int[] none = new int[0];
    /** The row that eliminates each column, or −1. */
    private int[] pivotRow = none;

    /** Begins a system of zeros. */
    void begin(int unknowns) {
        size = unknowns;
        if (matrix.length < size * size) {
            matrix = new double[size * size];
        }
        if (right.length < size) {
            right = new double[size];
        }
        Arrays.fill(matrix, 0, size * size, 0);
        Arrays.fill(right, 0, size, 0);
    }

    void set(int row, int column, double value) {
        matrix[row * size + column] = value;
    }

    void setRight(int row, double value) {
        right[row] = value;
    }

    /** Solves; costs a third of the cube of the size. The solution is valid until the next system begins. */
    double[] solve() {
        pivotRow = pivotRow.length < size ? new int[size] : pivotRow;
        double least = LEAST_PIVOT * greatest();
        int rank = 0;
        for (int column = 0; column < size; column++) {
            int pivot = pivot(rank, column);
            boolean independent = rank < size && Math.abs(matrix[pivot * size + column]) > least;
            pivotRow[column] = independent ? rank : -1;
            if (independent) {
                swap(rank, pivot, column);
                eliminate(rank, column);
                rank++;
            }
        }
        substitute();
        return right;
    }

    private double greatest() {
        double greatest = 0;
        for (int k = 0; k < size * size; k++) {
            greatest = Math.max(greatest, Math.abs(matrix[k]));
        }
        return greatest;
    }

    private int pivot(int from, int column) {
        int best = Math.min(from, size - 1);
        for (int row = from + 1; row < size; row++) {
            if (Math.abs(matrix[row * size + column]) > Math.abs(matrix[best * size + column])) {
                best = row;
            }
        }
        return best;
    }

    private void swap(int one, int other, int fromColumn) {
        if (one == other) {
            return;
        }
        for (int column = fromColumn; column < size; column++) {
            double kept = matrix[one * size + column];
            matrix[one * size + column] = matrix[other * size + column];
            matrix[other * size + column] = kept;
        }
        double kept = right[one];
        right[one] = right[other];
        right[other] = kept;
    }

    private void eliminate(int pivot, int column) {
        for (int row = pivot + 1; row < size; row++) {
            double factor = matrix[row * size + column] / matrix[pivot * size + column];
            if (factor == 0) {
                continue;
            }
            for (int k = column + 1; k < size; k++) {
                matrix[row * size + k] -= factor * matrix[pivot * size + k];
            }
            right[row] -= factor * right[pivot];
        }
    }

    /** From the last column to the first; a solution goes to the place of its column, which no later one reads. */
    private void substitute() {
        for (int column = size - 1; column >= 0; column--) {
            int row = pivotRow[column];
            double sum = row < 0 ? 0 : right[row];
            for (int k = column + 1; k < size && row >= 0; k++) {
                sum -= matrix[row * size + k] * right[k];
            }
            right[column] = row < 0 ? 0 : sum / matrix[row * size + column];
        }
    }
}
