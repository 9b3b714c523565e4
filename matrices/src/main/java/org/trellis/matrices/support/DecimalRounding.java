package org.trellis.matrices.support;

/**
 * Rounds a decimal {@code significand * 10^exponent} to the nearest double, ties to even.
 *
 * <p>Small cases take one exact floating-point operation (W. D. Clinger, "How to read floating point numbers
 * accurately", PLDI 1990); all others one or two 64 x 64 bit products with a table of powers of five (D. Lemire,
 * "Number parsing at a gigabyte per second", Software: Practice and Experience 51(8), 2021; N. Mushtak and D. Lemire,
 * "Fast number parsing without fallback", 53(7), 2023, which shows that no further fallback is needed for 64-bit
 * significands). Every result equals that of {@link Double#parseDouble}.
 */
final class DecimalRounding {

    private static final int FRACTION_BITS = 52;
    private static final long HIDDEN_BIT = 1L << FRACTION_BITS;
    private static final int INFINITE_EXPONENT = 0x7FF;
    private static final int EXPONENT_BIAS = 1023;
    /** Bits of the product below those that a double and its rounding need. */
    private static final int SPARE_BITS = 64 - FRACTION_BITS - 3;
    private static final long SPARE_MASK = (1L << SPARE_BITS) - 1;
    /** Exponents between which a product can lie exactly half-way between two doubles. */
    private static final int TIE_FROM = -4;
    private static final int TIE_TO = 23;

    private static final int LARGEST_EXACT_POWER = 22;
    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

    private DecimalRounding() {}

    /**
     * The double nearest to a decimal number.
     *
     * @param significand an unsigned 64-bit integer
     * @param exponent the power of ten it is multiplied with
     * @return a number that is not negative; infinity if the decimal lies beyond the range of doubles
     */
    static double nearest(long significand, int exponent) {
        if (significand >>> (FRACTION_BITS + 1) == 0
                && exponent >= -LARGEST_EXACT_POWER && exponent <= LARGEST_EXACT_POWER) {
            double exact = significand;
            return exponent < 0 ? exact / EXACT_POWERS[-exponent] : exact * EXACT_POWERS[exponent];
        }
        return byProduct(significand, exponent);
    }

    private static double byProduct(long significand, int exponent) {
        if (significand == 0 || exponent < PowersOfFive.SMALLEST) {
            return 0;
        }
        if (exponent > PowersOfFive.LARGEST) {
            return Double.POSITIVE_INFINITY;
        }
        int leadingZeros = Long.numberOfLeadingZeros(significand);
        long normal = significand << leadingZeros;
        long fiveHigh = PowersOfFive.high(exponent);
        long low = normal * fiveHigh;
        long high = Math.unsignedMultiplyHigh(normal, fiveHigh);
        if ((high & SPARE_MASK) == SPARE_MASK) {
            long correction = Math.unsignedMultiplyHigh(normal, PowersOfFive.low(exponent));
            low += correction;
            if (Long.compareUnsigned(low, correction) < 0) {
                high++;
            }
        }
        int top = (int) (high >>> 63);
        int binaryExponent = binaryExponent(exponent) + top - leadingZeros + EXPONENT_BIAS;
        long bits = high >>> (top + SPARE_BITS);
        if (binaryExponent <= 0) {
            return subnormal(bits, binaryExponent);
        }
        boolean tie = Long.compareUnsigned(low, 1) <= 0 && exponent >= TIE_FROM && exponent <= TIE_TO
                && (bits & 3) == 1 && bits << (top + SPARE_BITS) == high;
        return assemble(tie ? bits & ~1L : bits, binaryExponent);
    }

    /** The binary exponent of {@code 10^exponent} times a significand normalised to 64 bits. */
    private static int binaryExponent(int exponent) {
        return (((152170 + 65536) * exponent) >> 16) + 63;
    }

    private static double subnormal(long bits, int binaryExponent) {
        int shift = 1 - binaryExponent;
        if (shift >= 64) {
            return 0;
        }
        long shifted = bits >>> shift;
        // A carry into the hidden bit gives the smallest normal number, whose exponent field is just that bit.
        return Double.longBitsToDouble((shifted + (shifted & 1)) >>> 1);
    }

    private static double assemble(long bits, int binaryExponent) {
        long rounded = (bits + (bits & 1)) >>> 1;
        int field = binaryExponent;
        if (rounded >= 2 * HIDDEN_BIT) {
            rounded = HIDDEN_BIT;
            field++;
        }
        if (field >= INFINITE_EXPONENT) {
            return Double.POSITIVE_INFINITY;
        }
        return Double.longBitsToDouble((rounded & ~HIDDEN_BIT) | ((long) field << FRACTION_BITS));
    }
}
