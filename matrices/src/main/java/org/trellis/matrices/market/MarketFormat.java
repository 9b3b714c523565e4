package org.trellis.matrices.market;

/** How a Matrix Market file stores its entries. */
public enum MarketFormat {
    /** One entry a line, with its indices. */
    COORDINATE,
    /** Every value, column by column, without indices. */
    ARRAY;

    /**
     * Returns the word that the banner uses.
     *
     * @return {@code "coordinate"} or {@code "array"}
     */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
