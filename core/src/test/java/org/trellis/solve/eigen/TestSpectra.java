package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.KroneckerProduct;

/** Matrices whose spectra are known, and what is checked of every result. */
final class TestSpectra {
    private TestSpectra() {}

    @SuppressWarnings("MustBeClosed") // closed by the test
    static List<Backend> backends() {
        List<Backend> backends = new ArrayList<>();
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available()) {
                backends.add(Backends.open(provider.name(), Configuration.load()));
            }
        }
        return backends;
    }

    /** Eigenvalues {@link #ofLine}. */
    static CsrMatrix line(int n) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 3L * n);
        for (int i = 0; i < n; i++) {
            if (i > 0) {
                builder.add(i - 1, -1);
            }
            builder.add(i, 2);
            if (i + 1 < n) {
                builder.add(i + 1, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    static double ofLine(int n, int k) {
        return 2 - 2 * Math.cos(k * Math.PI / (n + 1));
    }

    /** The Laplacian of a square; eigenvalues are the sums of those of two lines. */
    static CsrMatrix square(int n) {
        return KroneckerProduct.of(line(n), CsrMatrix.identity(n, Precision.F64))
                .plus(KroneckerProduct.of(CsrMatrix.identity(n, Precision.F64), line(n)));
    }

    /** All eigenvalues of a square, in increasing order. */
    static double[] ofSquare(int n) {
        double[] all = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                all[i * n + j] = ofLine(n, i + 1) + ofLine(n, j + 1);
            }
        }
        Arrays.sort(all);
        return all;
    }

    static CsrMatrix dense(double[][] rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    static CsrMatrix diagonal(double... spectrum) {
        CsrBuilder builder = new CsrBuilder(spectrum.length, Precision.F64, spectrum.length);
        for (int i = 0; i < spectrum.length; i++) {
            builder.add(i, spectrum[i]).endRow();
        }
        return builder.build();
    }

    /** A random sparse symmetric matrix, indefinite. */
    static CsrMatrix symmetric(int n, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (int k = 0; k < 3 * n; k++) {
            int i = random.nextInt(n);
            int j = random.nextInt(n);
            a[i][j] = random.nextDouble(-1, 1);
            a[j][i] = a[i][j];
        }
        return dense(a);
    }

    /** A random sparse symmetric positive definite matrix. */
    static CsrMatrix definite(int n, SplittableRandom random) {
        CsrMatrix a = symmetric(n, random);
        double[] sums = new double[n];
        a.forEachEntry((i, j, value) -> sums[i] += Math.abs(value));
        for (int i = 0; i < n; i++) {
            sums[i] += 0.5 + random.nextDouble();
        }
        return a.plus(diagonal(sums));
    }

    /** All eigenvalues of a symmetric matrix, in increasing order. */
    static double[] all(CsrMatrix a) {
        JacobiEigen eigen = new JacobiEigen(DenseBlocks.toRows(a));
        double[] values = new double[a.rows()];
        Arrays.setAll(values, eigen::value);
        Arrays.sort(values);
        return values;
    }

    /** Checks that residuals are what they are said to be, that vectors are orthonormal, and that all converged. */
    static void check(CsrMatrix a, CsrMatrix b, EigenPairs found, String context) {
        assertEquals(found.values().length, found.converged(), context + ": " + found);
        double norm = 0;
        for (double[] row : DenseBlocks.toRows(a.rows() > 400 ? a.submatrix(0, 400, 0, 400) : a)) {
            norm = Math.max(norm, Arrays.stream(row).map(Math::abs).sum());
        }
        for (int k = 0; k < found.values().length; k++) {
            double[] v = found.vectors().get(k);
            double[] right = b == null ? v : b.multiply(v);
            double[] product = a.multiply(v);
            double square = 0;
            double length = 0;
            for (int i = 0; i < v.length; i++) {
                square += Math.pow(product[i] - found.values()[k] * right[i], 2);
                length += v[i] * v[i];
            }
            double residual = Math.sqrt(square / length);
            assertEquals(residual, found.residuals()[k], 0.01 * residual + 1e-13 * norm, context + ", pair " + k);
            for (int j = 0; j <= k; j++) {
                double[] other = found.vectors().get(j);
                double sum = 0;
                for (int i = 0; i < v.length; i++) {
                    sum += right[i] * other[i];
                }
                assertEquals(j == k ? 1 : 0, sum, 1e-9, context + ", pairs " + j + " and " + k);
            }
        }
        assertTrue(found.products() > 0, context);
    }
}
