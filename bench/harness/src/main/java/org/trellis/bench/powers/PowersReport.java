package org.trellis.bench.powers;

import java.util.List;

/**
 * Products on several ranks.
 *
 * @param rows      rows of the matrix
 * @param nonZeros  its entries
 * @param ranks     number of ranks
 * @param transport how messages travelled
 * @param results   one for each number of rings
 */
record PowersReport(long rows, long nonZeros, int ranks, String transport, List<Rings> results) {
    /**
     * What a number of rings cost. Numbers but the time are exact, and of all ranks together.
     *
     * @param rings     number of rings
     * @param seconds   median time of a product
     * @param exchanges exchanges of each rank in one pass of all steps
     * @param messages  messages in one pass
     * @param bytes     bytes in them
     * @param redundant entries that were multiplied redundantly in one pass, relative to the others
     * @param checksum  stands for the bits of the last vector
     */
    record Rings(int rings, double seconds, long exchanges, long messages, long bytes, double redundant,
            long checksum) {}
}
