package org.trellis.matrices.market;

import java.util.List;

/**
 * What a Matrix Market file says before its first entry.
 *
 * @param vector   whether the object is a {@code vector}, an extension that is read as a matrix of one column
 * @param format   coordinate or array
 * @param field    type of the values
 * @param symmetry which entries are implied by others
 * @param rows     number of rows
 * @param columns  number of columns; 1 for a vector
 * @param entries  number of entries that the file stores, for an array all values of the stored triangle or matrix
 * @param comments the comment lines without their percent sign, at most 64 KiB of text in all
 */
public record MarketHeader(boolean vector, MarketFormat format, MarketField field, MarketSymmetry symmetry,
        int rows, int columns, long entries, List<String> comments) {

    /**
     * Copies the list of comments.
     *
     * @throws NullPointerException if a component is null
     */
    public MarketHeader {
        comments = List.copyOf(comments);
    }

    /** Whether every entry off the diagonal stands for two. */
    boolean mirrored() {
        return symmetry != MarketSymmetry.GENERAL;
    }

    /** Whether this is an array whose diagonal is stored. */
    boolean storesDiagonal() {
        return symmetry != MarketSymmetry.SKEW_SYMMETRIC;
    }

    /** The fewest bytes that an entry line can have, its line feed included. */
    int leastEntryBytes() {
        int indices = format == MarketFormat.ARRAY ? 0 : vector ? 2 : 4;
        return switch (field) {
            case PATTERN -> indices;
            case REAL, INTEGER -> indices + 2;
            case COMPLEX -> indices + 4;
        };
    }
}
