package org.trellis.matrices.market;

/** What the values of a Matrix Market file are. */
public enum MarketField {
    /** Decimal numbers. */
    REAL,
    /** Whole numbers. */
    INTEGER,
    /** Two decimal numbers a value: real and imaginary part. */
    COMPLEX,
    /** No values: every entry counts as 1. */
    PATTERN;

    /**
     * Returns the word that the banner uses.
     *
     * @return for example {@code "real"}
     */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
