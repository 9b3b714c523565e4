package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.ErrorEstimate;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorArithmetic;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;
import org.trellis.testing.TestSeed;

/** Iterations on one thread that give way to a factorisation. */
class TrialIterationsTest {
    private static final TrialIterations.Alternative NEVER = null;

    private static TrialIterations iterations(CsrMatrix matrix, boolean symmetric,
            TrialIterations.Alternative alternative) {
        WholeMatrix whole = WholeMatrix.of(matrix);
        return new TrialIterations(whole, TrialFactors.of(whole, symmetric).orElseThrow(), alternative, true, 0);
    }

    private static String notes(SolveReport report) {
        return report + " " + String.join("\n", report.facts().notes()) + ", seed " + TestSeed.value();
    }

    private static double distance(HostVector x, double... exact) {
        double[] difference = x.toDoubleArray();
        Arrays.setAll(difference, i -> difference[i] - exact[i]);
        return VectorArithmetic.norm(difference) / VectorArithmetic.norm(exact);
    }

    /** Of a ring of four, the product of the factors has two entries that the matrix has not, of a quarter each. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesOutFill(boolean symmetric) {
        double[][] ring = {{4, 1, 0, 1}, {1, 4, 1, 0}, {0, 1, 4, 1}, {1, 0, 1, 4}};
        for (Precision precision : Precision.values()) {
            TrialFactors factors = TrialFactors.of(WholeMatrix.of(KrylovSystems.csr(ring, 4, precision)), symmetric)
                    .orElseThrow();
            double[] z = {6, 6.25, 6, 6.25};
            factors.solve(z, z);
            assertArrayEquals(new double[]{1, 1, 1, 1}, z, 1e-14);
            assertFalse(factors.isComplete());
            assertEquals(symmetric, factors.isDefinite());
        }
    }

    @Test
    void knowsWhatItCannotFactorise() {
        double[][] missing = {{1, 1}, {1, 0}};
        assertTrue(TrialFactors.of(WholeMatrix.of(KrylovSystems.csr(missing, 2, Precision.F64)), true).isEmpty());
        double[][] singular = {{1, 1}, {1, 1}};
        assertTrue(TrialFactors.of(WholeMatrix.of(KrylovSystems.csr(singular, 2, Precision.F64)), false).isEmpty());
        double[][] negative = {{-2, 1, 0}, {1, -2, 1}, {0, 1, -2}};
        TrialFactors factors = TrialFactors.of(WholeMatrix.of(KrylovSystems.csr(negative, 3, Precision.F64)), true)
                .orElseThrow();
        assertTrue(factors.isDefinite() && factors.isComplete());
        double[] z = {-1, 0, -1};
        factors.solve(z, z);
        assertArrayEquals(new double[]{1, 1, 1}, z, 1e-15);
        double[][] mixed = {{1, 0}, {0, -1}};
        assertFalse(TrialFactors.of(WholeMatrix.of(KrylovSystems.csr(mixed, 2, Precision.F64)), true).orElseThrow()
                .isDefinite());
        double[][] unlike = {{2, 0, 1}, {1, 2, 0}, {0, 1, 2}};
        assertFalse(TrialFactors.of(WholeMatrix.of(KrylovSystems.csr(unlike, 3, Precision.F64)), true).orElseThrow()
                .isDefinite());
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void factorsAreThoseOfThePreconditioner(Precision precision) {
        SplittableRandom random = TestSeed.random("trial factors");
        for (int repetition = 0; repetition < 20; repetition++) {
            int n = random.nextInt(1, 120);
            boolean symmetric = random.nextBoolean();
            CsrMatrix matrix = symmetric
                    ? KrylovSystems.symmetric(n, true, precision, random)
                    : KrylovSystems.unsymmetric(n, precision, random);
            HostVector r = KrylovSystems.random(precision, n, random);
            double[] z = new double[n];
            TrialFactors.of(WholeMatrix.of(matrix), symmetric).orElseThrow().solve(r.toDoubleArray(), z);
            HostVector expected = HostVector.zeros(precision, n);
            try (Backend backend = Backends.open("reference", Configuration.load());
                    SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                    Preconditioner ilu0 = NamedPreconditioners.of("ilu0", matrix, product, backend, Map.of())
                            .orElseThrow()) {
                ilu0.apply(r, expected);
            }
            assertArrayEquals(expected.toDoubleArray(), z, precision == Precision.F64 ? 1e-13 : 1e-5,
                    () -> "seed " + TestSeed.value());
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void solvesFromAnyGuessAndOfAnySize(Precision precision) {
        SplittableRandom random = TestSeed.random("trial iterations");
        for (int repetition = 0; repetition < 30; repetition++) {
            int n = random.nextInt(1, 200);
            int kind = random.nextInt(3);
            CsrMatrix matrix = kind == 2
                    ? KrylovSystems.unsymmetric(n, precision, random)
                    : KrylovSystems.symmetric(n, kind == 0, precision, random);
            double size = precision == Precision.F64 ? Math.scalb(1.0, random.nextInt(-900, 900)) : 1;
            HostVector b = HostVector.of(precision, n, i -> size * random.nextDouble(-1, 1));
            HostVector x = HostVector.of(precision, n, i -> size * random.nextDouble(-1, 1));
            SolveReport report = iterations(matrix, kind < 2, NEVER)
                    .solve(b, x, StoppingCriteria.relative(precision == Precision.F64 ? 1e-11 : 1e-5, 500));
            assertTrue(report.converged(), () -> notes(report));
            assertEquals(kind == 0 ? "cg" : "gmres(" + TrialIterations.RESTART + ")", report.method());
            double error = distance(x, KrylovSystems.dense(matrix, b));
            assertTrue(error < (precision == Precision.F64 ? 1e-9 : 1e-3), () -> error + ": " + notes(report));
        }
    }

    /** The bound holds as it is, also for a negative definite matrix, whose energy is that of its negative. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void conjugateGradientsBoundTheErrorInTheEnergyNorm(Precision precision) {
        SplittableRandom random = TestSeed.random("energy norm of trials");
        for (int repetition = 0; repetition < 30; repetition++) {
            CsrMatrix matrix = random.nextBoolean()
                    ? KrylovSystems.laplacian(random.nextInt(2, 18), precision)
                    : KrylovSystems.symmetric(random.nextInt(2, 200), true, precision, random);
            int n = matrix.rows();
            CsrMatrix signed = random.nextBoolean() ? matrix : matrix.scaled(-1);
            HostVector b = KrylovSystems.random(precision, n, random);
            HostVector x = KrylovSystems.random(precision, n, random);
            SolveReport report = iterations(signed, true, NEVER)
                    .solve(b, x, StoppingCriteria.defaults(precision));
            assertEquals("cg", report.method(), () -> notes(report));
            double[] exact = KrylovSystems.dense(signed, b);
            double[] error = x.toDoubleArray();
            Arrays.setAll(error, i -> error[i] - exact[i]);
            double relative = Math.sqrt(energy(matrix, error) / energy(matrix, exact));
            ErrorEstimate estimate = report.facts().error();
            double rounding = 100 * precision.unitRoundoff();
            assertTrue(relative <= estimate.forwardBound() + rounding,
                    () -> relative + " " + estimate + " " + notes(report));
            assertTrue(estimate.basis().startsWith("in the energy norm"), estimate::toString);
        }
    }

    private static double energy(CsrMatrix matrix, double[] v) {
        double[] product = matrix.multiply(v);
        double sum = 0;
        for (int i = 0; i < v.length; i++) {
            sum += v[i] * product[i];
        }
        return sum;
    }

    /** Incomplete factors of an indefinite matrix may be definite; conjugate gradients find out. */
    @Test
    void goesOnWithGmresWhereTheMatrixIsIndefinite() {
        int width = 20;
        CsrMatrix matrix = KrylovSystems.laplacian(width, Precision.F64)
                .combine(1, CsrMatrix.identity(width * width, Precision.F64), -0.3);
        assertTrue(TrialFactors.of(WholeMatrix.of(matrix), true).orElseThrow().isDefinite());
        HostVector b = HostVector.of(KrylovSystems.random(Precision.F64, width * width,
                TestSeed.random("indefinite")).toDoubleArray());
        HostVector x = HostVector.zeros(Precision.F64, width * width);
        TrialIterations solver = iterations(matrix, true, NEVER);
        SolveReport report = solver.solve(b, x, StoppingCriteria.relative(1e-9, 1000));
        assertTrue(report.converged() && report.method().startsWith("gmres"), () -> notes(report));
        assertTrue(distance(x, KrylovSystems.dense(matrix, b)) < 1e-6, () -> notes(report));
        assertTrue(solver.toString().startsWith("gmres(50) with ilu0"), solver::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cg with jacobi", "cg with none"})
    void oneThreadSolvesAsAllDo(String text) {
        int width = 30;
        CsrMatrix matrix = KrylovSystems.laplacian(width, Precision.F64);
        HostVector b = KrylovSystems.random(Precision.F64, width * width, TestSeed.random("one thread"));
        StoppingCriteria criteria = StoppingCriteria.relative(1e-10, 1000);
        SolverConfig stack = SolverConfig.parse(text);
        HostVector x = HostVector.zeros(Precision.F64, width * width);
        SolveReport report = stack.prepareOnOneThread(matrix).solve(b, x, criteria);
        assertTrue(report.converged() && report.method().equals("cg"), () -> notes(report));
        assertEquals(text.substring("cg with ".length()) + " on one thread", report.preconditioner());
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver usual = stack.prepare(matrix, product, backend)) {
            HostVector y = HostVector.zeros(Precision.F64, width * width);
            SolveReport other = usual.solve(b, y, criteria);
            assertEquals(other.iterations(), report.iterations(), 2, () -> notes(report));
            assertTrue(distance(x, y.toDoubleArray()) < 1e-7, () -> notes(report));
        }
    }

    @Test
    void oneThreadSaysWhatItCannotDo() {
        CsrMatrix matrix = KrylovSystems.laplacian(4, Precision.F64);
        SolverConfig jacobi = SolverConfig.parse("cg with jacobi");
        HostVector b = HostVector.zeros(Precision.F64, 16).fill(1);
        SolveReport indefinite = jacobi.prepareOnOneThread(matrix.combine(1, CsrMatrix.identity(16, Precision.F64), -5))
                .solve(b, HostVector.zeros(Precision.F64, 16), StoppingCriteria.relative(1e-10, 100));
        assertEquals(SolveStatus.BREAKDOWN, indefinite.status(), () -> notes(indefinite));
        assertTrue(indefinite.detail().contains("not positive definite"), indefinite::detail);
        double[][] missing = {{1, 1}, {1, 0}};
        CsrMatrix hole = KrylovSystems.csr(missing, 2, Precision.F64);
        FactorisationException fault =
                assertThrows(FactorisationException.class, () -> jacobi.prepareOnOneThread(hole));
        assertTrue(fault.getMessage().contains("row 1 is 0.0"), fault::getMessage);
        SolverConfig other = SolverConfig.parse("gmres(restart=50) with ilu0");
        assertFalse(other.runsOnOneThread(matrix));
        assertThrows(IllegalArgumentException.class, () -> other.prepareOnOneThread(matrix));
        assertFalse(jacobi.runsOnOneThread(KrylovSystems.laplacian(4, Precision.F32)));
    }

    @Test
    void stopsWhereAnotherMethodTakesLessTime() {
        int width = 60;
        CsrMatrix matrix = KrylovSystems.laplacian(width, Precision.F64);
        HostVector b = KrylovSystems.random(Precision.F64, width * width, TestSeed.random("gives up"));
        HostVector x = HostVector.zeros(Precision.F64, width * width).fill(0.5);
        StoppingCriteria criteria = StoppingCriteria.relative(1e-12, 1000);
        SolveReport left = iterations(matrix, true, enough -> 0).solve(b, x, criteria);
        assertEquals(SolveStatus.STAGNATED, left.status(), () -> notes(left));
        assertTrue(left.iterations() >= 3 && left.iterations() < 30, () -> notes(left));
        assertTrue(left.detail().contains("more would follow, which take longer than a factorisation"), left::detail);
        assertArrayEquals(HostVector.zeros(Precision.F64, width * width).fill(0.5).toDoubleArray(), x.toDoubleArray());
        assertEquals(left.residualHistory().getFirst(), left.trueResidual());
        SolveReport report = iterations(matrix, true, NEVER).solve(b, x, criteria);
        assertTrue(report.converged() && report.iterations() > left.iterations(), () -> notes(report));
    }

    /** Of meshes of 5,000 rows a factorisation takes longer than some twenty iterations, however slow they are. */
    @Test
    void factorsOfLargeMeshesAreNotCountedAtOnce() {
        StoppingCriteria criteria = StoppingCriteria.relative(1e-12, 1000);
        int[] done = new int[2];
        for (int k = 0; k < 2; k++) {
            CsrMatrix matrix = KrylovSystems.laplacian(70 + k, Precision.F64);
            HostVector b = KrylovSystems.random(Precision.F64, matrix.rows(), TestSeed.random("large meshes"));
            HostVector x = HostVector.zeros(Precision.F64, matrix.rows());
            SolveReport report = iterations(matrix, false, enough -> 0).solve(b, x, criteria);
            assertEquals(SolveStatus.STAGNATED, report.status(), () -> notes(report));
            done[k] = report.iterations();
        }
        assertTrue(done[0] < 15 && done[1] >= 20 && done[1] < 30, () -> Arrays.toString(done));
    }

    @Test
    void meshesHaveShortRowsThatReachFar() {
        assertTrue(WholeMatrix.of(KrylovSystems.laplacian(9, Precision.F64)).isMesh());
        double[][] band = new double[100][100];
        double[][] arrow = new double[100][100];
        for (int i = 0; i < 100; i++) {
            band[i][i] = 1;
            band[i][Math.min(i + 1, 99)] = 1;
            arrow[i][i] = 1;
            arrow[0][i] = 1;
        }
        assertFalse(WholeMatrix.of(KrylovSystems.csr(band, 100, Precision.F64)).isMesh());
        assertFalse(WholeMatrix.of(KrylovSystems.csr(arrow, 100, Precision.F64)).isMesh());
    }

    @Test
    void refusesOtherLengthsAndWhatIsNotFinite() {
        TrialIterations solver = iterations(KrylovSystems.laplacian(3, Precision.F64), true, NEVER);
        StoppingCriteria criteria = StoppingCriteria.defaults(Precision.F64);
        HostVector nine = HostVector.zeros(Precision.F64, 9);
        HostVector eight = HostVector.zeros(Precision.F64, 8);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> solver.solve(eight, nine, criteria)).getMessage()
                .contains("length of b is 8"));
        HostVector bad = HostVector.zeros(Precision.F64, 9).fill(Double.NaN);
        assertThrows(IllegalArgumentException.class, () -> solver.solve(bad, nine, criteria));
        SolveReport zero = solver.solve(nine, HostVector.zeros(Precision.F64, 9), criteria);
        assertTrue(zero.converged() && zero.iterations() == 0, zero::toString);
    }

    @Test
    void oneRankFactorisesBelow500Rows() {
        Solution small = solve(KrylovSystems.laplacian(22, Precision.F64));
        assertEquals("direct", small.report().method());
        assertFalse(notes(small.report()).contains("one thread"), () -> notes(small.report()));
        Solution large = solve(KrylovSystems.laplacian(23, Precision.F64));
        assertTrue(notes(large.report()).contains("auto: cg with ic0 on one thread, which go on while"),
                () -> notes(large.report()));
    }

    private static Solution solve(CsrMatrix matrix) {
        HostVector b = KrylovSystems.random(matrix.precision(), matrix.rows(), TestSeed.random("right-hand side"));
        try (SystemSolver solver = Solvers.auto(matrix)) {
            Solution solution = solver.solve(b);
            assertTrue(solution.converged(), () -> notes(solution.report()));
            return solution;
        }
    }

    @Test
    void singlePrecisionHasItsOwnTolerance() {
        CsrMatrix matrix = KrylovSystems.symmetric(700, true, Precision.F32, TestSeed.random("single"));
        SolveReport report = solve(matrix).report();
        assertEquals("cg", report.method(), () -> notes(report));
        assertTrue(report.relativeResidual() <= StoppingCriteria.DEFAULT_SINGLE_TOLERANCE, () -> notes(report));
    }

    /** The norm of a residual says nothing about rows that are much smaller than others. */
    @Test
    void rowsOfABadlyScaledMatrixAreAllSolved() {
        int n = 600;
        SplittableRandom random = TestSeed.random("badly scaled");
        CsrMatrix plain = KrylovSystems.unsymmetric(n, Precision.F64, random)
                .mapValues((i, j, value) -> i == j ? 0.3 * value : value);
        CsrMatrix matrix = plain.mapValues((i, j, value) -> i % 2 == 0 ? Math.scalb(value, -60) : value);
        double[] exact = random.doubles(n, -1, 1).toArray();
        try (SystemSolver solver = Solvers.auto(matrix)) {
            Solution solution = solver.solve(matrix.multiply(exact));
            assertTrue(solution.converged() && distance(HostVector.of(solution.x()), exact) < 1e-5,
                    () -> notes(solution.report()));
        }
    }

    /** Where iterations are hopeless a factorisation follows, and new values are tried anew. */
    @Test
    void factorisesWhatDoesNotConvergeAndTakesNewValues() {
        int n = 600;
        SplittableRandom random = TestSeed.random("hopeless");
        CsrMatrix hard = KrylovSystems.unsymmetric(n, Precision.F64, random)
                .mapValues((i, j, value) -> i == j ? 1e-3 * value : value);
        CsrMatrix easy = hard.mapValues((i, j, value) -> i == j ? 1e4 * value : value);
        double[] exact = random.doubles(n, -1, 1).toArray();
        try (SystemSolver solver = Solvers.auto(hard)) {
            Solution first = solver.solve(hard.multiply(exact));
            assertTrue(first.converged(), () -> notes(first.report()));
            assertEquals("direct", first.report().method(), () -> notes(first.report()));
            assertTrue(notes(first.report()).contains("gmres with ilu0 on one thread"), () -> notes(first.report()));
            Solution second = solver.update(easy).solve(easy.multiply(exact));
            assertTrue(second.converged() && distance(HostVector.of(second.x()), exact) < 1e-6,
                    () -> notes(second.report()));
        }
        try (SystemSolver solver = Solvers.auto(easy)) {
            Solution first = solver.solve(easy.multiply(exact));
            assertTrue(first.report().method().startsWith("gmres"), () -> notes(first.report()));
            CsrMatrix other = easy.mapValues((i, j, value) -> 2 * value);
            Solution second = solver.update(other).solve(other.multiply(exact));
            assertTrue(second.report().method().startsWith("gmres"), () -> notes(second.report()));
            assertTrue(distance(HostVector.of(second.x()), exact) < 1e-6, () -> notes(second.report()));
        }
    }
}
