package org.trellis.solve.direct;

/**
 * What a QR factorisation leaves of one supernode: rows of R and reflections.
 *
 * @param columns positions of its columns in the order of elimination
 * @param slots   the place of each of its rows among those of the matrix
 * @param starts  for each row of R, where it starts among the columns
 * @param r       rows of R from there on
 * @param vectors Householder vectors, whose first element is 1
 * @param first   the row in which each starts
 * @param tau     their factors
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record QrFactors(int[] columns, int[] slots, int[] starts, double[][] r, double[][] vectors, int[] first,
        double[] tau) {
    /** Solves {@code R x = c} for the columns that end here; x in the order of elimination, c by rows. */
    void solve(double[] c, double[] x, double[] work) {
        gather(x, columns, work);
        for (int k = r.length - 1; k >= 0; k--) {
            double[] row = r[k];
            int start = starts[k];
            double sum = c[slots[k]];
            for (int e = 1; e < row.length; e++) {
                sum -= row[e] * work[start + e];
            }
            work[start] = sum / row[0];
            x[columns[start]] = work[start];
        }
    }

    /** Solves {@code Rᵀ c = x} for the rows here; subtracts them from the rest of x. */
    void solveTransposed(double[] x, double[] c, double[] work) {
        gather(x, columns, work);
        for (int k = 0; k < r.length; k++) {
            double[] row = r[k];
            int start = starts[k];
            double solved = work[start] / row[0];
            c[slots[k]] = solved;
            for (int e = 1; e < row.length; e++) {
                work[start + e] -= row[e] * solved;
            }
        }
        for (int k = 0; k < columns.length; k++) {
            x[columns[k]] = work[k];
        }
    }

    /** Applies the reflections, or their inverse, to a vector by rows of the matrix. */
    void reflect(double[] x, boolean transposed, double[] work) {
        if (vectors.length == 0) {
            return;
        }
        gather(x, slots, work);
        for (int p = 0; p < vectors.length; p++) {
            int at = transposed ? p : vectors.length - 1 - p;
            double[] v = vectors[at];
            int start = first[at];
            double sum = 0;
            for (int i = 0; i < v.length; i++) {
                sum += v[i] * work[start + i];
            }
            sum *= tau[at];
            for (int i = 0; i < v.length; i++) {
                work[start + i] -= sum * v[i];
            }
        }
        for (int i = 0; i < slots.length; i++) {
            x[slots[i]] = work[i];
        }
    }

    /** The same for four vectors, the elements of a row beside one another. */
    void reflectFour(double[] x, boolean transposed, double[] work) {
        if (vectors.length == 0) {
            return;
        }
        for (int i = 0; i < slots.length; i++) {
            System.arraycopy(x, 4 * slots[i], work, 4 * i, 4);
        }
        for (int p = 0; p < vectors.length; p++) {
            int at = transposed ? p : vectors.length - 1 - p;
            reflectFour(vectors[at], tau[at], 4 * first[at], work);
        }
        for (int i = 0; i < slots.length; i++) {
            System.arraycopy(work, 4 * i, x, 4 * slots[i], 4);
        }
    }

    private static void reflectFour(double[] v, double t, int from, double[] work) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        for (int i = 0, k = from; i < v.length; i++, k += 4) {
            a += v[i] * work[k];
            b += v[i] * work[k + 1];
            c += v[i] * work[k + 2];
            d += v[i] * work[k + 3];
        }
        a *= t;
        b *= t;
        c *= t;
        d *= t;
        for (int i = 0, k = from; i < v.length; i++, k += 4) {
            work[k] -= v[i] * a;
            work[k + 1] -= v[i] * b;
            work[k + 2] -= v[i] * c;
            work[k + 3] -= v[i] * d;
        }
    }

    /** Solves {@code R x = c} for four vectors, the elements of a row beside one another. */
    void solveFour(double[] c, double[] x, double[] work) {
        for (int k = 0; k < columns.length; k++) {
            System.arraycopy(x, 4 * columns[k], work, 4 * k, 4);
        }
        for (int k = r.length - 1; k >= 0; k--) {
            double[] row = r[k];
            int at = 4 * starts[k];
            int from = 4 * slots[k];
            double c0 = c[from];
            double c1 = c[from + 1];
            double c2 = c[from + 2];
            double c3 = c[from + 3];
            for (int e = 1, t = at + 4; e < row.length; e++, t += 4) {
                c0 -= row[e] * work[t];
                c1 -= row[e] * work[t + 1];
                c2 -= row[e] * work[t + 2];
                c3 -= row[e] * work[t + 3];
            }
            work[at] = c0 / row[0];
            work[at + 1] = c1 / row[0];
            work[at + 2] = c2 / row[0];
            work[at + 3] = c3 / row[0];
            System.arraycopy(work, at, x, 4 * columns[starts[k]], 4);
        }
    }

    private static void gather(double[] x, int[] at, double[] work) {
        for (int i = 0; i < at.length; i++) {
            work[i] = x[at[i]];
        }
    }
}
