package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Stacks as values, the automatic choice, null spaces, mixed precision and several right-hand sides. */
class SolverConfigTest {
    private final Backend reference = Backends.open("reference", Configuration.load());

    @AfterEach
    void close() {
        reference.close();
    }

    private static SolveReport solve(Backend backend, SolverConfig stack, CsrMatrix matrix, HostVector b,
            HostVector x) {
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = stack.prepare(matrix, operator, backend);
                DenseVector right = backend.vector(matrix.precision(), matrix.rows());
                DenseVector solution = backend.vector(matrix.precision(), matrix.columns())) {
            right.copyFrom(b);
            solution.copyFrom(x);
            SolveReport report = solver.solve(right, solution, stack.criteria());
            solution.copyTo(x);
            return report;
        }
    }

    private SolveReport auto(double[][] a, double... b) {
        return solve(reference, SolverConfig.preset("default"), KrylovSystems.csr(a, a[0].length, Precision.F64),
                HostVector.of(b), HostVector.zeros(Precision.F64, a[0].length));
    }

    /** Chooses as for a matrix that is spread over ranks, whose factorisation is the last choice. */
    private SolveReport iterative(CsrMatrix matrix, HostVector b, StoppingCriteria criteria) {
        SolverContext parts = SolverContext.of(reference);
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix);
                AutomaticSolver solver = new AutomaticSolver(MatrixProperties.of(matrix, parts), operator, reference,
                        new AutomaticSolver.Maker() {
                            @Override
                            public LinearSolver stack(SolverConfig stack) {
                                return ConfiguredSolver.prepare(stack, matrix, operator, parts);
                            }

                            @Override
                            @SuppressWarnings("MustBeClosed") // closed with the solver
                            public LinearSolver factorised(KrylovMethod method, Map<String, String> options,
                                    FactorLimits limits) {
                                return ConfiguredSolver.prepare(method, options,
                                        new LuPreconditioner(matrix, reference, limits), System.nanoTime(), operator,
                                        reference);
                            }
                        })) {
            return solver.solve(b, HostVector.zeros(matrix.precision(), matrix.rows()), criteria);
        }
    }

    private SolveReport iterative(double[][] a, double... b) {
        return iterative(KrylovSystems.csr(a, a[0].length, Precision.F64), HostVector.of(b),
                SolverConfig.preset("default").criteria());
    }

    private static String notes(SolveReport report) {
        return String.join("\n", report.facts().notes());
    }

    /** A product may be copied to a device, and its form be searched for, for nothing. */
    @Test
    void preparesNoProductForAFactorisation() {
        CsrMatrix matrix = KrylovSystems.csr(new double[][]{{4, 1}, {1, 3}}, 2, Precision.F64);
        Supplier<LinearOperator> product = () -> {
            throw new AssertionError("a product was asked for");
        };
        try (AutomaticSolver solver = new AutomaticSolver(matrix, product, SolverContext.of(reference))) {
            HostVector b = HostVector.of(1, 2);
            SolveReport report = solver.solve(b, HostVector.zeros(Precision.F64, 2),
                    StoppingCriteria.defaults(Precision.F64));
            assertTrue(report.converged() && report.method().equals("direct"), report::toString);
        }
    }

    @Test
    void choosesByWhatTheMatrixIs() {
        SolveReport definite = auto(new double[][]{{4, 1}, {1, 3}}, 1, 2);
        assertTrue(definite.converged() && definite.method().equals("direct"), definite::toString);
        assertEquals("Cholesky factorisation", definite.preconditioner());
        assertEquals("cg", iterative(new double[][]{{4, 1}, {1, 3}}, 1, 2).method());
        assertTrue(notes(definite).contains("the matrix is symmetric, its diagonal is positive"), notes(definite));
        SolveReport indefinite = auto(new double[][]{{0, 1}, {1, 0}}, 1, 2);
        assertTrue(indefinite.converged() && indefinite.preconditioner().equals("L D Lt factorisation"),
                indefinite::toString);
        assertEquals("minres", iterative(new double[][]{{0, 1}, {1, 0}}, 1, 2).method());
        assertTrue(notes(indefinite).contains("not positive, for the first time in row 0"), notes(indefinite));
        SolveReport rectangular = auto(new double[][]{{1}, {1}}, 1, 3);
        assertTrue(rectangular.converged() && rectangular.method().equals("lsqr"), rectangular::toString);
        SolveReport unsymmetric = auto(new double[][]{{4, 1}, {0, 3}}, 1, 2);
        assertTrue(unsymmetric.converged() && unsymmetric.preconditioner().equals("LU factorisation"),
                unsymmetric::toString);
        assertTrue(iterative(new double[][]{{4, 1}, {0, 3}}, 1, 2).converged());
        assertTrue(notes(unsymmetric).contains("the matrix is not symmetric"), notes(unsymmetric));
    }

    @Test
    void fallsBackOpenly() {
        // symmetric with a positive diagonal, but eigenvalues 3 and -1
        SolveReport direct = auto(new double[][]{{1, 2}, {2, 1}}, 1, -1);
        assertTrue(direct.converged() && direct.preconditioner().equals("L D Lt factorisation"), direct::toString);
        assertTrue(notes(direct).contains("not positive definite"), notes(direct));
        SolveReport report = iterative(new double[][]{{1, 2}, {2, 1}}, 1, -1);
        assertTrue(report.converged() && report.method().equals("minres"), report::toString);
        assertTrue(notes(report).contains("not positive definite\nauto: on to the next choice"), notes(report));
        SolveReport singular = auto(new double[][]{{0, 1}, {0, 0}}, 1, 1);
        assertTrue(!singular.converged(), singular::toString);
        assertTrue(notes(singular).contains("cannot be prepared"), notes(singular));
        assertEquals(Math.sqrt(2), singular.rightHandSideNorm(), 1e-15);
        assertEquals(SolveStatus.STAGNATED, singular.status());
        assertTrue(singular.detail().contains("the least residual of all is 1.0: the matrix is singular"),
                singular::detail);
        SolveReport consistent = auto(new double[][]{{0, 1}, {0, 0}}, 1, 0);
        assertTrue(consistent.converged(), consistent::toString);
    }

    /** A Hilbert matrix of ten rows: the residual is small, and the error need not be. */
    @Test
    void saysHowFarTheErrorMayBe() {
        double[][] hilbert = new double[10][10];
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                hilbert[i][j] = 1.0 / (i + j + 1);
            }
        }
        SolveReport report = auto(hilbert, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        assertTrue(notes(report).contains("the condition number of the matrix is about "), notes(report));
        assertTrue(notes(report).contains("e+13, so the relative error"), notes(report));
        assertFalse(notes(auto(new double[][]{{4, 1}, {1, 3}}, 1, 2)).contains("condition number"));
    }

    @Test
    void sharesTheTimeAmongTheChoices() {
        // No method reaches the tolerance, however fast the machine is: minres alone would use all of the time.
        CsrMatrix matrix = KrylovSystems.laplacian(40, Precision.F64)
                .mapValues((i, j, a) -> i == j ? (i % 2 == 0 ? 0 : 1e-3) : a * (1 + (i + j) % 7));
        SolveReport report = iterative(matrix, HostVector.zeros(Precision.F64, 1600).fill(1),
                new StoppingCriteria(1e-30, 0, 1_000_000, 1e5).within(1));
        assertTrue(notes(report).contains("gmres(50) with ilu0"), notes(report));
    }

    /** Factors of random matrices fill wholly, and where the diagonal is nearly dominant a few iterations do. */
    @Test
    void leavesSmallFactorisationsThatWouldFill() {
        int rows = 3000;
        SplittableRandom random = TestSeed.random("leavesSmallFactorisationsThatWouldFill");
        CsrMatrix matrix = AwkwardMatrices.random(rows, rows, row -> 10, Precision.F64, random)
                .combine(1, CsrMatrix.identity(rows, Precision.F64), 5);
        SolveReport report = solve(reference, SolverConfig.preset("default"), matrix,
                HostVector.zeros(Precision.F64, rows).fill(1), HostVector.zeros(Precision.F64, rows));
        assertTrue(report.converged() && report.method().startsWith("gmres"), report::method);
        assertTrue(report.iterations() < 40, report::toString);
        assertTrue(notes(report).contains("on one thread, which go on while what is left of them takes less time"),
                notes(report));
        assertFalse(notes(report).contains("direct"), notes(report));
    }

    /** The factors of a random matrix fill wholly: more than a twentieth of a second of work, and than a megabyte. */
    @Test
    void keepsLimitsWhileItFactorises() {
        int rows = 4000;
        SplittableRandom random = TestSeed.random("keepsLimitsWhileItFactorises");
        CsrMatrix matrix = AwkwardMatrices.random(rows, rows, row -> 10, Precision.F64, random)
                .plus(CsrMatrix.identity(rows, Precision.F64));
        SolveReport late = withLu(matrix, limits -> limits.seconds() / 20, new FactorLimits(Long.MAX_VALUE, 1));
        assertTrue(notes(late).matches("(?s).*cannot be prepared: LU (analysis|factorisation): the limit of.*"),
                notes(late));
        SolveReport large = withLu(matrix, limits -> 1e9, new FactorLimits(1 << 20, 1));
        assertTrue(notes(large).contains("cannot be prepared: LU factorisation: after"), notes(large));
    }

    /** Chooses where nothing but factors can be made; they get some of the time that the solver gives them. */
    private SolveReport withLu(CsrMatrix matrix, ToDoubleFunction<FactorLimits> seconds, FactorLimits limits) {
        AutomaticSolver.Maker maker = new AutomaticSolver.Maker() {
            @Override
            public LinearSolver stack(SolverConfig stack) {
                throw new IllegalArgumentException("nothing but factors");
            }

            @Override
            @SuppressWarnings("MustBeClosed") // refused before it is made
            public LinearSolver factorised(KrylovMethod method, Map<String, String> options, FactorLimits given) {
                assertTrue(given.seconds() <= limits.seconds() && given.bytes() < Runtime.getRuntime().maxMemory(),
                        given::toString);
                new LuPreconditioner(matrix, reference, limits.within(seconds.applyAsDouble(given)));
                throw new AssertionError("the limits " + limits + " were not kept");
            }
        };
        MatrixProperties findings =
                new MatrixProperties(matrix.rows(), matrix.columns(), false, -1, false, false, true, 1);
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix);
                AutomaticSolver solver = new AutomaticSolver(findings, operator, reference, maker)) {
            return solver.solve(HostVector.zeros(Precision.F64, matrix.rows()).fill(1),
                    HostVector.zeros(Precision.F64, matrix.rows()),
                    new StoppingCriteria(1e-9, 0, 1000, 1e5).within(limits.seconds()));
        }
    }

    /** The first choice ends for a reason of its own, or cannot be prepared, when no time is left for another one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void saysThatTimeIsOverWhateverTheFirstChoiceEndedWith(boolean prepared) {
        CsrMatrix matrix = KrylovSystems.laplacian(6, Precision.F64);
        HostVector b = HostVector.zeros(Precision.F64, 36).fill(1);
        AtomicInteger choices = new AtomicInteger();
        try (SpmvOperator product = reference.kernels(SparseKernels.class).prepare(matrix)) {
            AutomaticSolver.Maker maker = new AutomaticSolver.Maker() {
                @Override
                public LinearSolver stack(SolverConfig stack) {
                    choices.incrementAndGet();
                    if (prepared) {
                        return new SlowSolver(product, reference);
                    }
                    SlowSolver.sleep();
                    throw new IllegalArgumentException("nothing can be prepared");
                }

                @Override
                public LinearSolver factorised(KrylovMethod method, Map<String, String> options, FactorLimits limits) {
                    throw new AssertionError("a factorisation is not the first choice");
                }
            };
            MatrixProperties findings = new MatrixProperties(36, 36, true, -1, false, false, true, 1);
            try (AutomaticSolver solver = new AutomaticSolver(findings, product, reference, maker)) {
                SolveReport report = solver.solve(b, HostVector.zeros(Precision.F64, 36),
                        StoppingCriteria.relative(1e-9, 1000).within(SlowSolver.SECONDS / 2));
                assertEquals(SolveStatus.TIME_LIMIT, report.status(), report::toString);
                assertTrue(report.detail().matches("residual 6\\.0.* is above 6.*E-9 after .* no time for other .*"),
                        report::detail);
                assertEquals(1, choices.get());
            }
        }
    }

    /** Says that its residual stagnates, after more time than it has. */
    private record SlowSolver(SpmvOperator product, Backend backend) implements LinearSolver {
        static final double SECONDS = 0.1;

        static void sleep() {
            LockSupport.parkNanos((long) (SECONDS * 1e9));
        }

        @Override
        public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
            try (LinearSolver none = KrylovMethod.RICHARDSON.prepare(product, null, backend, Map.of())) {
                SolveReport report = none.solve(b, x, criteria.atMost(0));
                sleep();
                return new SolveReport(SolveStatus.STAGNATED, 0, 0, report.residualHistory(),
                        report.rightHandSideNorm(), report.trueResidual(), report.seconds(), "it stagnates",
                        report.facts());
            }
        }

        @Override
        public void close() {}
    }

    @Test
    void refusesUnknownNamesAndCombinations() {
        refused("expected one of cg, fcg", () -> SolverConfig.of("sor", "none"));
        refused("expected one of none, jacobi", () -> SolverConfig.of("cg", "nothing"));
        refused("expected preconditioner auto", () -> SolverConfig.of("auto", "jacobi"));
        refused("expected none", () -> SolverConfig.of("lsqr", "jacobi"));
        refused("expected one of default, spd", () -> SolverConfig.preset("fast"));
        StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 10);
        refused("expected one of s", () -> new SolverConfig("idr", Map.of("t", "1"), "none", Map.of(), criteria, false,
                false));
        SolverConfig mixed = new SolverConfig("cg", Map.of(), "none", Map.of(), criteria, true, false);
        refused("expected a square matrix in f64", () -> solve(reference, mixed,
                KrylovSystems.laplacian(2, Precision.F32), HostVector.zeros(Precision.F32, 4),
                HostVector.zeros(Precision.F32, 4)));
    }

    private static void refused(String expected, Runnable call) {
        String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
        assertTrue(message.contains(expected), message);
    }

    /** The Laplacian of a grid with Neumann's condition, whose rows sum to zero. */
    private static CsrMatrix neumann(int width, Precision precision) {
        double[][] a = new double[width * width][width * width];
        for (int i = 0; i < a.length; i++) {
            for (int j : new int[]{i % width < width - 1 ? i + 1 : i, i + width < a.length ? i + width : i}) {
                if (i != j) {
                    a[i][j] = -1;
                    a[j][i] = -1;
                    a[i][i]++;
                    a[j][j]++;
                }
            }
        }
        return KrylovSystems.csr(a, a.length, precision);
    }

    @Test
    void solvesSingularSystemsWhoseNullSpaceIsKnown() {
        SplittableRandom random = TestSeed.random("neumann");
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = neumann(9, precision);
            HostVector b = KrylovSystems.random(precision, 81, random);
            SolverConfig stack = new SolverConfig("cg", Map.of(), "jacobi", Map.of(),
                    StoppingCriteria.relative(precision == Precision.F64 ? 1e-10 : 1e-4, 500), false, true);
            for (Backend backend : KrylovSystems.backends()) {
                try (backend) {
                    HostVector x = HostVector.zeros(precision, 81);
                    SolveReport inconsistent = solve(backend, stack, matrix, b, x);
                    assertTrue(inconsistent.converged(), inconsistent::toString);
                    assertTrue(notes(inconsistent).contains("inconsistent"), notes(inconsistent));
                    double sum = 0;
                    for (int i = 0; i < 81; i++) {
                        sum += x.get(i);
                    }
                    assertEquals(0, sum, precision == Precision.F64 ? 1e-10 : 1e-3);
                    SolveReport consistent = solve(backend, stack, matrix, matrix.multiply(x),
                            HostVector.zeros(precision, 81));
                    assertTrue(consistent.converged(), consistent::toString);
                    assertTrue(notes(consistent).contains("the system is consistent"), notes(consistent));
                }
            }
        }
        SolverConfig constants = new SolverConfig("cg", Map.of(), "none", Map.of(),
                StoppingCriteria.relative(1e-8, 10), false, true);
        refused("expected 0 up to rounding", () -> solve(reference, constants,
                KrylovSystems.laplacian(5, Precision.F64), HostVector.zeros(Precision.F64, 25),
                HostVector.zeros(Precision.F64, 25)));
    }

    @Test
    void refinesToDoublePrecision() {
        CsrMatrix matrix = KrylovSystems.laplacian(16, Precision.F64);
        HostVector b = KrylovSystems.random(Precision.F64, 256, TestSeed.random("mixed"));
        for (String method : new String[]{"cg", "gmres"}) {
            SolverConfig stack = new SolverConfig(method, Map.of(), "jacobi", Map.of(),
                    StoppingCriteria.relative(1e-12, 3000), true, false);
            for (Backend backend : KrylovSystems.backends()) {
                try (backend) {
                    SolveReport report = solve(backend, stack, matrix, b, HostVector.zeros(Precision.F64, 256));
                    assertEquals(SolveStatus.CONVERGED, report.status(), report::toString);
                    assertTrue(report.relativeResidual() <= 1e-12, report::toString);
                    assertEquals(report.iterations() + 1, report.residualHistory().size());
                }
            }
        }
    }

    @Test
    void solvesSeveralSystemsEachWithAVerdictOfItsOwn() {
        SplittableRandom random = TestSeed.random("several");
        for (Precision precision : Precision.values()) {
            double tolerance = precision == Precision.F64 ? 1e-10 : 1e-5;
            CsrMatrix matrix = KrylovSystems.symmetric(50, true, precision, random);
            for (int count : new int[]{1, 3, 4, 6}) {
                HostVector all = HostVector.of(precision, 50 * count,
                        i -> i % count == 1 ? 0 : random.nextDouble(-1, 1));
                for (Backend backend : KrylovSystems.backends()) {
                    try (backend) {
                        checkSeveral(backend, matrix, all, count, tolerance);
                    }
                }
            }
        }
    }

    private static void checkSeveral(Backend backend, CsrMatrix matrix, HostVector all, int count, double tolerance) {
        Precision precision = matrix.precision();
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner jacobi = JacobiPreconditioner.of(matrix, backend);
                BlockConjugateGradient solver = new BlockConjugateGradient(operator, jacobi, backend);
                DenseVector right = backend.vector(precision, all.length());
                DenseVector found = backend.vector(precision, all.length())) {
            right.copyFrom(all);
            found.copyFrom(HostVector.zeros(precision, all.length()));
            StoppingCriteria criteria = StoppingCriteria.relative(tolerance, 500);
            List<SolveReport> reports = solver.solve(new MultiVector(right, 50, count),
                    new MultiVector(found, 50, count), criteria);
            HostVector x = HostVector.zeros(precision, all.length());
            found.copyTo(x);
            List<Integer> iterations = new ArrayList<>();
            for (int c = 0; c < count; c++) {
                int column = c;
                HostVector b = HostVector.of(precision, 50, i -> all.get(i * count + column));
                double[] own = HostVector.of(precision, 50, i -> x.get(i * count + column)).toDoubleArray();
                String context = backend.name() + " column " + c + ", seed " + TestSeed.value() + ": " + reports.get(c);
                assertTrue(reports.get(c).converged(), context);
                assertArrayEquals(KrylovSystems.dense(matrix, b), own, tolerance * 100, context);
                SolveReport alone = KrylovSystems.solve(backend, matrix, KrylovMethod.CG, true, Map.of(), b,
                        HostVector.zeros(precision, 50), criteria);
                assertEquals(alone.iterations(), reports.get(c).iterations(), 1, context);
                iterations.add(reports.get(c).iterations());
            }
            assertEquals(count > 1, iterations.contains(0), () -> "a zero column needs no iteration: " + iterations);
        }
    }

    @Test
    void severalSystemsBreakDownOneByOne() {
        CsrMatrix matrix = KrylovSystems.csr(new double[][]{{1, 0}, {0, -1}}, 2, Precision.F64);
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix);
                BlockConjugateGradient solver = new BlockConjugateGradient(operator, null, reference)) {
            // columns (1, 0) and (0, 1)
            MultiVector b = new MultiVector(HostVector.of(1.0, 0, 0, 1), 2, 2);
            MultiVector x = MultiVector.zeros(Precision.F64, 2, 2);
            List<SolveReport> reports = solver.solve(b, x, StoppingCriteria.relative(1e-10, 10));
            assertEquals(SolveStatus.CONVERGED, reports.get(0).status(), reports.get(0)::toString);
            assertEquals(SolveStatus.BREAKDOWN, reports.get(1).status(), reports.get(1)::toString);
        }
    }
}
