package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * The Cholesky factorisation {@code P A Pᵀ = L Lᵀ} of a sparse symmetric positive definite matrix, by the multifrontal
 * method (I. Duff, J. Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", ACM Trans.
 * Math. Softw. 9, 1983) over supernodes: each supernode gathers its entries and the updates of its children in a dense
 * matrix, of which the columns of the supernode are eliminated; what is left is its own update. Threads work on
 * subtrees at the same time, and above them together on one dense matrix. The same bits however many there are.
 *
 * <p>Everything is computed in double precision, also for a matrix of floats, unless {@link
 * SymmetricAnalysis#cholesky(CsrMatrix, Precision)} asks for a factor of floats. {@link #refactorise} takes other
 * values in place; apart from that nothing changes, and solutions may be found from several threads.
 *
 * <p>Memory: 8 bytes for each entry of the factor, as much again at worst for updates under way, and 8 bytes for each
 * element of the greatest dense matrix.
 */
public final class SparseCholesky {
    private final SymmetricAnalysis analysis;
    private final SymbolicCholesky symbolic;
    private final Precision precision;
    private final double[] scale;
    private final DoubleSupernodalFactor doubles;
    private final FloatSupernodalFactor floats;
    private final Supernodes factor;
    private final long nonZeros;
    private final double operations;
    private CholeskyKernel again;
    private double seconds;
    private boolean broken;

    SparseCholesky(SymmetricAnalysis analysis, CsrMatrix matrix, Precision precision) {
        this.precision = precision;
        this.analysis = analysis;
        this.symbolic = analysis.symbolic();
        this.nonZeros = symbolic.nonZeros();
        this.operations = symbolic.operations();
        this.scale = precision == Precision.F64 ? ones(matrix.rows()) : scale(matrix);
        this.doubles = precision == Precision.F64 ? new DoubleSupernodalFactor(symbolic.supernodes()) : null;
        this.floats = precision == Precision.F64 ? null : new FloatSupernodalFactor(symbolic.supernodes());
        this.factor = doubles == null ? floats : doubles;
        FactorMeter meter = analysis.meter("Cholesky factorisation");
        CholeskyKernel kernel = kernel(meter);
        kernel.load(matrix);
        kernel.run(meter);
        this.seconds = meter.seconds();
    }

    private CholeskyKernel kernel(FactorMeter meter) {
        return doubles == null
                ? new FloatCholeskyKernel(symbolic, floats, scale, meter)
                : new DoubleCholeskyKernel(symbolic, doubles, scale, meter);
    }

    private static double[] ones(int count) {
        double[] ones = new double[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Powers of two that bring the diagonal to between a half and 2, so that floats have the range. */
    private static double[] scale(CsrMatrix matrix) {
        double[] scale = matrix.diagonal().toDoubleArray();
        for (int i = 0; i < scale.length; i++) {
            scale[i] = scale[i] > 0 && Double.isFinite(scale[i])
                    ? Math.scalb(1.0, -Math.floorDiv(Math.getExponent(scale[i]), 2))
                    : 1;
        }
        return scale;
    }

    /**
     * Factorises a matrix in the order of {@link FillReduction#AUTOMATIC}.
     *
     * @param matrix a symmetric positive definite matrix
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws FactorisationException   if it is not positive definite or nearly singular, with row and pivot, or its
     *                                  factor does not fit into the heap
     */
    public static SparseCholesky of(CsrMatrix matrix) {
        return of(matrix, FillReduction.AUTOMATIC);
    }

    /**
     * Factorises a matrix.
     *
     * @param matrix a symmetric positive definite matrix of fewer than 2³¹ non-zeros
     * @param order  the order of elimination
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws FactorisationException   if it is not positive definite or nearly singular, with row and pivot, or its
     *                                  factor does not fit into the heap
     */
    public static SparseCholesky of(CsrMatrix matrix, FillReduction order) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("Cholesky factorisation of " + matrix
                    + ", expected a square matrix that equals its transpose");
        }
        return SymmetricAnalysis.of(matrix, order, FactorLimits.ofHeap()).cholesky(matrix);
    }

    /**
     * Factorises a matrix of the same structure in place of the one before. The first call allocates work space, later
     * ones nothing that grows with the matrix.
     *
     * @param matrix a symmetric positive definite matrix
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric or not finite; the
     *                                  factor stays as it is
     * @throws FactorisationException   if it is not positive definite or nearly singular, or the time is over; there is
     *                                  no factor then until another matrix is factorised
     */
    public void refactorise(CsrMatrix matrix) {
        FactorMeter meter = analysis.meter("Cholesky factorisation");
        if (again == null) {
            again = kernel(meter);
        }
        again.load(matrix);
        broken = true;
        again.run(meter);
        broken = false;
        seconds = meter.seconds();
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
     * Returns the number of entries of the factor, zeros that supernodes bring along included.
     *
     * @return at least {@link #size}
     */
    public long nonZeros() {
        return nonZeros;
    }

    /**
     * Returns the number of entries of the factor without the zeros that supernodes bring along.
     *
     * @return at least {@link #size}
     */
    public long entries() {
        return symbolic.columnEntries();
    }

    /**
     * Returns the precision of the factor.
     *
     * @return that of its numbers and of the factorisation; solutions are computed in double precision
     */
    public Precision precision() {
        return precision;
    }

    /**
     * Returns what the factorisation cost.
     *
     * @return multiplications and additions together
     */
    public double operations() {
        return operations;
    }

    /**
     * Returns how long the last factorisation took, without the analysis.
     *
     * @return seconds
     */
    public double seconds() {
        return seconds;
    }

    /**
     * Returns the analysis.
     *
     * @return what the factorisation was made by
     */
    public SymmetricAnalysis analysis() {
        return analysis;
    }

    /**
     * Returns the order of elimination.
     *
     * @return where each row of the matrix went
     */
    public Permutation order() {
        return analysis.order();
    }

    /**
     * Computes the determinant. Costs a pass over the diagonal of the factor.
     *
     * @return positive
     * @throws IllegalStateException if {@link #refactorise} failed
     */
    public Determinant determinant() {
        requireWhole();
        Determinant determinant = Determinant.ONE;
        for (int s = 0; s < symbolic.supernodes(); s++) {
            for (int j = 0; j < symbolic.width(s); j++) {
                double root = factor.diagonal(s, j);
                determinant = determinant.times(root).times(root);
            }
        }
        for (double factorOfRow : scale) {
            determinant = determinant.scaled(-2L * Math.getExponent(factorOfRow));
        }
        return determinant;
    }

    /**
     * Estimates the reciprocal condition by {@link ConditionEstimate}. Costs up to eleven solutions.
     *
     * @param matrix the matrix that was factorised
     * @return between 0 and 1
     * @throws IllegalArgumentException if the matrix has another number of rows
     * @throws IllegalStateException    if {@link #refactorise} failed
     */
    public double reciprocalCondition(CsrMatrix matrix) {
        Checks.length("rows of the matrix", matrix.rows(), size());
        SymmetricSolver solver = solver();
        return ConditionEstimate.reciprocal(matrix, solver::solve, solver::solve);
    }

    /**
     * Makes a solver with work space of its own: in place, several right-hand sides at once, refined.
     *
     * @return a solver for one thread
     */
    public SymmetricSolver solver() {
        return new SymmetricSolver(new SymmetricSolver.Factors() {
            @Override
            public int[] order() {
                return symbolic.order();
            }

            @Override
            public double[] scale() {
                return scale;
            }

            @Override
            public void solve(double[] y, boolean four) {
                factor.forward(y, four);
                factor.backward(y, four);
            }

            @Override
            public void requireWhole() {
                SparseCholesky.this.requireWhole();
            }

            @Override
            public String toString() {
                return SparseCholesky.this.toString();
            }
        });
    }

    private void requireWhole() {
        if (broken) {
            throw new IllegalStateException("the last refactorisation of " + this + " failed, there is no factor");
        }
    }

    /**
     * Solves {@code A x = b}. Costs two passes over the factor.
     *
     * @param b the right-hand side
     * @return the solution, a new vector of the precision of {@code b}
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     * @throws IllegalStateException    if {@link #refactorise} failed
     */
    public HostVector solve(HostVector b) {
        double[] x = solve(b.toDoubleArray());
        return HostVector.of(x).convert(b.precision());
    }

    /**
     * Solves {@code A x = b}. Costs two passes over the factor.
     *
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     * @throws IllegalStateException    if {@link #refactorise} failed
     */
    public double[] solve(double[] b) {
        Checks.length("length of b", b.length, size());
        double[] x = b.clone();
        solver().solve(x);
        return x;
    }

    @Override
    public String toString() {
        return "Cholesky factorisation of " + size() + " rows, " + nonZeros + " non-zeros in " + symbolic.supernodes()
                + " supernodes, " + operations + " operations";
    }
}
