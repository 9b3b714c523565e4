package org.trellis.sparse;

/**
 * Facts about the structure of a matrix.
 *
 * @param rows               number of rows
 * @param columns            number of columns
 * @param nonZeros           number of entries
 * @param meanRowLength      mean number of entries of a row, 0 without rows
 * @param rowLengthDeviation standard deviation of the row lengths over all rows (divided by their number)
 * @param minimumRowLength   entries of the shortest row
 * @param maximumRowLength   entries of the longest row
 * @param emptyRows          rows without entries
 * @param lowerBandwidth     largest {@code row − column} of an entry, at least 0
 * @param upperBandwidth     largest {@code column − row} of an entry, at least 0
 * @param explicitZeros      entries whose value is 0
 * @param diagonalEntries    entries on the main diagonal
 * @param patternSymmetric   whether entry (i, j) exists exactly if (j, i) does
 * @param symmetric          whether the matrix equals its transpose
 */
public record MatrixStatistics(int rows, int columns, long nonZeros, double meanRowLength, double rowLengthDeviation,
        int minimumRowLength, int maximumRowLength, int emptyRows, int lowerBandwidth, int upperBandwidth,
        long explicitZeros, long diagonalEntries, boolean patternSymmetric, boolean symmetric) {

    /**
     * Computes the facts. Costs a few passes, one transposition among them.
     *
     * @param matrix the matrix
     * @return the facts
     */
    public static MatrixStatistics of(CsrMatrix matrix) {
        Lengths lengths = Lengths.of(matrix.rowLengths());
        Entries entries = Entries.of(matrix);
        CsrMatrix transpose = matrix.rows() == matrix.columns() ? matrix.transpose() : matrix;
        boolean pattern = SymmetryCheck.isPatternSymmetric(matrix, transpose);
        boolean symmetric = pattern && SymmetryCheck.isSymmetric(matrix, transpose);
        return new MatrixStatistics(matrix.rows(), matrix.columns(), matrix.nonZeros(), lengths.mean, lengths.deviation,
                lengths.minimum, lengths.maximum, lengths.empty, entries.lower, entries.upper, entries.zeros,
                entries.diagonal, pattern, symmetric);
    }

    /**
     * Returns the share of places that have an entry.
     *
     * @return a number from 0 to 1, 0 for a matrix without places
     */
    public double density() {
        return rows == 0 || columns == 0 ? 0 : (double) nonZeros / rows / columns;
    }

    private record Lengths(double mean, double deviation, int minimum, int maximum, int empty) {
        static Lengths of(int[] lengths) {
            long sum = 0;
            int minimum = lengths.length == 0 ? 0 : Integer.MAX_VALUE;
            int maximum = 0;
            int empty = 0;
            for (int length : lengths) {
                sum += length;
                minimum = Math.min(minimum, length);
                maximum = Math.max(maximum, length);
                empty += length == 0 ? 1 : 0;
            }
            double mean = lengths.length == 0 ? 0 : (double) sum / lengths.length;
            double squares = 0;
            for (int length : lengths) {
                squares += (length - mean) * (length - mean);
            }
            double deviation = lengths.length == 0 ? 0 : Math.sqrt(squares / lengths.length);
            return new Lengths(mean, deviation, minimum, maximum, empty);
        }
    }

    private record Entries(int lower, int upper, long zeros, long diagonal) {
        static Entries of(CsrMatrix matrix) {
            Entries all = new Entries(0, 0, 0, 0);
            for (CsrSegment segment : matrix.segments()) {
                all = all.plus(segment);
            }
            return all;
        }

        private Entries plus(CsrSegment segment) {
            int newLower = lower;
            int newUpper = upper;
            long newZeros = zeros;
            long newDiagonal = diagonal;
            for (int i = 0; i < segment.rows(); i++) {
                int row = segment.firstRow() + i;
                for (int k = segment.rowOffsets()[i]; k < segment.rowOffsets()[i + 1]; k++) {
                    int distance = segment.columnIndices()[k] - row;
                    newLower = Math.max(newLower, -distance);
                    newUpper = Math.max(newUpper, distance);
                    newDiagonal += distance == 0 ? 1 : 0;
                    newZeros += segment.values().get(k) == 0 ? 1 : 0;
                }
            }
            return new Entries(newLower, newUpper, newZeros, newDiagonal);
        }
    }
}
