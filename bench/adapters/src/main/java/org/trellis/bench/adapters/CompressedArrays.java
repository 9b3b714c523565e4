package org.trellis.bench.adapters;

import java.util.Arrays;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The compressed rows of a matrix as plain arrays of exact length, copied, for libraries that keep what they are given.
 * The rows of a matrix are the columns of its transpose, so these are also the compressed columns of that.
 *
 * @param offsets start of each row, with the end of the last
 * @param indices column of each entry
 * @param values  value of each entry
 */
public record CompressedArrays(int[] offsets, int[] indices, HostVector values) {
    /**
     * Copies the arrays of a matrix.
     *
     * @param matrix the matrix
     * @return its arrays
     * @throws IllegalStateException if it has too many entries for one array
     */
    public static CompressedArrays of(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        int nonZeros = segment.nonZeros();
        HostVector values = HostVector.zeros(matrix.precision(), nonZeros);
        segment.values().copyRange(0, values, 0, nonZeros);
        return new CompressedArrays(Arrays.copyOf(segment.rowOffsets(), matrix.rows() + 1),
                Arrays.copyOf(segment.columnIndices(), nonZeros), values);
    }

    /**
     * Returns the memory that the arrays take.
     *
     * @return bytes
     */
    public long bytes() {
        return (long) Integer.BYTES * (offsets.length + indices.length)
                + (long) values.precision().bytes() * values.length();
    }
}
