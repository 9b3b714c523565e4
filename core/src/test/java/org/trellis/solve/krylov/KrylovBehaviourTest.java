package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** What methods do step by step, when they end, and what they refuse. */
class KrylovBehaviourTest {
    private final Backend reference = Backends.open("reference", Configuration.load());

    @AfterEach
    void close() {
        reference.close();
    }

    private static CsrMatrix dense(double[]... rows) {
        return KrylovSystems.csr(rows, rows[0].length, Precision.F64);
    }

    private SolveReport solve(KrylovMethod method, Map<String, String> options, CsrMatrix matrix, HostVector x,
            int iterations, double... b) {
        return solveWith(method, options, matrix, null, x, StoppingCriteria.relative(1e-13, iterations), b);
    }

    private SolveReport solveWith(KrylovMethod method, Map<String, String> options, CsrMatrix matrix,
            Preconditioner preconditioner, HostVector x, StoppingCriteria criteria, double... b) {
        return KrylovSystems.solve(reference, matrix, method, preconditioner, options, HostVector.of(b), x, criteria);
    }

    /** Multiplies by a number that may change, and says of itself what it is given. */
    private final class Scaling extends CheckedOperator implements Preconditioner {
        private final int rows;
        private final boolean symmetric;
        private final boolean variable;
        private double factor;

        Scaling(int rows, boolean symmetric, boolean variable, double factor) {
            this.rows = rows;
            this.symmetric = symmetric;
            this.variable = variable;
            this.factor = factor;
        }

        @Override
        public VectorSpace domain() {
            return VectorSpace.of(rows, Precision.F64, MemorySpace.HOST);
        }

        @Override
        public VectorSpace range() {
            return domain();
        }

        @Override
        protected ElementKernels elements() {
            return reference.kernels(ElementKernels.class);
        }

        @Override
        protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
            elements().update(alpha * factor, null, x, beta, y);
            factor = variable ? 3.5 - factor : factor;
        }

        @Override
        public boolean symmetric() {
            return symmetric;
        }

        @Override
        public boolean variable() {
            return variable;
        }

