package org.trellis.solve.krylov;

import java.util.Arrays;
import java.util.Optional;

/**
 * An incomplete factorisation without fill (J. Meijerink and H. van der Vorst, Math. Comp. 31, 1977; Y. Saad, Iterative
 * Methods for Sparse Linear Systems, algorithm 10.4) that costs little more than a few products: made and applied by
 * one thread on plain arrays, in double precision. Of a symmetric matrix it is {@code L D Lᵀ}, of which only the upper
 * half is computed; a definite D makes it that of conjugate gradients.
 */
final class TrialFactors implements TrialPreconditioner {
    /** Nothing was left out. */
    private static final int COMPLETE = 0;
    /** An update had no place. */
    private static final int INCOMPLETE = 1;
    /** A pivot cannot be used. */
    private static final int BROKEN = 2;
    /** The pattern is not that of the transpose. */
    private static final int UNLIKE = -1;

    private final WholeMatrix matrix;
    /** Of the entries of the matrix: L below the diagonal, with ones on it, and U on it and above. */
    private final double[] values;
    private final double[] inverse;
    private final int[] diagonals;
    private final boolean definite;
    private final boolean complete;

    private TrialFactors(WholeMatrix matrix, double[] values, double[] inverse, int[] diagonals, boolean definite,
            boolean complete) {
        this.matrix = matrix;
        this.values = values;
        this.inverse = inverse;
        this.diagonals = diagonals;
        this.definite = definite;
        this.complete = complete;
    }

    /**
     * Factorises.
     *
     * @param matrix    the matrix
     * @param symmetric whether it is its own transpose, rounding aside
     * @return empty where an entry of the diagonal is missing or a pivot is 0 or has no finite inverse
     */
    static Optional<TrialFactors> of(WholeMatrix matrix, boolean symmetric) {
        int[] diagonals = diagonals(matrix);
        if (diagonals == null) {
            return Optional.empty();
        }
        double[] values = copy(matrix);
        double[] inverse = new double[matrix.rows()];
        int left = symmetric ? symmetric(matrix, values, inverse, diagonals) : UNLIKE;
        boolean definite = left >= 0 && isDefinite(inverse);
        if (left == UNLIKE) {
            values = symmetric ? copy(matrix) : values;
            left = general(matrix, values, inverse, diagonals);
        }
        return left == BROKEN
                ? Optional.empty()
                : Optional.of(new TrialFactors(matrix, values, inverse, diagonals, definite, left == COMPLETE));
    }

    private static double[] copy(WholeMatrix matrix) {
        return Arrays.copyOfRange(matrix.values(), matrix.first(), matrix.first() + matrix.nonZeros());
    }

    private static boolean isDefinite(double[] inverse) {
        boolean same = true;
        for (int i = 1; i < inverse.length && same; i++) {
            same = inverse[i] > 0 == inverse[0] > 0;
        }
        return same;
    }

    /** Returns the place of the diagonal entry of each row; null if one is missing. */
    private static int[] diagonals(WholeMatrix matrix) {
        int[] columns = matrix.columns();
        int[] found = new int[matrix.rows()];
        for (int i = 0; i < found.length; i++) {
            int k = matrix.offsets()[i];
            int end = matrix.offsets()[i + 1];
            while (k < end && columns[k] < i) {
                k++;
            }
            if (k == end || columns[k] != i) {
                return null;
            }
            found[i] = k;
        }
        return found;
    }

    /** Row by row. */
    private static int general(WholeMatrix matrix, double[] values, double[] inverse, int[] diagonals) {
        int[] offsets = matrix.offsets();
        int[] columns = matrix.columns();
        int[] placeOf = new int[inverse.length];
        Arrays.fill(placeOf, -1);
        int left = COMPLETE;
        for (int i = 0; i < inverse.length; i++) {
            int start = offsets[i];
            for (int k = start; k < offsets[i + 1]; k++) {
                placeOf[columns[k]] = k;
            }
            for (int k = start; k < diagonals[i]; k++) {
                int pivotRow = columns[k];
                double factor = values[k] * inverse[pivotRow];
                values[k] = factor;
                int end = offsets[pivotRow + 1];
                for (int other = diagonals[pivotRow] + 1; other < end; other++) {
                    int place = placeOf[columns[other]];
                    if (place >= start) { // not of a row before
                        values[place] -= factor * values[other];
                    } else {
                        left = INCOMPLETE;
                    }
                }
            }
            inverse[i] = 1 / values[diagonals[i]];
            if (!isUsable(inverse[i])) {
                return BROKEN;
            }
        }
        return left;
    }

