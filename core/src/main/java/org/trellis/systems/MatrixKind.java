package org.trellis.systems;

/** What is known of a matrix, so that it need not be found out. */
public enum MatrixKind {
    /** Symmetric positive definite. */
    SPD,
    /** Symmetric, perhaps indefinite. */
    SYMMETRIC,
    /** Nothing in particular. */
    GENERAL
}
