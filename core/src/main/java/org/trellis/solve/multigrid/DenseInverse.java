package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.solve.eigen.SymmetricEigen;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;

/**
 * The inverse of a small matrix, all of it, so that a direct solution is a product like any other and runs wherever
 * products run. By Cholesky's method if the matrix is symmetric positive definite, else by Gaussian elimination with
 * partial pivoting; of a singular matrix the pseudo-inverse (Moore and Penrose), by eigenvalues.
 *
 * @param matrix  the inverse, with an entry for every element
 * @param nullity the dimension of the null space, 0 if there is none but that of zero
 */
record DenseInverse(CsrMatrix matrix, int nullity) {
    private static final int ROWS_PER_TASK = 16;
    /**
     * Pivots below this many roundings, times the root of the size, as a share of their diagonal element count as zero.
     * Many, since a product R A P has roundings of the finer matrix, whose elements may be a thousand times greater.
     */
    private static final int ROUNDINGS = 2048;
    private static final int SYMMETRIC = 16;

    /** Inverts a matrix, in double precision; costs about twice the cube of its size, ten times if it is singular. */
    static DenseInverse of(CsrMatrix matrix) {
        int size = matrix.rows();
        double[][] a = new double[size][size];
        matrix.forEachEntry((row, column, value) -> a[row][column] = value);
        double tolerance = ROUNDINGS * Math.sqrt(size) * matrix.precision().unitRoundoff();
        boolean symmetric = isSymmetric(a, SYMMETRIC * matrix.precision().unitRoundoff());
        double[][] inverse = symmetric ? cholesky(a, tolerance) : null;
        if (inverse == null) {
            inverse = elimination(a, tolerance);
        }
        int nullity = 0;
        if (inverse == null) {
            inverse = new double[size][size];
            nullity = symmetric ? pseudo(a, inverse, tolerance) : leastSquares(a, inverse, tolerance);
        }
        return new DenseInverse(toMatrix(inverse, matrix), nullity);
    }

    /**
     * Says whether a symmetric matrix is indefinite: a pivot is negative beyond rounding. Costs a third of the cube of
     * its size.
     */
    static boolean isIndefinite(CsrMatrix matrix) {
        int size = matrix.rows();
        double[][] upper = new double[size][size];
        matrix.forEachEntry((row, column, value) -> upper[column][row] = value);
        double[] diagonal = new double[size];
        Arrays.setAll(diagonal, k -> upper[k][k]);
        double tolerance = ROUNDINGS * Math.sqrt(size) * matrix.precision().unitRoundoff();
        for (int k = 0; k < size; k++) {
            double[] row = upper[k];
            double least = tolerance * Math.abs(diagonal[k]);
            if (row[k] < -least) {
                return true;
            }
            for (int i = k + 1; row[k] > least && i < size; i++) {
                subtract(row[i] / row[k], row, upper[i], i, size);
            }
        }
        return false;
    }

    private static CsrMatrix toMatrix(double[][] inverse, CsrMatrix like) {
        int[] lengths = new int[inverse.length];
        Arrays.fill(lengths, inverse.length);
        return CsrFill.fill(inverse.length, like.precision(), lengths, () -> (row, columns, values, at) -> {
            for (int j = 0; j < inverse.length; j++) {
                columns[at + j] = j;
                values.set(at + j, inverse[row][j]);
            }
        });
    }

