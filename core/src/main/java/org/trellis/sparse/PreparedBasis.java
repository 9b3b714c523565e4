package org.trellis.sparse;

import org.trellis.memory.DenseVector;

/**
 * Products and combinations of vectors in the memory of a backend, each in one pass over all of them. Sums are in
 * double precision and have the same bits each time.
 */
public interface PreparedBasis extends AutoCloseable {
    /**
     * Adds the products of pairs of vectors, {@code Σ wᵢ xᵢ yᵢ}, to numbers on the host, which waits for them.
     *
     * @param vectors the vectors, at most {@link BasisKernels#MOST_VECTORS}, or one less with weights
     * @param rows    how many elements of each count
     * @param left    the number of x of each pair, at most {@link BasisKernels#MOST_PAIRS}
     * @param right   the number of y of each pair
     * @param weights w, or null for ones
     * @param into    is added to, one number for each pair
     * @throws IllegalArgumentException if there are more vectors or pairs
     */
    void products(DenseVector[] vectors, int rows, int[] left, int[] right, DenseVector weights, double[] into);

    /**
     * Queues up to three combinations of the same vectors: {@code tₖ = kₖ tₖ + Σⱼ cₖⱼ vⱼ}. Targets may be among the
     * vectors.
     *
     * @param vectors      v, at most {@link BasisKernels#MOST_VECTORS}
     * @param rows         how many elements of each count
     * @param coefficients c, for each combination one for each vector
     * @param keep         k; with 0 the old target is not read, unless it is among the vectors
     * @param targets      t, up to three
     * @throws IllegalArgumentException if there are more vectors or targets
     */
    void combine(DenseVector[] vectors, int rows, double[][] coefficients, double[] keep, DenseVector[] targets);

    /** Waits for what is queued and releases the memory. Idempotent. */
    @Override
    void close();
}
