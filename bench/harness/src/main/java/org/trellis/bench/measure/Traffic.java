package org.trellis.bench.measure;

import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;

/**
 * The work of one product {@code y = A x}, independent of who does it and in which format: what the matrix is, not how
 * it is stored.
 *
 * @param rows       number of rows, the length of y
 * @param columns    number of columns, the length of x
 * @param nonZeros   number of entries
 * @param valueBytes bytes of a value, 4 or 8
 */
public record Traffic(long rows, long columns, long nonZeros, int valueBytes) {
    private static final int INDEX_BYTES = Integer.BYTES;

    /**
     * Returns the work of the product with a matrix.
     *
     * @param matrix    the matrix
     * @param precision the type of the values in the product
     * @return its work
     */
    public static Traffic of(CsrMatrix matrix, Precision precision) {
        return new Traffic(matrix.rows(), matrix.columns(), matrix.nonZeros(), precision.bytes());
    }

    /**
     * Returns the floating-point operations: a multiplication and an addition for each entry (thesis, equation (4.3)).
     *
     * @return {@code 2 nnz}
     */
    public long flops() {
        return 2 * nonZeros;
    }

    /**
     * Returns the bytes that one product moves if nothing is cached (thesis, equation (4.4)): for each entry its value,
     * its column and an element of x, for each row an offset and an element of y.
     *
     * @return {@code nnz (2 s + 4) + rows (s + 4)} with values of s bytes
     */
    public long effectiveBytes() {
        return nonZeros * (2L * valueBytes + INDEX_BYTES) + rows * (valueBytes + INDEX_BYTES);
    }

    /**
     * Returns the bytes that one product moves if each element of x is loaded once (thesis, equation (4.6)). The
     * equation is for square matrices and counts x and y by rows; here x is counted by columns, which is the same
     * there.
     *
     * @return {@code nnz (s + 4) + rows (s + 4) + columns s} with values of s bytes
     */
    public long minimumBytes() {
        return nonZeros * (valueBytes + INDEX_BYTES) + rows * (valueBytes + INDEX_BYTES) + columns * valueBytes;
    }

    /**
     * Returns the arithmetic intensity for a roofline plot.
     *
     * @return flops for each byte of {@link #minimumBytes()}, 0 for a matrix without entries
     */
    public double intensity() {
        return nonZeros == 0 ? 0 : (double) flops() / minimumBytes();
    }
}