    private static boolean isSymmetric(double[][] a, double tolerance) {
        double greatest = 0;
        double apart = 0;
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j <= i; j++) {
                greatest = Math.max(greatest, Math.max(Math.abs(a[i][j]), Math.abs(a[j][i])));
                apart = Math.max(apart, Math.abs(a[i][j] - a[j][i]));
            }
        }
        return apart <= tolerance * greatest;
    }

    /**
     * Returns the inverse, or null if a pivot is not positive enough. All inner loops add a multiple of a row to
     * another one, which the compiler has vector code for; sums along rows it adds up one by one.
     */
    private static double[][] cholesky(double[][] a, double tolerance) {
        int size = a.length;
        double[][] upper = new double[size][];
        for (int i = 0; i < size; i++) {
            upper[i] = a[i].clone();
            // Mirror images may differ by rounding; what is below the diagonal counts.
            for (int j = i + 1; j < size; j++) {
                upper[i][j] = a[j][i];
            }
        }
        for (int k = 0; k < size; k++) {
            double[] row = upper[k];
            if (!(row[k] > tolerance * a[k][k])) {
                return null;
            }
            row[k] = Math.sqrt(row[k]);
            for (int j = k + 1; j < size; j++) {
                row[j] /= row[k];
            }
            for (int i = k + 1; i < size; i++) {
                subtract(row[i], row, upper[i], i, size);
            }
        }
        return fromFactor(upper);
    }

    private static void subtract(double factor, double[] row, double[] from, int first, int end) {
        for (int j = first; j < end; j++) {
            from[j] -= factor * row[j];
        }
    }

    /** Computes L⁻ᵀ L⁻¹ from Lᵀ; the inverse of L is found by columns, from the diagonal on, and used by rows. */
    private static double[][] fromFactor(double[][] upper) {
        int size = upper.length;
        double[][] rows = new double[size][size];
        ParallelRanges.run(size, ROWS_PER_TASK, (from, to) -> {
            double[] column = new double[size];
            for (int j = from; j < to; j++) {
                Arrays.fill(column, 0);
                column[j] = 1;
                for (int k = j; k < size; k++) {
                    column[k] /= upper[k][k];
                    rows[k][j] = column[k];
                    subtract(column[k], upper[k], column, k + 1, size);
                }
            }
        });
        double[][] inverse = new double[size][size];
        ParallelRanges.run(size, ROWS_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                for (int k = i; k < size; k++) {
                    add(rows[k][i], rows[k], inverse[i], k + 1);
                }
            }
        });
        return inverse;
    }

    private static void add(double factor, double[] row, double[] to, int end) {
        for (int j = 0; j < end; j++) {
            to[j] += factor * row[j];
        }
    }

    /** Gauss and Jordan, with a row exchange for each pivot; returns null if one is too small. */
    private static double[][] elimination(double[][] original, double tolerance) {
        int size = original.length;
        double[][] a = new double[size][];
        double greatest = 0;
        for (int i = 0; i < size; i++) {
            a[i] = Arrays.copyOf(original[i], 2 * size);
            a[i][size + i] = 1;
            greatest = Math.max(greatest, Arrays.stream(original[i]).map(Math::abs).max().orElse(0));
        }
        for (int step = 0; step < size; step++) {
            int pivot = step;
            for (int i = step + 1; i < size; i++) {
                pivot = Math.abs(a[i][step]) > Math.abs(a[pivot][step]) ? i : pivot;
            }
            if (!(Math.abs(a[pivot][step]) > tolerance * greatest)) {
                return null;
            }
            double[] row = a[pivot];
            a[pivot] = a[step];
            a[step] = row;
            double scale = 1 / row[step];
            for (int j = step; j < 2 * size; j++) {
                row[j] *= scale;
            }
            for (int i = 0; i < size; i++) {
                double factor = a[i][step];
                for (int j = step; i != step && factor != 0 && j < 2 * size; j++) {
                    a[i][j] -= factor * row[j];
                }
            }
        }
        for (int i = 0; i < size; i++) {
            a[i] = Arrays.copyOfRange(a[i], size, 2 * size);
        }
        return a;
    }

    /** Adds up the pseudo-inverse of a symmetric matrix; returns the dimension of its null space. */
    private static int pseudo(double[][] a, double[][] inverse, double tolerance) {
        double[][] copy = Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
        SymmetricEigen eigen = new SymmetricEigen(copy);
        double greatest = 0;
        for (int k = 0; k < a.length; k++) {
            greatest = Math.max(greatest, Math.abs(eigen.value(k)));
        }
        int nullity = 0;
        for (int k = 0; k < a.length; k++) {
            if (Math.abs(eigen.value(k)) <= tolerance * greatest) {
                nullity++;
                continue;
            }
            for (int i = 0; i < a.length; i++) {
                double left = eigen.vector(i, k) / eigen.value(k);
                for (int j = 0; j < a.length; j++) {
                    inverse[i][j] += left * eigen.vector(j, k);
                }
            }
        }
        return nullity;
    }

    /** Takes {@code (AᵀA)⁺ Aᵀ} for a matrix that is not symmetric. */
    private static int leastSquares(double[][] a, double[][] inverse, double tolerance) {
        int size = a.length;
        double[][] square = new double[size][size];
        for (double[] row : a) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    square[i][j] += row[i] * row[j];
                }
            }
        }
        double[][] pseudo = new double[size][size];
        int nullity = pseudo(square, pseudo, tolerance);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                for (int k = 0; k < size; k++) {
                    inverse[i][j] += pseudo[i][k] * a[j][k];
                }
            }
        }
        return nullity;
    }
}
