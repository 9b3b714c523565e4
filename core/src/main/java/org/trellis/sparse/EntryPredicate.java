package org.trellis.sparse;

/** A question about an entry of a matrix. */
@FunctionalInterface
public interface EntryPredicate {
    /**
     * Answers it.
     *
     * @param row    the row of the entry
     * @param column the column of the entry
     * @param value  its value
     * @return the answer, the same whenever asked
     */
    boolean test(int row, int column, double value);
}
