package org.trellis.sparse;

/** Matrices in several segments, for tests of other packages. */
public final class SegmentedMatrices {
    private SegmentedMatrices() {}

    /**
     * Copies a matrix into segments.
     *
     * @param matrix a matrix of one segment
     * @param limit  non-zeros of a segment
     * @return the same matrix in several segments
     */
    public static CsrMatrix cut(CsrMatrix matrix, int limit) {
        return SparseKernelsContract.inSegments(matrix, limit);
    }
}
