package org.trellis.solve.eigen;

/** Which eigenvalues of an unsymmetric matrix are looked for. */
enum Side {
    /** Those of largest magnitude. */
    MAGNITUDE,
    /** Those of largest real part. */
    RIGHT,
    /** Those of smallest real part. */
    LEFT,
    /** Those of largest imaginary part, with their conjugates. */
    TOP;

    /** Returns what is the larger, the sooner an eigenvalue is requested. */
    double rank(double real, double imaginary) {
        return switch (this) {
            case MAGNITUDE -> Math.hypot(real, imaginary);
            case RIGHT -> real;
            case LEFT -> -real;
            case TOP -> Math.abs(imaginary);
        };
    }
}
