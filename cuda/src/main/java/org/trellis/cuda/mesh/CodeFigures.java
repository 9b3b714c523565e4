package org.trellis.cuda.mesh;

import org.trellis.cuda.driver.FunctionAttribute;
import org.trellis.cuda.runtime.CudaKernel;

/**
 * What the compiler and the driver say about the code of a launch.
 *
 * @param threads        threads of a block
 * @param registers      of a thread
 * @param localBytes     of a thread: spilled registers, and arrays indexed at run time
 * @param sharedBytes    of a block, static and dynamic
 * @param residentBlocks blocks that a multiprocessor runs at a time
 * @param codeBytes      of the machine code; 0 where that is not known
 */
record CodeFigures(int threads, int registers, int localBytes, int sharedBytes, int residentBlocks, int codeBytes) {
    /**
     * Bytes of machine code from which on a kernel that each target runs again costs more than storing what elements
     * add: measured on an H200 with the loops of compressible flow on meshes whose nodes are numbered along lines,
     * where kernels of 3,700 to 9,700 bytes are best run again, and with 12,500 to 15,400 that takes 1.1 to 2.1 times
     * as long. Registers show less: 114 are those of a kernel of either kind.
     */
    static final int LONG_CODE = 11_000;
    /** The same by registers, where the length of the code is not known. */
    private static final int MANY_REGISTERS = 100;
    /** Registers are given to warps in portions of eight for each thread. */
    private static final int PORTION = 8;
    /** Shared memory of a multiprocessor that blocks can have, of the devices with least. */
    private static final int SHARED_POOL = 64 * 1024;

    /** Threads of a multiprocessor, of the devices with most. */
    private static final int MOST_THREADS = 2048;

    /** Asks for the figures of a kernel whose blocks have some threads and some dynamic shared memory. */
    static CodeFigures of(CudaKernel kernel, int threads, int sharedBytes) {
        return new CodeFigures(threads, kernel.attribute(FunctionAttribute.REGISTERS),
                kernel.attribute(FunctionAttribute.LOCAL_BYTES),
                sharedBytes + kernel.attribute(FunctionAttribute.SHARED_BYTES),
                kernel.residentBlocks(threads, sharedBytes), kernel.codeBytes());
    }

    /** Says whether running an element again for each of its targets costs more than storing what it adds. */
    boolean heavy() {
        return codeBytes > 0 ? codeBytes > LONG_CODE : registers > MANY_REGISTERS;
    }

    /** Says whether less than half of the threads of a multiprocessor are resident. */
    boolean fewResident() {
        return 2 * residentThreads() < MOST_THREADS;
    }

    int residentThreads() {
        return residentBlocks * threads;
    }

    /** Says whether few threads are resident, and what is left over might do for another block of half the size. */
    boolean wantsSmallerBlocks() {
        int portions = Math.ceilDiv(Math.max(1, registers), PORTION) * PORTION;
        int left = LoopSource.REGISTER_FILE - residentBlocks * threads * portions;
        return fewResident()
                && (left >= threads / 2 * portions || residentBlocks * sharedBytes > SHARED_POOL);
    }
}
