package org.trellis.tuner.features;

import java.util.SplittableRandom;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The ends of the spectrum of the symmetric part of a matrix whose diagonal is scaled to 1, from inside, by a few
 * Lanczos steps (C. Lanczos, J. Res. Nat. Bur. Standards 45, 1950) with full orthogonalisation, always from the same
 * vector.
 */
final class SystemLanczos {
    private static final long SEED = 1950;
    private static final double NOTHING_LEFT = 1e-12;

    private SystemLanczos() {}

    /** Returns the least and the greatest Ritz value; 0 and 0 for an empty matrix. */
    static double[] ritzValues(CsrMatrix matrix, CsrMatrix transposed, double[] diagonal, int steps) {
        return ritzValues(matrix, transposed, diagonal, steps, Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the least and the greatest Ritz value, of fewer steps where their {@linkplain #spread spread} exceeds a
     * number by then: more steps only make it greater.
     */
    static double[] ritzValues(CsrMatrix matrix, CsrMatrix transposed, double[] diagonal, int steps, double enough) {
        int n = matrix.rows();
        int most = Math.min(steps, n);
        if (most == 0) {
            return new double[]{0, 0};
        }
        double[] scale = new double[n];
        for (int i = 0; i < n; i++) {
            scale[i] = diagonal[i] == 0 ? 1 : 1 / Math.sqrt(Math.abs(diagonal[i]));
        }
        double[][] basis = new double[most][];
        double[] alpha = new double[most];
        double[] beta = new double[most];
        double[] next = new SplittableRandom(SEED).doubles(n, -1, 1).toArray();
        int done = 0;
        double norm = norm(next);
        while (done < most && norm > NOTHING_LEFT) {
            double[] v = new double[n];
            for (int i = 0; i < n; i++) {
                v[i] = next[i] / norm;
            }
            basis[done] = v;
            next = product(matrix, transposed, scale, v);
            alpha[done] = dot(v, next);
            for (int j = done; j >= 0; j--) {
                subtract(dot(basis[j], next), basis[j], next);
            }
            norm = norm(next);
            beta[done++] = norm;
            if (enough < Double.POSITIVE_INFINITY) {
                double[] found = ends(alpha, beta, done);
                if (spread(found) > enough) {
                    return found;
                }
            }
        }
        return ends(alpha, beta, done);
    }

    /** Returns the quotient of the magnitudes of Ritz values; infinite if they have not one sign. */
    static double spread(double... ritz) {
        double one = Math.abs(ritz[0]);
        double other = Math.abs(ritz[1]);
        return ritz[0] * ritz[1] > 0 ? Math.max(one, other) / Math.min(one, other) : Double.POSITIVE_INFINITY;
    }

    /** Computes {@code S (A + Aᵀ)/2 S v}, with one product where the matrix is its own transpose. */
    @SuppressWarnings("ReferenceEquality") // as callers say that it is
    private static double[] product(CsrMatrix matrix, CsrMatrix transposed, double[] scale, double[] v) {
        double[] scaled = new double[v.length];
        for (int i = 0; i < v.length; i++) {
            scaled[i] = v[i] * scale[i];
        }
        double[] y = new double[v.length];
        addProduct(matrix, scaled, y);
        boolean both = transposed != matrix;
        if (both) {
            addProduct(transposed, scaled, y);
        }
        for (int i = 0; i < y.length; i++) {
            y[i] *= both ? scale[i] / 2 : scale[i];
        }
        return y;
    }

    private static void addProduct(CsrMatrix matrix, double[] x, double[] y) {
        for (CsrSegment segment : matrix.segments()) {
            int[] columns = segment.columnIndices();
            HostVector entries = segment.values();
            boolean whole = entries.precision() == Precision.F64;
            double[] values = whole ? entries.doubleStorage() : entries.toDoubleArray();
            int first = whole ? entries.offset() : 0;
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                double sum = 0;
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    sum += values[first + k] * x[columns[k]];
                }
                y[row] += sum;
            }
        }
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    private static double norm(double[] x) {
        return Math.sqrt(dot(x, x));
    }

    private static void subtract(double factor, double[] x, double[] y) {
        for (int i = 0; i < x.length; i++) {
            y[i] -= factor * x[i];
        }
    }

    /** Bisects for the ends of the spectrum of a tridiagonal matrix by Sturm sequences. */
    private static double[] ends(double[] alpha, double[] beta, int size) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < size; i++) {
            double radius = (i > 0 ? beta[i - 1] : 0) + (i < size - 1 ? beta[i] : 0);
            low = Math.min(low, alpha[i] - radius);
            high = Math.max(high, alpha[i] + radius);
        }
        return size == 0
                ? new double[]{0, 0}
                : new double[]{bisect(alpha, beta, size, 1, low, high), bisect(alpha, beta, size, size, low, high)};
    }

    /** Finds the eigenvalue that has so many at or below it. */
    private static double bisect(double[] alpha, double[] beta, int size, int count, double from, double to) {
        double low = from;
        double high = to;
        for (int step = 0; step < 60 && high - low > 1e-10 * Math.max(Math.abs(low), Math.abs(high)); step++) {
            double middle = (low + high) / 2;
            if (below(alpha, beta, size, middle) >= count) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return (low + high) / 2;
    }

    /** Counts the eigenvalues below a number. */
    private static int below(double[] alpha, double[] beta, int size, double number) {
        int count = 0;
        double pivot = 1;
        for (int i = 0; i < size; i++) {
            double coupling = i > 0 ? beta[i - 1] * beta[i - 1] : 0;
            pivot = alpha[i] - number - (coupling == 0 ? 0 : coupling / pivot);
            pivot = pivot == 0 ? -Double.MIN_NORMAL : pivot;
            count += pivot < 0 ? 1 : 0;
        }
        return count;
    }
}
