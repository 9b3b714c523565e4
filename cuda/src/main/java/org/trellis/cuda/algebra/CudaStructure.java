package org.trellis.cuda.algebra;

import org.trellis.cuda.runtime.CudaBuffer;

/**
 * Where the entries of matrices are, shared by matrices of one structure and different values: the buffers are given
 * back with the last of them. Remembers what was found out about it. Not for several threads at once, as its context.
 */
final class CudaStructure {
    private final CudaBuffer rowOffsets;
    private final CudaBuffer columnIndices;
    private int holders = 1;
    private boolean symmetric;
    private int[] binSizes;

    /** Takes over two buffers. */
    CudaStructure(CudaBuffer rowOffsets, CudaBuffer columnIndices) {
        this.rowOffsets = rowOffsets;
        this.columnIndices = columnIndices;
    }

    CudaBuffer rowOffsets() {
        return rowOffsets;
    }

    CudaBuffer columnIndices() {
        return columnIndices;
    }

    /** Returns this, for one more matrix. */
    CudaStructure share() {
        holders++;
        return this;
    }

    /** Leaves it to the other matrices, if there are any. */
    void release() {
        holders--;
        if (holders == 0) {
            CudaMatrix.closeAll(rowOffsets, columnIndices);
        }
    }

    /** Says whether each entry is known to have a mirror image. */
    boolean isSymmetric() {
        return symmetric;
    }

    void rememberSymmetric() {
        symmetric = true;
    }

    /** Returns how many rows products leave to each of their lists, or null before they were counted. */
    int[] binSizes() {
        return binSizes == null ? null : binSizes.clone();
    }

    void rememberBinSizes(int... sizes) {
        binSizes = sizes.clone();
    }
}
