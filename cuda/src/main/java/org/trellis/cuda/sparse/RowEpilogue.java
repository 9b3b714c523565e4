package org.trellis.cuda.sparse;

/** What a kernel does with the finished sum of a row. */
enum RowEpilogue {
    /** y = α sum + β y. */
    UPDATE(0, false),
    /** The same, and the dot product of the new y with w. */
    UPDATE_AND_DOT(1, true),
    /** Jacobi: y = x + α w (z - sum), with w the inverse diagonal and z the right-hand side. */
    JACOBI(2, false),
    /** Residual: y = z - sum. */
    RESIDUAL(3, false),
    /** y = α sum + β y, and the dot product of the new y with itself. */
    UPDATE_AND_NORM(4, true);

    private final int code;
    private final boolean dots;

    RowEpilogue(int code, boolean dots) {
        this.code = code;
        this.dots = dots;
    }

    /** Returns the kernels' FINISH. */
    int code() {
        return code;
    }

    /** Says whether a dot product is added up. */
    boolean dots() {
        return dots;
    }
}
