package org.trellis.solve.direct;

/**
 * How much a factorisation may take. Memory and time are checked while it runs, between columns or supernodes.
 *
 * @param bytes   memory for the factors, their growth included; more than 0
 * @param seconds time from the call on, the order of elimination included; more than 0, may be infinite
 * @param entries what the factors may have by the count of the analysis, of both by LU and of one otherwise; more than
 *                0, may be infinite. Where minimum degree makes more, the analysis ends as soon as that shows; where it
 *                does not, no other order is tried.
 */
public record FactorLimits(long bytes, double seconds, double entries) {
    /** The share of the heap that factors may take if nothing else is said. */
    private static final double SHARE_OF_HEAP = 0.75;

    /**
     * Checks all.
     *
     * @throws IllegalArgumentException if one is not more than 0
     */
    public FactorLimits {
        if (bytes <= 0 || !(seconds > 0) || !(entries > 0)) {
            throw new IllegalArgumentException("limits of a factorisation are " + bytes + " bytes, " + seconds
                    + " seconds and " + entries + " entries, expected more than 0");
        }
    }

    /**
     * Limits memory and time, but no number of entries.
     *
     * @param bytes   memory for the factors; more than 0
     * @param seconds more than 0, may be infinite
     * @throws IllegalArgumentException if one is not more than 0
     */
    public FactorLimits(long bytes, double seconds) {
        this(bytes, seconds, Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the limits that hold if nothing else is said: three quarters of the greatest heap, any time.
     *
     * @return the limits
     */
    public static FactorLimits ofHeap() {
        return new FactorLimits((long) (SHARE_OF_HEAP * Runtime.getRuntime().maxMemory()), Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the same memory and number of entries with another time.
     *
     * @param limit seconds, more than 0
     * @return the limits
     * @throws IllegalArgumentException if the time is not more than 0
     */
    public FactorLimits within(double limit) {
        return new FactorLimits(bytes, limit, entries);
    }

    /**
     * Returns the same memory and time with another number of entries.
     *
     * @param limit entries that the analysis may count, more than 0
     * @return the limits
     * @throws IllegalArgumentException if the number is not more than 0
     */
    public FactorLimits ofEntries(double limit) {
        return new FactorLimits(bytes, seconds, limit);
    }
}
