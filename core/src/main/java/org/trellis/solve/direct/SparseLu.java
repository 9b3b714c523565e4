package org.trellis.solve.direct;

import java.util.function.Supplier;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * The LU factorisation of a general sparse matrix with partial pivoting. Rows are scaled and matched with columns so
 * that great entries are on the diagonal, the matrix is brought to block triangular form, each diagonal block is
 * ordered for little fill, and its columns are eliminated one by one (T. Davis, E. Palamadai Natarajan, "Algorithm 907:
 * KLU, a direct sparse solver for circuit simulation problems", ACM Trans. Math. Softw. 37, 2010; {@link LuAnalysis},
 * {@link LuOptions}). The result is {@code P R A C Q = L U + F}: R and C scale rows and columns by powers of two, L and
 * U are block diagonal, F has the entries above the blocks.
 *
 * <p>The pivot of a column is the matched element unless that is less than a tolerance times the greatest candidate;
 * then it is the greatest.
 *
 * <p>{@link #refactorise} takes other values with the same pivots, in place. Apart from that nothing changes, and
 * solutions may be found from several threads. On the calling thread alone, in double precision, also for a matrix of
 * floats.
 */
public final class SparseLu {
    /** Growth beyond which pivots that were chosen for other values should not be kept. */
    public static final double RELIABLE_GROWTH = 1e6;

    private final LuAnalysis analysis;
    private final double[] rowScale;
    private final LuNumbers numbers;
    private final LuColumns above;
    private final double[] pivots;
    private final int[] stepOfRow;
    private final int[] columnAt;
    private final int offDiagonal;
    private double growth;
    private double weakestShare;
    private int weakestStep;
    private final Supplier<LuRenewal> renewals;
    private LuRenewal again;
    private double seconds;
    private boolean broken;

    private SparseLu(LuAnalysis analysis, LuKernel kernel, double[] rowScale) {
        this.analysis = analysis;
        this.rowScale = rowScale;
        above = kernel.above;
        pivots = kernel.pivots;
        columnAt = analysis.columnAt();
        numbers = new LuColumnNumbers(kernel.lower, kernel.upper, pivots, analysis.blockStart());
        growth = kernel.growth;
        weakestShare = kernel.weakestShare;
        weakestStep = kernel.weakestStep;
        offDiagonal = kernel.offDiagonal;
        stepOfRow = new int[pivots.length];
        for (int position = 0; position < pivots.length; position++) {
            stepOfRow[analysis.rowAt()[position]] = kernel.stepOf[position];
        }
        renewals =
                () -> new LuRefactorisation(analysis, stepOfRow, rowScale, kernel.lower, kernel.upper, above, pivots);
    }

    private SparseLu(LuAnalysis analysis, LuTreeKernel kernel, double[] values, double[] rowScale, FactorMeter meter) {
        this.analysis = analysis;
        this.rowScale = rowScale;
        numbers = kernel.numbers();
        columnAt = kernel.columnAt();
        stepOfRow = new int[columnAt.length];
        int moved = 0;
        for (int k = 0; k < stepOfRow.length; k++) {
            stepOfRow[kernel.rowAt()[k]] = k;
            moved += analysis.rowOfColumn(columnAt[k]) == kernel.rowAt()[k] ? 0 : 1;
        }
        offDiagonal = moved;
        pivots = new double[columnAt.length];
        kernel.pivots(pivots);
        growth = kernel.growth();
        weakestShare = kernel.weakestShare();
        weakestStep = kernel.weakestStep();
        LuAbove entries = new LuAbove(analysis, stepOfRow, columnAt, meter);
        entries.take(values, rowScale);
        above = entries.columns();
        renewals = () -> new LuTreeRenewal(analysis, kernel, entries, rowScale, pivots);
    }

    /** Factorises by an analysis, or by its alternative where pivots off the diagonal fill what was counted. */
    static SparseLu of(LuAnalysis first, CsrMatrix matrix) {
        FactorMeter meter = new FactorMeter("LU factorisation", first.options().limits());
        double[] values = ColumnStructure.values(matrix);
        LuAnalysis analysis = first;
        long most = first.mostEntries();
        while (true) {
            double[] rowScale = RowScale.of(analysis.matrix(), values, analysis.columnScale());
            SparseLu lu = analysis.tree() == null
                    ? byColumns(analysis, values, rowScale, most, meter)
                    : bySupernodes(analysis, values, rowScale, most, meter);
            if (lu != null) {
                lu.seconds = meter.seconds();
                return lu;
            }
            LuAnalysis other = first.byColumns(matrix);
            analysis = other.predicted().nonZeros() < most ? other : first;
            most = Long.MAX_VALUE;
        }
    }

    private static SparseLu byColumns(LuAnalysis analysis, double[] values, double[] rowScale, long most,
            FactorMeter meter) {
        LuKernel kernel = new LuKernel(analysis, values, rowScale, meter);
        return kernel.run(most) ? new SparseLu(analysis, kernel, rowScale) : null;
    }

    private static SparseLu bySupernodes(LuAnalysis analysis, double[] values, double[] rowScale, long most,
            FactorMeter meter) {
        LuTreeKernel kernel = analysis.options().kernel() == LuOptions.Kernel.FLOAT_SUPERNODES
                ? new FloatLuTreeKernel(analysis)
                : new DoubleLuTreeKernel(analysis);
        return kernel.run(values, rowScale, most, meter)
                ? new SparseLu(analysis, kernel, values, rowScale, meter)
                : null;
    }

    /**
     * Analyses and factorises a matrix by the {@link LuOptions#defaults default options}.
     *
     * @param matrix a square matrix of fewer than 2³¹ non-zeros
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square or a value is not finite
     * @throws FactorisationException   if it is singular, which names row and column, or if its factors take more than
     *                                  three quarters of the heap
     */
    public static SparseLu of(CsrMatrix matrix) {
        return of(matrix, LuOptions.defaults());
    }

    /**
     * Analyses and factorises a matrix.
     *
     * @param matrix  a square matrix of fewer than 2³¹ non-zeros
     * @param options how; limits of time are for analysis and factorisation together
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square, a value is not finite, or a given order has another
     *                                  length
     * @throws FactorisationException   if it is singular, which names row and column, or if a limit is reached or a
     *                                  factor would have 2³¹ or more entries
     */
    public static SparseLu of(CsrMatrix matrix, LuOptions options) {
        return LuAnalysis.of(matrix, options).factorise(matrix);
    }

    /**
     * Factorises a matrix of the same structure with the same pivots, in place. The first call allocates a copy of the
     * structure, later ones nothing. Meanwhile and after a failure nothing may be solved.
     *
     * @param matrix other values for the same rows and columns; that the structure is the same is not checked beyond
     *               the number of entries
     * @return the {@link #growth}; beyond {@link #RELIABLE_GROWTH} a new {@link LuAnalysis#factorise factorisation}
     *         with pivots of its own is the better choice
     * @throws IllegalArgumentException if the matrix has another size or number of entries, or a value is not finite
     * @throws FactorisationException   if a pivot is 0 or not finite; names row and column
     */
    public double refactorise(CsrMatrix matrix) {
        analysis.requireStructure(matrix);
        long start = System.nanoTime();
        if (again == null) {
            again = renewals.get();
        }
        broken = true;
        growth = again.run(ColumnStructure.values(matrix));
        weakestShare = again.weakestShare();
        weakestStep = again.weakestStep();
        broken = false;
        seconds = (System.nanoTime() - start) * 1e-9;
        return growth;
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int size() {
        return pivots.length;
    }

    /**
     * Returns the number of entries of L and U that are stored.
     *
     * @return the diagonal once, the entries above diagonal blocks and zeros in supernodes included
     */
    public long nonZeros() {
        return numbers.entries() + above.size() + pivots.length;
    }

    /**
     * Counts the entries of L and U without those that supernodes store only to be dense. Costs a pass over supernodes.
     *
     * @return the diagonal once, the entries above diagonal blocks included
     */
    public long entries() {
        return numbers.entriesOfColumns() + above.size() + pivots.length;
    }

    /**
     * Counts what the factorisation costs.
     *
     * @return multiplications and additions together
     */
    public double operations() {
        return numbers.operations();
    }

    /**
     * Returns what the factors were made by.
     *
     * @return the analysis
     */
    public LuAnalysis analysis() {
        return analysis;
    }

    /**
     * Returns how long the last factorisation or refactorisation took.
     *
     * @return seconds
     */
    public double seconds() {
        return seconds;
    }

    /**
     * Returns the greatest element of a column of U over the greatest of that column of A, both scaled, of all columns:
     * how many digits cancellation may have cost.
     *
     * @return about 1 for harmless matrices
     */
    public double growth() {
        return growth;
    }

    /**
     * Returns how many pivots are not the elements that were matched.
     *
     * @return at least 0
     */
    public int offDiagonalPivots() {
        return offDiagonal;
    }

    /**
     * The pivot that lost most of its column to cancellation.
     *
     * @param row    the row of the matrix
     * @param column the column
     * @param share  the greatest candidate over the greatest element of the column in the matrix, both scaled: near the
     *               unit roundoff for a matrix that is singular to working precision
     */
    public record WeakestPivot(int row, int column, double share) {}

    /**
     * Returns the pivot at which the matrix is nearest to a singular one.
     *
     * @return row and column; -1 for a matrix without rows
     */
    public WeakestPivot weakestPivot() {
        return new WeakestPivot(weakestStep < 0 ? -1 : rowOrder()[weakestStep],
                weakestStep < 0 ? -1 : columnAt[weakestStep], weakestShare);
    }

    /**
     * Returns the pivots.
     *
     * @return the diagonal of U in the order of elimination, a new array
     */
    public double[] pivots() {
        return pivots.clone();
    }

    /**
     * Returns P.
     *
     * @return where each row of the matrix went
     */
    public Permutation rowPermutation() {
        return Permutation.ofNewIndices(stepOfRow.clone());
    }

    /**
     * Returns Q.
     *
     * @return where each column of the matrix went
     */
    public Permutation columnPermutation() {
        return Permutation.ofOldIndices(columnAt.clone());
    }

    /**
     * Returns R.
     *
     * @return the power of two by which each row of the matrix is multiplied, a new array
     */
    public double[] rowScale() {
        return rowScale.clone();
    }

    /**
     * Returns C.
     *
     * @return the power of two by which each column of the matrix is multiplied, a new array
     */
    public double[] columnScale() {
        return analysis.columnScale().clone();
    }

    /**
     * Returns L. Costs a copy.
     *
     * @return lower triangular with ones on the diagonal
     */
    public CsrMatrix lower() {
        return numbers.lower();
    }

    /**
     * Returns U. Costs a copy.
     *
     * @return upper triangular
     */
    public CsrMatrix upper() {
        return numbers.upper();
    }

    /**
     * Returns F. Costs a copy.
     *
     * @return the scaled entries above the diagonal blocks
     */
    public CsrMatrix aboveBlocks() {
        return LuFactors.byRows(above, null);
    }

    /**
     * Computes the determinant, whose exponent may be far beyond that of a double.
     *
     * @return mantissa and exponent
     */
    public Determinant determinant() {
        Determinant product = Determinant.ONE;
        for (double pivot : pivots) {
            product = product.times(pivot);
        }
        for (int i = 0; i < size(); i++) {
            product = product.scaled(-Math.getExponent(rowScale[i]) - Math.getExponent(analysis.columnScale()[i]));
        }
        boolean odd = Determinant.isOdd(stepOfRow) != Determinant.isOdd(columnAt);
        return odd ? product.times(-1) : product;
    }

    /**
     * Solves {@code A x = b}. Costs a pass over both factors.
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
     * Solves {@code A x = b}. Costs a pass over both factors.
     *
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     * @throws IllegalStateException    if {@link #refactorise} failed
     */
    public double[] solve(double[] b) {
        double[] x = b.clone();
        solver().solve(x);
        return x;
    }

    /**
     * Solves {@code Aᵀ x = b}. Costs a pass over both factors.
     *
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     * @throws IllegalStateException    if {@link #refactorise} failed
     */
    public double[] solveTransposed(double[] b) {
        double[] x = b.clone();
        solver().solveTransposed(x);
        return x;
    }

    /**
     * Makes a solver with work space of its own, which solves in place without allocation.
     *
     * @return a solver for one thread; follows refactorisations
     */
    public LuSolver solver() {
        return new LuSolver(this);
    }

    /**
     * Estimates the reciprocal of the condition number {@code ‖A‖₁ ‖A⁻¹‖₁} by a few solutions.
     *
     * @param matrix the matrix that was factorised
     * @return between 0 and 1; most often within a factor of 3
     * @throws IllegalArgumentException if the matrix has another size
     */
    public double reciprocalCondition(CsrMatrix matrix) {
        Checks.length("number of rows", matrix.rows(), size());
        LuSolver solver = solver();
        return ConditionEstimate.reciprocal(matrix, solver::solve, solver::solveTransposed);
    }

    void requireWhole() {
        if (broken) {
            throw new IllegalStateException("solution with factors whose refactorisation failed, expected another one "
                    + "before");
        }
    }

    int[] rowOrder() {
        int[] order = new int[size()];
        for (int row = 0; row < order.length; row++) {
            order[stepOfRow[row]] = row;
        }
        return order;
    }

    int[] stepOfRow() {
        return stepOfRow;
    }

    double[] rowScaleArray() {
        return rowScale;
    }

    LuNumbers numbers() {
        return numbers;
    }

    int[] columnAt() {
        return columnAt;
    }

    LuColumns aboveColumns() {
        return above;
    }

    @Override
    public String toString() {
        return "LU factorisation of " + size() + " rows, " + nonZeros() + " non-zeros";
    }
}
