package org.trellis.sparse;

import org.trellis.memory.DenseVector;

/**
 * Rows of a matrix on a device. Vectors are in the memory of the same backend. What is computed is queued, in order
 * with everything else of the backend; nothing is allocated. Results must not overlap operands unless said otherwise.
 */
public interface PreparedRows extends AutoCloseable {
    /**
     * Computes {@code y = a A x + b x + c w} on some rows.
     *
     * @param from the first row
     * @param to   the row after the last
     * @param a    a
     * @param x    as long as there are columns
     * @param b    b
     * @param w    as long as rows are computed; not read if c is 0; may be y
     * @param c    c
     * @param y    rows {@code from} to {@code to} are overwritten
     */
    void combine(int from, int to, double a, DenseVector x, double b, DenseVector w, double c, DenseVector y);

    /**
     * Computes {@code y = x + m (x − w) + s d (b − A x)} on some rows.
     *
     * @param from     the first row
     * @param to       the row after the last
     * @param momentum m
     * @param w        not read if the momentum is 0; may be y
     * @param step     s
     * @param x        as long as there are columns
     * @param data     d and b
     * @param y        rows {@code from} to {@code to} are overwritten
     */
    void sweep(int from, int to, double momentum, DenseVector w, double step, DenseVector x, SweepData data,
            DenseVector y);

    /**
     * Computes {@code y = a A x + c y} on all rows, where x is in two places: a rank's own elements, and those that
     * came from others.
     *
     * @param a      a
     * @param x      the elements of the first columns
     * @param split  how many columns these are
     * @param others the elements of the further columns; not read if there are none
     * @param c      c; with 0 the old y is not read
     * @param y      as long as there are rows, or longer
     */
    void multiplySplit(double a, DenseVector x, int split, DenseVector others, double c, DenseVector y);

    /**
     * What sweeps read beside iterates.
     *
     * @param inverse d, the inverse of a diagonal
     * @param b       the right-hand side
     */
    record SweepData(DenseVector inverse, DenseVector b) {}

    /** Waits for what is queued and releases the memory. Idempotent. */
    @Override
    void close();
}
