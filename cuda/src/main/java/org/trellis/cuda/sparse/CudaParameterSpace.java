package org.trellis.cuda.sparse;

import java.util.LinkedHashSet;
import java.util.Set;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/**
 * The parameters worth trying. Those that share a layout are neighbours. Left out is what was never within a few per
 * cent of the best on any matrix of the search that the rule was derived from: more threads than a row has entries,
 * blocks of other sizes, more rows at once, sorting of rows that are even.
 */
final class CudaParameterSpace {
    private static final int[] POWERS = {1, 2, 4, 8, 16, 32};
    private static final int[] CSR_BLOCKS = {64, 128, 256};
    private static final int[] CHUNK_BLOCKS = {128, 256, 512};
    private static final int[] ROWS_PER_THREAD = {1, 2, 4};
    private static final int[][] TILES = {{512, 2}, {512, 4}, {256, 4}, {256, 2}, {128, 4}};
    private static final int[][] HOT_TILES = {{512, 6}, {512, 4}, {384, 6}};
    private static final double MOST_ENTRIES = 64;
    private static final double SORTED_FROM = 1.15;
    private static final int COARSE = 4;
    private static final double LEAST_ENTRIES_LARGE = 16;
    private static final double LEAST_ENTRIES_SMALL = 2;

    private CudaParameterSpace() {}

    /**
     * Lists parameters, those of both rules among them. Not all need fit the matrix.
     *
     * @param matrix rows, non-zeros and the longest row
     * @param rule   what our rule proposes
     * @return parameters without repetition
     */
    static Set<SpmvParameters> candidates(RowProfile matrix, SpmvParameters rule) {
        Set<SpmvParameters> all = new LinkedHashSet<>();
        addCsr(all, matrix);
        for (int[] tile : TILES) {
            all.add(CudaRule.tiles(tile[0], tile[1], Integer.SIZE));
        }
        all.add(CudaRule.tiles(512, 2, Short.SIZE));
        all.add(CudaRule.tiles(256, 4, Short.SIZE));
        if (matrix.nonZeros() >= CudaRule.HOT_FROM
                && matrix.maximumRowLength() > CudaRule.SKEWED * matrix.meanRowLength()) {
            for (int[] tile : HOT_TILES) {
                all.add(CudaRule.hot(tile[0], tile[1]));
            }
        }
        for (int cooperating : POWERS) {
            if (isChunkWorth(matrix, cooperating)) {
                addChunks(all, matrix, cooperating);
            }
        }
        all.add(rule);
        return all;
    }

    private static void addCsr(Set<SpmvParameters> all, RowProfile matrix) {
        double mean = matrix.meanRowLength();
        all.add(FixedCsrHeuristic.parameters(matrix.rows(), matrix.nonZeros()));
        for (int cooperating : POWERS) {
            boolean idle = cooperating > matrix.maximumRowLength() || cooperating > 4 * mean;
            if ((cooperating > 1 && idle) || mean > MOST_ENTRIES * cooperating) {
                continue;
            }
            SpmvParameters plain = SpmvParameters.of(SpmvFamily.CSR).withCooperatingThreads(cooperating);
            for (int block : CSR_BLOCKS) {
                all.add(plain.withBlockSize(block));
            }
            all.add(plain.withBlockSize(128).withRowsPerGroup(COARSE));
        }
        all.add(CudaRule.fallback(matrix).withIndexBits(Short.SIZE));
    }

    /** A thread has at most 64 entries of a row; where there are rows enough for all threads, at least 16. */
    private static boolean isChunkWorth(RowProfile matrix, int cooperating) {
        double entries = matrix.meanRowLength() / cooperating;
        double least = matrix.nonZeros() < CudaRule.CACHED ? LEAST_ENTRIES_SMALL : LEAST_ENTRIES_LARGE;
        return entries <= 2 * MOST_ENTRIES && (cooperating == 1 || entries >= least);
    }

    private static void addChunks(Set<SpmvParameters> all, RowProfile matrix, int cooperating) {
        boolean even = matrix.maximumRowLength() <= SORTED_FROM * matrix.meanRowLength() + 2;
        for (int window : even ? new int[]{1} : new int[]{1, CudaRule.WINDOW}) {
            for (int perThread : ROWS_PER_THREAD) {
                if (perThread == COARSE && cooperating > 2) {
                    continue;
                }
                ChunkShape shape = new ChunkShape(cooperating, perThread);
                for (int block : CHUNK_BLOCKS) {
                    all.add(Chunked.parameters(SpmvFamily.SELL_RUNS, shape, window, block, Short.SIZE));
                }
                for (int block : CSR_BLOCKS) {
                    if (block > 64) {
                        all.add(Chunked.parameters(SpmvFamily.SELL, shape, window, block, Integer.SIZE));
                    }
                }
            }
        }
        all.add(Chunked.parameters(SpmvFamily.SELL, new ChunkShape(cooperating, 1), 1, 256, Short.SIZE));
    }
}
