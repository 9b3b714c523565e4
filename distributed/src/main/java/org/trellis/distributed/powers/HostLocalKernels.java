package org.trellis.distributed.powers;

import org.trellis.memory.DenseVector;

/** What is computed on consecutive local rows by a rank on the host, with what vectors without rings need beside. */
interface HostLocalKernels extends LocalKernels {
    /** Copies some elements to the same places of another vector. */
    void copy(int[] places, DenseVector x, DenseVector y);

    /** Returns the dot product of consecutive elements, in double precision. */
    double dot(int from, int to, DenseVector x, DenseVector y);

    /** Computes {@code y = Aᵀ x} of the first rows; y has room for all columns of these and is overwritten. */
    void transposed(int rows, DenseVector x, DenseVector y, int columns);
}
