package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * The factorisation {@code P S A S Pᵀ = L D Lᵀ} of a sparse symmetric matrix that may be indefinite: L has a unit
 * diagonal, D has blocks of one and of two rows, S scales rows and columns alike by powers of two so that the greatest
 * element of each is near 1 (D. Ruiz, "A scaling algorithm to equilibrate both rows and columns norms in matrices",
 * RAL-TR-2001-034). By the multifrontal method over the supernodes of {@link SparseCholesky}; pivots are chosen within
 * a dense matrix ({@link IndefiniteFront}), and a column that has no stable one there waits for the parent's.
 *
 * <p>Everything is computed in double precision, also for a matrix of floats. {@link #refactorise} takes other values
 * and pivots; apart from that nothing changes, and solutions may be found from several threads. The same bits however
 * many threads work on large dense matrices.
 *
 * <p>Memory: as of a Cholesky factorisation, and more where pivots have to wait.
 */
public final class SparseLdlt {
    /** The pivot tolerance if nothing else is said: elements of L are at most 10. */
    public static final double DEFAULT_PIVOT_TOLERANCE = 0.1;
    /** The smallest pivot if nothing else is said: less is taken for a rounding error. */
    public static final double DEFAULT_SMALLEST_PIVOT = 0x1p-48;
    private static final int SCALING_PASSES = 8;

    private final SymmetricAnalysis analysis;
    private final SymbolicCholesky symbolic;
    private final double pivotTolerance;
    private final double smallestPivot;
    private final double[] scale;
    private LdltKernel kernel;
    private double seconds;

    /**
     * How many eigenvalues have which sign.
     *
     * @param positive above 0
     * @param negative below 0
     */
    public record Inertia(int positive, int negative) {}

    SparseLdlt(SymmetricAnalysis analysis, CsrMatrix matrix, double pivotTolerance, double smallestPivot) {
        this.analysis = analysis;
        this.symbolic = analysis.symbolic();
        this.pivotTolerance = pivotTolerance;
        this.smallestPivot = smallestPivot;
        this.scale = new double[analysis.size()];
        refactorise(matrix);
    }

    /**
     * Factorises a matrix in the order of {@link FillReduction#MINIMUM_DEGREE}.
     *
     * @param matrix a symmetric matrix
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws FactorisationException   if it is singular, with row and pivot, or its factors do not fit into the heap
     */
    public static SparseLdlt of(CsrMatrix matrix) {
        return of(matrix, FillReduction.MINIMUM_DEGREE);
    }

    /**
     * Factorises a matrix.
     *
     * @param matrix a symmetric matrix of fewer than 2³¹ non-zeros
     * @param order  the order of elimination, but for pivots that wait
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws FactorisationException   if it is singular, with row and pivot, or its factors do not fit into the heap
     */
    public static SparseLdlt of(CsrMatrix matrix, FillReduction order) {
        return SymmetricAnalysis.of(matrix, order, FactorLimits.ofHeap()).indefinite(matrix);
    }

    /**
     * Factorises a matrix of the same structure, with pivots of its own, in place of the one before.
     *
     * @param matrix a symmetric matrix
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric or not finite; the
     *                                  factors stay as they are
     * @throws FactorisationException   if it is singular or a limit is reached; there are no factors then until another
     *                                  matrix is factorised
     */
    public void refactorise(CsrMatrix matrix) {
        FactorMeter meter = analysis.meter("LDLᵀ factorisation");
        double[] values = new double[symbolic.columns().length];
        symbolic.load(matrix, values);
        kernel = null;
        equilibrate(values);
        LdltKernel next = new LdltKernel(symbolic, values, new IndefiniteFront(pivotTolerance, smallestPivot), meter);
        next.run();
        kernel = next;
        seconds = meter.seconds();
    }

    /** Scales values, and keeps by what. */
    private void equilibrate(double[] values) {
        int[] offsets = symbolic.offsets();
        int[] columns = symbolic.columns();
        int n = symbolic.size();
        double[] logs = new double[n];
        double[] greatest = new double[n];
        for (int pass = 0; pass < SCALING_PASSES; pass++) {
            for (int k = 0; k < n; k++) {
                greatest[k] = Double.NEGATIVE_INFINITY;
                for (int e = offsets[k]; e < offsets[k + 1]; e++) {
                    if (values[e] != 0) {
                        greatest[k] = Math.max(greatest[k],
                                Math.getExponent(values[e]) + logs[k] + logs[columns[e]]);
                    }
                }
            }
            for (int k = 0; k < n; k++) {
                logs[k] -= greatest[k] == Double.NEGATIVE_INFINITY ? 0 : greatest[k] / 2;
            }
        }
        for (int k = 0; k < n; k++) {
            logs[k] = Math.rint(logs[k]);
            scale[symbolic.order()[k]] = Math.scalb(1.0, (int) logs[k]);
        }
        for (int k = 0; k < n; k++) {
            for (int e = offsets[k]; e < offsets[k + 1]; e++) {
                values[e] = Math.scalb(values[e], (int) (logs[k] + logs[columns[e]]));
            }
        }
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
     * Returns the number of entries of L with its diagonal, zeros that supernodes bring along included.
     *
     * @return at least {@link #size}
     * @throws IllegalStateException if {@link #refactorise} failed
     */
    public long nonZeros() {
        return whole().nonZeros();
    }

    /**
     * Returns how often a column had to wait for the dense matrix of a parent.
     *
     * @return 0 if all pivots were where the analysis foresaw them
     * @throws IllegalStateException if {@link #refactorise} failed
     */
    public long delays() {
        return whole().delays();
    }

    /**
     * Returns how many pivots have two rows.
     *
     * @return at most half of {@link #size}
     * @throws IllegalStateException if {@link #refactorise} failed
     */
    public int pivotsOfTwo() {
        return whole().pivotsOfTwo();
    }

    /**
     * Returns the signs of the eigenvalues, which are those of D (Sylvester's law).
     *
     * @return as many as there are rows
     * @throws IllegalStateException if {@link #refactorise} failed
     */
    public Inertia inertia() {
        int negative = whole().negative();
        return new Inertia(size() - negative, negative);
    }

    /**
     * Computes the determinant of the matrix.
     *
     * @return not 0
     * @throws IllegalStateException if {@link #refactorise} failed
     */
    public Determinant determinant() {
        Determinant determinant = whole().determinant();
        for (double factor : scale) {
            determinant = determinant.scaled(-2L * Math.getExponent(factor));
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
     * Returns the scale of the rows and columns.
     *
     * @return a power of two for each row of the matrix, a new array
     */
    public double[] scale() {
        return scale.clone();
    }

    /**
     * Returns the order that the analysis chose; pivots that wait come later.
     *
     * @return where each row of the matrix went
     */
    public Permutation order() {
        return analysis.order();
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
     * Returns how long the last factorisation took, without the analysis.
     *
     * @return seconds
     */
    public double seconds() {
        return seconds;
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
                whole().solve(y, four);
            }

            @Override
            public void requireWhole() {
                whole();
            }

            @Override
            public String toString() {
                return SparseLdlt.this.toString();
            }
        });
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
        return HostVector.of(solve(b.toDoubleArray())).convert(b.precision());
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
        double[] x = Arrays.copyOf(b, b.length);
        solver().solve(x);
        return x;
    }

    private LdltKernel whole() {
        if (kernel == null) {
            throw new IllegalStateException("the last refactorisation of a matrix of " + size()
                    + " rows failed, there are no factors");
        }
        return kernel;
    }

    @Override
    public String toString() {
        return "LDLᵀ factorisation of " + size() + " rows" + (kernel == null
                ? ""
                : ", " + kernel.nonZeros() + " non-zeros, " + kernel.delays() + " delayed pivots");
    }
}
