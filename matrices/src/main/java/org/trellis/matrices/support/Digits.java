package org.trellis.matrices.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decimal digits eight at a time: a word of eight bytes is tested and converted with a handful of integer operations
 * and no branch per digit (D. Lemire, "Number parsing at a gigabyte per second", 2021, section 3).
 *
 * <p>Words are read in little-endian order, so the first byte of the text is the least significant one. A word that
 * was read by {@link #word} holds digits as the values 0 to 9 and every other byte as something larger.
 */
final class Digits {

    /** Bytes that may be read past a position; text must be padded with as many. */
    static final int WORD_BYTES = 8;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030303030303030L;
    private static final long ABOVE_NINE = 0x7676767676767676L;
    private static final long TOP_BITS = 0x8080808080808080L;
    private static final long PAIRS = 0x000000FF000000FFL;
    private static final long[] POWERS_OF_TEN = {
        1L, 10L, 100L, 1_000L, 10_000L, 100_000L, 1_000_000L, 10_000_000L, 100_000_000L
    };

    private Digits() {}

    /** The eight bytes from a position, digits as their values. */
    static long word(byte[] text, int position) {
        return (long) LONGS.get(text, position) ^ ZEROS;
    }

    /** How many of the first bytes of a word are digits, 0 to 8. */
    static int count(long word) {
        long others = ((word + ABOVE_NINE) | word) & TOP_BITS;
        return Long.numberOfTrailingZeros(others) >>> 3;
    }

    /** The number that the first {@code count} bytes of a word make; {@code count} is 1 to 8. */
    static long value(long word, int count) {
        long digits = word << (64 - 8 * count);
        long pairs = digits * 10 + (digits >>> 8);
        long even = (pairs & PAIRS) * (100L + (1_000_000L << 32));
        long odd = ((pairs >>> 16) & PAIRS) * (1L + (10_000L << 32));
        return (even + odd) >>> 32;
    }

    /** Ten to the power {@code count}, 0 to 8. */
    static long powerOfTen(int count) {
        return POWERS_OF_TEN[count];
    }

    /** Whether a byte is a decimal digit. */
    static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }
}
