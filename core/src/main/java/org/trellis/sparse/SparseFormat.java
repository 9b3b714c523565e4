package org.trellis.sparse;

/** The storage formats of sparse matrices. */
public enum SparseFormat {
    /** Compressed sparse rows. */
    CSR,
    /** Coordinates (triplets). */
    COO,
    /** ELLPACK: every row padded to the longest. */
    ELLPACK,
    /** Sliced ELLPACK with row sorting, SELL-C-σ. */
    SELL,
    /** Compressed sparse rows of the lower triangle of a symmetric matrix. */
    SYMMETRIC
}
