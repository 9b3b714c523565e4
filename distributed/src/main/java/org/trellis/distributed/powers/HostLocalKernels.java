package org.trellis.distributed.powers;

import org.trellis.memory.DenseVector;

/** What is computed on consecutive local rows by a rank on the host, with what vectors without rings need beside. */
interface HostLocalKernels extends LocalKernels {
    /** Rows of a block of {@link #multiplyAndDot}. */
    int BLOCK = 1024;

    /** Copies some elements to the same places of another vector. */
    void copy(int[] places, DenseVector x, DenseVector y);

    /** Returns the dot product of consecutive elements, in double precision. */
    double dot(int from, int to, DenseVector x, DenseVector y);

    /**
     * Computes {@code y = a A x + c y} and returns {@code w · y} of these rows, block by block: results are used again
     * while they are in the nearest cache.
     */
    default double multiplyAndDot(int from, int to, double a, DenseVector x, double c, DenseVector y, DenseVector w) {
        double sum = 0;
        for (int row = from; row < to; row += BLOCK) {
            int last = Math.min(row + BLOCK, to);
            combine(row, last, a, x, 0, y, c, y);
            sum += dot(row, last, w, y);
        }
        return sum;
    }

    /** Computes {@code y = Aᵀ x} of the first rows; y has room for all columns of these and is overwritten. */
    void transposed(int rows, DenseVector x, DenseVector y, int columns);
}
