package org.trellis.internal.threads.product;

import org.trellis.memory.HostVector;

/**
 * One part of a prepared matrix: some of its rows, and how they are multiplied. Its work is cut into units that may run
 * in any order, on any thread, and give the same bits whatever the order and the number of threads.
 */
public interface PreparedProduct {
    /**
     * Returns the number of units.
     *
     * @return at least 0
     */
    int units();

    /**
     * Computes a unit's share of {@code y = α A x + β y}.
     *
     * @param unit  its number
     * @param alpha α
     * @param x     the operand
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     the result; units write different elements
     */
    void run(int unit, double alpha, HostVector x, double beta, HostVector y);

    /**
     * Completes what units left undone: rows that several of them share. Called once after all units.
     *
     * @param alpha α
     * @param beta  β
     * @param y     the result
     */
    default void finish(double alpha, double beta, HostVector y) {}

    /**
     * Says whether each unit completes consecutive rows, in the order of the units, so that something can be done with
     * results while they are in the cache. Rows between those of two units are the ones that {@link #finish} completes.
     *
     * @return false unless overridden, and then {@link #firstRow} and {@link #endRow} too
     */
    default boolean completesRanges() {
        return false;
    }

    /**
     * Returns the first row of the matrix that a unit completes.
     *
     * @param unit its number
     * @return the row; {@link #endRow} if the unit completes none
     * @throws UnsupportedOperationException unless {@link #completesRanges}
     */
    default int firstRow(int unit) {
        throw new UnsupportedOperationException("units of " + this + " complete no ranges of rows");
    }

    /**
     * Returns the row after the last that a unit completes.
     *
     * @param unit its number
     * @return the row
     * @throws UnsupportedOperationException unless {@link #completesRanges}
     */
    default int endRow(int unit) {
        throw new UnsupportedOperationException("units of " + this + " complete no ranges of rows");
    }

    /**
     * Returns the memory that one product reads, without the vectors.
     *
     * @return bytes
     */
    long bytes();
}
