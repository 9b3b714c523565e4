package org.trellis.cuda.sparse;

import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/**
 * The fixed rule of the thesis (section 4.5.1) for compressed sparse rows, in constant time from the numbers of rows
 * and non-zeros:
 * <ol>
 * <li>the block size is 128;
 * <li>the threads that share a row are the smallest power of two larger than the square root of the mean row length, at
 * most 32;
 * <li>the rows of a group ({@code repeat}) are such that there are at least 1500 blocks, counted by equation 4.7:
 * {@code gridSize = 1 + (rows coop - 1) / (repeat blockSize)}.
 * </ol>
 * The thesis does not say which of the numbers that satisfy the third point it takes; this is the largest, since it
 * reports that coarse work is slightly better for large matrices, or 1 if there are not 1500 blocks even so.
 */
public final class FixedCsrHeuristic {
    /** Threads of a block. */
    public static final int BLOCK_SIZE = 128;

    /** The least blocks, for matrices that are large enough. */
    public static final int LEAST_BLOCKS = 1500;

    private static final int MAXIMUM_COOPERATING = 32;

    private FixedCsrHeuristic() {}

    /**
     * Applies the rule. Constant time.
     *
     * @param rows     number of rows, at least 0
     * @param nonZeros number of non-zeros, at least 0
     * @return parameters of the {@code csr} family
     */
    public static SpmvParameters parameters(int rows, long nonZeros) {
        int cooperating = cooperatingThreads(rows, nonZeros);
        return SpmvParameters.of(SpmvFamily.CSR)
                .withBlockSize(BLOCK_SIZE)
                .withCooperatingThreads(cooperating)
                .withRowsPerGroup(rowsPerGroup(rows, cooperating));
    }

    /** The comparison is of squares, which is exact: coop² rows > nonZeros. */
    private static int cooperatingThreads(int rows, long nonZeros) {
        int cooperating = 1;
        if (rows == 0) {
            return cooperating;
        }
        while (cooperating < MAXIMUM_COOPERATING && (long) cooperating * cooperating * rows <= nonZeros) {
            cooperating *= 2;
        }
        return cooperating;
    }

    /** At least 1500 blocks are 1499 full ones and the start of another: repeat ≤ (rows coop - 1) / (1499 · 128). */
    private static int rowsPerGroup(int rows, int cooperating) {
        long threads = (long) rows * cooperating;
        return (int) Math.max(1, (threads - 1) / ((LEAST_BLOCKS - 1L) * BLOCK_SIZE));
    }

    /**
     * Returns the number of blocks of a launch, equation 4.7.
     *
     * @param rows       number of rows
     * @param parameters parameters of the {@code csr} family
     * @return {@code 1 + (rows coop - 1) / (repeat blockSize)}, 0 for no rows
     */
    public static long gridSize(int rows, SpmvParameters parameters) {
        if (rows == 0) {
            return 0;
        }
        long threads = (long) rows * parameters.cooperatingThreads();
        return 1 + (threads - 1) / ((long) parameters.rowsPerGroup() * parameters.blockSize());
    }
}
