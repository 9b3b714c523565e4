package org.trellis.sparse.algebra;

import java.util.function.DoubleUnaryOperator;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Laplacians of weighted graphs. A symmetric matrix W gives the weights; entries on its diagonal, which would join a
 * vertex to itself, do not count. D is the diagonal matrix of the degrees, which are the sums of rows of W.
 *
 * @see <a href="https://doi.org/10.1007/s11222-007-9033-z">U. von Luxburg, A tutorial on spectral clustering, Statistics
 *      and Computing 17(4), 2007, section 3</a>
 */
public enum GraphLaplacian {
    /** {@code D - W}: constants are in its null space, one for each component. */
    COMBINATORIAL,
    /** {@code D + W}, whose null space shows bipartite components. */
    SIGNLESS,
    /** {@code I - D^(-1/2) W D^(-1/2)}, with eigenvalues between 0 and 2; rows of vertices without edges are 0. */
    NORMALISED,
    /** {@code I - D⁻¹ W}, with rows that add up to 0, not symmetric; rows of vertices without edges are 0. */
    RANDOM_WALK;

    /**
     * Makes the Laplacian.
     *
     * @param weights a square matrix; symmetric for a graph without directions, else its rows are what leaves a vertex
     * @return a new matrix of the same precision; sums are formed in double precision
     * @throws IllegalArgumentException if the matrix is not square, or a degree is negative and the kind divides by its
     *                                  root; names the vertex
     */
    public CsrMatrix of(CsrMatrix weights) {
        if (weights.rows() != weights.columns()) {
            throw new IllegalArgumentException("Laplacian of " + weights + ", expected a square matrix");
        }
        CsrMatrix edges = weights.filter((row, column, value) -> row != column);
        HostVector degrees = Reductions.rowSums(edges);
        return switch (this) {
            case COMBINATORIAL -> edges.scaled(-1).withDiagonal(degrees);
            case SIGNLESS -> edges.withDiagonal(degrees);
            case NORMALISED -> {
                HostVector inverseRoots = perDegree(degrees, degree -> 1 / Math.sqrt(degree));
                yield edges.mapValues((i, j, value) -> -value * inverseRoots.get(i) * inverseRoots.get(j))
                        .withDiagonal(perDegree(degrees, degree -> 1));
            }
            case RANDOM_WALK -> {
                HostVector inverses = perDegree(degrees, degree -> 1 / degree);
                yield edges.mapValues((i, j, value) -> -value * inverses.get(i))
                        .withDiagonal(perDegree(degrees, degree -> 1));
            }
        };
    }

    private HostVector perDegree(HostVector degrees, DoubleUnaryOperator function) {
        return HostVector.of(degrees.precision(), degrees.length(), i -> {
            double degree = degrees.get(i);
            if (this == NORMALISED && degree < 0) {
                throw new IllegalArgumentException("degree of vertex " + i + " is " + degree
                        + ", expected at least 0 for a normalised Laplacian");
            }
            return degree == 0 ? 0 : function.applyAsDouble(degree);
        });
    }
}
