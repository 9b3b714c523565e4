package org.trellis.sparse;

import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;

/** Sums of two {@link CsrMatrix matrices}: each row is merged twice, once to count and once to store. */
final class CsrSums {
    private CsrSums() {}

    static CsrMatrix combine(double alpha, CsrMatrix a, double beta, CsrMatrix b) {
        requireAlike(a, b);
        int[] lengths = new int[a.rows()];
        ParallelRanges.run(a.rows(), ParallelRanges.grain(a.rows(), a.nonZeros() + b.nonZeros()), (from, to) -> {
            for (int row = from; row < to; row++) {
                lengths[row] = unionLength(a.segmentOf(row), b.segmentOf(row), row);
            }
        });
        return CsrFill.fill(a.columns(), a.precision(), lengths, () -> (row, columns, values, at) -> merge(row,
                alpha, a.segmentOf(row), beta, b.segmentOf(row), new Target(columns, values, at)));
    }

    private static void requireAlike(CsrMatrix a, CsrMatrix b) {
        if (a.rows() != b.rows() || a.columns() != b.columns() || a.precision() != b.precision()) {
            throw new IllegalArgumentException("sum of " + a + " and " + b + ", expected equal sizes and precisions");
        }
    }

    private static int unionLength(CsrSegment a, CsrSegment b, int row) {
        int i = a.rowStart(row);
        int iEnd = a.rowEnd(row);
        int j = b.rowStart(row);
        int jEnd = b.rowEnd(row);
        int both = 0;
        int length = iEnd - i + jEnd - j;
        while (i < iEnd && j < jEnd) {
            int inA = a.columnIndices()[i];
            int inB = b.columnIndices()[j];
            both += inA == inB ? 1 : 0;
            i += inA <= inB ? 1 : 0;
            j += inB <= inA ? 1 : 0;
        }
        return length - both;
    }

    /** Where a row goes. */
    private record Target(int[] columns, HostVector values, int at) {}

    private static void merge(int row, double alpha, CsrSegment a, double beta, CsrSegment b, Target target) {
        int i = a.rowStart(row);
        int iEnd = a.rowEnd(row);
        int j = b.rowStart(row);
        int jEnd = b.rowEnd(row);
        int at = target.at;
        while (i < iEnd || j < jEnd) {
            int inA = i < iEnd ? a.columnIndices()[i] : Integer.MAX_VALUE;
            int inB = j < jEnd ? b.columnIndices()[j] : Integer.MAX_VALUE;
            double value;
            if (inA == inB) {
                value = alpha * a.values().get(i++) + beta * b.values().get(j++);
            } else {
                value = inA < inB ? alpha * a.values().get(i++) : beta * b.values().get(j++);
            }
            target.columns[at] = Math.min(inA, inB);
            target.values.set(at++, value);
        }
    }
}
