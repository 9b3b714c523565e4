package org.trellis.sparse;

/** Receives the entries of a matrix one by one. */
@FunctionalInterface
public interface EntryConsumer {
    /**
     * Receives an entry.
     *
     * @param row    its row
     * @param column its column
     * @param value  its value, exact in either precision
     */
    void accept(int row, int column, double value);
}
