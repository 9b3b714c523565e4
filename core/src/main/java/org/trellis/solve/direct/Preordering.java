package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.LuOptions.Matching;
import org.trellis.sparse.CsrMatrix;

/**
 * Where rows and columns of a square matrix go before an incomplete factorisation, and by what they are multiplied:
 * {@code P R A C Q}. Without a matching, rows and columns go alike and are not scaled, so that a symmetric matrix stays
 * one. Immutable.
 */
public final class Preordering {
    private final int[] rowAt;
    private final int[] columnAt;
    /** Factors of the rows and columns of the matrix; null without a matching by values. */
    private final double[] rowScale;
    private final double[] columnScale;

    private Preordering(int[] rowAt, int[] columnAt, double[] rowScale, double[] columnScale) {
        this.rowAt = rowAt;
        this.columnAt = columnAt;
        this.rowScale = rowScale;
        this.columnScale = columnScale;
    }

    /**
     * Finds one.
     *
     * @param matrix   a square matrix of fewer than 2³¹ non-zeros
     * @param matching what is brought onto the diagonal first; with {@link Matching#PRODUCT} rows and columns are
     *                 scaled by powers of two, so that matched entries are near to 1
     * @param order    the order of elimination, of the structure of A + Aᵀ after the matching
     * @return the order
     * @throws IllegalArgumentException if the matrix is not square
     * @throws FactorisationException   if there is no complete matching; names the column that has none
     */
    public static Preordering of(CsrMatrix matrix, Matching matching, FillReduction order) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("order of elimination of " + matrix + ", expected a square matrix");
        }
        ColumnStructure structure = ColumnStructure.of(matrix);
        int n = matrix.rows();
        ProductMatching product = matching == Matching.PRODUCT
                ? ProductMatching.of(structure, ColumnStructure.values(matrix))
                : null;
        int[] rowOf = product != null ? product.rowOfColumn() : new int[n];
        if (matching == Matching.NONE) {
            Arrays.setAll(rowOf, j -> j);
        } else if (product == null) {
            rowOf = MaximumTransversal.rowOfColumn(structure);
            requireComplete(matrix, rowOf);
        }
        int[] columnOf = new int[n];
        for (int j = 0; j < n; j++) {
            columnOf[rowOf[j]] = j;
        }
        int[] moved = new int[structure.row().length];
        for (int e = 0; e < moved.length; e++) {
            moved[e] = columnOf[structure.row()[e]];
        }
        int[] columnAt = order.eliminate(new ColumnStructure(n, n, structure.start(), moved, structure.place())
                .graph());
        int[] rowAt = new int[n];
        for (int k = 0; k < n; k++) {
            rowAt[k] = rowOf[columnAt[k]];
        }
        if (product == null) {
            return new Preordering(rowAt, columnAt, null, null);
        }
        double[] columnScale = new double[n];
        Arrays.setAll(columnScale, product::columnScale);
        return new Preordering(rowAt, columnAt, rowScale(matrix, columnScale), columnScale);
    }

    private static void requireComplete(CsrMatrix matrix, int[] rowOf) {
        for (int j = 0; j < rowOf.length; j++) {
            if (rowOf[j] < 0) {
                throw new FactorisationException("matching of " + matrix + ": no entry is left for column " + j
                        + " once the others have theirs: the matrix is singular whatever its values", j, 0);
            }
        }
    }

    /** The powers of two that bring the greatest element of each row, its columns scaled, near to 1. */
    private static double[] rowScale(CsrMatrix matrix, double[] columnScale) {
        double[] greatest = new double[matrix.rows()];
        matrix.forEachEntry((i, j, value) -> greatest[i] = Math.max(greatest[i], Math.abs(value * columnScale[j])));
        for (int i = 0; i < greatest.length; i++) {
            greatest[i] = greatest[i] > 0 && greatest[i] < Double.POSITIVE_INFINITY
                    ? Math.scalb(1.0, -Math.getExponent(greatest[i]))
                    : 1;
        }
        return greatest;
    }

    /**
     * Returns whether nothing moves and nothing is scaled.
     *
     * @return true for the natural order without a matching
     */
    public boolean isIdentity() {
        for (int k = 0; k < rowAt.length; k++) {
            if (rowAt[k] != k || columnAt[k] != k) {
                return false;
            }
        }
        return rowScale == null;
    }

    /**
     * Moves and scales a matrix.
     *
     * @param matrix the matrix for which this was found, or one of its size
     * @return {@code P R A C Q} in double precision
     * @throws IllegalArgumentException if the size is another
     */
    public CsrMatrix apply(CsrMatrix matrix) {
        CsrMatrix moved = matrix.toPrecision(Precision.F64).permute(Permutation.ofOldIndices(rowAt),
                Permutation.ofOldIndices(columnAt));
        return rowScale == null
                ? moved
                : moved.mapValues((i, j, value) -> rowScale[rowAt[i]] * columnScale[columnAt[j]] * value);
    }

    /**
     * Returns what is applied to a right-hand side.
     *
     * @param precision the precision of its values
     * @return {@code P R}, an entry in each row and column
     */
    public CsrMatrix rows(Precision precision) {
        double[] values = new double[rowAt.length];
        Arrays.setAll(values, k -> rowScale == null ? 1 : rowScale[rowAt[k]]);
        return ofOneEntryEach(rowAt, values, precision);
    }

    /**
     * Returns what takes a solution back.
     *
     * @param precision the precision of its values
     * @return {@code C Q}, an entry in each row and column
     */
    public CsrMatrix columns(Precision precision) {
        int[] at = Permutation.ofOldIndices(columnAt).toArray();
        double[] values = new double[at.length];
        Arrays.setAll(values, j -> columnScale == null ? 1 : columnScale[j]);
        return ofOneEntryEach(at, values, precision);
    }

    private static CsrMatrix ofOneEntryEach(int[] columns, double[] values, Precision precision) {
        int[] offsets = new int[columns.length + 1];
        Arrays.setAll(offsets, k -> k);
        return CsrMatrix.of(columns.length, columns.length, offsets, columns.clone(),
                HostVector.of(values).convert(precision));
    }

    /**
     * Returns which row is eliminated at each step.
     *
     * @param step from 0
     * @return a row of the matrix
     */
    public int rowAt(int step) {
        return rowAt[step];
    }

    @Override
    public String toString() {
        return "order of " + rowAt.length + " rows" + (rowScale == null ? "" : ", matched and scaled");
    }
}
