package org.trellis.sparse.algebra;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;

/** Matrices with entries at random places, for tests and trials. */
public final class RandomMatrices {
    private RandomMatrices() {}

    /**
     * Draws a matrix of given density, values between 0 and 1.
     *
     * @param rows      number of rows
     * @param columns   number of columns
     * @param density   the share of elements that have an entry, 0 to 1; the number of entries is rounded to nearest
     * @param precision the type of the values
     * @param random    source of randomness
     * @return a new matrix
     * @throws IllegalArgumentException if a size is negative, the density is not from 0 to 1, or there are 2³¹ entries
     *                                  or more
     */
    public static CsrMatrix ofDensity(int rows, int columns, double density, Precision precision,
            RandomGenerator random) {
        if (!(density >= 0 && density <= 1)) {
            throw new IllegalArgumentException("density is " + density + ", expected 0 to 1");
        }
        long elements = (long) Checks.notNegative("rows", rows) * Checks.notNegative("columns", columns);
        return uniform(rows, columns, Math.round(density * elements), 0, 1, precision, random);
    }

    /**
     * Draws a matrix of which each set of places is as likely as any other.
     *
     * @param rows      number of rows
     * @param columns   number of columns
     * @param nonZeros  number of entries, at most {@code rows × columns}
     * @param least     values are drawn uniformly from here
     * @param most      to here
     * @param precision the type of the values
     * @param random    source of randomness
     * @return a new matrix; the same for the same arguments and state of the source
     * @throws IllegalArgumentException if a size is negative, there are more entries than elements, or 2³¹ or more, or
     *                                  {@code least} is not less than {@code most}
     */
    public static CsrMatrix uniform(int rows, int columns, long nonZeros, double least, double most,
            Precision precision, RandomGenerator random) {
        long elements = (long) Checks.notNegative("rows", rows) * Checks.notNegative("columns", columns);
        if (nonZeros < 0 || nonZeros > elements) {
            throw new IllegalArgumentException("random matrix of " + rows + " x " + columns + " with " + nonZeros
                    + " entries, expected 0 to " + elements);
        }
        if (!(least < most)) {
            throw new IllegalArgumentException("values from " + least + " to " + most + ", expected an interval");
        }
        int count = Checks.arrayLength("entries of a random matrix", nonZeros);
        boolean few = nonZeros <= elements / 2;
        long[] places = few
                ? distinct(count, elements, random)
                : others(distinct(Checks.arrayLength("missing elements", elements - nonZeros), elements, random),
                        count);
        int[] rowIndices = new int[count];
        int[] columnIndices = new int[count];
        for (int k = 0; k < count; k++) {
            rowIndices[k] = (int) (places[k] / columns);
            columnIndices[k] = (int) (places[k] % columns);
        }
        HostVector values = HostVector.of(precision, count, k -> random.nextDouble(least, most));
        return CooMatrix.of(rows, columns, rowIndices, columnIndices, values).toCsr();
    }

    /**
     * Draws until there are enough different numbers. None is ever taken back, so these are the first different ones of
     * a sequence of independent draws. At most half of all numbers are drawn, so the rounds are few.
     */
    private static long[] distinct(int count, long bound, RandomGenerator random) {
        long[] drawn = new long[count];
        int found = 0;
        while (found < count) {
            for (int k = found; k < count; k++) {
                drawn[k] = random.nextLong(bound);
            }
            Arrays.sort(drawn);
            int kept = 0;
            for (int k = 0; k < count; k++) {
                if (k == 0 || drawn[k] != drawn[k - 1]) {
                    drawn[kept++] = drawn[k];
                }
            }
            found = kept;
        }
        return drawn;
    }

    private static long[] others(long[] without, int count) {
        long[] places = new long[count];
        long place = 0;
        int next = 0;
        for (int k = 0; k < count; place++) {
            if (next < without.length && without[next] == place) {
                next++;
            } else {
                places[k++] = place;
            }
        }
        return places;
    }
}
