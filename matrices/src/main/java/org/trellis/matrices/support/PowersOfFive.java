package org.trellis.matrices.support;

import java.math.BigInteger;

/**
 * The 128 leading bits of every power of five that a double can meet, for {@link DecimalRounding}.
 *
 * <p>Powers with a non-negative exponent are truncated, reciprocals are rounded up, as the proof of the algorithm asks
 * (D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51(8), 2021, section 5).
 * The table is computed once, in a few milliseconds, so that there are no 1302 literals to trust.
 */
final class PowersOfFive {

    /** The smallest decimal exponent with which a 64-bit significand can be more than half the least subnormal. */
    static final int SMALLEST = -342;
    /** The largest decimal exponent with which a non-zero significand can be finite. */
    static final int LARGEST = 308;

    private static final BigInteger FIVE = BigInteger.valueOf(5);
    private static final int BITS = 128;
    /** Reciprocals up to here are exact after rounding up once; smaller ones keep 128 of more bits. */
    private static final int LAST_DIRECT_RECIPROCAL = -27;
    private static final long[] TABLE = table();

    private PowersOfFive() {}

    /** Bits 127 to 64 of the normalised power of five. */
    static long high(int exponent) {
        return TABLE[2 * (exponent - SMALLEST)];
    }

    /** Bits 63 to 0 of the normalised power of five. */
    static long low(int exponent) {
        return TABLE[2 * (exponent - SMALLEST) + 1];
    }

    private static long[] table() {
        long[] table = new long[2 * (LARGEST - SMALLEST + 1)];
        for (int exponent = SMALLEST; exponent <= LARGEST; exponent++) {
            BigInteger bits = exponent < 0 ? reciprocal(exponent) : power(exponent);
            table[2 * (exponent - SMALLEST)] = bits.shiftRight(64).longValue();
            table[2 * (exponent - SMALLEST) + 1] = bits.longValue();
        }
        return table;
    }

    private static BigInteger power(int exponent) {
        BigInteger power = FIVE.pow(exponent);
        int shift = BITS - power.bitLength();
        return shift >= 0 ? power.shiftLeft(shift) : power.shiftRight(-shift);
    }

    private static BigInteger reciprocal(int exponent) {
        BigInteger power = FIVE.pow(-exponent);
        int ceilingOfLog = power.bitLength();
        int shift = exponent >= LAST_DIRECT_RECIPROCAL ? ceilingOfLog + BITS - 1 : 2 * ceilingOfLog + BITS;
        BigInteger quotient = BigInteger.ONE.shiftLeft(shift).divide(power).add(BigInteger.ONE);
        return quotient.shiftRight(Math.max(0, quotient.bitLength() - BITS));
    }
}
