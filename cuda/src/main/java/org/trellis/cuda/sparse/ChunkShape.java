package org.trellis.cuda.sparse;

/**
 * The shape of the chunks of the SELL-C-σ families: what one warp works on.
 *
 * @param cooperating threads that share a row, a power of two from 1 to 32
 * @param perThread   rows that a thread works on at once
 */
record ChunkShape(int cooperating, int perThread) {
    /** Threads of a warp. */
    static final int WARP = 32;

    private static final int LEAST_SLOTS = 64;
    private static final int LONG_FACTOR = 4;

    /** Returns C, the rows of a chunk. */
    int rows() {
        return perThread * partRows();
    }

    /** Returns the rows that a warp works on side by side. */
    int partRows() {
        return WARP / cooperating;
    }

    /** Returns the entries of a slot. */
    int slotEntries() {
        return WARP * perThread;
    }

    /**
     * Returns where an entry of a row is within a slot.
     *
     * @param row   the row's number in its chunk
     * @param entry the entry's number in its row, or its remainder by the cooperating threads
     * @return part × 32 + lane
     */
    int place(int row, int entry) {
        return row / partRows() * WARP + row % partRows() * cooperating + entry % cooperating;
    }

    /**
     * Returns the length above which rows are cut when rows are sorted: four times the mean, but at least 64 slots, so
     * that rows of usual lengths stay whole and no warp works much longer than the others.
     */
    int longestStoredRow(double meanRowLength) {
        int slots = LEAST_SLOTS;
        while (slots < LONG_FACTOR * meanRowLength / cooperating) {
            slots *= 2;
        }
        return slots * cooperating;
    }
}
