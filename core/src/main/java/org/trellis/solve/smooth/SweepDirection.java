package org.trellis.solve.smooth;

import java.util.Locale;

/** In which order a sweep visits the unknowns. Smoothers whose updates do not depend on each other ignore it. */
public enum SweepDirection {
    /** In the order of the rows, or of the colours. */
    FORWARD,
    /** In the opposite order. */
    BACKWARD,
    /** Forward and then backward, which makes the sweep symmetric if the matrix is. */
    SYMMETRIC;

    /**
     * Returns the name in options and reports.
     *
     * @return {@code forward}, {@code backward} or {@code symmetric}
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
