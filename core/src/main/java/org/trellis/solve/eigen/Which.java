package org.trellis.solve.eigen;

/** Which eigenvalues of a symmetric matrix are looked for. */
enum Which {
    /** The largest, the most positive first. */
    LARGEST,
    /** The smallest, the most negative first. */
    SMALLEST,
    /** Those of largest magnitude. */
    MAGNITUDE;

    /** Returns what is the larger, the sooner an eigenvalue is requested. */
    double rank(double value) {
        return switch (this) {
            case LARGEST -> value;
            case SMALLEST -> -value;
            case MAGNITUDE -> Math.abs(value);
        };
    }
}
