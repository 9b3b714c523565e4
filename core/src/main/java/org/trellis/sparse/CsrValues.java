package org.trellis.sparse;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;

/** New values for the structure of a {@link CsrMatrix}, which is shared. */
final class CsrValues {
    private static final int VALUES_PER_TASK = 1 << 16;

    private CsrValues() {}

    static CsrMatrix map(CsrMatrix a, DoubleUnaryOperator function) {
        return withValues(a, segment -> {
            HostVector source = segment.values();
            HostVector values = HostVector.zeros(a.precision(), segment.nonZeros());
            ParallelRanges.run(segment.nonZeros(), VALUES_PER_TASK, (from, to) -> {
                for (int k = from; k < to; k++) {
                    values.set(k, function.applyAsDouble(source.get(k)));
                }
            });
            return values;
        });
    }

    static CsrMatrix scaleRows(CsrMatrix a, HostVector factors) {
        Checks.length("number of row factors", factors.length(), a.rows());
        return scale(a, (segment, row, k) -> factors.get(row));
    }

    static CsrMatrix scaleColumns(CsrMatrix a, HostVector factors) {
        Checks.length("number of column factors", factors.length(), a.columns());
        return scale(a, (segment, row, k) -> factors.get(segment.columnIndices()[k]));
    }

    private static CsrMatrix scale(CsrMatrix a, Factor factor) {
        return withValues(a, segment -> {
            HostVector values = HostVector.zeros(a.precision(), segment.nonZeros());
            int first = segment.firstRow();
            ParallelRanges.run(segment.rows(), ParallelRanges.grain(segment.rows(), 2L * segment.nonZeros()),
                    (from, to) -> {
                        for (int row = first + from; row < first + to; row++) {
                            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                                values.set(k, factor.of(segment, row, k) * segment.values().get(k));
                            }
                        }
                    });
            return values;
        });
    }

    private static CsrMatrix withValues(CsrMatrix a, NewValues function) {
        List<CsrSegment> segments = a.segments().stream()
                .map(s -> new CsrSegment(s.firstRow(), s.base(), s.rowOffsets(), s.columnIndices(), function.of(s)))
                .toList();
        return new CsrMatrix(a.rows(), a.columns(), a.precision(), segments);
    }

    static double trace(CsrMatrix a) {
        if (a.rows() != a.columns()) {
            throw new IllegalArgumentException("trace of " + a + ", expected a square matrix");
        }
        return Arrays.stream(a.diagonal().toDoubleArray()).sum();
    }

    private interface NewValues {
        HostVector of(CsrSegment segment);
    }

    private interface Factor {
        double of(CsrSegment segment, int row, int k);
    }
}