        @Override
        public String toString() {
            return "scaling";
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CG", "FCG", "PIPELINED_CG"})
    void conjugateGradientsStepAsWorkedOutByHand(KrylovMethod method) {
        HostVector x = HostVector.of(2.0, 1);
        SolveReport report = solve(method, Map.of(), dense(new double[]{4, 1}, new double[]{1, 3}), x, 10, 1, 2);
        assertEquals(2, report.iterations());
        assertEquals(0.8001937042442401, report.residualHistory().get(1), 1e-14);
        assertArrayEquals(new double[]{1.0 / 11, 7.0 / 11}, x.doubles(), 1e-13);
    }

    @ParameterizedTest
    @EnumSource(names = {"MINRES", "GMRES", "FGMRES"})
    void minimalResidualsStepAsWorkedOutByHand(KrylovMethod method) {
        // b = (1, 2), A b = (2, 1): the best multiple is 4/5, which leaves 5 - 16/5 of the square
        HostVector x = HostVector.of(0.0, 0);
        SolveReport report = solve(method, Map.of(), dense(new double[]{0, 1}, new double[]{1, 0}), x, 10, 1, 2);
        assertEquals(SolveStatus.CONVERGED, report.status(), report::toString);
        assertEquals(2, report.iterations());
        assertEquals(Math.sqrt(1.8), report.residualHistory().get(1), 1e-14);
        assertArrayEquals(new double[]{2, 1}, x.doubles(), 1e-14);
    }

    @Test
    void biCgStabStepsAsWorkedOutByHand() {
        // v = (3, 2), alpha = 2/5, s = (-0.2, 0.2), t = (-0.2, 0.4), omega = 0.6, r = (-0.08, -0.04)
        HostVector x = HostVector.of(0.0, 0);
        SolveReport report = solve(KrylovMethod.BICGSTAB, Map.of(), dense(new double[]{2, 1}, new double[]{0, 2}), x,
                1, 1, 1);
        assertEquals(Math.sqrt(0.008), report.residualHistory().get(1), 1e-15);
        assertEquals(SolveStatus.ITERATION_LIMIT, report.status());
        assertArrayEquals(new double[]{0.4 - 0.12, 0.4 + 0.12}, x.doubles(), 1e-15);
    }

    @Test
    void iterationsWithoutDotProductsStepAsWorkedOutByHand() {
        CsrMatrix matrix = dense(new double[]{2, 0}, new double[]{0, 4});
        SolveReport richardson = solve(KrylovMethod.RICHARDSON, Map.of("damping", "0.25"), matrix,
                HostVector.of(0.0, 0), 1, 1, 1);
        assertEquals(0.5, richardson.residualHistory().get(1), 1e-15);
        // the first step of Chebyshev's iteration divides by the centre of the interval, 3
        SolveReport chebyshev = solve(KrylovMethod.CHEBYSHEV, Map.of("lower", "2", "upper", "4"), matrix,
                HostVector.of(0.0, 0), 60, 1, 1);
        assertEquals(Math.sqrt(2) / 3, chebyshev.residualHistory().get(1), 1e-15);
        assertEquals(SolveStatus.CONVERGED, chebyshev.status());
    }

    @Test
    void lsqrTakesTheMean() {
        HostVector x = HostVector.of(0.0);
        SolveReport report = solve(KrylovMethod.LSQR, Map.of(),
                dense(new double[]{1}, new double[]{1}, new double[]{1}), x, 10, 1, 2, 3);
        assertEquals(SolveStatus.CONVERGED, report.status(), report::toString);
        assertEquals(1, report.iterations());
        assertEquals(2, x.get(0), 1e-15);
        assertEquals(Math.sqrt(2), report.trueResidual(), 1e-15);
        assertTrue(report.detail().contains("least squares"), report::detail);
    }

    @Test
    void chebyshevFindsAnIntervalThatHoldsTheEigenvalues() {
        CsrMatrix matrix = KrylovSystems.laplacian(12, Precision.F64);
        HostVector x = HostVector.zeros(Precision.F64, 144);
        SolveReport report = KrylovSystems.solve(reference, matrix, KrylovMethod.CHEBYSHEV, true, Map.of("steps", "60"),
                HostVector.zeros(Precision.F64, 144).fill(1), x, StoppingCriteria.relative(1e-8, 300));
        assertTrue(report.converged(), report::toString);
        assertEquals("chebyshev", report.method());
        String[] ends = report.facts().notes().getFirst().replaceAll("[^0-9.E-]+", " ").trim().split(" ");
        double angle = Math.PI / 26;
        assertEquals(2 * Math.pow(Math.sin(angle), 2), Double.parseDouble(ends[0]), 1e-3);
        assertEquals(1.05 * 2 * Math.pow(Math.cos(angle), 2), Double.parseDouble(ends[1]), 1e-3);
    }

    /** A few steps find a lower end that is too high by far; it comes down, and there it stays. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "jacobi", "ssor", "ic0"})
    void chebyshevBringsItsLowerEndDown(String preconditioner) {
        CsrMatrix matrix = KrylovSystems.laplacian(30, Precision.F64);
        HostVector b = HostVector.zeros(Precision.F64, 900).fill(1);
        SolveReport few = solve(preconditioner, Map.of("steps", "6"), matrix, b);
        SolveReport many = solve(preconditioner, Map.of("steps", "80"), matrix, b);
        assertTrue(few.converged() && many.converged(), () -> few + ", " + many);
        String note = few.facts().notes().getFirst();
        assertTrue(note.contains("has come down"), note);
        assertTrue(!many.facts().notes().getFirst().contains("has come down"), many.facts().notes()::getFirst);
        double found = lowerEnd(few);
        double least = lowerEnd(many);
        assertTrue(found > 0.5 * least && found < 1.5 * least, () -> note + ", expected about " + least);
        assertTrue(few.iterations() < 1.7 * many.iterations(), () -> few + ", " + many);
    }

    private static double lowerEnd(SolveReport report) {
        return Double.parseDouble(report.facts().notes().getFirst().replaceAll("[^0-9.E-]+", " ").trim().split(" ")[0]);
    }

    private SolveReport solve(String preconditioner, Map<String, String> options, CsrMatrix matrix, HostVector b) {
        SolverConfig stack = new SolverConfig("chebyshev", options, preconditioner, Map.of(),
                StoppingCriteria.relative(1e-9, 3000), false, false);
        try (SpmvOperator product = reference.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = stack.prepare(matrix, product, reference)) {
            return solver.solve(b, HostVector.zeros(Precision.F64, b.length()), stack.criteria(),
                    IterationObserver.NONE);
        }
    }

    @Test
    void chebyshevLeavesAnEndThatIsGiven() {
        CsrMatrix matrix = KrylovSystems.laplacian(30, Precision.F64);
        SolveReport report = solve("jacobi", Map.of("lower", "0.1"), matrix,
                HostVector.zeros(Precision.F64, 900).fill(1));
        assertEquals(0.1, lowerEnd(report));
        assertEquals(1, report.facts().notes().size());
        assertTrue(!report.facts().notes().getFirst().contains("come down"), report.facts().notes()::getFirst);
    }

    @ParameterizedTest
    @EnumSource(names = {"FCG", "FGMRES", "RICHARDSON"})
    void flexibleMethodsTakeAPreconditionerThatChanges(KrylovMethod method) {
        CsrMatrix matrix = KrylovSystems.symmetric(20, true, Precision.F64, TestSeed.random("flexible"));
        double size = 0.05;
        HostVector x = HostVector.zeros(Precision.F64, 20);
        SolveReport report = solveWith(method, method == KrylovMethod.RICHARDSON
                ? Map.of("damping", "0.04")
                : Map.of(), matrix, new Scaling(20, true, true, 1), x,
                StoppingCriteria.relative(1e-9, 5000), HostVector.zeros(Precision.F64, 20).fill(size).doubles());
        assertTrue(report.converged(), () -> "seed " + TestSeed.value() + ": " + report);
    }

    @Test
    void sidesAndOrthogonalisationsOfGmresAgree() {
        SplittableRandom random = TestSeed.random("sides");
        CsrMatrix matrix = KrylovSystems.unsymmetric(60, Precision.F64, random);
        HostVector b = KrylovSystems.random(Precision.F64, 60, random);
        double[] expected = KrylovSystems.dense(matrix, b);
        for (String side : new String[]{"left", "right"}) {
            for (String again : new String[]{"needed", "always", "never"}) {
                HostVector x = HostVector.zeros(Precision.F64, 60);
                SolveReport report = KrylovSystems.solve(reference, matrix, KrylovMethod.GMRES, true,
                        Map.of("side", side, "reorthogonalise", again, "restart", "9"), b, x,
                        StoppingCriteria.relative(1e-11, 1000));
                assertTrue(report.converged(), () -> side + again + ", seed " + TestSeed.value() + ": " + report);
                assertArrayEquals(expected, x.doubles(), 1e-9);
            }
        }
    }

    @Test
    void saysThatARestartedMethodRepeatsItself() {
        // the cyclic shift: GMRES does nothing until its cycle has as many iterations as there are rows
        double[][] shift = new double[5][5];
        for (int i = 0; i < 5; i++) {
            shift[i][(i + 1) % 5] = 1;
        }
        SolveReport report =
                solve(KrylovMethod.GMRES, Map.of("restart", "2"), dense(shift), HostVector.of(new double[5]),
                        1000, 1, 0, 0, 0, 0);
        assertEquals(SolveStatus.STAGNATED, report.status());
        assertTrue(report.detail().startsWith("a cycle of 2 iterations has not reduced the residual"), report::detail);
        SolveReport whole = solve(KrylovMethod.GMRES, Map.of("restart", "5"), dense(shift),
                HostVector.of(new double[5]), 1000, 1, 0, 0, 0, 0);
        assertTrue(whole.converged(), whole::toString);
    }

    @ParameterizedTest
    @EnumSource(names = {"CG", "FCG", "PIPELINED_CG"})
    void conjugateGradientsSeeAnIndefiniteMatrix(KrylovMethod method) {
        SolveReport report = solve(method, Map.of(), dense(new double[]{1, 0}, new double[]{0, -1}),
                HostVector.of(0.0, 0), 10, 1, 2);
        assertEquals(SolveStatus.BREAKDOWN, report.status(), report::toString);
        assertTrue(report.detail().contains("not positive definite"), report::detail);
    }

    @ParameterizedTest
    @EnumSource(names = {"CG", "FCG", "PIPELINED_CG", "MINRES", "GMRES", "LGMRES", "BICGSTAB", "BICG", "TFQMR", "IDR"})
    void neverSaysConvergedOfWhatIsNotANumber(KrylovMethod method) {
        SolveReport report = solveWith(method, Map.of(), dense(new double[]{4, 1}, new double[]{1, 3}),
                new Scaling(2, true, false, Double.NaN), HostVector.of(0.0, 0), StoppingCriteria.relative(1e-8, 50),
                1, 2);
        assertTrue(report.status() == SolveStatus.BREAKDOWN || report.status() == SolveStatus.DIVERGED,
                report::toString);
    }

    @ParameterizedTest
    @EnumSource(names = {"MINRES", "GMRES", "LGMRES", "BICGSTAB", "BICG", "TFQMR", "IDR"})
    void saysThatASingularSystemHasNoSolution(KrylovMethod method) {
        SolveReport report = solve(method, Map.of(), dense(new double[]{1, 0}, new double[]{0, 0}),
                HostVector.of(0.0, 0), 50, 1, 1);
        assertTrue(!report.converged() && report.trueResidual() >= 1 - 1e-12, report::toString);
    }

    @Test
    void endsByEachCriterion() {
        CsrMatrix matrix = KrylovSystems.laplacian(40, Precision.F64);
        double[] b = HostVector.zeros(Precision.F64, 1600).fill(1).doubles();
        HostVector far = HostVector.zeros(Precision.F64, 1600).fill(1e6);
        SolveReport first = solveWith(KrylovMethod.GMRES, Map.of(), matrix, null, far.copy(),
                StoppingCriteria.relative(1e-3, 1000).toFirstResidual(true), b);
        assertTrue(first.converged() && first.relativeResidual() > 1e-3, first::toString);
        SolveReport time = solveWith(KrylovMethod.MINRES, Map.of(), matrix, null, far.copy(),
                StoppingCriteria.relative(1e-10, 1000).within(1e-9), b);
        assertEquals(SolveStatus.TIME_LIMIT, time.status());
        SolveReport stagnated = solveWith(KrylovMethod.RICHARDSON, Map.of("damping", "1e-6"), matrix, null,
                far.copy(), StoppingCriteria.relative(1e-10, 1000).stagnatingAfter(7), b);
        assertEquals(SolveStatus.STAGNATED, stagnated.status());
        assertEquals(7, stagnated.iterations());
        SolveReport diverged = solveWith(KrylovMethod.RICHARDSON, Map.of(), matrix, null, far.copy(),
                StoppingCriteria.relative(1e-10, 1000), b);
        assertEquals(SolveStatus.DIVERGED, diverged.status());
        SolveReport limit = solveWith(KrylovMethod.IDR, Map.of("s", "2"), matrix, null, far.copy(),
                StoppingCriteria.relative(1e-10, 3), b);
        assertEquals(SolveStatus.ITERATION_LIMIT, limit.status());
        assertEquals(3, limit.iterations());
        assertTrue(limit.facts().memoryBytes() > 0 && limit.setupSeconds() > 0, limit::toString);
    }

    @ParameterizedTest
    @EnumSource(names = {"FCG", "PIPELINED_CG", "MINRES", "GMRES", "LGMRES", "BICGSTAB", "BICG", "TFQMR", "IDR", "LSQR",
        "LSMR"})
    void doesNotTrustTheRecurrence(KrylovMethod method) {
        CsrMatrix matrix = KrylovSystems.laplacian(20, Precision.F32);
        HostVector b = HostVector.zeros(Precision.F32, 400).fill(1);
        SolveReport report = KrylovSystems.solve(reference, matrix, method, false, Map.of(), b,
                HostVector.zeros(Precision.F32, 400),
                StoppingCriteria.relative(1e-12, 20_000)
                        .stagnatingAfter(List.of(KrylovMethod.MINRES, KrylovMethod.TFQMR)
                                .contains(method) ? 300 : 0));
        assertEquals(SolveStatus.STAGNATED, report.status(), report::toString);
        assertTrue(report.trueResidual() > 1e-9 * report.rightHandSideNorm(), report::toString);
    }

    private static void refused(String expected, Runnable call) {
        String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void refusesWhatDoesNotGoTogetherAndSaysWhatWould() {
        CsrMatrix matrix = dense(new double[]{4, 1}, new double[]{1, 3});
        StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 5);
        HostVector x = HostVector.of(0.0, 0);
        Scaling unsymmetric = new Scaling(2, false, false, 1);
        Scaling variable = new Scaling(2, true, true, 1);
        for (KrylovMethod method : new KrylovMethod[]{KrylovMethod.CG, KrylovMethod.MINRES, KrylovMethod.PIPELINED_CG,
            KrylovMethod.CHEBYSHEV}) {
            refused("gmres, bicgstab and idr take any",
                    () -> solveWith(method, Map.of(), matrix, unsymmetric, x, criteria, 1, 2));
            refused("fcg takes such a one", () -> solveWith(method, Map.of(), matrix, variable, x, criteria, 1, 2));
        }
        refused("fgmres takes such a one",
                () -> solveWith(KrylovMethod.GMRES, Map.of(), matrix, variable, x, criteria, 1, 2));
        refused("expected no preconditioner",
                () -> solveWith(KrylovMethod.LSQR, Map.of(), matrix, unsymmetric, x, criteria, 1, 2));
        refused("lsqr and lsmr take any shape", () -> solveWith(KrylovMethod.IDR, Map.of(),
                dense(new double[]{1, 2}), null, x, criteria, 1));
        refused("expected one of restart, side, reorthogonalise",
                () -> solve(KrylovMethod.GMRES, Map.of("m", "3"), matrix, x, 5, 1, 2));
        refused("expected a whole number of at least 1",
                () -> solve(KrylovMethod.GMRES, Map.of("restart", "0"), matrix, x, 5, 1, 2));
        refused("expected one of right, left",
                () -> solve(KrylovMethod.GMRES, Map.of("side", "up"), matrix, x, 5, 1, 2));
        refused("it has no options", () -> solve(KrylovMethod.CG, Map.of("s", "3"), matrix, x, 5, 1, 2));
        refused("expected one of cg, fcg", () -> KrylovMethod.of("conjugate"));
        refused("complex-bicgstab, multigrid, s-step, s-step-gmres, or auto",
                () -> SolverConfig.of("conjugate", "none"));
        refused("expected a finite interval of positive numbers",
                () -> solve(KrylovMethod.CHEBYSHEV, Map.of("lower", "0", "upper", "4"), matrix, x, 5, 1, 2));
        refused("p^T A p is", () -> solve(KrylovMethod.CHEBYSHEV, Map.of(),
                dense(new double[]{-1, 0}, new double[]{0, -1}), x, 5, 1, 2));
        refused("row 1 is NaN", () -> solve(KrylovMethod.GMRES, Map.of(), matrix, x, 5, 1, Double.NaN));
        refused("row 0, column 1 is Infinity", () -> solve(KrylovMethod.BICGSTAB, Map.of(),
                dense(new double[]{4, Double.POSITIVE_INFINITY}, new double[]{1, 3}), x, 5, 1, 2));
    }

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void givesTheSameBitsEachTime(KrylovMethod method) {
        CsrMatrix matrix = KrylovSystems.laplacian(TestLength.cases(100, 150), Precision.F64);
        HostVector b = KrylovSystems.random(Precision.F64, matrix.rows(), TestSeed.random("bits"));
        for (Backend backend : KrylovSystems.backends()) {
            try (backend) {
                HostVector[] found = new HostVector[2];
                SolveReport[] reports = new SolveReport[2];
                for (int i = 0; i < 2; i++) {
                    found[i] = HostVector.zeros(Precision.F64, matrix.rows());
                    reports[i] = KrylovSystems.solve(backend, matrix, method,
                            method.matrices() != KrylovMethod.Matrices.ANY, Map.of(), b,
                            found[i], StoppingCriteria.relative(1e-10, 12));
                }
                assertArrayEquals(found[0].doubles(), found[1].doubles(), 0, backend.name());
                assertEquals(reports[0].residualHistory(), reports[1].residualHistory(), backend.name());
                assertEquals(12, reports[0].iterations(), backend.name());
            }
        }
    }
}
