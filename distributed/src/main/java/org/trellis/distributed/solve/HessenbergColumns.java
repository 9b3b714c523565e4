package org.trellis.distributed.solve;

import org.trellis.distributed.powers.KrylovBasis;

/**
 * The small least squares problem of GMRES, on every rank alike: columns of the Hessenberg matrix come in blocks, are
 * found from what a block of basis vectors was before it was made orthonormal (M. Hoemmen, Communication-avoiding
 * Krylov subspace methods, PhD thesis, UCB/EECS-2010-37, section 3.3.3), and are rotated one by one.
 */
final class HessenbergColumns {
    /** H by columns, {@code j + 2} elements in column j. */
    private final double[][] columns;
    /** The triangle that rotations leave, by columns. */
    private final double[][] triangle;
    private final double[] cosines;
    private final double[] sines;
    private final double[] right;
    private int rotated;

    HessenbergColumns(int most) {
        this.columns = new double[most][most + 1];
        this.triangle = new double[most][most + 1];
        this.cosines = new double[most];
        this.sines = new double[most];
        this.right = new double[most + 1];
    }

    /** Begins a cycle with a residual of some length. */
    void begin(double length) {
        rotated = 0;
        right[0] = length;
    }

    /**
     * Adds the columns of a block, {@code A W = Q R B}: W are all vectors of the block but the last one, that it began
     * with included.
     *
     * @param known        how many orthonormal vectors there were, the last of which began the block
     * @param coefficients what the others of the block were in the new basis
     * @param basis        the recurrence of the block
     */
    void add(int known, double[][] coefficients, KrylovBasis basis) {
        int fresh = coefficients[0].length;
        int before = known - 1;
        for (int c = 0; c < fresh; c++) {
            double[] h = new double[known + c + 1];
            // A w is a combination of three vectors of the block.
            take(h, coefficients, known, c + 1, 1 / basis.a()[c]);
            take(h, coefficients, known, c, -basis.b()[c] / basis.a()[c]);
            if (c > 0) {
                take(h, coefficients, known, c - 1, -basis.c()[c] / basis.a()[c]);
            }
            // w is one of q, and of vectors before it whose products are known.
            for (int i = 0; c > 0 && i < before + c; i++) {
                for (int k = 0; k <= i + 1; k++) {
                    h[k] -= coefficients[i][c - 1] * columns[i][k];
                }
            }
            double scale = c == 0 ? 1 : coefficients[before + c][c - 1];
            for (int k = 0; k < h.length; k++) {
                columns[before + c][k] = h[k] / scale;
            }
        }
    }

    /** Adds a multiple of a vector of the block: the one that it began with, or one of the others. */
    private static void take(double[] h, double[][] coefficients, int known, int number, double factor) {
        if (number == 0) {
            h[known - 1] += factor;
            return;
        }
        for (int k = 0; k < known + number; k++) {
            h[k] += factor * coefficients[k][number - 1];
        }
    }

    /**
     * Rotates the next column.
     *
     * @return the norm of the residual with it; not a number if the column is of no use, since the matrix is singular
     *         on the space
     */
    double rotate() {
        int j = rotated;
        double[] h = triangle[j];
        System.arraycopy(columns[j], 0, h, 0, j + 2);
        for (int i = 0; i < j; i++) {
            double upper = cosines[i] * h[i] + sines[i] * h[i + 1];
            h[i + 1] = cosines[i] * h[i + 1] - sines[i] * h[i];
            h[i] = upper;
        }
        double length = Math.hypot(h[j], h[j + 1]);
        if (length == 0) {
            return Double.NaN;
        }
        cosines[j] = h[j] / length;
        sines[j] = h[j + 1] / length;
        h[j] = length;
        right[j + 1] = -sines[j] * right[j];
        right[j] *= cosines[j];
        rotated++;
        return Math.abs(right[rotated]);
    }

    /** Returns the square part of the matrix that the rotated columns make, row by row. */
    double[][] square() {
        double[][] square = new double[rotated][rotated];
        for (int row = 0; row < rotated; row++) {
            for (int column = Math.max(0, row - 1); column < rotated; column++) {
                square[row][column] = columns[column][row];
            }
        }
        return square;
    }

    /** Returns how many columns were rotated in this cycle. */
    int count() {
        return rotated;
    }

    /** Returns the norm of the residual with the columns that were rotated. */
    double norm() {
        return Math.abs(right[rotated]);
    }

    /** Returns the combination of basis vectors that makes the residual least. */
    double[] solution() {
        double[] y = new double[rotated];
        for (int i = rotated - 1; i >= 0; i--) {
            double sum = right[i];
            for (int k = i + 1; k < rotated; k++) {
                sum -= triangle[k][i] * y[k];
            }
            y[i] = sum / triangle[i][i];
        }
        return y;
    }
}
