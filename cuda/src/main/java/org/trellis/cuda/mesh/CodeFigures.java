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

    /** Returns the most registers of a thread with which one more block would be resident. */
    int registersForOneMore() {
        return LoopSource.REGISTER_FILE / ((residentBlocks + 1) * threads) / PORTION * PORTION;
    }

    int residentThreads() {
        return residentBlocks * threads;
    }
}
