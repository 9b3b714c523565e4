package org.trellis.cuda.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.TestGpu;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.LoopKernels;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.IterationMode;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Conjugate gradients whose iterations the GPU repeats by itself, and those that are one kernel, beside those that the
 * host looks at.
 */
class CudaIterationModesTest {
    private static final StoppingCriteria DOUBLE = StoppingCriteria.relative(1e-9, 5000);
    private static final StoppingCriteria SINGLE = StoppingCriteria.relative(1e-4, 5000);

    /** A solution: the report and where it ended. */
    private record Outcome(SolveReport report, HostVector x) {}

    /** Solves twice with one solver, from zero; the first time loops are prepared. Returns the second. */
    private static Outcome solve(CudaBackend gpu, CsrMatrix matrix, String preconditioner, IterationMode way,
            StoppingCriteria criteria, IterationObserver observer) {
        Optional<Preconditioner> made = Preconditioners.of(preconditioner, matrix, gpu, Map.of());
        try (SpmvOperator product = gpu.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner approximate = made.orElse(null);
                ConjugateGradient solver = new ConjugateGradient(product, approximate, gpu);
                DenseVector b = gpu.vector(matrix.precision(), matrix.rows());
                DenseVector x = gpu.vector(matrix.precision(), matrix.rows())) {
            solver.iterating(way);
            b.copyFrom(HostVector.of(matrix.precision(), matrix.rows(), i -> 1 + (i * 7919L + 13) % 1009 / 1009.0));
            HostVector zeros = HostVector.zeros(matrix.precision(), matrix.rows());
            solver.solve(b, x, criteria, IterationObserver.NONE);
            x.copyFrom(zeros);
            SolveReport report = solver.solve(b, x, criteria, observer);
            HostVector solution = HostVector.zeros(matrix.precision(), matrix.rows());
            x.copyTo(solution);
            return new Outcome(report, solution);
        }
    }

    private static Outcome solve(CudaBackend gpu, CsrMatrix matrix, String preconditioner, IterationMode way) {
        return solve(gpu, matrix, preconditioner, way, matrix.precision() == Precision.F64 ? DOUBLE : SINGLE,
                IterationObserver.NONE);
    }

