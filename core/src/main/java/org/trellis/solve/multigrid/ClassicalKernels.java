package org.trellis.solve.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.sparse.BackendMatrix;

/**
 * What the set-up of classical multigrid needs of a backend beside {@link org.trellis.sparse.algebra.MatrixAlgebra}.
 * Splittings and values have the same bits as those that the host computes, and nothing but sizes and a few numbers
 * goes to the host. Backends whose memory is the host's do without.
 */
public interface ClassicalKernels {
    /** The component of a node that each unknown is, in the memory of a backend. */
    interface Components extends AutoCloseable {
        /** Gives the memory back. */
        @Override
        void close();
    }

    /**
     * Says that the unknowns of a node follow one another.
     *
     * @param rows      number of unknowns
     * @param blockSize unknowns of a node
     * @return the components, which the caller closes
     */
    @MustBeClosed
    Components components(int rows, int blockSize);

    /**
     * Keeps {@code −aᵢⱼ ≥ θ maxₖ −aᵢₖ} outside of the diagonal, with signs turned where {@code aᵢᵢ} is negative (J.
     * Ruge, K. Stüben, "Algebraic multigrid", 1987, section 4.6), among unknowns of one component. Rows whose sum is
     * more than a share of the diagonal depend on none.
     *
     * @param a          a square matrix
     * @param theta      θ
     * @param rowSum     the share; 1 and more for no such rows
     * @param components the components of its rows
     * @return a new matrix, whose pattern is not symmetric
     */
    @MustBeClosed
    BackendMatrix strong(BackendMatrix a, double theta, double rowSum, Components components);

    /**
     * Counts the rows that have couplings in a matrix and none among the strong ones.
     *
     * @param a      a matrix
     * @param strong its strong entries
     * @return how many rows a threshold has cut off
     */
    int cutOff(BackendMatrix a, BackendMatrix strong);

    /** Which unknowns stay on the next level, in the memory of a backend. */
    interface Points extends AutoCloseable {
        /**
         * Returns the number of unknowns that stay.
         *
         * @return at least 0
         */
        int count();

        /** Gives the memory back. */
        @Override
        void close();
    }

    /**
     * Splits the unknowns by the parallel modified independent set (H. De Sterck, U. M. Yang, J. Heys, SIAM J. Matrix
     * Anal. Appl. 27(4), 2006, section 4). Costs a transposition and a few passes over the strong couplings, after each
     * of which a number goes to the host.
     *
     * @param strong for each row the unknowns that it depends on
     * @return which ones stay; the caller closes it
     */
    @MustBeClosed
    Points split(BackendMatrix strong);

    /**
     * Returns the components of the unknowns that stay.
     *
     * @param components those of all unknowns
     * @param points     which ones stay
     * @return the components, which the caller closes
     */
    @MustBeClosed
    Components coarse(Components components, Points points);

    /**
     * Interpolates from unknowns at a distance of up to two, "extended+i" (H. De Sterck, R. D. Falgout, J. W. Nolting,
     * U. M. Yang, Numer. Linear Algebra Appl. 15, 2008, formula 4.10).
     *
     * @param a      the matrix
     * @param strong for each row the unknowns that it depends on
     * @param points which unknowns stay, and the components of all
     * @param limits how many weights a row keeps
     * @return P, whose rows without weights are empty
     */
    @MustBeClosed
    BackendMatrix interpolation(BackendMatrix a, BackendMatrix strong, Splitted points, Limits limits);

    /**
     * Unknowns and what they are.
     *
     * @param points     which ones stay
     * @param components the components of all
     */
    record Splitted(Points points, Components components) {}

    /**
     * How many weights of a row are kept.
     *
     * @param most       at most so many
     * @param truncation those below this share of the row's greatest are dropped
     */
    record Limits(int most, double truncation) {}

    /**
     * Makes a matrix exactly symmetric.
     *
     * @param product R A P of a symmetric A
     * @return the mean of it and its transpose
     */
    @MustBeClosed
    BackendMatrix symmetrised(BackendMatrix product);

    /**
     * Says whether two matrices have entries in the same places.
     *
     * @param a a matrix
     * @param b another one
     * @return false also if sizes differ
     */
    boolean samePattern(BackendMatrix a, BackendMatrix b);
}
