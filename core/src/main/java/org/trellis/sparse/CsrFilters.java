package org.trellis.sparse;

import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;

/** Matrices of some of the entries of another: rows are passed twice, once to count and once to store. */
final class CsrFilters {
    private CsrFilters() {}

    static CsrMatrix filter(CsrMatrix a, EntryPredicate kept) {
        int[] lengths = new int[a.rows()];
        ParallelRanges.run(a.rows(), ParallelRanges.grain(a.rows(), 2 * a.nonZeros()), (from, to) -> {
            for (int row = from; row < to; row++) {
                CsrSegment segment = a.segmentOf(row);
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    lengths[row] += kept.test(row, segment.columnIndices()[k], segment.values().get(k)) ? 1 : 0;
                }
            }
        });
        return CsrFill.fill(a.columns(), a.precision(), lengths,
                () -> (row, columns, values, at) -> store(a.segmentOf(row), row, kept, columns, values, at));
    }

    private static void store(CsrSegment source, int row, EntryPredicate kept, int[] columns,
            HostVector values, int at) {
        int to = at;
        for (int k = source.rowStart(row); k < source.rowEnd(row); k++) {
            if (kept.test(row, source.columnIndices()[k], source.values().get(k))) {
                columns[to] = source.columnIndices()[k];
                source.values().copyRange(k, values, to++, 1);
            }
        }
    }
}
