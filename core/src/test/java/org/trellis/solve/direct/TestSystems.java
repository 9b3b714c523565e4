package org.trellis.solve.direct;

import java.util.SplittableRandom;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.testing.AwkwardMatrices;

/** Matrices for the tests of direct solvers. */
final class TestSystems {
    private TestSystems() {}

    static CsrMatrix line(int n, Precision precision) {
        CsrBuilder builder = new CsrBuilder(n, precision, 3L * n);
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

    /** The five-point Laplacian. */
    static CsrMatrix grid(int width, int height, Precision precision) {
        return KroneckerProduct.of(line(height, precision), CsrMatrix.identity(width, precision))
                .plus(KroneckerProduct.of(CsrMatrix.identity(height, precision), line(width, precision)));
    }

    /** Symmetric positive definite, of awkward structure: B Bᵀ plus a diagonal. */
    static CsrMatrix definite(int n, int rowLength, Precision precision, SplittableRandom random) {
        CsrMatrix b = AwkwardMatrices.random(n, n, row -> random.nextInt(Math.min(n, rowLength) + 1),
                Precision.F64, random);
        return MatrixProduct.multiply(b, b.transpose()).plus(CsrMatrix.identity(n, Precision.F64))
                .toPrecision(precision);
    }

    /** Nonsingular with great probability, not symmetric, zeros on the diagonal. */
    static CsrMatrix general(int n, int rowLength, SplittableRandom random) {
        CsrMatrix noise = AwkwardMatrices.random(n, n, row -> random.nextInt(Math.min(n, rowLength) + 1),
                Precision.F64, random);
        int[] shuffled = Permutation.random(n, random).toArray();
        return noise.plus(CsrMatrix.identity(n, Precision.F64).scaled(3).selectColumns(shuffled));
    }

    /** ‖b - A x‖∞ / (‖A‖∞ ‖x‖∞ + ‖b‖∞). */
    static double backwardError(CsrMatrix a, double[] x, double[] b) {
        double[] residual = b.clone();
        double[] rowSums = new double[b.length];
        a.forEachEntry((i, j, value) -> {
            residual[i] -= value * x[j];
            rowSums[i] += Math.abs(value);
        });
        double scale = greatest(rowSums) * greatest(x) + greatest(b);
        return scale == 0 ? 0 : greatest(residual) / scale;
    }

    private static double greatest(double[] v) {
        double greatest = 0;
        for (double element : v) {
            greatest = Double.isNaN(element) ? Double.NaN : Math.max(greatest, Math.abs(element));
        }
        return greatest;
    }
}
