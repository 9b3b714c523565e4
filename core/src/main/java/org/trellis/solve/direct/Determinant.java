package org.trellis.solve.direct;

/**
 * A determinant {@code mantissa · 2^exponent}.
 *
 * @param mantissa 0, or between 1 and 2 in absolute value
 * @param exponent a power of two
 */
public record Determinant(double mantissa, long exponent) {
    static final Determinant ONE = new Determinant(1, 0);

    /** Multiplies by a finite number. */
    Determinant times(double factor) {
        double product = mantissa * scaledToOne(factor);
        return product == 0
                ? new Determinant(0, 0)
                : new Determinant(scaledToOne(product), exponent + exponentOf(factor) + exponentOf(product));
    }

    /** Multiplies by a power of two. */
    Determinant scaled(long power) {
        return mantissa == 0 ? this : new Determinant(mantissa, exponent + power);
    }

    private static double scaledToOne(double number) {
        return number == 0 ? 0 : Math.scalb(number, -exponentOf(number));
    }

    private static int exponentOf(double number) {
        if (Math.abs(number) >= Double.MIN_NORMAL || number == 0) {
            return number == 0 ? 0 : Math.getExponent(number);
        }
        return Math.getExponent(number * 0x1p60) - 60;
    }

    /** Says whether a permutation has an odd number of transpositions. */
    static boolean isOdd(int[] permutation) {
        boolean[] seen = new boolean[permutation.length];
        boolean odd = false;
        for (int i = 0; i < permutation.length; i++) {
            boolean evenCycle = false;
            for (int k = i; !seen[k]; k = permutation[k]) {
                seen[k] = true;
                evenCycle = k == i ? false : !evenCycle;
            }
            odd ^= evenCycle;
        }
        return odd;
    }

    /**
     * Returns the determinant as a double.
     *
     * @return infinite or 0 where the exponent is beyond that of a double
     */
    public double toDouble() {
        return Math.scalb(mantissa, Math.clamp(exponent, -5000, 5000));
    }

    /**
     * Returns the logarithm of the absolute value.
     *
     * @return natural; negative infinity for 0
     */
    public double logOfSize() {
        return Math.log(Math.abs(mantissa)) + exponent * Math.log(2);
    }

    @Override
    public String toString() {
        return mantissa + " * 2^" + exponent;
    }
}
