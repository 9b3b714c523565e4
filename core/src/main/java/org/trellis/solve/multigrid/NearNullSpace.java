package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Objects;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;

/**
 * The vectors that a smoother leaves nearly as they are, which coarse levels have to represent exactly: constants for a
 * scalar problem, rigid body motions for elasticity. Immutable.
 */
public final class NearNullSpace {
    private final int rows;
    private final int blockSize;
    /** Null for the constant of a scalar problem, which takes no memory. */
    private final double[][] vectors;

    NearNullSpace(int rows, int blockSize, double[][] vectors) {
        this.rows = rows;
        this.blockSize = blockSize;
        this.vectors = vectors;
    }

    /**
     * Takes constants: a vector for each component of a node, 1 in that component.
     *
     * @param rows      the number of unknowns
     * @param blockSize unknowns of a node, one after the other; 1 for scalar problems
     * @return {@code blockSize} vectors
     * @throws IllegalArgumentException if the number of rows is no multiple of the block size
     */
    public static NearNullSpace constants(int rows, int blockSize) {
        requireNodes(rows, blockSize);
        if (blockSize == 1) {
            return new NearNullSpace(rows, 1, null);
        }
        double[][] vectors = new double[blockSize][rows];
        for (int row = 0; row < rows; row++) {
            vectors[row % blockSize][row] = 1;
        }
        return new NearNullSpace(rows, blockSize, vectors);
    }

    /**
     * Takes rigid body motions of an elastic body whose unknowns are displacements, node by node: translations and
     * infinitesimal rotations about the centre of the nodes, 3 vectors in the plane and 6 in space.
     *
     * @param coordinates x and y, or x, y and z, of each node, one node after the other
     * @param dimensions  2 or 3
     * @return vectors of as many rows as there are coordinates
     * @throws IllegalArgumentException if there are neither 2 nor 3 dimensions, coordinates are no multiple of it, or
     *         one is not finite; names it
     */
    public static NearNullSpace rigidBody(double[] coordinates, int dimensions) {
        if (dimensions != 2 && dimensions != 3) {
            throw new IllegalArgumentException("rigid body motions in " + dimensions + " dimensions, expected 2 or 3");
        }
        requireNodes(coordinates.length, dimensions);
        double[] centre = new double[dimensions];
        for (int i = 0; i < coordinates.length; i++) {
            if (!Double.isFinite(coordinates[i])) {
                throw new IllegalArgumentException(
                        "coordinate " + i % dimensions + " of node " + i / dimensions + " is "
                                + coordinates[i] + ", expected a finite number");
            }
            centre[i % dimensions] += coordinates[i] * dimensions / coordinates.length;
        }
        int rotations = dimensions == 2 ? 1 : 3;
        double[][] vectors = Arrays.copyOf(constants(coordinates.length, dimensions).vectors, dimensions + rotations);
        for (int rotation = 0; rotation < rotations; rotation++) {
            double[] turned = new double[coordinates.length];
            int first = rotation == 2 ? 2 : rotation;
            int second = (first + 1) % dimensions;
            for (int node = 0; node < coordinates.length; node += dimensions) {
                turned[node + first] = -(coordinates[node + second] - centre[second]);
                turned[node + second] = coordinates[node + first] - centre[first];
            }
            vectors[dimensions + rotation] = turned;
        }
        return new NearNullSpace(coordinates.length, dimensions, vectors);
    }

    /**
     * Takes given vectors.
     *
     * @param blockSize unknowns of a node, one after the other; 1 for scalar problems
     * @param vectors   at least one, all of one length; copied
     * @return the vectors
     * @throws IllegalArgumentException if there is none, their lengths differ or are no multiple of the block size, or
     *         an element is not finite; names it
     */
    public static NearNullSpace given(int blockSize, double[]... vectors) {
        Checks.positive("number of vectors of the near null space", vectors.length);
        requireNodes(vectors[0].length, blockSize);
        double[][] copies = new double[vectors.length][];
        for (int v = 0; v < vectors.length; v++) {
            Checks.length("length of vector " + v + " of the near null space", vectors[v].length, vectors[0].length);
            copies[v] = vectors[v].clone();
            for (int row = 0; row < copies[v].length; row++) {
                if (!Double.isFinite(copies[v][row])) {
                    throw new IllegalArgumentException("near null space: row " + row + " of vector " + v + " is "
                            + copies[v][row] + ", expected a finite number");
                }
            }
        }
        return new NearNullSpace(vectors[0].length, blockSize, copies);
    }

