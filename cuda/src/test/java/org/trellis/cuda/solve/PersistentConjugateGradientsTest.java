package org.trellis.cuda.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.PersistentKernels;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestLength;

/** Conjugate gradients as one kernel, of one block, since the emulated GPU runs one block after the other. */
class PersistentConjugateGradientsTest {
    @TempDir
    private Path folder;

    private static CsrMatrix tridiagonal(int rows, Precision precision) {
        CsrBuilder builder = new CsrBuilder(rows, precision, 3L * rows);
        for (int row = 0; row < rows; row++) {
            if (row > 0) {
                builder.add(row - 1, -1);
            }
            builder.add(row, 3 + row % 4);
            if (row + 1 < rows) {
                builder.add(row + 1, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** Plain conjugate gradients; returns ρ, σ and the square of the norm of each iteration. */
    private static double[] reference(CsrMatrix matrix, double[] inverse, double[] r, double[] x, int iterations) {
        int n = r.length;
        double[] recorded = new double[3 * iterations];
        double[] p = new double[n];
        double[] q = new double[n];
        double rho = 0;
        for (int k = 0; k < iterations; k++) {
            double next = 0;
            for (int i = 0; i < n; i++) {
                next += r[i] * inverse[i] * r[i];
            }
            double beta = k == 0 ? 0 : next / rho;
            rho = next;
            for (int i = 0; i < n; i++) {
                p[i] = inverse[i] * r[i] + beta * p[i];
            }
            double sigma = 0;
            for (int i = 0; i < n; i++) {
                q[i] = (i > 0 ? -p[i - 1] : 0) + (3 + i % 4) * p[i] + (i + 1 < n ? -p[i + 1] : 0);
                sigma += p[i] * q[i];
            }
            double square = 0;
            for (int i = 0; i < n; i++) {
                x[i] += rho / sigma * p[i];
                r[i] -= rho / sigma * q[i];
                square += r[i] * r[i];
            }
            recorded[3 * k] = rho;
            recorded[3 * k + 1] = sigma;
            recorded[3 * k + 2] = square;
        }
        assertEquals(n, matrix.rows());
        return recorded;
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void doesTheIterationsOfTheTextbook(Precision precision) {
        EmulatedGpu gpu = EmulatedGpu.in(folder).withMultiprocessors(1);
        try (CudaBackend backend = gpu.open()) {
            for (int rows : TestLength.isLong() ? new int[]{1, 31, 33, 150, 1100} : new int[]{1, 33, 300}) {
                for (boolean diagonal : new boolean[]{false, true}) {
                    compare(backend, tridiagonal(rows, precision), diagonal);
                }
            }
        }
        assertEquals(0, gpu.driver().open());
    }

    /** Six iterations in runs of four and two. */
    private static void compare(CudaBackend backend, CsrMatrix matrix, boolean diagonal) {
        int rows = matrix.rows();
        Precision precision = matrix.precision();
        double tolerance = precision == Precision.F64 ? 1e-12 : 1e-4;
        HostVector inverse = HostVector.of(precision, rows, i -> diagonal ? 1.0 / (3 + i % 4) : 1);
        HostVector right = HostVector.of(precision, rows, i -> 1 + i % 7);
        int iterations = rows == 1 ? 1 : 6;
        double[] r = array(right);
        double[] x = new double[rows];
        double[] expected = reference(matrix, array(inverse), r, x, iterations);
        PersistentKernels kernels = backend.kernels(PersistentKernels.class);
        try (DenseVector d = backend.vector(precision, rows);
                DenseVector residual = backend.vector(precision, rows);
                DenseVector solution = backend.vector(precision, rows);
                PersistentKernels.Solution solver =
                        kernels.conjugateGradients(matrix, 2, diagonal ? d : null, 8)) {
            d.copyFrom(inverse);
            residual.copyFrom(right);
            double[] recorded = new double[24];
            String context = rows + " rows of " + precision + ", " + solver;
            // The matrix is doubled: steps are halved, and the factor doubles those of x.
            int first = Math.min(4, iterations);
            assertEquals(first, solver.run(new PersistentKernels.Bounds(first, 0, 2), true, residual, solution,
                    recorded), context);
            check(expected, 0, recorded, first, tolerance, context);
            if (iterations > first) {
                assertEquals(2, solver.run(new PersistentKernels.Bounds(2, 0, 2), false, residual, solution,
                        recorded), context);
                check(expected, first, recorded, 2, tolerance, context);
            }
            HostVector found = HostVector.zeros(precision, rows);
            solution.copyTo(found);
            for (int i = 0; i < rows; i++) {
                assertEquals(x[i], found.get(i), tolerance * (1 + Math.abs(x[i])), context);
            }
            stops(solver, right, residual, solution, expected);
        }
    }

    private static void check(double[] expected, int from, double[] recorded, int count, double tolerance,
            String context) {
        for (int i = 0; i < 3 * count; i++) {
            double value = expected[3 * from + i] * (i % 3 == 1 ? 2 : 1);
            assertEquals(value, recorded[i], tolerance * Math.max(1, Math.abs(expected[0])),
                    context + ": value " + i % 3 + " of iteration " + (from + i / 3));
        }
    }

    /** Stops at the first iteration whose residual is small enough, and does nothing if it is so at first. */
    private static void stops(PersistentKernels.Solution solver, HostVector right, DenseVector residual,
            DenseVector solution, double[] expected) {
        double[] recorded = new double[24];
        residual.copyFrom(right);
        int met = expected.length / 3 - 1;
        assertEquals(expected.length == 3 ? 1 : 3, solver.run(new PersistentKernels.Bounds(8,
                1.01 * expected[3 * Math.min(2, met) + 2] + 1e-9, 2), true, residual, solution, recorded));
        residual.copyFrom(right);
        assertEquals(0, solver.run(new PersistentKernels.Bounds(8, Double.MAX_VALUE, 2), true, residual, solution,
                recorded));
    }

    private static double[] array(HostVector vector) {
        double[] all = new double[vector.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = vector.get(i);
        }
        return all;
    }

    @Test
    void indefiniteMatricesEndIt() {
        EmulatedGpu gpu = EmulatedGpu.in(folder).withMultiprocessors(1);
        CsrMatrix matrix = tridiagonal(40, Precision.F64).mapValues((row, column, value) -> -value);
        try (CudaBackend backend = gpu.open();
                DenseVector residual = backend.vector(Precision.F64, 40);
                DenseVector x = backend.vector(Precision.F64, 40);
                PersistentKernels.Solution solver =
                        backend.kernels(PersistentKernels.class).conjugateGradients(matrix, 1, null, 8)) {
            residual.copyFrom(HostVector.zeros(Precision.F64, 40).fill(1));
            double[] recorded = new double[24];
            assertEquals(1, solver.run(new PersistentKernels.Bounds(8, 0, 1), true, residual, x, recorded));
            assertEquals(40, recorded[0]);
            assertTrue(recorded[1] < 0, "sigma is " + recorded[1]);
            HostVector left = HostVector.zeros(Precision.F64, 40).fill(1);
            x.copyTo(left);
            assertEquals(0, left.get(39), "nothing has changed");
            assertThrows(IllegalArgumentException.class,
                    () -> solver.run(new PersistentKernels.Bounds(9, 0, 1), true, residual, x, new double[30]));
            assertThrows(IllegalArgumentException.class,
                    () -> solver.run(new PersistentKernels.Bounds(8, 0, 1), true, residual, x, new double[23]));
        }
    }

    @Test
    void largeSystemsAreRefused() {
        EmulatedGpu gpu = EmulatedGpu.in(folder).withMultiprocessors(1);
        try (CudaBackend backend = gpu.open()) {
            PersistentKernels kernels = backend.kernels(PersistentKernels.class);
            assertTrue(kernels.objection(tridiagonal(2048, Precision.F64)).isEmpty());
            CsrBuilder full = new CsrBuilder(200, Precision.F64, 40_000);
            for (int i = 0; i < 40_000; i++) {
                full.add(i % 200, 1);
                if (i % 200 == 199) {
                    full.endRow();
                }
            }
            assertTrue(kernels.objection(full.build()).orElseThrow().contains("of shared memory"));
            CsrMatrix large = tridiagonal(2049, Precision.F64);
            assertTrue(kernels.objection(large).orElseThrow().contains("expected 1 to 2048"));
            assertThrows(UnsupportedKernelException.class, () -> kernels.conjugateGradients(large, 1, null, 8));
        }
    }

    @Test
    void shapesFollowTheRows() {
        long[] small = ChunkedMatrix.starts(tridiagonal(10_000, Precision.F64));
        PersistentShape shape = PersistentShape.of(small, Precision.F64, 132);
        assertEquals(new PersistentShape(79, 4, 128, 1, 79 * 32 + 128 * 3 * 12), shape);
        long[] large = ChunkedMatrix.starts(tridiagonal(200_000, Precision.F64));
        PersistentShape other = PersistentShape.of(large, Precision.F64, 132);
        assertEquals(512, other.threads());
        assertEquals(4, other.rows());
        assertTrue((long) other.blocks() * other.threads() * other.rows() >= 200_000);
    }
}
