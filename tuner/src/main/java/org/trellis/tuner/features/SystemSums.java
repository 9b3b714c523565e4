package org.trellis.tuner.features;

import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** What one pass over the rows of a square matrix and of its transpose says. */
final class SystemSums {
    private static final double MOST_SCALING = 200;
    private static final double MOST_ASYMMETRY = 10;

    final double[] diagonal;
    final double asymmetry;
    double positiveDiagonal;
    double dominantRows;
    double dominance;
    double positiveCouplings;
    double constants;
    double anisotropy;
    double scaling;
    double bandwidth;

    private SystemSums(int rows, double asymmetry) {
        this.diagonal = new double[rows];
        this.asymmetry = asymmetry;
    }

    /** Sums over all rows, before they become shares. */
    private static final class Totals {
        double positive;
        double beside;
        double rowSums;
        double magnitudes;
        double distances;
        double least = Double.POSITIVE_INFINITY;
        double greatest;
        int coupled;
    }

    static SystemSums of(CsrMatrix matrix, CsrMatrix transposed) {
        int n = matrix.rows();
        SystemSums sums = new SystemSums(n, asymmetry(matrix, transposed));
        Totals totals = new Totals();
        for (CsrSegment segment : matrix.segments()) {
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                sums.addRow(segment, row, totals);
            }
        }
        double rows = Math.max(1, n);
        sums.positiveDiagonal /= rows;
        sums.dominantRows /= rows;
        sums.dominance /= rows;
        sums.anisotropy /= Math.max(1, totals.coupled);
        sums.positiveCouplings = totals.beside == 0 ? 0 : totals.positive / totals.beside;
        sums.constants = totals.magnitudes == 0 ? 0 : Math.sqrt(totals.rowSums / totals.magnitudes);
        sums.bandwidth = totals.distances / Math.max(1, matrix.nonZeros()) / rows;
        sums.scaling = totals.greatest == 0
                ? 0
                : Math.min(MOST_SCALING, MatrixFeatures.log2(totals.greatest / totals.least));
        return sums;
    }

    private void addRow(CsrSegment segment, int row, Totals totals) {
        double sum = 0;
        double beside = 0;
        double largest = 0;
        int count = 0;
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int column = segment.columnIndices()[k];
            double value = segment.values().get(k);
            sum += value;
            totals.distances += Math.abs((double) column - row);
            if (column == row) {
                diagonal[row] += value;
            } else if (value != 0) {
                count++;
                beside += Math.abs(value);
                largest = Math.max(largest, Math.abs(value));
                totals.positive += Math.max(0, value);
            }
        }
        double size = Math.abs(diagonal[row]);
        positiveDiagonal += diagonal[row] > 0 ? 1 : 0;
        dominantRows += size >= beside * (1 - 1e-12) ? 1 : 0;
        dominance += size + beside == 0 ? 0 : size / (size + beside);
        totals.beside += beside;
        totals.rowSums += sum * sum;
        totals.magnitudes += (size + beside) * (size + beside);
        if (count > 0) {
            anisotropy += MatrixFeatures.log2(largest * count / beside);
            totals.coupled++;
        }
        if (size > 0) {
            totals.least = Math.min(totals.least, size);
            totals.greatest = Math.max(totals.greatest, size);
        }
    }

    private static double asymmetry(CsrMatrix matrix, CsrMatrix transposed) {
        double[] squares = new double[2];
        double[] row = new double[matrix.columns()];
        for (int i = 0; i < matrix.rows(); i++) {
            scatter(matrix, i, row);
            addBoth(transposed, i, row, squares);
            addRest(matrix, i, row, squares);
        }
        return squares[1] == 0
                ? squares[0] == 0 ? 0 : MOST_ASYMMETRY
                : Math.min(MOST_ASYMMETRY, Math.sqrt(squares[0] / squares[1]));
    }

    private static void scatter(CsrMatrix matrix, int row, double[] into) {
        CsrSegment segment = matrix.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            into[segment.columnIndices()[k]] = segment.values().get(k);
        }
    }

    /** Adds the squares of differences and sums where the transpose has entries, and clears these. */
    private static void addBoth(CsrMatrix transposed, int row, double[] scattered, double[] squares) {
        CsrSegment segment = transposed.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int column = segment.columnIndices()[k];
            double other = segment.values().get(k);
            squares[0] += Math.pow(scattered[column] - other, 2);
            squares[1] += Math.pow(scattered[column] + other, 2);
            scattered[column] = 0;
        }
    }

    /** Adds what only the matrix has, and clears it. */
    private static void addRest(CsrMatrix matrix, int row, double[] scattered, double[] squares) {
        CsrSegment segment = matrix.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int column = segment.columnIndices()[k];
            double left = scattered[column] * scattered[column];
            squares[0] += left;
            squares[1] += left;
            scattered[column] = 0;
        }
    }
}
