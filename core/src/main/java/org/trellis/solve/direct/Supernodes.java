package org.trellis.solve.direct;

/** A triangular factor of supernodes in one precision. */
interface Supernodes {
    /** Solves with the factor for one right-hand side, or for four of which the elements of a row are side by side. */
    void forward(double[] y, boolean four);

    /** Solves with the transpose. */
    void backward(double[] y, boolean four);

    /** Returns the diagonal element of a column of a supernode. */
    double diagonal(int supernode, int column);
}
