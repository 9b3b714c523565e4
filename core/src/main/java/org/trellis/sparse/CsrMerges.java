package org.trellis.sparse;

import java.util.function.DoubleBinaryOperator;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;

/**
 * Functions of the elements of two {@link CsrMatrix matrices} of one size: each row is merged twice, once to count and
 * once to store.
 */
final class CsrMerges {
    private CsrMerges() {}

    /** Which elements the result has. */
    private enum Places {
        /** Those that one of both has; the other counts as 0. */
        EITHER,
        /** Those that both have. */
        BOTH
    }

    static CsrMatrix either(String what, CsrMatrix a, CsrMatrix b, DoubleBinaryOperator function) {
        return merge(what, a, b, function, Places.EITHER);
    }

    static CsrMatrix both(String what, CsrMatrix a, CsrMatrix b, DoubleBinaryOperator function) {
        return merge(what, a, b, function, Places.BOTH);
    }

    private static CsrMatrix merge(String what, CsrMatrix a, CsrMatrix b, DoubleBinaryOperator function,
            Places places) {
        if (a.rows() != b.rows() || a.columns() != b.columns() || a.precision() != b.precision()) {
            throw new IllegalArgumentException(what + " of " + a + " and " + b
                    + ", expected equal sizes and precisions");
        }
        int[] lengths = new int[a.rows()];
        ParallelRanges.run(a.rows(), ParallelRanges.grain(a.rows(), a.nonZeros() + b.nonZeros()), (from, to) -> {
            for (int row = from; row < to; row++) {
                lengths[row] = length(a.segmentOf(row), b.segmentOf(row), row, places);
            }
        });
        return CsrFill.fill(a.columns(), a.precision(), lengths, () -> (row, columns, values, at) -> store(
                a.segmentOf(row), b.segmentOf(row), row, places, new Target(columns, values, at, function)));
    }

    private static int length(CsrSegment a, CsrSegment b, int row, Places places) {
        int i = a.rowStart(row);
        int iEnd = a.rowEnd(row);
        int j = b.rowStart(row);
        int jEnd = b.rowEnd(row);
        int all = iEnd - i + jEnd - j;
        int both = 0;
        while (i < iEnd && j < jEnd) {
            int inA = a.columnIndices()[i];
            int inB = b.columnIndices()[j];
            both += inA == inB ? 1 : 0;
            i += inA <= inB ? 1 : 0;
            j += inB <= inA ? 1 : 0;
        }
        return places == Places.BOTH ? both : all - both;
    }

    /** Where a row goes, and what of it. */
    private record Target(int[] columns, HostVector values, int at, DoubleBinaryOperator function) {
        void store(int place, int column, double inA, double inB) {
            columns[at + place] = column;
            values.set(at + place, function.applyAsDouble(inA, inB));
        }
    }

    private static void store(CsrSegment a, CsrSegment b, int row, Places places, Target target) {
        int i = a.rowStart(row);
        int iEnd = a.rowEnd(row);
        int j = b.rowStart(row);
        int jEnd = b.rowEnd(row);
        int place = 0;
        while (i < iEnd || j < jEnd) {
            int inA = i < iEnd ? a.columnIndices()[i] : Integer.MAX_VALUE;
            int inB = j < jEnd ? b.columnIndices()[j] : Integer.MAX_VALUE;
            double left = inA <= inB ? a.values().get(i++) : 0;
            double right = inB <= inA ? b.values().get(j++) : 0;
            if (inA == inB || places == Places.EITHER) {
                target.store(place++, Math.min(inA, inB), left, right);
            }
        }
    }
}
