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

    /** Takes the mean of mirror images, without a transpose, if the pattern is symmetric. */
    private static Optional<CsrMatrix> ofSymmetricPattern(CsrMatrix a) {
        CsrSegment segment = a.onlySegment();
        double[] from = segment.values().doubleStorage();
        int shift = segment.values().offset();
        double[] to = new double[segment.nonZeros()];
        boolean symmetric = MirrorEntries.all(segment, (k, mirror) -> {
            double mean = 0.5 * from[shift + k] + 0.5 * from[shift + mirror];
            to[k] = mean;
            to[mirror] = mean;
            return true;
        });
        return symmetric
                ? Optional.of(CsrMatrix.unchecked(a.rows(), a.columns(), segment.rowOffsets(), segment.columnIndices(),
                        HostVector.of(to)))
                : Optional.empty();
    }
}
