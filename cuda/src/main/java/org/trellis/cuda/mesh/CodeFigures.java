package org.trellis.cuda.mesh;

/**
 * What the compiler and the driver say about the code of a launch.
 *
 * @param threads        threads of a block
 * @param registers      of a thread
 * @param localBytes     of a thread: spilled registers, and arrays indexed at run time
 * @param sharedBytes    of a block, static and dynamic
 * @param residentBlocks blocks that a multiprocessor runs at a time
 */
record CodeFigures(int threads, int registers, int localBytes, int sharedBytes, int residentBlocks) {
    /** Registers are given to warps in portions of eight for each thread. */
    private static final int PORTION = 8;
    /** Shared memory of a multiprocessor that blocks can have, of the devices with least. */
    private static final int SHARED_POOL = 64 * 1024;

    /** Threads of a multiprocessor, of the devices with most. */
    private static final int MOST_THREADS = 2048;

    int residentThreads() {
        return residentBlocks * threads;
    }

    /** Says whether few threads are resident, and what is left over might do for another block of half the size. */
    boolean wantsSmallerBlocks() {
        int portions = Math.ceilDiv(Math.max(1, registers), PORTION) * PORTION;
        int left = LoopSource.REGISTER_FILE - residentBlocks * threads * portions;
        return 2 * residentThreads() < MOST_THREADS
                && (left >= threads / 2 * portions || residentBlocks * sharedBytes > SHARED_POOL);
    }
}
