package org.trellis.cuda.sparse;

import org.trellis.common.Precision;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/**
 * Our rule: parameters in constant time from rows, non-zeros and the longest row. Derived from an exhaustive search on
 * an H200; how, and what it loses against the search, is given in {@code measurements/gpu.md}.
 *
 * <ol>
 * <li>Rows more than 25 times as long as the mean: tiles of equal numbers of non-zeros ({@code csr-balanced}), with the
 * most frequent columns in shared memory ({@code csr-hot}) in large matrices where a sample says that these have at
 * least 30 per cent of the entries.
 * <li>Fewer than 700,000 non-zeros, or rows of very different lengths in a matrix that still fits the second-level
 * cache: time is latency, and {@code csr} has the shortest chain of loads. The threads that share a row are the power
 * of two nearest to a fifth of the geometric mean of mean and longest row: enough for the longest rows not to lag
 * behind.
 * <li>Otherwise time is bytes: {@code sell-runs}, which stores the fewest. A thread takes up to 50 entries of a row,
 * fewer where there would be too few warps, and several rows at once where there are enough of them. Long rows of
 * different lengths are sorted, and then a thread has one.
 * </ol>
 */
public final class CudaRule {
    /** Longest row over mean row from which tiles are used. */
    static final double SKEWED = 25;

    /** Longest row over mean row from which small matrices are left to the csr family. */
    static final double UNEVEN = 2.5;

    /** Longest row over mean row from which long rows are sorted. */
    static final double SORTED = 1.6;

    /** Mean row length above which rows are long: below, sorting costs more in neighbours than padding does. */
    static final double LONG = 32;

    /** Non-zeros below which a matrix is small. */
    static final long SMALL_NON_ZEROS = 700_000;

    /** Non-zeros below which uneven rows are left to the csr family. */
    static final long CACHED = 4_000_000;

    /** σ where rows are sorted: large enough to even out chunks, small enough to leave neighbours together. */
    static final int WINDOW = 1024;

    /** Non-zeros from which hot columns are looked for: below, a product is too short for two launches. */
    static final long HOT_FROM = 4_000_000;

    /** The share of the entries in hot columns from which these are kept in shared memory. */
    static final double HOT_SHARE = 0.3;

    private static final int HOT_TILE_SHARE = 6;
    private static final int CSR_BLOCK = 128;
    private static final int CHUNK_BLOCK = 128;
    private static final int STENCIL_BLOCK = 256;
    private static final int STENCIL_ROWS = 4;
    private static final int TILE_BLOCK = 512;
    private static final double CSR_SHARE = 5;
    private static final double CHUNK_SHARE = 50;
    private static final double LEAST_SHARE = 24;
    private static final int LARGEST_RAISED = 8;
    private static final long LEAST_WARPS = 2000;
    private static final long LEAST_WARPS_OF_SEVERAL_ROWS = 1700;
    private static final long LARGE_TILES = 3_000_000;
    private static final int WARP = ChunkShape.WARP;

    private CudaRule() {}

    /**
     * Applies the rule. Constant time.
     *
     * @param matrix    rows, non-zeros and the longest row
     * @param precision the type of the values
     * @return parameters
     */
    public static SpmvParameters parameters(RowProfile matrix, Precision precision) {
        double mean = matrix.meanRowLength();
        long nonZeros = matrix.nonZeros();
        if (matrix.maximumRowLength() > SKEWED * mean) {
            return tiles(TILE_BLOCK, nonZeros < LARGE_TILES ? 2 : 4, Integer.SIZE);
        }
        boolean uneven = matrix.maximumRowLength() > UNEVEN * mean;
        if (nonZeros < SMALL_NON_ZEROS || (uneven && nonZeros < CACHED)) {
            return fallback(matrix);
        }
        boolean sorted = uneven || (mean > LONG && matrix.maximumRowLength() > SORTED * mean);
        return Chunked.parameters(SpmvFamily.SELL_RUNS, shape(matrix, precision, sorted), sorted ? WINDOW : 1,
                CHUNK_BLOCK, Short.SIZE);
    }

    /**
     * Returns the parameters for small matrices, which fit every matrix.
     *
     * @param matrix rows, non-zeros and the longest row
     * @return parameters of the {@code csr} family
     */
    public static SpmvParameters fallback(RowProfile matrix) {
        double length = Math.sqrt(matrix.meanRowLength() * matrix.maximumRowLength());
        return SpmvParameters.of(SpmvFamily.CSR).withBlockSize(CSR_BLOCK)
                .withCooperatingThreads(nearestPower(length / CSR_SHARE));
    }

    /** Returns parameters of the balanced family. */
    static SpmvParameters tiles(int blockSize, int perThread, int indexBits) {
        return SpmvParameters.of(SpmvFamily.CSR_BALANCED).withBlockSize(blockSize).withRowsPerGroup(perThread)
                .withIndexBits(indexBits);
    }

    private static ChunkShape shape(RowProfile matrix, Precision precision, boolean sorted) {
        double mean = matrix.meanRowLength();
        long rows = matrix.rows();
        int cooperating = nearestPower(mean / CHUNK_SHARE);
        while (cooperating < LARGEST_RAISED && rows * cooperating / WARP < LEAST_WARPS
                && mean / cooperating > LEAST_SHARE) {
            cooperating *= 2;
        }
        int most = precision == Precision.F32 && mean < CHUNK_SHARE && cooperating <= 2 ? 4 : 2;
        most = sorted ? 1 : most;
        int perThread = 1;
        while (perThread < most && rows * cooperating / (2L * perThread * WARP) >= LEAST_WARPS_OF_SEVERAL_ROWS) {
            perThread *= 2;
        }
        return new ChunkShape(cooperating, perThread);
    }

    /** Says whether parameters store diagonals of chunks in the order of the rows. */
    static boolean isStencilFamily(SpmvParameters parameters) {
        return parameters.family() == SpmvFamily.SELL_RUNS && parameters.cooperatingThreads() == 1
                && parameters.sortingWindow() == 1;
    }

    /** Returns parameters for stencils with constant coefficients: threads have many rows, as few bytes are read. */
    static SpmvParameters stencil() {
        return Chunked.parameters(SpmvFamily.SELL_RUNS, new ChunkShape(1, STENCIL_ROWS), 1, STENCIL_BLOCK, Short.SIZE);
    }

    /** Returns the parameters for matrices with hot columns. */
    static SpmvParameters hot() {
        return hot(TILE_BLOCK, HOT_TILE_SHARE);
    }

    /** Returns parameters of the family with hot columns for tiles of a size. */
    static SpmvParameters hot(int blockSize, int rowsPerGroup) {
        return SpmvParameters.of(SpmvFamily.CSR_HOT).withBlockSize(blockSize).withRowsPerGroup(rowsPerGroup);
    }

    /** Returns the power of two from 1 to 32 that is nearest on a logarithmic scale. */
    static int nearestPower(double number) {
        int power = 1;
        while (power < WARP && number > power * Math.sqrt(2)) {
            power *= 2;
        }
        return power;
    }
}
