package org.trellis.sparse;

import org.trellis.memory.DenseVector;

/** Rows on a device that are relaxed in place, some consecutive ones at a time ({@link RowKernels}). */
public interface PreparedRelaxation extends AutoCloseable {
    /**
     * Queues {@code xᵢ = (1 − ω) xᵢ + ω / aᵢᵢ (bᵢ − Σ aᵢⱼ xⱼ)}, the sum over {@code j ≠ i}, for the elements i of some
     * rows. None of them may have another one among its columns. For ω = 1 the old element is not read.
     *
     * @param from  the place of the first row
     * @param to    behind that of the last
     * @param omega ω
     * @param b     the right-hand side
     * @param x     the iterate, in which those elements are overwritten
     */
    void relax(int from, int to, double omega, DenseVector b, DenseVector x);

    /** Waits for what is queued and releases the memory. Idempotent. */
    @Override
    void close();
}
