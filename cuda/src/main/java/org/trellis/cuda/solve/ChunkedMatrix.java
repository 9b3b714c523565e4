package org.trellis.cuda.solve;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * A matrix in chunks of {@value #CHUNK} rows, the entries of a chunk side by side as a warp reads them. Rows of a chunk
 * are filled up with zeros in the column of a row of the chunk.
 *
 * @param offsets where each chunk begins, and the number of places
 * @param columns column of each place
 * @param values  value of each place
 */
record ChunkedMatrix(int[] offsets, int[] columns, HostVector values) {
    /** Rows of a chunk. */
    static final int CHUNK = 32;

    /** Returns where the chunks of a matrix would begin, and the number of places. */
    static long[] starts(CsrMatrix matrix) {
        long[] starts = new long[Math.ceilDiv(matrix.rows(), CHUNK) + 1];
        for (int chunk = 0; chunk + 1 < starts.length; chunk++) {
            starts[chunk + 1] = starts[chunk] + (long) longest(matrix, chunk * CHUNK) * CHUNK;
        }
        return starts;
    }

    private static int longest(CsrMatrix matrix, int first) {
        int longest = 0;
        for (int row = first; row < Math.min(first + CHUNK, matrix.rows()); row++) {
            longest = Math.max(longest, matrix.rowLength(row));
        }
        return longest;
    }

    static ChunkedMatrix of(CsrMatrix matrix) {
        long[] starts = starts(matrix);
        int places = Checks.arrayLength("padded entries of " + matrix, starts[starts.length - 1]);
        int[] offsets = Arrays.stream(starts).mapToInt(start -> (int) start).toArray();
        int[] columns = new int[places];
        HostVector values = HostVector.zeros(matrix.precision(), places);
        for (int row = 0; row < matrix.rows(); row++) {
            CsrSegment segment = matrix.segmentOf(row);
            int at = offsets[row / CHUNK] + row % CHUNK;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++, at += CHUNK) {
                columns[at] = segment.columnIndices()[k];
                values.set(at, segment.values().get(k));
            }
            for (; at < offsets[row / CHUNK + 1]; at += CHUNK) {
                columns[at] = row;
            }
        }
        return new ChunkedMatrix(offsets, columns, values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkedMatrix matrix && Arrays.equals(offsets, matrix.offsets)
                && Arrays.equals(columns, matrix.columns) && values.equals(matrix.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(columns);
    }

    @Override
    public String toString() {
        return columns.length + " places in chunks of " + CHUNK + " rows";
    }
}