    /** The same for the upper half alone: the rows above a row meet its columns one after the other. */
    private static int symmetric(WholeMatrix matrix, double[] values, double[] inverse, int[] diagonals) {
        int[] offsets = matrix.offsets();
        int[] columns = matrix.columns();
        int[] placeOf = new int[inverse.length];
        int[] next = new int[inverse.length];
        Arrays.fill(placeOf, -1);
        int left = COMPLETE;
        for (int i = 0; i < inverse.length; i++) {
            int diagonal = diagonals[i];
            next[i] = diagonal + 1;
            for (int k = diagonal; k < offsets[i + 1]; k++) {
                placeOf[columns[k]] = k;
            }
            for (int k = offsets[i]; k < diagonal; k++) {
                int pivotRow = columns[k];
                int from = next[pivotRow]++;
                if (from >= offsets[pivotRow + 1] || columns[from] != i) {
                    return UNLIKE;
                }
                double factor = values[from] * inverse[pivotRow];
                values[k] = factor;
                int end = offsets[pivotRow + 1];
                for (int other = from; other < end; other++) {
                    int place = placeOf[columns[other]];
                    if (place >= diagonal) {
                        values[place] -= factor * values[other];
                    } else {
                        left = INCOMPLETE;
                    }
                }
            }
            inverse[i] = 1 / values[diagonal];
            if (!isUsable(inverse[i])) {
                return BROKEN;
            }
        }
        return left;
    }

    private static boolean isUsable(double inverse) {
        return Double.isFinite(inverse) && inverse != 0;
    }

    /**
     * Says whether the matrix is symmetric and all pivots have one sign.
     *
     * @return true if this can precondition conjugate gradients
     */
    @Override
    public boolean isDefinite() {
        return definite;
    }

    /**
     * Says whether nothing was left out, so that these are all the factors.
     *
     * @return true if solutions are exact but for rounding
     */
    boolean isComplete() {
        return complete;
    }

    /** Computes {@code z = U⁻¹ L⁻¹ r}. Costs a pass; z may be r. */
    @Override
    public void solve(double[] r, double[] z) {
        int[] offsets = matrix.offsets();
        int n = inverse.length;
        for (int i = 0; i < n; i++) {
            z[i] = r[i] - sum(offsets[i], diagonals[i], z);
        }
        for (int i = n - 1; i >= 0; i--) {
            z[i] = (z[i] - sum(diagonals[i] + 1, offsets[i + 1], z)) * inverse[i];
        }
    }

    /** Four sums, since the additions of one would wait for each other in long rows. */
    private double sum(int start, int end, double[] z) {
        int[] columns = matrix.columns();
        int k = start;
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        for (; k + 3 < end; k += 4) {
            a += values[k] * z[columns[k]];
            b += values[k + 1] * z[columns[k + 1]];
            c += values[k + 2] * z[columns[k + 2]];
            d += values[k + 3] * z[columns[k + 3]];
        }
        if (k + 1 < end) {
            a += values[k] * z[columns[k]];
            b += values[k + 1] * z[columns[k + 1]];
            k += 2;
        }
        return a + b + (c + d) + (k < end ? values[k] * z[columns[k]] : 0);
    }

    @Override
    public String label(boolean conjugate) {
        return conjugate ? "ic0" : "ilu0";
    }

    @Override
    public String toString() {
        return (complete ? "all" : "incomplete") + " factors without fill of " + inverse.length + " rows";
    }
}
