package org.trellis.sparse;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/** The mean of a matrix and its transpose. */
final class SymmetricPart {
    private SymmetricPart() {}

    static CsrMatrix of(CsrMatrix a) {
        if (a.rows() != a.columns()) {
            throw new IllegalArgumentException("symmetric part of " + a + ", expected a square matrix");
        }
        Optional<CsrMatrix> inPlace = a.segments().size() == 1 && a.precision() == Precision.F64
                ? ofSymmetricPattern(a)
                : Optional.empty();
        return inPlace.orElseGet(() -> a.combine(0.5, a.transpose(), 0.5));
    }

    /**
     * Takes the mean of mirror images, without a transpose, if the pattern is symmetric: the entries of a row left of
     * the diagonal are met one after the other by the rows above it, so nothing is searched for.
     */
    private static Optional<CsrMatrix> ofSymmetricPattern(CsrMatrix a) {
        CsrSegment segment = a.onlySegment();
        int[] offsets = segment.rowOffsets();
        int[] columns = segment.columnIndices();
        double[] from = segment.values().doubleStorage();
        int shift = segment.values().offset();
        double[] to = new double[segment.nonZeros()];
        int[] next = offsets.clone();
        for (int row = 0; row < a.rows(); row++) {
            int end = offsets[row + 1];
            int k = next[row];
            if (k < end && columns[k] < row) {
                return Optional.empty(); // No row above has met it.
            }
            for (; k < end; k++) {
                int column = columns[k];
                int mirror = column == row ? k : next[column]++;
                if (mirror >= offsets[column + 1] || columns[mirror] != row) {
                    return Optional.empty();
                }
                double mean = 0.5 * from[shift + k] + 0.5 * from[shift + mirror];
                to[k] = mean;
                to[mirror] = mean;
            }
        }
        return Optional.of(CsrMatrix.unchecked(a.rows(), a.columns(), offsets, columns, HostVector.of(to)));
    }
}
