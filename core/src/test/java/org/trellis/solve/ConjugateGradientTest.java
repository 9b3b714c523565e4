package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Step;
import org.trellis.mesh.WorkStep;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class ConjugateGradientTest {
    private final Backend reference = Backends.open("reference", Configuration.load());

    @AfterEach
    void close() {
        reference.close();
    }

    private static CsrMatrix dense(int size, double... values) {
        int[] offsets = new int[size + 1];
        int[] columns = new int[size * size];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = k % size;
            offsets[k / size + 1] = k + 1;
        }
        return CsrMatrix.of(size, size, offsets, columns, values);
    }

    private SolveReport solve(Backend backend, CsrMatrix matrix, boolean jacobi, HostVector b, HostVector x,
            StoppingCriteria criteria) {
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner preconditioner = jacobi ? JacobiPreconditioner.of(matrix, backend) : null;
                ConjugateGradient solver = new ConjugateGradient(operator, preconditioner, backend);
                DenseVector right = backend.vector(matrix.precision(), matrix.rows());
                DenseVector solution = backend.vector(matrix.precision(), matrix.rows())) {
            right.copyFrom(b);
            solution.copyFrom(x);
            SolveReport report = solver.solve(right, solution, criteria, ProgressListener.NONE);
            solution.copyTo(x);
            return report;
        }
    }

    @Test
    void stepsAsWorkedOutByHand() {
        // A = [[4, 1], [1, 3]], b = (1, 2), x0 = (2, 1): the textbook example with x = (1/11, 7/11)
        HostVector x = HostVector.of(2.0, 1);
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), false, HostVector.of(1.0, 2), x,
                StoppingCriteria.relative(1e-12, 10));
        assertEquals(SolveStatus.CONVERGED, report.status());
        assertEquals(2, report.iterations());
        assertArrayEquals(new double[]{1.0 / 11, 7.0 / 11}, x.doubles(), 1e-14);
        assertEquals(Math.sqrt(73), report.residualHistory().get(0), 1e-14);
        assertEquals(0.8001937042442401, report.residualHistory().get(1), 1e-14);
        assertEquals(Math.sqrt(5), report.rightHandSideNorm(), 1e-15);
    }

    @Test
    void stopsAtTheIterationLimit() {
        HostVector x = HostVector.of(2.0, 1);
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), false, HostVector.of(1.0, 2), x,
                StoppingCriteria.relative(1e-12, 1));
        assertEquals(SolveStatus.ITERATION_LIMIT, report.status());
        assertEquals(1, report.iterations());
        assertEquals(2, report.residualHistory().size());
        assertEquals(report.finalResidual(), report.trueResidual(), 1e-14);
        assertFalse(report.converged());
    }

    @Test
    void doesNothingForAnExactGuess() {
        HostVector x = HostVector.of(0.0, 0);
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), true, HostVector.of(0.0, 0), x,
                StoppingCriteria.relative(1e-12, 10));
        assertEquals(SolveStatus.CONVERGED, report.status());
        assertEquals(0, report.iterations());
    }

    @Test
    void absoluteToleranceCountsToo() {
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), false, HostVector.of(1.0, 2),
                HostVector.of(2.0, 1), new StoppingCriteria(0, 1, 10, 1e5));
        assertEquals(SolveStatus.CONVERGED, report.status());
        assertEquals(1, report.iterations());
    }

    @Test
    void breaksDownOnAnIndefiniteMatrix() {
        SolveReport report = solve(reference, dense(2, 1, 0, 0, -1), false, HostVector.of(1.0, 2),
                HostVector.of(0.0, 0), StoppingCriteria.relative(1e-12, 10));
        assertEquals(SolveStatus.BREAKDOWN, report.status());
        assertEquals("in iteration 1 p^T A p is -3.0: the matrix is not positive definite", report.detail());
        SolveReport jacobi = solve(reference, dense(2, 1, 0, 0, -1), true, HostVector.of(1.0, 2),
                HostVector.of(0.0, 0), StoppingCriteria.relative(1e-12, 10));
        assertEquals("in iteration 1 r^T M^-1 r is -3.0: the preconditioner is not positive definite",
                jacobi.detail());
    }

    @Test
    void seesDivergence() {
        // skew perturbation: p^T A p stays positive while the residual grows
        SolveReport growing = solve(reference, dense(2, 1, 1000, -1000, 1), false, HostVector.of(1.0, 2),
                HostVector.of(0.0, 0), new StoppingCriteria(1e-12, 0, 10, 10));
        assertEquals(SolveStatus.DIVERGED, growing.status());
    }

    @Test
    void solvesOnEveryBackendInBothPrecisions() {
        SplittableRandom random = TestSeed.random("solvesOnEveryBackend");
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = positiveDefinite(precision, random);
            HostVector exact = HostVector.of(precision, matrix.rows(), i -> random.nextDouble(-1, 1));
            HostVector b = HostVector.zeros(precision, matrix.rows());
            try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix)) {
                operator.multiply(exact, b);
            }
            double tolerance = precision == Precision.F64 ? 1e-12 : 1e-5;
            for (Backend backend : available()) {
                try (backend) {
                    for (boolean jacobi : new boolean[]{false, true}) {
                        HostVector x = HostVector.zeros(precision, matrix.rows());
                        SolveReport report = solve(backend, matrix, jacobi, b, x,
                                StoppingCriteria.relative(tolerance, 500));
                        String context = backend + ", Jacobi " + jacobi + ", seed " + TestSeed.value() + ": " + report;
                        assertTrue(report.converged(), context);
                        assertTrue(report.trueResidual() <= tolerance * report.rightHandSideNorm(), context);
                    }
                }
            }
        }
    }

    @Test
    void doesNotTrustTheRecurrence() {
        CsrMatrix matrix = laplacian(30, Precision.F32);
        HostVector b = HostVector.zeros(Precision.F32, matrix.rows()).fill(1);
        for (Backend backend : available()) {
            try (backend) {
                for (boolean jacobi : new boolean[]{false, true}) {
                    SolveReport report = solve(backend, matrix, jacobi, b, HostVector.zeros(Precision.F32, b.length()),
                            StoppingCriteria.relative(1e-12, 100_000));
                    String context = backend + ", Jacobi " + jacobi + ": " + report;
                    assertEquals(SolveStatus.STAGNATED, report.status(), context);
                    assertFalse(report.converged(), context);
                    double threshold = 1e-12 * report.rightHandSideNorm();
                    assertTrue(report.finalResidual() <= threshold, context);
                    assertTrue(report.trueResidual() > 1e3 * threshold, context);
                    assertTrue(report.restarts() >= 3, context);
                    assertTrue(report.detail().contains("recomputed residual " + report.trueResidual()), context);
                }
            }
        }
    }

    @Test
    void goesOnFromTheTrueResidual() {
        // The far first guess makes the recurred residual wrong by about u |A| |x0|, which a restart mends.
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = laplacian(20, precision);
            HostVector b = HostVector.zeros(precision, matrix.rows()).fill(1);
            double far = precision == Precision.F64 ? 1e10 : 1e4;
            for (Backend backend : available()) {
                try (backend) {
                    HostVector x = HostVector.of(precision, matrix.rows(), i -> far * ((i * 7919) % 13 - 6));
                    double tolerance = precision == Precision.F64 ? 1e-11 : 1e-4;
                    SolveReport report =
                            solve(backend, matrix, true, b, x, StoppingCriteria.relative(tolerance, 10_000));
                    assertEquals(SolveStatus.CONVERGED, report.status(), report::toString);
                    assertTrue(report.restarts() > 0, report::toString);
                    assertTrue(report.trueResidual() <= tolerance * report.rightHandSideNorm(), report::toString);
                }
            }
        }
    }

    @Test
    void stagnatesRatherThanUnderflows() {
        SolveReport report = solve(reference, laplacian(12, Precision.F64), false,
                HostVector.of(Precision.F64, 144, i -> 1 + i / 7.0), HostVector.zeros(Precision.F64, 144),
                StoppingCriteria.relative(0, 100_000));
        assertEquals(SolveStatus.STAGNATED, report.status(), report::toString);
        assertTrue(report.trueResidual() < 1e-12, report::toString);
    }

    @Test
    void solvesSystemsOfAnySize() {
        for (Precision precision : Precision.values()) {
            boolean f64 = precision == Precision.F64;
            double[][] sizes = f64
                    ? new double[][]{{1, 1e-170}, {1, 1e-290}, {1, 1e200}, {1, 1e300}, {1e200, 1}, {1e-200, 1},
                        {1e250, 1e-30}, {1e150, 1e300}, {1e-280, 1e-290}}
                    : new double[][]{{1, 1e-25}, {1, 1e-32}, {1, 1e25}, {1, 1e34}, {1e30, 1}, {1e-30, 1}, {1e34, 1e30},
                        {1e-30, 1e-25}, {1e11, 1e11}};
            CsrMatrix matrix = laplacian(15, precision);
            HostVector b = HostVector.of(precision, matrix.rows(), i -> 1 + i % 7);
            StoppingCriteria criteria = StoppingCriteria.relative(f64 ? 1e-10 : 1e-5, 1000);
            for (Backend backend : available()) {
                try (backend) {
                    for (boolean jacobi : new boolean[]{false, true}) {
                        HostVector usual = HostVector.zeros(precision, b.length());
                        solve(backend, matrix, jacobi, b, usual, criteria);
                        for (double[] size : sizes) {
                            HostVector x = HostVector.zeros(precision, b.length());
                            SolveReport report = solve(backend, matrix.mapValues((i, j, a) -> a * size[0]), jacobi,
                                    HostVector.of(precision, b.length(), i -> b.get(i) * size[1]), x, criteria);
                            String context = backend + ", " + precision + ", Jacobi " + jacobi + ", A times " + size[0]
                                    + ", b times " + size[1] + ": " + report;
                            assertEquals(SolveStatus.CONVERGED, report.status(), context);
                            assertTrue(report.iterations() > 10, context);
                            double factor = size[1] / size[0];
                            for (int i = 0; i < x.length(); i++) {
                                assertEquals(usual.get(i) * factor, x.get(i),
                                        (f64 ? 1e-8 : 2e-3) * Math.abs(usual.get(i)) * factor, context);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void refusesWhatIsNotFinite() {
        CsrMatrix matrix = dense(2, 4, 1, 1, 3);
        StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 10);
        for (Backend backend : available()) {
            try (backend) {
                refused("right-hand side: row 1 is Infinity, expected a finite number", () -> solve(backend, matrix,
                        false, HostVector.of(1, Double.POSITIVE_INFINITY), HostVector.of(0.0, 0), criteria));
                refused("right-hand side: row 0 is NaN, expected a finite number", () -> solve(backend, matrix, true,
                        HostVector.of(Double.NaN, 1), HostVector.of(0.0, 0), criteria));
                refused("first guess: row 1 is -Infinity, expected a finite number", () -> solve(backend, matrix,
                        true, HostVector.of(1.0, 1), HostVector.of(0, Double.NEGATIVE_INFINITY), criteria));
                refused("the entry in row 1, column 0 is NaN, expected a finite number", () -> solve(backend,
                        dense(2, 4, 1, Double.NaN, 3), false, HostVector.of(1.0, 1), HostVector.of(0.0, 0), criteria));
                refused("its norm is more than", () -> solve(backend, matrix, false,
                        HostVector.of(Double.MAX_VALUE, Double.MAX_VALUE), HostVector.of(0.0, 0), criteria));
            }
        }
        refused("diagonal element of row 1 is Infinity", () -> JacobiPreconditioner.of(
                dense(2, 1, 0, 0, Double.POSITIVE_INFINITY), reference));
        refused("whose inverse is a finite f32 number", () -> JacobiPreconditioner.of(
                dense(2, 1, 0, 0, 1e-40).toPrecision(Precision.F32), reference));
    }

    private static void refused(String message, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    /** Five points on a square. */
    private static CsrMatrix laplacian(int side, Precision precision) {
        SplittableRandom ignored = new SplittableRandom(0);
        return AwkwardMatrices.stencil(side, side, precision, ignored).mapValues((i, j, a) -> i == j ? 4 : -1);
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private static List<Backend> available() {
        List<Backend> open = new ArrayList<>();
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available()) {
                open.add(provider.open(Configuration.load()));
            }
        }
        return open;
    }

    /** A random symmetric matrix made diagonally dominant. */
    private static CsrMatrix positiveDefinite(Precision precision, SplittableRandom random) {
        CsrMatrix symmetric = AwkwardMatrices.symmetrised(AwkwardMatrices.stencil(17, 19, precision, random));
        double[] sums = new double[symmetric.rows()];
        symmetric.forEachEntry((i, j, a) -> sums[i] += i == j ? 0 : Math.abs(a));
        return symmetric.mapValues((i, j, a) -> i == j ? sums[i] + 0.5 + i % 3 : a);
    }

    @Test
    void refusesWhatItCannotSolve() {
        CsrMatrix wide = CsrMatrix.of(1, 2, new int[]{0, 1}, new int[]{0}, new double[]{1});
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(wide)) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                    () -> new ConjugateGradient(operator, null, reference));
            assertTrue(e.getMessage().endsWith("expected a square matrix"), e.getMessage());
        }
        IllegalArgumentException zero = assertThrows(IllegalArgumentException.class,
                () -> JacobiPreconditioner.of(dense(2, 1, 0, 0, 0), reference));
        assertTrue(zero.getMessage().contains("diagonal element of row 1 is 0.0"), zero.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> solve(reference, dense(1, 1), false, HostVector.of(1.0), HostVector.of(0.0),
                        StoppingCriteria.relative(-1, 5)));
        assertThrows(IllegalArgumentException.class, () -> StoppingCriteria.relative(Double.NaN, 5));
        assertThrows(IllegalArgumentException.class, () -> StoppingCriteria.relative(0, -1));
        assertThrows(IllegalArgumentException.class, () -> new StoppingCriteria(0, 0, 1, 1));
    }

    /** The vectors that an iteration moves beside the product, counted by who sees its steps. */
    @Test
    void movesFewVectors() {
        SplittableRandom random = TestSeed.random("movesFewVectors");
        CsrMatrix matrix = positiveDefinite(Precision.F64, random);
        HostVector b = HostVector.of(Precision.F64, matrix.rows(), i -> random.nextDouble(-1, 1));
        for (boolean jacobi : new boolean[]{false, true}) {
            try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix);
                    Preconditioner preconditioner = jacobi ? JacobiPreconditioner.of(matrix, reference) : null;
                    ConjugateGradient solver = new ConjugateGradient(operator, preconditioner, reference);
                    HostVector x = HostVector.zeros(Precision.F64, matrix.rows())) {
                int[] moved = {0};
                solver.mesh().addListener(step -> moved[0] += step instanceof WorkStep ? 0 : vectors(step));
                int begin = vectorsOf(solver, moved, b, x, 1);
                int iteration = vectorsOf(solver, moved, b, x.fill(0), 2) - begin;
                assertEquals(jacobi ? 10 : 8, iteration);
            }
        }
    }

    private static int vectorsOf(ConjugateGradient solver, int[] moved, HostVector b, HostVector x, int iterations) {
        moved[0] = 0;
        solver.solve(b, x, StoppingCriteria.relative(0, iterations), ProgressListener.NONE);
        return moved[0];
    }

    private static int vectors(Step step) {
        return (int) (step.reads().stream().filter(data -> data.data() instanceof Dat).count()
                + step.writes().stream().filter(data -> data.data() instanceof Dat).count());
    }

    /** Looking at the residual now and then does not change what is reported. */
    @Test
    void reportsTheSameHoweverSeldomItLooks() {
        SplittableRandom random = TestSeed.random("reportsTheSame");
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = positiveDefinite(precision, random);
            HostVector b = HostVector.of(precision, matrix.rows(), i -> random.nextDouble(-1, 1));
            double tolerance = precision == Precision.F64 ? 1e-11 : 1e-5;
            for (Backend backend : available()) {
                try (backend) {
                    SolveReport first = null;
                    HostVector expected = null;
                    for (int every : new int[]{1, 2, 5, 7, 1}) {
                        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                                Preconditioner jacobi = JacobiPreconditioner.of(matrix, backend);
                                ConjugateGradient solver = new ConjugateGradient(operator, jacobi, backend);
                                DenseVector right = backend.vector(precision, matrix.rows());
                                DenseVector solution = backend.vector(precision, matrix.rows())) {
                            right.copyFrom(b);
                            SolveReport report = solver.checkInterval(every).solve(right, solution,
                                    StoppingCriteria.relative(tolerance, 500), ProgressListener.NONE);
                            HostVector x = HostVector.zeros(precision, matrix.rows());
                            solution.copyTo(x);
                            if (first == null) {
                                first = report;
                                expected = x;
                            }
                            String context = backend + " every " + every + ", seed " + TestSeed.value();
                            assertEquals(first.residualHistory(), report.residualHistory(), context);
                            assertEquals(first.status(), report.status(), context);
                            assertEquals(first.trueResidual(), report.trueResidual(), context);
                            assertArrayEquals(expected.toDoubleArray(), x.toDoubleArray(), context);
                        }
                    }
                }
            }
        }
    }

    @Test
    void leavesTheSolutionAloneAfterABreakdown() {
        HostVector x = HostVector.of(0.5, 0.25);
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(dense(2, 1, 0, 0, -1));
                ConjugateGradient solver = new ConjugateGradient(operator, null, reference)) {
            SolveReport report = solver.checkInterval(4).solve(HostVector.of(1.0, 2), x,
                    StoppingCriteria.relative(1e-12, 10), ProgressListener.NONE);
            assertEquals(SolveStatus.BREAKDOWN, report.status());
            assertEquals(0, report.iterations());
            assertArrayEquals(new double[]{0.5, 0.25}, x.doubles());
        }
        assertThrows(IllegalArgumentException.class, () -> {
            try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(dense(1, 1));
                    ConjugateGradient solver = new ConjugateGradient(operator, null, reference)) {
                solver.checkInterval(0);
            }
        });
    }
}
