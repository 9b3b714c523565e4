package org.trellis.common;

/** Argument checks whose messages name the operation, the value and what was expected. */
public final class Checks {
    /** The longest array that every JVM makes. */
    public static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private Checks() {}

    /**
     * Checks that a value is not negative.
     *
     * @param what  the argument, for the message
     * @param value the value
     * @return {@code value}
     * @throws IllegalArgumentException if it is negative
     */
    public static int notNegative(String what, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " is " + value + ", expected at least 0");
        }
        return value;
    }

    /**
     * Checks that a value is at least 1.
     *
     * @param what  the argument, for the message
     * @param value the value
     * @return {@code value}
     * @throws IllegalArgumentException if it is less than 1
     */
    public static int positive(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " is " + value + ", expected at least 1");
        }
        return value;
    }

    /**
     * Checks that an array can have a length.
     *
     * @param what   what the array is for, for the message
     * @param length the length that is needed
     * @return {@code length}
     * @throws IllegalArgumentException if it is more than {@value #LONGEST_ARRAY}, which some JVMs refuse
     */
    public static int arrayLength(String what, long length) {
        if (length > LONGEST_ARRAY) {
            throw new IllegalArgumentException(what + " needs an array of " + length + " elements, expected at most "
                    + LONGEST_ARRAY);
        }
        return (int) length;
    }

    /**
     * Checks that an index lies in a half-open range that starts at 0.
     *
     * @param what  the index, for the message
     * @param index the value
     * @param size  the exclusive upper bound
     * @return {@code index}
     * @throws IndexOutOfBoundsException if it does not
     */
    public static int index(String what, int index, int size) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(what + " is " + index + ", expected 0 to " + (size - 1));
        }
        return index;
    }

    /**
     * Checks that {@code 0 <= from <= to <= size}.
     *
     * @param what the range, for the message
     * @param from inclusive start
     * @param to   exclusive end
     * @param size the size of what the range is taken from
     * @throws IndexOutOfBoundsException if the range does not fit
     */
    public static void range(String what, int from, int to, int size) {
        if (from < 0 || to < from || to > size) {
            throw new IndexOutOfBoundsException(
                    what + " is [" + from + ", " + to + "), expected a range within [0, " + size + ")");
        }
    }

    /**
     * Checks that two lengths agree.
     *
     * @param what     the length, for the message
     * @param actual   its value
     * @param expected the value it must have
     * @throws IllegalArgumentException if they differ
     */
    public static void length(String what, long actual, long expected) {
        if (actual != expected) {
            throw new IllegalArgumentException(what + " is " + actual + ", expected " + expected);
        }
    }
}
