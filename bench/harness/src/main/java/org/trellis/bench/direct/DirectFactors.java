package org.trellis.bench.direct;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;

/** The factors of one matrix by one library. Phases are called in their order, each any number of times. */
public interface DirectFactors extends AutoCloseable {
    /**
     * Returns the library and what it is asked for.
     *
     * @return a few words
     */
    String solver();

    /** Orders the matrix anew, whatever was found before. */
    void analyse();

    /**
     * Factorises the matrix anew.
     *
     * @throws IllegalStateException if the library cannot; says what it reports
     */
    void factorise();

    /**
     * Takes other values for the {@link #refactorise} and {@link #factorise} that follow.
     *
     * @param values a matrix of the same structure
     */
    void take(CsrMatrix values);

    /**
     * Factorises the values that were taken with the pivots of the factorisation before.
     *
     * @return false if the library has nothing of the kind
     */
    boolean refactorise();

    /**
     * Solves with the last factors, without refinement where that can be said.
     *
     * @param x the right-hand side, overwritten by the solution; as many elements as the longer side of the matrix has
     */
    void solve(double[] x);

    /**
     * Solves for several right-hand sides with the last factors; one after the other where the library cannot do more
     * at once.
     *
     * @param x     right-hand sides one after the other, overwritten by the solutions
     * @param count how many
     */
    default void solve(double[] x, int count) {
        int n = x.length / count;
        for (int r = 0; r < count; r++) {
            double[] one = Arrays.copyOfRange(x, r * n, (r + 1) * n);
            solve(one);
            System.arraycopy(one, 0, x, r * n, n);
        }
    }

    /**
     * Refines a solution with the last factors.
     *
     * @param matrix the matrix
     * @param b      the right-hand side
     * @return the componentwise backward error; NaN if the library does not refine here
     */
    default double refinedBackwardError(CsrMatrix matrix, double[] b) {
        return Double.NaN;
    }

    /**
     * Returns what the factors are, after a factorisation.
     *
     * @return their size
     */
    Size size();

    /** Gives back what the library has. */
    @Override
    void close();

    /**
     * Sizes of factors.
     *
     * @param ordering the order of elimination in a word
     * @param matching what is brought onto the diagonal before, in a word
     * @param nonZeros entries of L and U, the diagonal once, blocks above the diagonal included; of L alone for
     *                 symmetric factors; of R and what represents Q for least squares
     * @param flops    operations of the factorisation; NaN where the library does not count
     */
    record Size(String ordering, String matching, long nonZeros, double flops) {}
}
