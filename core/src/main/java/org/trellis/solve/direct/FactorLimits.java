package org.trellis.solve.direct;

/**
 * How much a factorisation may take. Both are checked while it runs, between columns or supernodes.
 *
 * @param bytes   memory for the factors, their growth included; more than 0
 * @param seconds time from the call on, the order of elimination included; more than 0, may be infinite
 */
public record FactorLimits(long bytes, double seconds) {
    /** The share of the heap that factors may take if nothing else is said. */
    private static final double SHARE_OF_HEAP = 0.75;

    /**
     * Checks both.
     *
     * @throws IllegalArgumentException if one is not more than 0
     */
    public FactorLimits {
        if (bytes <= 0 || !(seconds > 0)) {
            throw new IllegalArgumentException("limits of a factorisation are " + bytes + " bytes and " + seconds
                    + " seconds, expected more than 0");
        }
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
     * Returns the same memory with another time.
     *
     * @param limit seconds, more than 0
     * @return the limits
     * @throws IllegalArgumentException if the time is not more than 0
     */
    public FactorLimits within(double limit) {
        return new FactorLimits(bytes, limit);
    }
}
