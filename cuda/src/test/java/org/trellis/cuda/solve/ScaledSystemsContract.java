package org.trellis.cuda.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/**
 * Systems times powers of two on a device: solved in the same iterations as they are without, as far as the sums of a
 * device are the same each time.
 */
abstract class ScaledSystemsContract {
    private static final int[][] DOUBLE = {{0, 540}, {0, -560}, {-400, 200}, {500, 500}};
    private static final int[][] SINGLE = {{0, 66}, {0, -76}, {-40, 50}, {90, 90}};

    /** Opens the device, or skips the test. */
    @MustBeClosed
    protected abstract Backend open();

    private static SolveReport solve(Backend backend, SolverConfig config, CsrMatrix matrix, HostVector b,
            HostVector x) {
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = config.prepare(matrix, operator, backend);
                DenseVector right = backend.vector(b.precision(), b.length());
                DenseVector solution = backend.vector(x.precision(), x.length())) {
            right.copyFrom(b);
            SolveReport report = solver.solve(right, solution, config.criteria());
            solution.copyTo(x);
            return report;
        }
    }

    /** Solves in both precisions, as they are and scaled. */
    final void requireAlike(String method, String preconditioner) {
        try (Backend backend = open()) {
            for (Precision precision : Precision.values()) {
                SplittableRandom random = TestSeed.random("iteratesAlike" + method);
                CsrMatrix part = AwkwardMatrices.stencil(9, 7, precision, random);
                CsrMatrix matrix = part.plus(part.transpose()).plus(CsrMatrix.identity(63, precision).scaled(12));
                HostVector b = HostVector.of(precision, 63, i -> random.nextDouble(-1, 1));
                SolverConfig config = SolverConfig.of(method, preconditioner)
                        .with(StoppingCriteria.relative(precision == Precision.F32 ? 1e-5 : 1e-10, 500));
                HostVector x = HostVector.zeros(precision, 63);
                SolveReport expected = solve(backend, config, matrix, b, x);
                assertTrue(expected.converged(), expected::toString);
                for (int[] by : precision == Precision.F64 ? DOUBLE : SINGLE) {
                    HostVector y = HostVector.zeros(precision, 63);
                    SolveReport found = solve(backend, config,
                            matrix.mapValues((i, j, value) -> Math.scalb(value, by[0])),
                            HostVector.of(precision, 63, i -> Math.scalb(b.get(i), by[1])), y);
                    String context = method + ", " + preconditioner + ", " + precision + ", 2^" + by[0] + " A x = 2^"
                            + by[1] + " b, seed " + TestSeed.value() + ": " + found + "\nexpected " + expected;
                    assertTrue(found.converged(), context);
                    assertEquals(expected.iterations(), found.iterations(), 1, context);
                    for (int i = 0; i < 63; i++) {
                        assertEquals(x.get(i), Math.scalb(y.get(i), by[0] - by[1]),
                                precision == Precision.F32 ? 1e-5 : 1e-10, context);
                    }
                }
            }
        }
    }
}
