package org.trellis.sparse.algebra;

import java.util.stream.IntStream;

/**
 * Lists of rows or columns for {@link org.trellis.sparse.CsrMatrix#selectRows}, {@code selectColumns} and
 * {@code select}: those that a mask marks, and ranges with a step.
 */
public final class Selections {
    private Selections() {}

    /**
     * Lists what is marked.
     *
     * @param marked one for each row or column
     * @return the indices of what is true, in increasing order
     */
    public static int[] where(boolean... marked) {
        return IntStream.range(0, marked.length).filter(i -> marked[i]).toArray();
    }

    /**
     * Lists a range, as {@code from:to:step} of Python.
     *
     * @param from the first index
     * @param to   the index at which the range ends, not listed
     * @param step from one index to the next; negative to go down
     * @return {@code from}, {@code from + step} and so on before {@code to}; empty if {@code to} is on the other side
     * @throws IllegalArgumentException if the step is 0
     */
    public static int[] range(int from, int to, int step) {
        if (step == 0) {
            throw new IllegalArgumentException("range from " + from + " to " + to + " has step 0, expected another");
        }
        long count = Math.max(0, step > 0
                ? Math.ceilDiv((long) to - from, step)
                : Math.ceilDiv((long) from - to,
                        -(long) step));
        return IntStream.range(0, Math.toIntExact(count)).map(i -> from + i * step).toArray();
    }
}
