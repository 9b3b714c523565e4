package org.trellis.solve.krylov;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.algebra.MatrixGraphs;

/**
 * What the choice of a method depends on of a matrix; over ranks, of the whole matrix.
 *
 * @param rows             how many there are
 * @param columns          how many there are
 * @param symmetric        whether the matrix is its own transpose but for {@link #tolerance rounding}
 * @param firstNonPositive the first row whose diagonal element is not positive; -1 if there is none
 * @param elliptic         whether couplings are mostly negative and balance the diagonal; need not be found out for
 *                         matrices of less than {@link #LEAST_MULTIGRID} rows
 * @param hasNearNullSpace whether the near null space is given
 * @param onHost           whether vectors are on the host
 * @param blockSize        unknowns of a node, if the numbering is by nodes and their couplings look like diffusion; 1
 *                         if that is not so or not known
 */
public record MatrixProperties(long rows, long columns, boolean symmetric, long firstNonPositive, boolean elliptic,
        boolean hasNearNullSpace, boolean onHost, int blockSize) {
    /** Rows from which multigrid's set-up pays. */
    public static final int LEAST_MULTIGRID = 10_000;

    private static final double ROUNDINGS = 16;

    /**
     * What a caller knows of a matrix, which is not checked.
     *
     * @param symmetric whether the matrix is its own transpose
     * @param definite  whether it is positive definite
     */
    public record Known(boolean symmetric, boolean definite) {}

    /**
     * Sums over entries, which say whether a matrix looks like that of diffusion, which smooths and coarsens well.
     * Sums of parts can be added.
     */
    public static final class Couplings {
        /** The most that positive couplings may amount to of all. */
        private static final double MOST_POSITIVE = 0.35;
        /** The same of a sample, beyond which the other entries do not count. */
        private static final double MOST_POSITIVE_OF_SAMPLE = 0.7;
        /** The least that couplings amount to of the diagonal where errors spread from row to row. */
        private static final double LEAST_COUPLED = 0.9;

        /** Of the diagonal, of what is below zero beside it with the sign turned, and of what is above. */
        private final double[] sums = new double[3];

        /** Begins with nothing. */
        public Couplings() {}

        /**
         * Adds an entry.
         *
         * @param diagonal whether it is on the diagonal
         * @param value    its value
         */
        public void add(boolean diagonal, double value) {
            if (diagonal) {
                sums[0] += value;
            } else {
                sums[value < 0 ? 1 : 2] += Math.abs(value);
            }
        }

        /**
         * Returns the sums themselves, to be added up over ranks.
         *
         * @return three numbers
         */
        public double[] sums() {
            return sums;
        }

        /**
         * Judges the sums.
         *
         * @return true for what looks like diffusion
         */
        public boolean elliptic() {
            return sums[2] <= MOST_POSITIVE * sums[1] && sums[1] >= LEAST_COUPLED * sums[0];
        }

        /** Says whether more entries may make it so, where these are a sample. */
        boolean mayBeElliptic() {
            return sums[2] <= MOST_POSITIVE_OF_SAMPLE * sums[1];
        }

        @Override
        public String toString() {
            return "couplings " + Arrays.toString(sums);
        }
    }

    /**
     * Finds the properties of a matrix of one rank. Costs a few passes.
     *
     * @param matrix the matrix
     * @param parts  the backend, and what is known already
     * @return its properties
     */
    public static MatrixProperties of(CsrMatrix matrix, SolverContext parts) {
        return quick(matrix, parts).withMultigrid(matrix);
    }

    /**
     * Finds the properties of a matrix of one rank but for what only a choice of multigrid depends on: whether the
     * matrix looks like diffusion, and the unknowns of a node, which are taken for 1. Costs a pass or two.
     *
     * @param matrix the matrix
     * @param parts  the backend, and what is known already
     * @return its properties
     */
    public static MatrixProperties quick(CsrMatrix matrix, SolverContext parts) {
        boolean square = matrix.rows() == matrix.columns();
        boolean symmetric = square && parts.known().map(Known::symmetric)
                .orElseGet(() -> MatrixGraphs.firstAsymmetry(matrix, 0).isEmpty()
                        || MatrixGraphs.firstAsymmetry(matrix, tolerance(matrix.precision())).isEmpty());
        long nonPositive = square ? firstNonPositive(matrix.diagonal()) : -1;
        return new MatrixProperties(matrix.rows(), matrix.columns(), symmetric, nonPositive, false,
                parts.nearNullSpace().isPresent(), parts.backend().device().space().equals(MemorySpace.HOST), 1);
    }

    /** Finds out what a choice of multigrid depends on. */
    MatrixProperties withMultigrid(CsrMatrix matrix) {
        return symmetric && positiveDiagonal() && rows >= LEAST_MULTIGRID && !hasNearNullSpace
                ? new MatrixProperties(rows, columns, true, firstNonPositive, isElliptic(matrix), false, onHost,
                        NodeBlocks.sizeOf(matrix))
                : this;
    }

    /**
     * Finds the number of unknowns of a node of a symmetric matrix with a positive diagonal, of any size. Costs up to
     * six passes over it.
     *
     * @param matrix the matrix
     * @return 2, 3 or 6, or 1 if no numbering by nodes is seen
     */
    public static int blockSizeOf(CsrMatrix matrix) {
        return NodeBlocks.sizeOf(matrix);
    }

    /**
     * Says by how much two values may differ that are the same but for rounding.
     *
     * @param precision of the values
     * @return a share of the larger one
     */
    public static double tolerance(Precision precision) {
        return ROUNDINGS * precision.unitRoundoff();
    }

    /**
     * Says whether the diagonal is positive.
     *
     * @return true if it is in every row
     */
    public boolean positiveDiagonal() {
        return firstNonPositive < 0;
    }

    private static boolean isElliptic(CsrMatrix matrix) {
        Couplings couplings = new Couplings();
        CsrRowCursor rows = new CsrRowCursor(matrix);
        for (int row = 0; row < matrix.rows(); row++) {
            rows.moveTo(row);
            for (int k = rows.start(); k < rows.end(); k++) {
                couplings.add(rows.columns()[k] == row, rows.value(k));
            }
        }
        return couplings.elliptic();
    }

    private static int firstNonPositive(HostVector diagonal) {
        for (int row = 0; row < diagonal.length(); row++) {
            if (!(diagonal.get(row) > 0)) {
                return row;
            }
        }
        return -1;
    }
}
