package org.trellis.distributed.partitioned;

/** A matrix that is known row by row, in any order: each rank makes its own rows only. */
@FunctionalInterface
public interface RowGenerator {
    /**
     * Adds the entries of a row, columns in increasing order, and leaves it open.
     *
     * @param row     its global index
     * @param entries where they go
     */
    void fill(long row, RowBlockBuilder entries);
}