    /**
     * Finds vectors of which nothing is known, by sweeps and multigrid cycles on {@code A x = 0} from random ones: the
     * set-up of adaptive smoothed aggregation (M. Brezina, R. Falgout, S. MacLachlan, T. Manteuffel, S. McCormick, J.
     * Ruge, SIAM Review 47(2), 2005). For elasticity without coordinates, or systems whose rows and columns were
     * rescaled. Each vector costs a set-up with those before it and fifteen cycles. The same vectors each time, but for
     * the rounding of the backend.
     *
     * @param matrix    a square matrix for which sweeps converge, symmetric positive definite for instance
     * @param blockSize unknowns of a node, one after the other; 1 for scalar problems
     * @param count     how many vectors to find at most, at least 1; fewer where cycles with those before reduce random
     *                  errors to a tenth each
     * @param options   the multigrid method, by aggregation, for which they are to be; its precision of levels and
     *                  {@code adaptive-candidates} are ignored
     * @param backend   where cycles run
     * @return at least one vector, of length 1 each
     * @throws IllegalArgumentException if the matrix is not square, its rows are no multiple of the block size, the
     *         coarsening is classical, or sweeps or cycles diverge
     */
    public static NearNullSpace adaptive(CsrMatrix matrix, int blockSize, int count, MultigridOptions options,
            Backend backend) {
        return unknown(matrix.rows(), blockSize).extended(matrix, count, options, backend);
    }

    /** Takes no vectors, so that all are to be found. */
    static NearNullSpace unknown(int rows, int blockSize) {
        requireNodes(rows, blockSize);
        return new NearNullSpace(rows, blockSize, new double[0][]);
    }

    /**
     * Finds further vectors as {@link #adaptive} does, with these as the first ones.
     *
     * @param matrix  a square matrix of as many rows
     * @param more    how many to find at most, at least 1
     * @param options the multigrid method, by aggregation, for which they are to be
     * @param backend where cycles run
     * @return these vectors and those that were found
     * @throws IllegalArgumentException if the matrix has another size, the coarsening is classical, or sweeps or cycles
     *         diverge
     */
    public NearNullSpace extended(CsrMatrix matrix, int more, MultigridOptions options, Backend backend) {
        HierarchyDriver.spaceOf(matrix, this);
        Checks.positive("number of vectors to find", more);
        MultigridOptions cycles = options.withoutSearch();
        double[][] known = isOne() ? new double[][]{new double[rows]} : vectors;
        if (isOne()) {
            Arrays.fill(known[0], 1);
        }
        return new NearNullSpace(rows, blockSize,
                new AdaptiveCandidates(matrix, blockSize, cycles, backend).beside(known, more));
    }

    private static void requireNodes(int rows, int blockSize) {
        Checks.positive("block size", blockSize);
        if (rows % blockSize != 0) {
            throw new IllegalArgumentException("near null space of " + rows + " rows, expected a multiple of the "
                    + blockSize + " unknowns of a node");
        }
    }

    /**
     * Returns the number of unknowns.
     *
     * @return the length of each vector
     */
    public int rows() {
        return rows;
    }

    /**
     * Returns the number of unknowns of a node.
     *
     * @return at least 1
     */
    public int blockSize() {
        return blockSize;
    }

    /**
     * Returns the number of vectors.
     *
     * @return at least 1
     */
    public int count() {
        return vectors == null ? 1 : vectors.length;
    }

    /** Says whether this is the constant of a scalar problem. */
    boolean isOne() {
        return vectors == null;
    }

    /**
     * Returns an element.
     *
     * @param vector which vector
     * @param row    which row
     * @return its value
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public double get(int vector, int row) {
        if (vectors == null) {
            Objects.checkIndex(vector, 1);
            Objects.checkIndex(row, rows);
            return 1;
        }
        return vectors[vector][row];
    }

    /** Returns a vector itself, not to be written; there must be vectors. */
    double[] vector(int number) {
        return vectors[number];
    }

    @Override
    public String toString() {
        return count() + " vectors of " + rows + " rows, " + blockSize + " to a node";
    }
}
