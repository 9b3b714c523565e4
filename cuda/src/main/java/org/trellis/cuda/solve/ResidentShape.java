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
 * @param sharedBytes    dynamic shared memory of a block
 * @param inSharedMemory whether that holds the block's part of the matrix
 */
record ResidentShape(int blocks, int chunksPerBlock, int threads, int rows, int sharedBytes, boolean inSharedMemory) {
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
     * @param matrix          the matrix
     * @param precision       of its values
     * @param multiprocessors of the device
     * @param sharedMost      dynamic shared memory that a block may have
     */
    static ResidentShape of(ChunkedMatrix matrix, Precision precision, int multiprocessors, int sharedMost) {
        int chunks = matrix.offsets().length - 1;
        int chunksPerBlock = Math.max(FEWEST_THREADS / ChunkedMatrix.CHUNK, Math.ceilDiv(chunks, multiprocessors));
        int rowsPerBlock = chunksPerBlock * ChunkedMatrix.CHUNK;
        int threads = rowsPerBlock > MOST_THREADS
                ? THREADS_OF_MANY
                : Math.max(FEWEST_THREADS, Integer.highestOneBit(2 * rowsPerBlock - 1));
        int blocks = Math.ceilDiv(chunks, chunksPerBlock);
        int sums = blocks * BYTES_OF_BLOCK;
        long wanted = sums + (long) matrix.largestBlock(chunksPerBlock) * (precision.bytes() + Integer.BYTES);
        boolean fits = wanted <= sharedMost;
        return new ResidentShape(blocks, chunksPerBlock, threads,
                Integer.highestOneBit(2 * Math.ceilDiv(rowsPerBlock, threads) - 1), fits ? (int) wanted : sums, fits);
    }
}