    /** A band with a diagonal that differs, so that the preconditioner does something; rows of up to 7 entries. */
    private static CsrMatrix band(int rows, Precision precision) {
        CsrBuilder builder = new CsrBuilder(rows, precision, 7L * rows);
        int[] distances = {1, 2, 37};
        for (int row = 0; row < rows; row++) {
            for (int i = distances.length - 1; i >= 0; i--) {
                addIf(builder, row - distances[i] >= 0, row - distances[i]);
            }
            builder.add(row, 6.05 + row % 5);
            for (int distance : distances) {
                addIf(builder, row + distance < rows, row + distance);
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static void addIf(CsrBuilder builder, boolean there, int column) {
        if (there) {
            builder.add(column, -1);
        }
    }

    private static boolean stoppedByItself(SolveReport report) {
        return report.facts().notes().stream().anyMatch(note -> note.contains("the device stopped by itself"));
    }

    private static void requireRepeating(CudaBackend gpu) {
        Assumptions.assumeTrue(gpu.kernels(LoopKernels.class).repeats(),
                "the driver has no conditional nodes");
    }

    private static void assertSame(Outcome expected, Outcome found, String context) {
        assertEquals(expected.report().status(), found.report().status(), context + found.report());
        assertEquals(expected.report().residualHistory(), found.report().residualHistory(), context);
        assertEquals(expected.report().iterations(), found.report().iterations(), context);
        for (int i = 0; i < expected.x().length(); i++) {
            assertEquals(expected.x().get(i), found.x().get(i), context + " element " + i);
        }
    }

    private static void assertClose(Outcome expected, Outcome found, double tolerance, String context) {
        assertEquals(expected.report().status(), found.report().status(), context + found.report());
        assertEquals(expected.report().iterations(), found.report().iterations(),
                Math.max(1, expected.report().iterations() / 50), context + found.report());
        for (int i = 0; i < expected.x().length(); i++) {
            assertEquals(expected.x().get(i), found.x().get(i), tolerance * (1 + Math.abs(expected.x().get(i))),
                    context + " element " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"F64, none", "F64, jacobi", "F64, ssor", "F64, ic0", "F32, none", "F32, jacobi", "F32, ssor"})
    void repeatedIterationsAreThoseThatTheHostSees(Precision precision, String preconditioner) {
        try (CudaBackend gpu = TestGpu.open()) {
            requireRepeating(gpu);
            for (int rows : new int[]{151, 1000, 20_011}) {
                CsrMatrix matrix = band(rows, precision);
                Outcome looking = solve(gpu, matrix, preconditioner, IterationMode.LOOKING);
                Outcome repeating = solve(gpu, matrix, preconditioner, IterationMode.REPEATING);
                String context = rows + " rows, " + preconditioner + ": ";
                assertEquals(SolveStatus.CONVERGED, looking.report().status(), context);
                assertTrue(looking.report().iterations() >= 4, context + looking.report());
                assertTrue(stoppedByItself(repeating.report()), context + repeating.report().facts().notes());
                assertFalse(stoppedByItself(looking.report()), context);
                assertSame(looking, repeating, context);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"F64, none", "F64, jacobi", "F32, none", "F32, jacobi"})
    void oneKernelDoesTheSameIterations(Precision precision, String preconditioner) {
        double tolerance = precision == Precision.F64 ? 1e-8 : 1e-3;
        try (CudaBackend gpu = TestGpu.open()) {
            for (int rows : new int[]{1, 2, 31, 32, 33, 127, 1000, 4224, 4225, 20_011, 140_003, 262_144}) {
                CsrMatrix matrix = band(rows, precision);
                Outcome looking = solve(gpu, matrix, preconditioner, IterationMode.LOOKING);
                Outcome resident = solve(gpu, matrix, preconditioner, IterationMode.RESIDENT);
                String context = rows + " rows, " + preconditioner + ": ";
                assertEquals(SolveStatus.CONVERGED, looking.report().status(), context);
                assertTrue(stoppedByItself(resident.report()), context + resident.report().facts().notes());
                assertClose(looking, resident, tolerance, context);
                assertSame(resident, solve(gpu, matrix, preconditioner, IterationMode.RESIDENT), context + "again, ");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REPEATING", "RESIDENT"})
    void manyIterations(IterationMode way) {
        try (CudaBackend gpu = TestGpu.open()) {
            CsrMatrix matrix = Stencils.poisson(new int[]{150, 149, 1}, false, Precision.F64);
            Outcome looking = solve(gpu, matrix, "jacobi", IterationMode.LOOKING);
            Outcome other = solve(gpu, matrix, "jacobi", way);
            assertEquals(SolveStatus.CONVERGED, looking.report().status());
            assertTrue(looking.report().iterations() > 200, looking.report().toString());
            assertClose(looking, other, 1e-6, way + ": ");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REPEATING", "RESIDENT"})
    void limitsOfIterationsAreExact(IterationMode way) {
        try (CudaBackend gpu = TestGpu.open()) {
            CsrMatrix matrix = band(3001, Precision.F64);
            for (int most = 0; most < 14; most++) {
                StoppingCriteria criteria = StoppingCriteria.relative(1e-14, most);
                Outcome looking = solve(gpu, matrix, "jacobi", IterationMode.LOOKING, criteria, IterationObserver.NONE);
                Outcome other = solve(gpu, matrix, "jacobi", way, criteria, IterationObserver.NONE);
                assertEquals(SolveStatus.ITERATION_LIMIT, looking.report().status());
                assertEquals(most, other.report().iterations());
                assertClose(looking, other, 1e-12, "at most " + most + ": ");
                if (way == IterationMode.REPEATING) {
                    assertSame(looking, other, "at most " + most + ": ");
                }
            }
        }
    }

    /** A loose tolerance is met within the first rounds: the iterate is that of the iteration that met it. */
    @ParameterizedTest
    @EnumSource(names = {"REPEATING", "RESIDENT"})
    void theIterateIsThatOfTheIterationThatMetTheCriterion(IterationMode way) {
        try (CudaBackend gpu = TestGpu.open()) {
            CsrMatrix matrix = band(3001, Precision.F64);
            for (int i = 1; i <= 9; i++) {
                StoppingCriteria criteria = StoppingCriteria.relative(Math.pow(10, -0.5 * i), 1000);
                Outcome looking = solve(gpu, matrix, "none", IterationMode.LOOKING, criteria, IterationObserver.NONE);
                Outcome other = solve(gpu, matrix, "none", way, criteria, IterationObserver.NONE);
                assertEquals(looking.report().iterations(), other.report().iterations());
                assertClose(looking, other, 1e-12, criteria + ": ");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REPEATING", "RESIDENT"})
    void indefiniteMatricesBreakDown(IterationMode way) {
        try (CudaBackend gpu = TestGpu.open()) {
            CsrMatrix band = band(3001, Precision.F64);
            CsrMatrix matrix = band.mapValues((row, column, value) -> row == column ? value - 7 : value);
            Outcome looking = solve(gpu, matrix, "none", IterationMode.LOOKING);
            Outcome other = solve(gpu, matrix, "none", way);
            assertEquals(SolveStatus.BREAKDOWN, looking.report().status(), looking.report().toString());
            assertClose(looking, other, 1e-9, way + ": ");
            assertTrue(other.report().detail().contains("the matrix is not positive definite"),
                    other.report().detail());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REPEATING", "RESIDENT"})
    void limitsOfTimeHold(IterationMode way) {
        try (CudaBackend gpu = TestGpu.open()) {
            CsrMatrix matrix = Stencils.poisson(new int[]{300, 300, 1}, false, Precision.F64);
            StoppingCriteria criteria = StoppingCriteria.relative(0, 2_000_000).within(0.2);
            long start = System.nanoTime();
            Outcome outcome = solve(gpu, matrix, "jacobi", way, criteria, IterationObserver.NONE);
            double seconds = (System.nanoTime() - start) * 1e-9;
            assertTrue(outcome.report().status() == SolveStatus.TIME_LIMIT
                    || outcome.report().status() == SolveStatus.STAGNATED, outcome.report().toString());
            assertTrue(seconds < 60, "two solutions of at most 0.2 s took " + seconds + " s");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REPEATING", "RESIDENT", "AUTOMATIC"})
    void observersHearOfEachIteration(IterationMode way) {
        try (CudaBackend gpu = TestGpu.open()) {
            int[] heard = {0};
            Outcome outcome = solve(gpu, band(500, Precision.F64), "jacobi", way, DOUBLE, (iteration, norm) -> {
                heard[0]++;
                assertEquals(heard[0], iteration);
            });
            assertEquals(outcome.report().iterations(), heard[0]);
            assertFalse(stoppedByItself(outcome.report()), outcome.report().facts().notes().toString());
        }
    }

    @Test
    void systemsThatAreTooLargeForOneKernelSaySo() {
        try (CudaBackend gpu = TestGpu.open()) {
            Outcome outcome = solve(gpu, band(900_000, Precision.F64), "jacobi", IterationMode.RESIDENT);
            assertEquals(SolveStatus.CONVERGED, outcome.report().status());
            assertTrue(outcome.report().facts().notes().stream()
                    .anyMatch(note -> note.startsWith("iterations were not one kernel: ")),
                    outcome.report().facts().notes().toString());
        }
    }

    /** Steps that are bound see new values; a kernel with a copy of the matrix is prepared anew. */
    @ParameterizedTest
    @EnumSource(names = {"REPEATING", "RESIDENT"})
    void otherValuesAreSeen(IterationMode way) {
        CsrMatrix matrix = band(2000, Precision.F64);
        CsrMatrix doubled = matrix.mapValues((row, column, value) -> 2 * value);
        try (CudaBackend gpu = TestGpu.open();
                SpmvOperator product = gpu.kernels(SparseKernels.class).prepare(matrix);
                ConjugateGradient solver = new ConjugateGradient(product, null, gpu);
                DenseVector b = gpu.vector(Precision.F64, 2000);
                DenseVector x = gpu.vector(Precision.F64, 2000)) {
            HostVector ones = HostVector.zeros(Precision.F64, 2000).fill(1);
            HostVector before = HostVector.zeros(Precision.F64, 2000);
            HostVector after = HostVector.zeros(Precision.F64, 2000);
            b.copyFrom(ones);
            solver.iterating(way).solve(b, x, DOUBLE, IterationObserver.NONE);
            solver.solve(b, x, DOUBLE, IterationObserver.NONE);
            x.copyTo(before);
            product.refill(values(doubled));
            SolveReport report = solver.solve(b, x, DOUBLE, IterationObserver.NONE);
            x.copyTo(after);
            assertTrue(stoppedByItself(report), report.facts().notes().toString());
            for (int i = 0; i < 2000; i++) {
                assertEquals(before.get(i) / 2, after.get(i), 1e-8, "element " + i);
            }
        }
    }

    private static double[] values(CsrMatrix matrix) {
        HostVector values = matrix.onlySegment().values();
        double[] all = new double[matrix.onlySegment().nonZeros()];
        for (int i = 0; i < all.length; i++) {
            all[i] = values.get(i);
        }
        return all;
    }
}
