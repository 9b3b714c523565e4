package org.trellis.solve.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.BackendMatrix;

/**
 * What the set-up of multigrid by aggregation needs of a backend beside {@link
 * org.trellis.sparse.algebra.MatrixAlgebra}. Aggregates and values have the same bits as those that the host computes
 * with {@code aggregates=mis2}, and nothing but sizes and a few numbers goes to the host. Backends whose memory is the
 * host's do without.
 */
public interface AggregationKernels {
    /**
     * Says that a set-up begins, so that kernels can be made ready before they are asked for. Returns at once; does
     * nothing unless a backend compiles kernels.
     *
     * @param precision the type of the values
     */
    default void expectSetup(Precision precision) {}

    /**
     * The near null space of a level in the memory of a backend.
     *
     * @param elements  the vectors in double precision, one after the other
     * @param count     how many vectors
     * @param blockSize unknowns of a node, one after the other
     */
    record Vectors(DenseVector elements, int count, int blockSize) {}

    /**
     * Cuts a matrix into square blocks and makes an entry of each that has one: its Frobenius norm, as {@link
     * org.trellis.sparse.algebra.BlockNorms} does.
     *
     * @param a         a square matrix whose rows are a multiple of the block size
     * @param blockSize rows and columns of a block, at least 1
     * @return a new matrix of {@code rows / blockSize} rows
     */
    @MustBeClosed
    BackendMatrix nodes(BackendMatrix a, int blockSize);

    /**
     * Returns the share of couplings that are not strong for both sides.
     *
     * @param a     a matrix
     * @param theta θ of signed strength
     * @return from 0 to 1; entries of 0 do not count
     */
    double weakShare(BackendMatrix a, double theta);

    /**
     * Keeps the strong couplings and the diagonal.
     *
     * @param a       a square matrix
     * @param options symmetric or signed, and θ
     * @return a new matrix
     */
    @MustBeClosed
    BackendMatrix strong(BackendMatrix a, StrengthOptions options);

    /**
     * Keeps couplings that are strong for the row, and the diagonal.
     *
     * @param a     a square matrix
     * @param theta θ of signed strength
     * @return a new matrix, whose pattern need not be symmetric
     */
    @MustBeClosed
    BackendMatrix oneSided(BackendMatrix a, double theta);

    /**
     * Adds weak couplings to the diagonal.
     *
     * @param a      a square matrix
     * @param strong the entries that stay, with the whole diagonal
     * @param space  the near null space, in double precision, of which the first vector counts
     * @return a matrix with the entries of {@code strong}
     */
    @MustBeClosed
    BackendMatrix filtered(BackendMatrix a, BackendMatrix strong, DenseVector space);

    /**
     * Aggregates around a maximal independent set of distance 2.
     *
     * @param strong   the strong couplings
     * @param oneSided what nodes without strong couplings may join, or null
     * @return the aggregates, which the caller closes
     */
    @MustBeClosed
    Groups aggregate(BackendMatrix strong, BackendMatrix oneSided);

    /** Aggregates in the memory of the backend. */
    interface Groups extends AutoCloseable {
        /**
         * Returns the number of aggregates.
         *
         * @return at least 0
         */
        int count();

        /**
         * Returns the number of nodes in no aggregate.
         *
         * @return at least 0
         */
        int alone();

        /**
         * Brings the aggregates to the host.
         *
         * @return an aggregate for each node, −1 for nodes in none
         */
        int[] toHost();

        /** Gives the memory back. */
        @Override
        void close();
    }

    /**
     * Makes the tentative prolongator: orthogonalises the near null space on each aggregate.
     *
     * @param groups the aggregates of the nodes
     * @param like   the matrix of the level
     * @param space  its near null space
     * @return the prolongator and the near null space of the next level, which the caller closes
     */
    @MustBeClosed
    Tentative tentative(Groups groups, BackendMatrix like, Vectors space);

    /** A tentative prolongator in the memory of the backend. */
    interface Tentative extends AutoCloseable {
        /**
         * Returns the near null space of the next level.
         *
         * @return as many vectors, of an element for each aggregate and vector; closed with this
         */
        Vectors coarse();

        /**
         * Makes a matrix of it.
         *
         * @return T
         */
        @MustBeClosed
        BackendMatrix matrix();

        /**
         * Smooths it.
         *
         * @param a         the matrix that smooths
         * @param omega     ω
         * @param structure what this returned for a matrix of the same structure, or null
         * @return {@code T − ω D⁻¹ A T}
         */
        @MustBeClosed
        BackendMatrix smoothed(BackendMatrix a, double omega, BackendMatrix structure);

        /** Gives the memory back. */
        @Override
        void close();
    }

    /**
     * Sets all elements of a vector.
     *
     * @param vector a vector in double precision in the memory of the backend
     * @param value  what they are to be
     */
    void fill(DenseVector vector, double value);

    /**
     * Estimates ρ(D⁻¹A).
     *
     * @param a         a square matrix
     * @param symmetric whether the matrix is known to be symmetric; otherwise two products find out
     * @return the estimate; 0 for a matrix of zeros
     */
    double radius(BackendMatrix a, boolean symmetric);

    /**
     * Makes the matrix of the next level of {@code R A P}: puts 1 on the diagonal of rows that are empty, there or in
     * R, and makes it exactly symmetric.
     *
     * @param product     R A P, closed here unless it is returned
     * @param restriction R
     * @param symmetric   whether A is symmetric
     * @return the matrix of the next level
     */
    @MustBeClosed
    BackendMatrix coarse(BackendMatrix product, BackendMatrix restriction, boolean symmetric);

    /**
     * Leaves entries of a matrix out that have a path of two stronger ones beside them, and adds them to the diagonal
     * of both rows. With x the near null space, {@code −aᵢⱼ xᵢ xⱼ} are the weights of edges.
     *
     * @param coarse a symmetric matrix
     * @param space  its near null space, in double precision, of which the first vector counts
     * @param share  the weight of an entry, as a share of those of the path, up to which it is left out; below 1
     * @return a new matrix
     */
    @MustBeClosed
    BackendMatrix thinned(BackendMatrix coarse, DenseVector space, double share);

    /**
     * Leaves the same entries out once more.
     *
     * @param pattern the entries that stay
     * @param coarse  a matrix that has all of them, of other values
     * @param space   its near null space, in double precision, of which the first vector counts
     * @return a matrix of the pattern
     */
    @MustBeClosed
    BackendMatrix thinnedAgain(BackendMatrix pattern, BackendMatrix coarse, DenseVector space);
}
