package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;

/**
 * Products and combinations of many vectors at a time, for methods that make a basis of several vectors before they
 * reduce. Implemented by backends whose memory is not the host's.
 */
public interface BasisKernels {
    /** The most vectors that are read at a time. */
    int MOST_VECTORS = 72;

    /** The most pairs of vectors that are multiplied at a time. */
    int MOST_PAIRS = 1024;

    /**
     * Prepares both for vectors of a precision.
     *
     * @param precision of the elements
     * @return the kernels with what they need beside vectors, which the caller closes
     */
    @MustBeClosed
    PreparedBasis prepare(Precision precision);
}
