package org.trellis.solve.dense;

/**
 * Dot products of parts of arrays, and combinations of them. Partial sums are kept and added up in one order, products
 * rounded before they are added, so the bits are the same with vectors and without.
 */
public interface DotLoops {
    /** Vectors whose products with others are computed at once. */
    int FOUR = 4;

    /**
     * Computes a dot product, in eight partial sums.
     *
     * @param x     one array
     * @param xAt   its first element
     * @param y     the other
     * @param yAt   its first element
     * @param count elements of each
     * @return the sum
     */
    double dot(double[] x, int xAt, double[] y, int yAt, int count);

    /**
     * Computes a dot product of numbers in single precision, in eight partial sums in double precision.
     *
     * @param x     one array
     * @param xAt   its first element
     * @param y     the other
     * @param yAt   its first element
     * @param count elements of each
     * @return the sum
     */
    double dot(float[] x, int xAt, float[] y, int yAt, int count);

    /**
     * Adds the dot products of four vectors with another, in four partial sums each, which are added one after the
     * other.
     *
     * @param v    vectors
     * @param k    the first of the four
     * @param w    the other
     * @param from the first element
     * @param to   where they end
     * @param sums to which the products are added
     * @param at   the place of the first; those of the next vectors follow
     */
    void fourByOne(double[][] v, int k, double[] w, int from, int to, double[] sums, int at);

    /**
     * Adds the dot products of four vectors with two others, each in the bits of {@link #fourByOne}.
     *
     * @param v    vectors
     * @param k    the first of the four
     * @param w    the others
     * @param j    the first of the two
     * @param from the first element
     * @param to   where they end
     * @param sums to which the products are added
     * @param at   the place of the first; that with the second vector follows, those of the next vectors come
     *             {@value #FOUR} places after those of the last
     */
    @SuppressWarnings("checkstyle:ParameterNumber") // two sets of vectors, and where they are
    void fourByTwo(double[][] v, int k, double[][] w, int j, int from, int to, double[] sums, int at);

    /**
     * Adds a combination of four vectors to each of two others: {@code w += (a v₀ + b v₁) + (c v₂ + d v₃)}.
     *
     * @param v       vectors
     * @param k       the first of the four
     * @param factors of the vectors
     * @param at      the place of that of the first vector for the first of the two; that for the second follows
     * @param stride  from the factors of one vector to those of the next
     * @param w       the others, none of which is among the four
     * @param j       the first of the two
     * @param from    the first element
     * @param to      where they end
     */
    @SuppressWarnings("checkstyle:ParameterNumber") // two sets of vectors, and where they are
    void addFour(double[][] v, int k, double[] factors, int at, int stride, double[][] w, int j, int from, int to);

    /**
     * Returns the fastest loops that there are.
     *
     * @return the same in all calls
     */
    static DotLoops best() {
        return Best.LOOPS;
    }

    /** Looked for once. */
    final class Best {
        private static final DotLoops LOOPS = TilesProvider.found() == null
                ? new ScalarDots()
                : new WarmingDots(new ScalarDots(), TilesProvider.found().dots());

        private Best() {}
    }
}
