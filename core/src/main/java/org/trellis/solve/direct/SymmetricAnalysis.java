package org.trellis.solve.direct;

import java.util.Optional;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.mesh.order.Graph;
import org.trellis.solve.FiniteInput;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixGraphs;

/**
 * What the structure of a symmetric matrix says about its factors: the order of elimination and the supernodes. Made
 * once, it serves all matrices of that structure. Immutable; may be used from several threads.
 */
public final class SymmetricAnalysis {
    private final SymbolicCholesky symbolic;
    private final FactorLimits limits;
    private final double seconds;

    private SymmetricAnalysis(SymbolicCholesky symbolic, FactorLimits limits, double seconds) {
        this.symbolic = symbolic;
        this.limits = limits;
        this.seconds = seconds;
    }

    /**
     * Analyses a structure.
     *
     * @param matrix a symmetric matrix of fewer than 2³¹ non-zeros
     * @param order  the order of elimination
     * @param limits what the analysis and each factorisation by it may take
     * @return the analysis
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws FactorisationException   if the time is over after the analysis, or there are more entries than there
     *                                  may be
     */
    public static SymmetricAnalysis of(CsrMatrix matrix, FillReduction order, FactorLimits limits) {
        return of(matrix, order, limits, false);
    }

    private static SymmetricAnalysis of(CsrMatrix matrix, FillReduction order, FactorLimits limits,
            boolean symmetric) {
        FactorMeter meter = new FactorMeter("symmetric analysis", limits);
        Graph graph = FillReduction.graph(matrix);
        int[] elimination = order == FillReduction.MINIMUM_DEGREE
                ? MinimumDegree.order(graph, meter, 0, false)
                : order.eliminate(graph);
        return of(matrix, elimination, limits, meter, symmetric);
    }

    /**
     * Analyses a structure in a given order.
     *
     * @param matrix a symmetric matrix of fewer than 2³¹ non-zeros
     * @param order  where each row and column goes, such as that of an {@link EliminationChoice}
     * @param limits what the analysis and each factorisation by it may take
     * @return the analysis
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite, or the order has
     *                                  another length
     * @throws FactorisationException   if the time is over after the analysis, or there are more entries than there
     *                                  may be
     */
    public static SymmetricAnalysis of(CsrMatrix matrix, Permutation order, FactorLimits limits) {
        if (matrix.rows() != matrix.columns() || order.size() != matrix.rows()) {
            throw new IllegalArgumentException("factorisation of " + matrix + " in an order of " + order.size()
                    + " rows, expected a square matrix and one for each");
        }
        return of(matrix, order.inverse().toArray(), limits, new FactorMeter("symmetric analysis", limits),
                false);
    }

    /**
     * Analyses the structure of a matrix that equals its transpose, rounding not allowed for.
     *
     * @param matrix a square matrix of fewer than 2³¹ non-zeros
     * @param order  the order of elimination
     * @param limits what the analysis and each factorisation by it may take
     * @return the analysis; empty if the matrix is not exactly symmetric
     * @throws IllegalArgumentException if the matrix is not square or not finite
     * @throws FactorisationException   as {@link #of(CsrMatrix, FillReduction, FactorLimits)}
     */
    public static Optional<SymmetricAnalysis> ifSymmetric(CsrMatrix matrix, FillReduction order,
            FactorLimits limits) {
        return MatrixGraphs.firstAsymmetry(matrix, 0).isEmpty()
                ? Optional.of(of(matrix, order, limits, true))
                : Optional.empty();
    }

    private static SymmetricAnalysis of(CsrMatrix matrix, int[] elimination, FactorLimits limits,
            FactorMeter meter, boolean symmetric) {
        SymbolicCholesky symbolic = SymbolicCholesky.of(matrix, elimination);
        meter.checkEntries((double) symbolic.nonZeros(), matrix.rows());
        if (symmetric) {
            FiniteInput.largestEntry("symmetric analysis", matrix);
            symbolic.trust(matrix);
        } else {
            symbolic.load(matrix, new double[symbolic.columns().length]);
        }
        meter.checkTime(0, matrix.rows());
        return new SymmetricAnalysis(symbolic, limits, meter.seconds());
    }

