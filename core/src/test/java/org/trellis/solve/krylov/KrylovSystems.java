package org.trellis.solve.krylov;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Systems for the tests of Krylov methods, and a dense solution of them. */
final class KrylovSystems {
    private KrylovSystems() {}

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

    /** Random sparse, symmetric, with a dominant diagonal of the given signs. */
    static CsrMatrix symmetric(int n, boolean definite, Precision precision, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (int k = 0; k < 3 * n; k++) {
            int i = random.nextInt(n);
            int j = random.nextInt(n);
            double value = random.nextDouble(-1, 1);
            a[i][j] = value;
            a[j][i] = value;
        }
        return dominant(a, definite, precision, random);
    }

    static CsrMatrix unsymmetric(int n, Precision precision, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (int k = 0; k < 4 * n; k++) {
            a[random.nextInt(n)][random.nextInt(n)] = random.nextDouble(-1, 1);
        }
        return dominant(a, true, precision, random);
    }

    /** Random sparse, with a dominant complex diagonal. */
    static ComplexCsr complex(int n, boolean symmetric, Precision precision, SplittableRandom random) {
        CsrMatrix re = symmetric ? symmetric(n, true, precision, random) : unsymmetric(n, precision, random);
        CsrMatrix im = symmetric ? symmetric(n, false, precision, random) : unsymmetric(n, precision, random);
        return ComplexCsr.of(re, im.scaled(0.7));
    }

    private static CsrMatrix dominant(double[][] a, boolean positive, Precision precision, SplittableRandom random) {
        for (int i = 0; i < a.length; i++) {
            double sum = 0;
            for (int j = 0; j < a.length; j++) {
                sum += i == j ? 0 : Math.max(Math.abs(a[i][j]), Math.abs(a[j][i]));
            }
            a[i][i] = (0.5 + sum + random.nextDouble()) * (positive || i % 3 != 1 ? 1 : -1);
        }
        return csr(a, a.length, precision);
    }

    static CsrMatrix csr(double[][] a, int columns, Precision precision) {
        CsrBuilder builder = new CsrBuilder(columns, precision, 16);
        for (double[] row : a) {
            for (int j = 0; j < columns; j++) {
                if (row[j] != 0) {
                    builder.add(j, row[j]);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** The Laplacian of a square grid of five points each. */
    static CsrMatrix laplacian(int width, Precision precision) {
        int n = width * width;
        CsrBuilder builder = new CsrBuilder(n, precision, 5L * n);
        for (int i = 0; i < n; i++) {
            if (i >= width) {
                builder.add(i - width, -1);
            }
            if (i % width > 0) {
                builder.add(i - 1, -1);
            }
            builder.add(i, 4);
            if (i % width < width - 1) {
                builder.add(i + 1, -1);
            }
            if (i + width < n) {
                builder.add(i + width, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** Gaussian elimination with partial pivoting, or the normal equations if there are more rows than columns. */
    static double[] dense(CsrMatrix matrix, HostVector b) {
        int n = matrix.columns();
        double[][] a = new double[n][n + 1];
        double[][] full = new double[matrix.rows()][n];
        matrix.forEachEntry((i, j, value) -> full[i][j] = value);
        for (int i = 0; i < n; i++) {
            for (int row = 0; row < matrix.rows(); row++) {
                boolean square = matrix.rows() == n;
                double factor = square ? (row == i ? 1 : 0) : full[row][i];
                for (int j = 0; j < n; j++) {
                    a[i][j] += factor * full[row][j];
                }
                a[i][n] += factor * b.get(row);
            }
        }
        return eliminate(a, n);
    }

    private static double[] eliminate(double[][] a, int n) {
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int i = k + 1; i < n; i++) {
                pivot = Math.abs(a[i][k]) > Math.abs(a[pivot][k]) ? i : pivot;
            }
            double[] swapped = a[k];
            a[k] = a[pivot];
            a[pivot] = swapped;
            for (int i = k + 1; i < n; i++) {
                double factor = a[i][k] / a[k][k];
                for (int j = k; j <= n; j++) {
                    a[i][j] -= factor * a[k][j];
                }
            }
        }
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double sum = a[i][n];
            for (int j = i + 1; j < n; j++) {
                sum -= a[i][j] * x[j];
            }
            x[i] = sum / a[i][i];
        }
        return x;
    }

    static HostVector random(Precision precision, int length, SplittableRandom random) {
        return HostVector.of(precision, length, i -> random.nextDouble(-1, 1));
    }

    static SolveReport solve(Backend backend, CsrMatrix matrix, KrylovMethod method, boolean jacobi,
            Map<String, String> options, HostVector b, HostVector x, StoppingCriteria criteria) {
        try (Preconditioner preconditioner = jacobi ? JacobiPreconditioner.of(matrix, backend) : null) {
            return solve(backend, matrix, method, preconditioner, options, b, x, criteria);
        }
    }

    static SolveReport solve(Backend backend, CsrMatrix matrix, KrylovMethod method, Preconditioner preconditioner,
            Map<String, String> options, HostVector b, HostVector x, StoppingCriteria criteria) {
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = method.prepare(operator, preconditioner, backend, options);
                DenseVector right = backend.vector(matrix.precision(), matrix.rows());
                DenseVector solution = backend.vector(matrix.precision(), matrix.columns())) {
            right.copyFrom(b);
            solution.copyFrom(x);
            SolveReport report = solver.solve(right, solution, criteria, IterationObserver.NONE);
            solution.copyTo(x);
            return report;
        }
    }
}
