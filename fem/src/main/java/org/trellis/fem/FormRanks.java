package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.fem.space.CellMesh;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/**
 * The ranks on which forms are solved. A backend that offers this ({@link Backend#optionalKernels}) is that of one of
 * several ranks: a {@link FormSystem} made with it has the cells and unknowns of this rank, its vectors are the parts
 * that the rank owns, and programs do not change. Module {@code distributed} implements it; programs do not meet it.
 *
 * <p>All ranks make the same calls in the same order; all but the getters are collective.
 */
public interface FormRanks {
    /**
     * Returns the number of this rank.
     *
     * @return from 0
     */
    int rank();

    /**
     * Returns the number of ranks.
     *
     * @return at least 1
     */
    int ranks();

    /**
     * Returns what this rank computes with by itself, without sums over ranks.
     *
     * @return a backend that outlives what is made of this
     */
    Backend own();

    /**
     * Divides the cells of a mesh.
     *
     * @param mesh the whole mesh
     * @return the rank of each cell, alike on all ranks; of a mesh that has been divided before what it was then
     */
    int[] divide(CellMesh mesh);

    /**
     * Divides a mesh like another one.
     *
     * @param mesh   the whole mesh
     * @param rankOf the rank of each of its cells, alike on all ranks
     */
    void divided(CellMesh mesh, int[] rankOf);

    /**
     * Adds up numbers over ranks.
     *
     * @param values as many on each rank; overwritten with the sums, which have the same bits on all ranks
     */
    void sum(double[] values);

    /**
     * Finds the highest of what all ranks have.
     *
     * @param values as many on each rank; overwritten with the highest of each place
     */
    void highest(double[] values);

    /**
     * Prepares the exchange of the unknowns that this rank's cells have of other ranks.
     *
     * @param numbers   what this rank has
     * @param precision of the vectors
     * @return the exchange, which the caller closes
     */
    @MustBeClosed
    Halo halo(Numbers numbers, Precision precision);

    /**
     * Makes the matrix over all ranks of the rows that each has.
     *
     * @param numbers what this rank has
     * @param rows    a row for each unknown that it owns, with a column for each that it has
     * @return the matrix, which the caller closes
     */
    @MustBeClosed
    Rows rows(Numbers numbers, CsrMatrix rows);

    /**
     * Makes an interpolation between vectors of ranks and its transpose.
     *
     * @param fine   what this rank has of the larger space
     * @param coarse what it has of the smaller one
     * @param rows   a row for each fine unknown that it owns, with a column for each coarse unknown of all ranks
     * @return the products, which the caller closes
     */
    @MustBeClosed
    Transfer transfer(Numbers fine, Numbers coarse, CsrMatrix rows);

    /**
     * Makes what all ranks know to be the diagonal preconditioner of one matrix.
     *
     * @param own that of the rank's own rows, closed with it
     * @return the preconditioner, which the caller closes
     */
    @MustBeClosed
    Preconditioner diagonal(Preconditioner own);

    /**
     * The unknowns that a rank has: those that it owns, in the order of its vectors, then those of other ranks that its
     * cells have.
     *
     * @param total   unknowns of all ranks
     * @param numbers the number of each among those of all ranks
     * @param owned   how many of them it owns
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once
    record Numbers(int total, int[] numbers, int owned) {
        /**
         * Returns the numbers of those that the rank owns.
         *
         * @return a new array
         */
        public int[] own() {
            return Arrays.copyOf(numbers, owned);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Numbers that && total == that.total && owned == that.owned
                    && Arrays.equals(numbers, that.numbers);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(numbers) + 31 * owned;
        }

        @Override
        public String toString() {
            return owned + " of " + total + " unknowns, and " + (numbers.length - owned) + " of other ranks";
        }
    }

    /** Brings unknowns of other ranks. */
    interface Halo extends AutoCloseable {
        /**
         * Brings the unknowns of other ranks; on a device that is queued. Collective.
         *
         * @param vector those that this rank owns, then room for the others
         */
        void bring(DenseVector vector);

        @Override
        void close();
    }

    /** A matrix over all ranks. */
    interface Rows extends AutoCloseable {
        /**
         * Returns its product.
         *
         * @return an operator on the owned unknowns; it knows its diagonal
         */
        LinearOperator operator();

        /**
         * Takes other values in the same structure.
         *
         * @param values of the owned rows
         */
        void refill(HostVector values);

        /**
         * Makes a preconditioner by name.
         *
         * @param name    one that ranks have
         * @param options options and their values
         * @param space   the near null space over the unknowns of all ranks, or null for constants
         * @return the preconditioner of the values of now, which the caller closes before the matrix; null for
         *         {@code none}
         * @throws IllegalArgumentException if ranks do not have it; says what there is
         */
        Preconditioner preconditioner(String name, Map<String, String> options, NearNullSpace space);

        /**
         * Makes algebraic multigrid.
         *
         * @param options its options and their values
         * @param space   the near null space over the unknowns of all ranks, or null for constants
         * @return one cycle, of the values of now, which the caller closes before the matrix
         * @throws IllegalArgumentException if an option is unknown
         */
        Smoother multigrid(Map<String, String> options, NearNullSpace space);

        @Override
        void close();
    }

    /** An interpolation and its transpose. */
    interface Transfer extends AutoCloseable {
        /**
         * Returns the interpolation.
         *
         * @return from owned coarse to owned fine unknowns
         */
        LinearOperator up();

        /**
         * Returns the transpose.
         *
         * @return from owned fine to owned coarse unknowns
         */
        LinearOperator down();

        @Override
        void close();
    }
}