    /**
     * Factorises a positive definite matrix.
     *
     * @param matrix a matrix of the structure that was analysed
     * @return the factorisation
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric or not finite
     * @throws FactorisationException   if it is not positive definite or nearly singular, with row and pivot, or a
     *                                  limit is reached
     */
    public SparseCholesky cholesky(CsrMatrix matrix) {
        return cholesky(matrix, Precision.F64);
    }

    /**
     * Factorises a positive definite matrix in a precision. A factor of floats takes half the memory and less time; it
     * is for {@link SymmetricSolver#refine}, which brings solutions to double precision as long as the reciprocal
     * condition of the scaled matrix is well above 1e-7.
     *
     * @param matrix    a matrix of the structure that was analysed
     * @param precision of the factorisation and the factor; for floats the diagonal is scaled to near 1
     * @return the factorisation
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric or not finite
     * @throws FactorisationException   if it is not positive definite or nearly singular in that precision, with row
     *                                  and pivot, or a limit is reached
     */
    public SparseCholesky cholesky(CsrMatrix matrix, Precision precision) {
        return new SparseCholesky(this, matrix, precision);
    }

    /**
     * Factorises a matrix that may be indefinite, with pivots that keep elements of L at most 10.
     *
     * @param matrix a matrix of the structure that was analysed
     * @return the factorisation
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric or not finite
     * @throws FactorisationException   if it is singular, with row and pivot, or a limit is reached
     */
    public SparseLdlt indefinite(CsrMatrix matrix) {
        return indefinite(matrix, SparseLdlt.DEFAULT_PIVOT_TOLERANCE, SparseLdlt.DEFAULT_SMALLEST_PIVOT);
    }

    /**
     * Factorises a matrix that may be indefinite.
     *
     * @param matrix         a matrix of the structure that was analysed
     * @param pivotTolerance the reciprocal of the greatest element that L may have, more than 0 and at most a half:
     *                       less makes fewer entries and greater errors
     * @param smallestPivot  a column without a greater element, of the matrix scaled to greatest elements near 1, is
     *                       taken to be 0; at least 0 and less than 1
     * @return the factorisation
     * @throws IllegalArgumentException if a number is out of range, the structure is another, or the matrix is not
     *                                  symmetric or not finite
     * @throws FactorisationException   if it is singular, with row and pivot, or a limit is reached
     */
    public SparseLdlt indefinite(CsrMatrix matrix, double pivotTolerance, double smallestPivot) {
        if (!(pivotTolerance > 0 && pivotTolerance <= 0.5) || !(smallestPivot >= 0 && smallestPivot < 1)) {
            throw new IllegalArgumentException("pivot tolerance is " + pivotTolerance
                    + ", expected more than 0 and at most 0.5; smallest pivot is " + smallestPivot
                    + ", expected at least 0 and less than 1");
        }
        return new SparseLdlt(this, matrix, pivotTolerance, smallestPivot);
    }

    SymbolicCholesky symbolic() {
        return symbolic;
    }

    FactorMeter meter(String what) {
        return new FactorMeter(what, limits);
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int size() {
        return symbolic.size();
    }

    /**
     * Returns what a Cholesky factorisation takes; others take more where pivots have to wait.
     *
     * @return entries, operations and memory
     */
    public FactorSize predicted() {
        return new FactorSize(symbolic.nonZeros(), symbolic.operations(), Double.BYTES * symbolic.peakEntries());
    }

    /**
     * Returns the order of elimination.
     *
     * @return where each row of the matrix goes
     */
    public Permutation order() {
        return Permutation.ofOldIndices(symbolic.order());
    }

    /**
     * Returns how long the analysis took.
     *
     * @return seconds
     */
    public double seconds() {
        return seconds;
    }

    @Override
    public String toString() {
        return "analysis of a symmetric matrix of " + size() + " rows, " + predicted().nonZeros() + " non-zeros in "
                + symbolic.supernodes() + " supernodes";
    }
}
