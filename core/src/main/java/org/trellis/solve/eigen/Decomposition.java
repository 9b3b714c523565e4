package org.trellis.solve.eigen;

import org.trellis.mesh.Dat;

/** What a search for eigenvalues or singular values extends by products, and contracts to what is requested most. */
interface Decomposition {
    /** Begins with a vector, or with one that is drawn if that is null. */
    void begin(double[] start);

    /**
     * Extends the basis.
     *
     * @param from how many vectors there were after the last contraction
     * @param to   how many there are to be
     */
    void extend(int from, int to);

    /** Returns how many vectors the basis has. */
    int filled();

    /** Returns how many vectors it has room for. */
    int dimension();

    /** Returns the projected matrix, in whose first rows and columns are those of the basis. */
    double[][] projected();

    /** Returns what the next vector has to do with each one of the basis. */
    double[] coupling();

    /** Returns what the next vector has to do with a combination of the basis. */
    double product(double[][] q, int k);

    /**
     * Contracts the basis.
     *
     * @param q        orthonormal columns that span an invariant part of the projected matrix
     * @param kept     how many of them are kept
     * @param quotient the projected matrix in this basis
     */
    void contract(double[][] q, int kept, double[][] quotient);

    /**
     * Goes on from a random vector instead of the next one, and takes the basis, which a contraction has left, for
     * invariant. Products may contradict that as far as it is not.
     */
    void beginAnew();

    /** Puts combinations of the basis into spare vectors and returns these. */
    Dat[] combine(double[][] q, int count);

    /** Returns the norm of the operator as far as it has been seen. */
    double scale();

    /** Notes an eigenvalue of the projected matrix. */
    void see(double magnitude);
}
