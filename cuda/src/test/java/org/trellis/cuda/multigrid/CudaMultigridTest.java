package org.trellis.cuda.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.TestGpu;
import org.trellis.cuda.solve.Stencils;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** Solves with hierarchies that were set up on the GPU, and multiplies by matrices that were made there. */
class CudaMultigridTest {
    private static SolveReport solve(Backend backend, CsrMatrix matrix, Multigrid multigrid) {
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend);
                DenseVector b = backend.vector(matrix.precision(), matrix.rows());
                DenseVector x = backend.vector(matrix.precision(), matrix.rows())) {
            b.copyFrom(HostVector.of(matrix.precision(), matrix.rows(), i -> (i * 7919L + 13) % 1009 / 1009.0));
            return solver.solve(b, x, StoppingCriteria.relative(matrix.precision() == Precision.F64 ? 1e-8 : 1e-4, 50));
        }
    }

    @Test
    void takesAsManyIterationsAsTheHostsHierarchy() {
        try (CudaBackend gpu = TestGpu.open();
                Backend threads = Backends.open("threads", Configuration.builder().build())) {
            for (Precision precision : Precision.values()) {
                for (String smoother : new String[]{"chebyshev,kind=4,degree=2", "jacobi", "gauss-seidel"}) {
                    CsrMatrix matrix = Stencils.poisson(new int[]{83, 61, 1}, false, precision);
                    CsrMatrix other = matrix.scaled(3);
                    try (Multigrid there = Multigrid.of(matrix, null,
                            Map.of("setup", "backend", "smoother", smoother), gpu);
                            Multigrid here = Multigrid.of(matrix, null,
                                    Map.of("aggregates", "mis2", "smoother", smoother), threads)) {
                        SolveReport expected = solve(threads, matrix, here);
                        SolveReport found = solve(gpu, matrix, there);
                        String context = precision + ", " + smoother + ": " + found;
                        assertEquals(SolveStatus.CONVERGED, found.status(), context);
                        assertEquals(expected.iterations(), found.iterations(), 1, context);
                        there.refresh(other);
                        assertEquals(expected.iterations(), solve(gpu, other, there).iterations(), 1, context);
                        assertTrue(there.report().setupSeconds().size() > 3, context);
                    }
                }
            }
        }
    }

    /** Classical levels, and thinned ones of a coefficient that jumps, take the steps of those from the host. */
    @Test
    void classicalAndThinnedLevelsAreThoseOfTheHost() {
        CsrMatrix plain = Stencils.poisson(new int[]{31, 29, 27}, false, Precision.F64);
        double[] sums = new double[plain.rows()];
        plain.forEachEntry((row, column, value) -> sums[row] += row == column ? 1e-3 : coefficient(row, column));
        CsrMatrix jumps = plain.mapValues((row, column, value) -> row == column
                ? sums[row]
                : -coefficient(row, column));
        Map<String, String> classical = Map.of("coarsening", "classical");
        Map<String, String> thinned = Map.of("aggregates", "mis2", "truncation", "0.2", "strength", "signed");
        try (CudaBackend gpu = TestGpu.open();
                Backend threads = Backends.open("threads", Configuration.builder().build())) {
            for (CsrMatrix matrix : List.of(plain, jumps)) {
                for (Map<String, String> options : List.of(classical, thinned)) {
                    Map<String, String> onDevice = new HashMap<>(options);
                    onDevice.put("setup", "backend");
                    try (Multigrid there = Multigrid.of(matrix, null, onDevice, gpu);
                            Multigrid here = Multigrid.of(matrix, null, options, threads)) {
                        assertEquals(here.hierarchy().operatorComplexity(), there.hierarchy().operatorComplexity());
                        SolveReport expected = solve(threads, matrix, here);
                        SolveReport found = solve(gpu, matrix, there);
                        // Thinning these aggregates of the jumps leaves no definite preconditioner, here nor there.
                        assertEquals(expected.status(), found.status(), options + ": " + found);
                        assertEquals(expected.iterations(), found.iterations(), 1, options + ": " + found);
                        if (expected.status() != SolveStatus.CONVERGED) {
                            continue;
                        }
                        there.refresh(matrix.scaled(3));
                        assertEquals(expected.iterations(), solve(gpu, matrix.scaled(3), there).iterations(), 1,
                                options + ", refreshed");
                    }
                }
            }
        }
    }

    /** The harmonic mean of what both ends have: a thousand in some blocks. */
    private static double coefficient(int row, int column) {
        double one = row % 31 / 8 % 2 == 0 ? 1 : 1000;
        double other = column % 31 / 8 % 2 == 0 ? 1 : 1000;
        return 2 * one * other / (one + other);
    }

    @Test
    void levelsMayBeInSinglePrecision() {
        try (CudaBackend gpu = TestGpu.open()) {
            CsrMatrix matrix = Stencils.poisson(new int[]{83, 61, 1}, false, Precision.F64);
            for (String setup : new String[]{"backend", "host"}) {
                try (Multigrid wide = Multigrid.of(matrix, null, Map.of("setup", setup), gpu);
                        Multigrid narrow = Multigrid.of(matrix, null, Map.of("setup", setup, "levels", "f32"), gpu)) {
                    SolveReport expected = solve(gpu, matrix, wide);
                    SolveReport found = solve(gpu, matrix, narrow);
                    assertEquals(SolveStatus.CONVERGED, found.status(), found.toString());
                    assertEquals(expected.iterations(), found.iterations(), 1, found.toString());
                    assertTrue(narrow.storedBytes() < 0.8 * wide.storedBytes());
                    narrow.refresh(matrix.scaled(2));
                    assertEquals(expected.iterations(), solve(gpu, matrix.scaled(2), narrow).iterations(), 1);
                }
            }
        }
    }

    @Test
    void leavesNothingOnTheDevice() {
        try (CudaBackend gpu = TestGpu.open()) {
            CsrMatrix matrix = Stencils.poisson(new int[]{40, 40, 1}, false, Precision.F64);
            long used = 0;
            for (int round = 0; round < 3; round++) {
                try (Multigrid multigrid = Multigrid.of(matrix, null, Map.of("setup", "backend"), gpu)) {
                    multigrid.refresh(matrix.scaled(2));
                }
                long now = gpu.context().memoryStatistics().usedBytes();
                assertTrue(round < 2 || now <= used, now + " bytes after " + used);
                used = now;
            }
        }
    }

    @Test
    void multipliesByMatricesThatAreThere() {
        try (CudaBackend gpu = TestGpu.open()) {
            for (Precision precision : Precision.values()) {
                for (int[] sides : new int[][]{{70, 41, 1}, {700, 700, 1}, {64, 64, 30}}) {
                    CsrMatrix matrix = Stencils.poisson(sides, sides[2] > 1, precision);
                    HostVector x = HostVector.of(precision, matrix.rows(), i -> i % 17 - 8);
                    HostVector found = HostVector.zeros(precision, matrix.rows());
                    SparseKernels kernels = gpu.kernels(SparseKernels.class);
                    try (BackendMatrix there = gpu.kernels(MatrixAlgebra.class).upload(matrix)) {
                        SpmvParameters parameters = kernels.rule(there);
                        try (SpmvOperator product = kernels.prepare(there);
                                DenseVector onDevice = gpu.vector(precision, matrix.rows());
                                DenseVector y = gpu.vector(precision, matrix.rows())) {
                            onDevice.copyFrom(x);
                            product.multiply(onDevice, y);
                            y.copyTo(found);
                        }
                        HostVector expected = matrix.multiply(x);
                        for (int i = 0; i < matrix.rows(); i++) {
                            assertEquals(expected.get(i), found.get(i), 0, parameters + ", row " + i);
                        }
                    }
                }
            }
        }
    }
}
