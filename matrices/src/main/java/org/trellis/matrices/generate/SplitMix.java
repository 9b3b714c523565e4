package org.trellis.matrices.generate;

import org.trellis.common.Checks;

/**
 * The SplitMix64 generator of random numbers, and its mixing function as a hash. Written out here so that a seed means
 * the same matrix on every Java release. Not thread-safe, and cheap to make: one per row.
 *
 * @see <a href="https://doi.org/10.1145/2660193.2660195">G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom
 *      Number Generators, OOPSLA 2014</a>
 */
public final class SplitMix {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1p-53;

    private long state;

    /**
     * Starts a sequence.
     *
     * @param seed any number
     */
    public SplitMix(long seed) {
        this.state = seed;
    }

    /**
     * Starts the sequence that belongs to one of many things, for example a row.
     *
     * @param seed  the seed of all of them
     * @param index the number of the thing
     * @return a generator independent of those of other indices
     */
    public static SplitMix of(long seed, long index) {
        return new SplitMix(hash(seed, index));
    }

    /**
     * Mixes the bits of a number (variant 13 of D. Stafford): a bijection.
     *
     * @param number any number
     * @return a number that looks random
     */
    public static long mix(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /**
     * Hashes a number under a seed.
     *
     * @param seed  any number
     * @param index any number
     * @return a number that looks random, different for different indices
     */
    public static long hash(long seed, long index) {
        return mix(mix(seed + GOLDEN_GAMMA) + (index + 1) * GOLDEN_GAMMA);
    }

    /**
     * Turns random bits into a number of the unit interval.
     *
     * @param bits random bits, of which the upper 53 count
     * @return a multiple of 2⁻⁵³ in [0, 1)
     */
    public static double unit(long bits) {
        return (bits >>> 11) * UNIT;
    }

    /**
     * Returns the next 64 random bits.
     *
     * @return any number
     */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /**
     * Returns the next number of the unit interval.
     *
     * @return a multiple of 2⁻⁵³ in [0, 1)
     */
    public double nextDouble() {
        return unit(nextLong());
    }

    /**
     * Returns the next integer below a bound, by multiplication; its bias is below {@code bound}/2⁶⁴.
     *
     * @param bound exclusive, at least 1
     * @return 0 to {@code bound - 1}
     * @throws IllegalArgumentException if the bound is less than 1
     */
    public int nextInt(int bound) {
        return (int) Math.unsignedMultiplyHigh(nextLong(), Checks.positive("bound", bound));
    }

    /**
     * Returns the next number of the standard normal distribution (G. Box, M. Muller, 1958; one of the pair).
     *
     * @return a number of mean 0 and deviation 1
     */
    public double nextGaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - nextDouble()));
        return radius * StrictMath.cos(2 * Math.PI * nextDouble());
    }
}
