package org.trellis.matrices.generate;

import java.util.Arrays;

/** How many entries the rows of a random matrix have. A value is limited to what fits the row by its user. */
public sealed interface RowLengths {
    /**
     * Returns the requested length of a row.
     *
     * @param seed the seed of the lengths
     * @param row  the row's index
     * @param rows the number of rows
     * @return at least 0
     */
    int length(long seed, int row, int rows);

    /**
     * The same length everywhere.
     *
     * @param value the length, at least 0
     */
    record Constant(int value) implements RowLengths {
        /** Checks the range. */
        public Constant {
            requireNotNegative("mean", value);
        }

        @Override
        public int length(long seed, int row, int rows) {
            return value;
        }
    }

    /**
     * Normally distributed lengths, rounded, and 0 where negative; the cut raises the mean when the deviation exceeds
     * about half the mean.
     *
     * @param mean      mean, at least 0
     * @param deviation standard deviation, at least 0; rounding adds 1/12 to the variance
     */
    record Normal(double mean, double deviation) implements RowLengths {
        /** Checks the ranges. */
        public Normal {
            requireNotNegative("mean", mean);
            requireNotNegative("deviation", deviation);
        }

        @Override
        public int length(long seed, int row, int rows) {
            double wanted = mean + deviation * SplitMix.of(seed, row).nextGaussian();
            return (int) Math.max(0, Math.rint(wanted));
        }
    }

    /**
     * Lengths 1 to a maximum, length l with probability proportional to l to the power of minus the exponent.
     *
     * @param exponent the exponent, at least 0; graphs of people and pages have about 2 to 3
     * @param maximum  the longest length, 1 to 10,000,000
     * @param table    the distribution function, as {@link #of} makes it
     */
    record PowerLaw(double exponent, int maximum, double[] table) implements RowLengths {
        private static final int LONGEST = 10_000_000;

        /**
         * Makes the distribution; costs 8 bytes per length up to the maximum.
         *
         * @param exponent the exponent, at least 0
         * @param maximum  the longest length, 1 to 10,000,000
         * @return the distribution
         * @throws IllegalArgumentException if a parameter is out of range
         */
        public static PowerLaw of(double exponent, int maximum) {
            requireNotNegative("exponent", exponent);
            if (maximum < 1 || maximum > LONGEST) {
                throw new IllegalArgumentException(
                        "row lengths: max is " + maximum + ", expected 1 to " + LONGEST);
            }
            double[] cumulative = new double[maximum];
            double sum = 0;
            for (int i = 0; i < maximum; i++) {
                sum += StrictMath.pow(i + 1, -exponent);
                cumulative[i] = sum;
            }
            return new PowerLaw(exponent, maximum, cumulative);
        }

        @Override
        public int length(long seed, int row, int rows) {
            double wanted = SplitMix.of(seed, row).nextDouble() * table[maximum - 1];
            int found = Arrays.binarySearch(table, wanted);
            return found < 0 ? -found : found + 2;
        }

        /**
         * Returns the mean.
         *
         * @return the expected length
         */
        public double mean() {
            double sum = 0;
            for (int i = 0; i < maximum; i++) {
                sum += (i + 1) * (table[i] - (i == 0 ? 0 : table[i - 1]));
            }
            return sum / table[maximum - 1];
        }
    }

    /**
     * Rows of one length, and a few long ones spread evenly among them.
     *
     * @param shortLength length of all other rows, at least 0
     * @param longRows    number of long rows, at least 0
     * @param longLength  their length, at least 0
     */
    record Huge(int shortLength, int longRows, int longLength) implements RowLengths {
        /** Checks the ranges. */
        public Huge {
            requireNotNegative("mean", shortLength);
            requireNotNegative("hugeRows", longRows);
            requireNotNegative("hugeLength", longLength);
        }

        @Override
        public int length(long seed, int row, int rows) {
            int count = Math.min(longRows, rows);
            if (count == 0) {
                return shortLength;
            }
            // The k-th long row is the one in the middle of the k-th of count equal parts.
            long part = (long) row * count / rows;
            return row == (2 * part + 1) * rows / (2L * count) || row == (2 * part + 3) * rows / (2L * count)
                    ? longLength
                    : shortLength;
        }
    }

    /**
     * A given length for each row.
     *
     * @param lengths as many as rows; not copied
     */
    record Given(int[] lengths) implements RowLengths {
        @Override
        public int length(long seed, int row, int rows) {
            return lengths[row];
        }
    }

    private static void requireNotNegative(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("row lengths: " + what + " is " + value + ", expected at least 0");
        }
    }
}
