package org.trellis.solve.eigen;

import org.trellis.mesh.Dat;

/** What eigenvalue methods compute with a vector and the vectors of a basis. */
interface BasisArithmetic {
    /** Vectors that {@link #clearFour} makes orthogonal at once. */
    int WIDTH = 4;

    /** Multiplies a vector by a number. */
    void multiply(double factor, Dat x);

    /** Returns the dot products of a vector with others. */
    double[] dots(Dat w, Dat[] basis, int count);

    /**
     * Subtracts from w what t has of some vectors, {@code w −= Σ (t · v) v}, by classical Gram–Schmidt.
     *
     * @param t    w, or its product with the matrix of the inner product
     * @param from index of the first of the vectors
     * @param part 0 or 1: where the dot products are kept
     */
    void clear(Dat t, Dat w, Dat[] basis, int from, int count, int part);

    /** Fetches the dot products that are kept. */
    void fetch();

    /** Returns {@code w · w}, and fetches the dot products that are kept. */
    double square(Dat w);

    /** Returns a dot product that was fetched, that with the vector at an index of the range that was cleared. */
    double kept(int part, int index);

    /**
     * Subtracts from the four vectors behind an orthonormal basis what they have of it.
     *
     * @return the greatest coefficient of each of the four
     */
    double[] clearFour(Dat[] basis, int count);

    /**
     * Computes {@code to[j] = Σ q[i][j] from[i]}.
     *
     * @param from    vectors
     * @param count   how many
     * @param q       as many rows
     * @param to      other vectors, overwritten
     * @param columns how many
     */
    void transform(Dat[] from, int count, double[][] q, Dat[] to, int columns);
}
