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

    /** Begins with a random vector in the complement of the basis, which a contraction has left. */
    void beginBeside();

    /**
     * Takes a step of the Lanczos method in the complement of the basis, with the projection of the symmetric operator
     * to it. Overwrites the next vector and two places behind it.
     */
    Step stepBeside();

    /**
     * What a step of the Lanczos method gives.
     *
     * @param diagonal element of the tridiagonal matrix
     * @param next     element beside the diagonal, behind it; 0 where the space is invariant
     */
    record Step(double diagonal, double next) {}

    /** Puts combinations of the basis into spare vectors and returns these. */
    Dat[] combine(double[][] q, int count);

    /** Returns the norm of the operator as far as it has been seen. */
    double scale();

    /** Notes an eigenvalue of the projected matrix. */
    void see(double magnitude);

    /** Returns the columns that take a basis as it is. */
    static double[][] identity(int size) {
        double[][] columns = new double[size][size];
        for (int k = 0; k < size; k++) {
            columns[k][k] = 1;
        }
        return columns;
    }
}
