package org.trellis.cuda.solve;

import org.trellis.common.Precision;

/**
 * How the rows of a system are spread over a device: one block for a multiprocessor, the same number of chunks of rows
 * for each.
 *
 * @param blocks         blocks, all of them resident
 * @param chunksPerBlock chunks of a block
 * @param threads        threads of a block
 * @param rows           rows of a thread
 * @param sharedBytes    dynamic shared memory of a block, for its part of the matrix and what other blocks publish
 */
record PersistentShape(int blocks, int chunksPerBlock, int threads, int rows, long sharedBytes) {
    /** The most rows of a block. */
    static final int MOST_ROWS = 2048;

    private static final int FEWEST_THREADS = 128;
    private static final int MOST_THREADS = 1024;
    private static final int THREADS_OF_MANY = 512;
    /** What a block knows of another one: two sums for each of two barriers. */
    private static final int BYTES_OF_BLOCK = 4 * Double.BYTES;

    /**
     * Spreads the rows.
     *
     * @param starts          where each chunk of the matrix begins, and the number of places
     * @param precision       of its values
     * @param multiprocessors of the device
     */
    static PersistentShape of(long[] starts, Precision precision, int multiprocessors) {
        int chunks = starts.length - 1;
        int chunksPerBlock = Math.max(FEWEST_THREADS / ChunkedMatrix.CHUNK, Math.ceilDiv(chunks, multiprocessors));
        int rowsPerBlock = chunksPerBlock * ChunkedMatrix.CHUNK;
        int threads = rowsPerBlock > MOST_THREADS
                ? THREADS_OF_MANY
                : Math.max(FEWEST_THREADS, Integer.highestOneBit(2 * rowsPerBlock - 1));
        int blocks = Math.ceilDiv(chunks, chunksPerBlock);
        long bytes = (long) blocks * BYTES_OF_BLOCK
                + largestBlock(starts, chunksPerBlock) * (precision.bytes() + Integer.BYTES);
        return new PersistentShape(blocks, chunksPerBlock, threads,
                Integer.highestOneBit(2 * Math.ceilDiv(rowsPerBlock, threads) - 1), bytes);
    }

    /** Returns the places of the chunks of the block that has most of them. */
    private static long largestBlock(long[] starts, int chunksPerBlock) {
        long largest = 0;
        for (int chunk = 0; chunk + 1 < starts.length; chunk += chunksPerBlock) {
            int end = Math.min(chunk + chunksPerBlock, starts.length - 1);
            largest = Math.max(largest, starts[end] - starts[chunk]);
        }
        return largest;
    }
}
