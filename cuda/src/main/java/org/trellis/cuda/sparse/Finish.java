package org.trellis.cuda.sparse;

/** What a kernel does with the finished sum of a row. */
enum Finish {
    /** y = α sum + β y. */
    UPDATE(0),
    /** The same, and partial sums of the dot product of the new y with w. */
    UPDATE_AND_DOT(1),
    /** Jacobi: y = x + α w (z - sum), with w the inverse diagonal and z the right-hand side. */
    JACOBI(2);

    private final int code;

    Finish(int code) {
        this.code = code;
    }

    /** Returns the kernels' FINISH. */
    int code() {
        return code;
    }
}
