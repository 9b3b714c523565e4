package org.trellis.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Every Krylov method does on a GPU what it does on the reference. */
class CudaKrylovTest {
    private static final int SIDE = 40;

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void solvesAsTheReferenceDoes(KrylovMethod method) {
        try (Backend gpu = TestGpu.open();
                Backend reference = Backends.open("reference", Configuration.builder().build())) {
            for (Precision precision : Precision.values()) {
                compare(gpu, reference, method, precision,
                        method.matrices() == KrylovMethod.Matrices.ANY ? "none" : "jacobi", false);
            }
            compare(gpu, reference, method, Precision.F64, "none", false);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CG", "GMRES"})
    void refinesAsTheReferenceDoes(KrylovMethod method) {
        try (Backend gpu = TestGpu.open();
                Backend reference = Backends.open("reference", Configuration.builder().build())) {
            compare(gpu, reference, method, Precision.F64, "jacobi", true);
        }
    }

    private static void compare(Backend gpu, Backend reference, KrylovMethod method, Precision precision,
            String preconditioner, boolean mixed) {
        CsrMatrix matrix = method.isComplex() ? damped(diffusion(precision)) : diffusion(precision);
        boolean single = precision == Precision.F32;
        Map<String, String> options = method == KrylovMethod.RICHARDSON ? Map.of("damping", "0.1") : Map.of();
        SolverConfig stack = new SolverConfig(method.label(), options, preconditioner, Map.of(),
                StoppingCriteria.relative(single ? 1e-4 : 1e-9, 5000), mixed, false);
        HostVector expected = HostVector.zeros(precision, matrix.rows());
        HostVector found = HostVector.zeros(precision, matrix.rows());
        SolveReport onReference = solve(reference, stack, matrix, expected);
        SolveReport onGpu = solve(gpu, stack, matrix, found);
        String context = stack + " " + precision + ": " + onGpu + "; reference: " + onReference;
        assertEquals(SolveStatus.CONVERGED, onReference.status(), context);
        assertEquals(SolveStatus.CONVERGED, onGpu.status(), context);
        assertEquals(onReference.iterations(), onGpu.iterations(), Math.max(2, onReference.iterations() / 10), context);
        for (int i = 0; i < matrix.rows(); i++) {
            assertEquals(expected.get(i), found.get(i), single ? 2e-3 : 1e-7, context);
        }
    }

    private static SolveReport solve(Backend backend, SolverConfig stack, CsrMatrix matrix, HostVector solution) {
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = stack.prepare(matrix, operator, backend);
                DenseVector b = backend.vector(matrix.precision(), matrix.rows());
                DenseVector x = backend.vector(matrix.precision(), matrix.rows())) {
            b.copyFrom(HostVector.of(matrix.precision(), matrix.rows(), i -> (i * 7919L + 13) % 1009 / 1009.0));
            x.copyFrom(solution);
            SolveReport report = solver.solve(b, x, stack.criteria());
            x.copyTo(solution);
            return report;
        }
    }

    /** With an imaginary part on the diagonal, as its real form. */
    private static CsrMatrix damped(CsrMatrix real) {
        return ComplexCsr.of(real, CsrMatrix.identity(real.rows(), real.precision())).realForm();
    }

    /** A Laplacian with a reaction, so that methods without a preconditioner need few iterations. */
    private static CsrMatrix diffusion(Precision precision) {
        int n = SIDE * SIDE;
        CsrBuilder builder = new CsrBuilder(n, precision, 5L * n);
        for (int i = 0; i < n; i++) {
            if (i >= SIDE) {
                builder.add(i - SIDE, -1);
            }
            if (i % SIDE > 0) {
                builder.add(i - 1, -1);
            }
            builder.add(i, 5 + i % 3);
            if (i % SIDE < SIDE - 1) {
                builder.add(i + 1, -1);
            }
            if (i + SIDE < n) {
                builder.add(i + SIDE, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }
}
