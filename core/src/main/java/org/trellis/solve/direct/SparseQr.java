package org.trellis.solve.direct;

import java.util.Arrays;
import java.util.Locale;
import org.trellis.common.Permutation;
import org.trellis.sparse.CsrMatrix;

/**
 * A QR factorisation {@code A P = Q R} of a sparse matrix of any shape by Householder reflections, multifrontal over
 * the column elimination tree (T. Davis, "Algorithm 915, SuiteSparseQR: multifrontal multithreaded rank-revealing
 * sparse QR factorization", ACM Trans. Math. Softw. 38, 2011). Q is kept as reflections and can be applied.
 *
 * <p>A column of which earlier ones leave no more than a tolerance is dependent on them (M. Heath, "Some extensions of
 * an algorithm for sparse linear least squares problems", SIAM J. Sci. Stat. Comput. 3, 1982): what is left is dropped,
 * P takes the column behind all independent ones, and {@code R = (R₁₁ R₁₂)} has as many rows as the rank. The factors
 * are those of a matrix that differs from A by at most {@link #dropped} in the Frobenius norm. As with all methods
 * without exchanges, the rank is the numerical one in most cases and not in all.
 *
 * <p>{@link #refactorise} takes other values; apart from that nothing changes, and solutions may be made from several
 * threads, each with a {@link #solver} of its own. The same bits however many threads factorise.
 */
public final class SparseQr {
    private static final double SAFETY = 20;

    private final QrAnalysis analysis;
    private QrFactors[] factors;
    private double tolerance;
    private double dropped;
    private double operations;
    private double seconds;
    private int rank;
    /** Positions in the order of elimination: of independent columns, then of others. */
    private final int[] columns;
    /** The rows of the matrix that became rows of R, then the others. */
    private final int[] slots;

    SparseQr(QrAnalysis analysis, CsrMatrix matrix) {
        this.analysis = analysis;
        columns = new int[analysis.columns()];
        slots = new int[analysis.rows()];
        refactorise(matrix);
    }

    /**
     * Factorises a matrix that has entries where the one that was analysed has them, by the same analysis. The rank is
     * found anew. Solvers that were made before solve with the new factors from then on. The factors before take their
     * memory until this is done, and stay if it fails; nothing else may be called meanwhile.
     *
     * @param matrix the matrix
     * @throws IllegalArgumentException if the structure is another, or a value is not finite
     * @throws FactorisationException   if a limit is reached
     */
    public void refactorise(CsrMatrix matrix) {
        analysis.requireSize(matrix);
        double next = tolerance(matrix);
        QrAssembly assembly = new QrAssembly(analysis, matrix, next, analysis.subtrees());
        factors = assembly.run();
        tolerance = next;
        dropped = assembly.dropped();
        operations = assembly.operations();
        seconds = assembly.seconds();
        rank = sort();
    }

    /** Lists independent columns and rows of R before the others. */
    private int sort() {
        boolean[] independent = new boolean[columns.length];
        boolean[] used = new boolean[slots.length];
        int count = 0;
        for (QrFactors one : factors) {
            for (int k = 0; k < one.r().length; k++) {
                columns[count] = one.columns()[one.starts()[k]];
                slots[count] = one.slots()[k];
                independent[columns[count]] = true;
                used[slots[count++]] = true;
            }
        }
        fill(columns, independent, count);
        fill(slots, used, count);
        return count;
    }

    private static void fill(int[] list, boolean[] listed, int from) {
        int count = from;
        for (int i = 0; i < listed.length; i++) {
            if (!listed[i]) {
                list[count++] = i;
            }
        }
    }

    /**
     * Analyses and factorises a matrix with the usual options.
     *
     * @param matrix a matrix of any shape with fewer than 2³¹ non-zeros
     * @return the factors
     * @throws IllegalArgumentException if a value is not finite
     * @throws FactorisationException   if the factors need more memory than the heap has
     */
    public static SparseQr of(CsrMatrix matrix) {
        return of(matrix, QrOptions.defaults());
    }

    /**
     * Analyses and factorises a matrix.
     *
     * @param matrix  a matrix of any shape with fewer than 2³¹ non-zeros
     * @param options how
     * @return the factors
     * @throws IllegalArgumentException if a value is not finite, or a given order has another length
     * @throws FactorisationException   if a limit is reached
     */
    public static SparseQr of(CsrMatrix matrix, QrOptions options) {
        return QrAnalysis.of(matrix, options).factorise(matrix);
    }

