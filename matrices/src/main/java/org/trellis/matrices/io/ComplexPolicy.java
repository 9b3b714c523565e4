package org.trellis.matrices.io;

/** What a reader of real matrices makes of complex values. */
public enum ComplexPolicy {
    /** Complex files are refused with a message that names the other choices. */
    REFUSE,
    /**
     * The matrix is read as the equivalent real one of twice as many rows and columns, whose vectors are interleaved
     * (see {@link org.trellis.sparse.ComplexCsr#realForm}). The file is parsed twice. A real file is read as it is.
     */
    REAL_FORM,
    /** The real part is kept. Both parts are read and checked. */
    REAL_PART,
    /** The imaginary part is kept. Both parts are read and checked. */
    IMAGINARY_PART
}
