package org.trellis.matrices.io;

/** What a reader makes of complex values, which Trellis has no type for. */
public enum ComplexPolicy {
    /** Complex files are refused with a message that names the other choices. */
    REFUSE,
    /** The real part is kept. Both parts are read and checked. */
    REAL_PART,
    /** The imaginary part is kept. Both parts are read and checked. */
    IMAGINARY_PART
}