    /** Returns up to which norm columns count as dependent; refuses values that are not finite. */
    private double tolerance(CsrMatrix matrix) {
        double[] squares = new double[matrix.columns()];
        matrix.forEachEntry((i, j, value) -> {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("QR factorisation of " + matrix + ": entry (" + i + ", " + j
                        + ") is " + value + ", expected finite numbers");
            }
            squares[j] = Math.hypot(squares[j], value);
        });
        double greatest = Arrays.stream(squares).max().orElse(0);
        double given = analysis.options().tolerance();
        return given == QrOptions.AUTOMATIC_TOLERANCE
                ? SAFETY * ((double) matrix.rows() + matrix.columns()) * Math.ulp(1.0) * greatest
                : given;
    }

    /**
     * Makes a solver with work space of its own: one for each thread.
     *
     * @return the solver
     */
    public QrSolver solver() {
        return new QrSolver(this);
    }

    /**
     * Returns the numerical rank.
     *
     * @return the number of independent columns, by the tolerance
     */
    public int rank() {
        return rank;
    }

    /**
     * Returns the norm up to which what is left of a column was dropped.
     *
     * @return at least 0
     */
    public double tolerance() {
        return tolerance;
    }

    /**
     * Returns how far the matrix that was factorised is from the given one, but for rounding.
     *
     * @return the Euclidean norm of all that was dropped
     */
    public double dropped() {
        return dropped;
    }

    /**
     * Returns where each column goes: P.
     *
     * @return independent columns first, in the order of elimination
     */
    public Permutation columnPermutation() {
        return Permutation.ofOldIndices(columnOrder());
    }

    /**
     * Returns R.
     *
     * @return as many rows as the rank and all columns, in the order of {@link #columnPermutation}; upper trapezoidal,
     *         without zeros
     */
    public CsrMatrix r() {
        int[] at = new int[columns.length];
        for (int k = 0; k < columns.length; k++) {
            at[columns[k]] = k;
        }
        int[] offsets = new int[rank + 1];
        int count = 0;
        for (QrFactors one : factors) {
            for (double[] row : one.r()) {
                int entries = 0;
                for (double value : row) {
                    entries += value == 0 ? 0 : 1;
                }
                offsets[count + 1] = Math.addExact(offsets[count], entries);
                count++;
            }
        }
        int[] indices = new int[offsets[rank]];
        double[] values = new double[offsets[rank]];
        count = 0;
        for (QrFactors one : factors) {
            for (int k = 0; k < one.r().length; k++) {
                copyRow(one, k, at, offsets[count++], indices, values);
            }
        }
        return CsrMatrix.of(rank, columns.length, offsets, indices, values);
    }

    /** Copies a row of R in the order of its columns: independent ones increase by themselves, others come last. */
    private void copyRow(QrFactors one, int k, int[] at, int from, int[] indices, double[] values) {
        int to = from;
        for (int pass = 0; pass < 2; pass++) {
            for (int e = 0; e < one.r()[k].length; e++) {
                int column = at[one.columns()[one.starts()[k] + e]];
                if (one.r()[k][e] != 0 && column >= rank == (pass == 1)) {
                    indices[to] = column;
                    values[to++] = one.r()[k][e];
                }
            }
        }
    }

    /**
     * Returns the entries that are stored.
     *
     * @return those of R and of all Householder vectors
     */
    public long nonZeros() {
        long sum = rNonZeros();
        for (QrFactors one : factors) {
            for (double[] vector : one.vectors()) {
                sum += vector.length;
            }
        }
        return sum;
    }

    /**
     * Returns the entries of R, zeros that dense parts bring along included.
     *
     * @return at least the rank
     */
    public long rNonZeros() {
        long sum = 0;
        for (QrFactors one : factors) {
            for (double[] row : one.r()) {
                sum += row.length;
            }
        }
        return sum;
    }

    /**
     * Returns the multiplications and additions that were made.
     *
     * @return those of reflections applied to columns
     */
    public double operations() {
        return operations;
    }

    /**
     * Returns how long the factorisation took, without the analysis.
     *
     * @return seconds
     */
    public double seconds() {
        return seconds;
    }

    /**
     * Returns the ratio of the least and the greatest element on the diagonal of R, a bound of the reciprocal condition
     * from above, most often within a factor of ten.
     *
     * @return from 0 to 1; 1 for a matrix of rank 0
     */
    public double diagonalRatio() {
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (QrFactors one : factors) {
            for (double[] row : one.r()) {
                least = Math.min(least, Math.abs(row[0]));
                greatest = Math.max(greatest, Math.abs(row[0]));
            }
        }
        return greatest == 0 ? 1 : least / greatest;
    }

    /**
     * Returns the analysis.
     *
     * @return what was found of the structure
     */
    public QrAnalysis analysis() {
        return analysis;
    }

    int rows() {
        return slots.length;
    }

    QrFactors[] factors() {
        return factors;
    }

    /** The rows of the matrix that became rows of R, then the others. */
    int[] slots() {
        return slots;
    }

    /** Columns of the matrix: independent ones, then others. */
    int[] columnOrder() {
        int[] order = analysis.symbolic().order();
        int[] result = new int[columns.length];
        Arrays.setAll(result, k -> order[columns[k]]);
        return result;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "QR factors of %d rows and %d columns, rank %d, %d non-zeros", slots.length,
                columns.length, rank, nonZeros());
    }
}
