package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/**
 * Systems times powers of two: solved in the same iterations, bit by bit, as long as entries and solution are normal
 * numbers, and refused otherwise.
 */
class ScaledSystemsTest {
    /** Exponents of the matrix and of the right-hand side. */
    private static final int[][] DOUBLE = {{0, 510}, {0, -560}, {0, -900}, {-400, 500}, {400, -400}, {900, 900},
        {-900, -900}, {702, 0}, {-700, 0}};
    private static final int[][] SINGLE = {{0, 66}, {0, -76}, {0, -100}, {-40, 50}, {40, -40}, {96, 96}, {-96, -96},
        {82, 0}, {-80, 0}};

    private final Backend reference = Backends.open("reference", Configuration.load());

    @AfterEach
    void close() {
        reference.close();
    }

    private static CsrMatrix system(KrylovMethod method, int n, Precision precision, SplittableRandom random) {
        return switch (method.matrices()) {
            case DEFINITE -> KrylovSystems.symmetric(n, true, precision, random);
            case SYMMETRIC -> KrylovSystems.symmetric(n, false, precision, random);
            case SQUARE, ANY -> KrylovSystems.unsymmetric(n, precision, random);
            case COMPLEX_SYMMETRIC -> KrylovSystems.complex(n / 2, true, precision, random).realForm();
            case COMPLEX -> KrylovSystems.complex(n / 2, false, precision, random).realForm();
        };
    }

    private static HostVector scaled(HostVector v, int exponent) {
        return HostVector.of(v.precision(), v.length(), i -> Math.scalb(v.get(i), exponent));
    }

    private static CsrMatrix scaled(CsrMatrix a, int exponent) {
        return a.mapValues((i, j, value) -> Math.scalb(value, exponent));
    }

    private static StoppingCriteria criteria(Precision precision) {
        return StoppingCriteria.relative(precision == Precision.F32 ? 1e-5 : 1e-11, 2000);
    }

    private static void same(SolveReport expected, HostVector x, SolveReport found, HostVector y, int matrix, int right,
            String context) {
        assertEquals(expected.status(), found.status(), context);
        assertEquals(expected.residualHistory(),
                found.residualHistory().stream().map(norm -> Math.scalb(norm, -right)).toList(), context);
        assertEquals(expected.trueResidual(), Math.scalb(found.trueResidual(), -right), context);
        assertArrayEquals(x.toDoubleArray(), scaled(y, matrix - right).toDoubleArray(), context);
    }

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void methodsIterateAlike(KrylovMethod method) {
        SplittableRandom random = TestSeed.random("methodsIterateAlike" + method);
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = system(method, 23, precision, random);
            HostVector b = KrylovSystems.random(precision, matrix.rows(), random);
            HostVector guess = KrylovSystems.random(precision, matrix.rows(), random);
            for (boolean jacobi : new boolean[]{false, true}) {
                if ((jacobi && (method.matrices() == KrylovMethod.Matrices.ANY || method == KrylovMethod.MINRES))
                        || (!jacobi && method == KrylovMethod.RICHARDSON)) {
                    continue; // as elsewhere
                }
                HostVector x = guess.copy();
                SolveReport expected = KrylovSystems.solve(reference, matrix, method, jacobi, Map.of(), b, x,
                        criteria(precision));
                assertTrue(expected.converged(), expected::toString);
                for (int[] by : precision == Precision.F64 ? DOUBLE : SINGLE) {
                    HostVector y = scaled(guess, by[1] - by[0]);
                    SolveReport found = KrylovSystems.solve(reference, scaled(matrix, by[0]), method, jacobi, Map.of(),
                            scaled(b, by[1]), y, criteria(precision));
                    same(expected, x, found, y, by[0], by[1], method + " " + precision + " Jacobi " + jacobi + ", 2^"
                            + by[0] + " A x = 2^" + by[1] + " b, seed " + TestSeed.value() + ": " + found
                            + "\nexpected " + expected);
                }
            }
        }
    }

    private SolveReport solve(SolverConfig stack, CsrMatrix matrix, HostVector b, HostVector x) {
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = stack.prepare(matrix, operator, reference)) {
            return solver.solve(b, x, stack.criteria());
        }
    }

    @ParameterizedTest
    @CsvSource({"cg,ic0", "cg,ssor", "cg,amg", "gmres,ilu0", "gmres,spai0", "bicgstab,block-jacobi", "cg,fsai",
        "multigrid,amg", "fgmres,amg", "cg,polynomial", "cg,chebyshev", "idr,gauss-seidel", "auto,auto", "fcg,amg"})
    void stacksIterateAlike(String method, String preconditioner) {
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = KrylovSystems.laplacian(9, precision);
            HostVector b = KrylovSystems.random(precision, 81, TestSeed.random("stacks"));
            SolverConfig stack = SolverConfig.of(method, preconditioner).with(criteria(precision));
            HostVector x = HostVector.zeros(precision, 81);
            SolveReport expected = solve(stack, matrix, b, x);
            assertTrue(expected.converged(), expected::toString);
            for (int[] by : precision == Precision.F64 ? DOUBLE : SINGLE) {
                HostVector y = HostVector.zeros(precision, 81);
                SolveReport found = solve(stack, scaled(matrix, by[0]), scaled(b, by[1]), y);
                same(expected, x, found, y, by[0], by[1], stack + " " + precision + ", 2^" + by[0] + " A x = 2^" + by[1]
                        + " b: " + found + "\nexpected " + expected);
            }
        }
    }

    @Test
    void mixedPrecisionTakesEntriesThatSinglePrecisionDoesNot() {
        CsrMatrix matrix = KrylovSystems.laplacian(9, Precision.F64);
        HostVector b = KrylovSystems.random(Precision.F64, 81, TestSeed.random("mixed"));
        SolverConfig stack = new SolverConfig("cg", Map.of(), "jacobi", Map.of(), criteria(Precision.F64), true, false);
        for (int[] by : DOUBLE) {
            HostVector y = HostVector.zeros(Precision.F64, 81);
            SolveReport found = solve(stack, scaled(matrix, by[0]), scaled(b, by[1]), y);
            assertTrue(found.converged(), found::toString);
        }
    }

    @Test
    void permutationsWithSmallRightHandSidesAreSolvedByAll() {
        double[][] a = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
        for (Precision precision : Precision.values()) {
            double unit = precision == Precision.F32 ? 1e-23 : 1e-170;
            HostVector b = HostVector.of(precision, 3, i -> (i + 1) * unit);
            for (String method : List.of("gmres", "fgmres", "idr", "lsqr", "auto")) {
                HostVector x = HostVector.zeros(precision, 3);
                SolveReport report = solve(SolverConfig.of(method, method.equals("auto") ? "auto" : "none")
                        .with(criteria(precision)), KrylovSystems.csr(a, 3, precision), b, x);
                assertTrue(report.converged(), method + ": " + report);
                assertEquals(3, x.get(0) / unit, 1e-4, method);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void solutionsThatAreNoNormalNumbersAreRefused(KrylovMethod method) {
        SplittableRandom random = TestSeed.random("refused" + method);
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = system(method, 9, precision, random);
            HostVector b = KrylovSystems.random(precision, matrix.rows(), random);
            int most = precision == Precision.F32 ? 80 : 600;
            for (int sign : new int[]{-1, 1}) {
                HostVector x = HostVector.zeros(precision, matrix.rows());
                SolveReport report = KrylovSystems.solve(reference, scaled(matrix, sign * most), method,
                        method == KrylovMethod.RICHARDSON, Map.of(), scaled(b, -sign * most), x, criteria(precision));
                assertFalse(report.converged(), method + " " + precision + " " + sign + ": " + report);
                assertTrue(report.detail().contains("no normal numbers in " + precision.label()), report::toString);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void zeroIsTheAnswerToZero(KrylovMethod method) {
        SplittableRandom random = TestSeed.random("zero" + method);
        CsrMatrix matrix = system(method, 17, Precision.F64, random);
        HostVector x = KrylovSystems.random(Precision.F64, matrix.rows(), random);
        SolveReport report = KrylovSystems.solve(reference, matrix, method, false, Map.of(),
                HostVector.zeros(Precision.F64, matrix.rows()), x, criteria(Precision.F64));
        assertEquals(SolveStatus.CONVERGED, report.status(), report::toString);
        assertArrayEquals(new double[matrix.rows()], x.toDoubleArray());
    }

    @Test
    void lsqrDoesNotTakeAnIllConditionedSystemForOneWithoutSolution() {
        HostVector x = HostVector.zeros(Precision.F64, 2);
        SolveReport report = KrylovSystems.solve(reference,
                KrylovSystems.csr(new double[][]{{1, 0}, {0, 1e-9}}, 2, Precision.F64), KrylovMethod.LSQR, false,
                Map.of(), HostVector.of(new double[]{1, 1}), x, StoppingCriteria.relative(1e-8, 1000));
        assertTrue(report.converged() && report.relativeResidual() <= 1e-8, report::toString);
        assertArrayEquals(new double[]{1, 1e9}, x.toDoubleArray(), 10);
    }

    private List<SolveReport> block(CsrMatrix matrix, boolean jacobi, MultiVector b, MultiVector x) {
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix);
                JacobiPreconditioner diagonal = JacobiPreconditioner.of(matrix, reference);
                BlockConjugateGradient solver = new BlockConjugateGradient(operator, jacobi ? diagonal : null,
                        reference)) {
            return solver.solve(b, x, criteria(matrix.precision()));
        }
    }

    @Test
    void columnsOfBlocksIterateAlike() {
        SplittableRandom random = TestSeed.random("blocks");
        int n = 19;
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = KrylovSystems.symmetric(n, true, precision, random);
            HostVector b = KrylovSystems.random(precision, n, random);
            HostVector guess = KrylovSystems.random(precision, n, random);
            for (boolean jacobi : new boolean[]{false, true}) {
                MultiVector right = MultiVector.zeros(precision, n, 1);
                MultiVector found = MultiVector.zeros(precision, n, 1);
                ((HostVector) right.storage()).copyFrom(b);
                ((HostVector) found.storage()).copyFrom(guess);
                SolveReport expected = block(matrix, jacobi, right, found).getFirst();
                assertTrue(expected.converged(), expected::toString);
                for (int[] by : precision == Precision.F64 ? DOUBLE : SINGLE) {
                    // Columns of one system and of several sizes.
                    int[] sizes = {by[1], by[1] + 3, by[1] - 20, by[1] + 1, by[1] + 9};
                    MultiVector rights = MultiVector.zeros(precision, n, sizes.length);
                    MultiVector solutions = MultiVector.zeros(precision, n, sizes.length);
                    for (int i = 0; i < n * sizes.length; i++) {
                        int size = sizes[i % sizes.length];
                        ((HostVector) rights.storage()).set(i, Math.scalb(b.get(i / sizes.length), size));
                        ((HostVector) solutions.storage()).set(i,
                                Math.scalb(guess.get(i / sizes.length), size - by[0]));
                    }
                    List<SolveReport> reports = block(scaled(matrix, by[0]), jacobi, rights, solutions);
                    for (int c = 0; c < sizes.length; c++) {
                        int column = c;
                        HostVector y = HostVector.of(precision, n,
                                i -> ((HostVector) solutions.storage()).get(i * sizes.length + column));
                        same(expected, (HostVector) found.storage(), reports.get(c), y, by[0], sizes[c],
                                precision + " Jacobi " + jacobi + ", 2^" + by[0] + " A x = 2^" + sizes[c] + " b, seed "
                                        + TestSeed.value() + ": " + reports.get(c) + "\nexpected " + expected);
                    }
                }
            }
        }
    }

    @Test
    void blocksRefuseSolutionsThatAreNoNormalNumbersAndFindZero() {
        CsrMatrix matrix = KrylovSystems.laplacian(4, Precision.F32);
        MultiVector b = MultiVector.zeros(Precision.F32, 16, 2);
        MultiVector x = MultiVector.zeros(Precision.F32, 16, 2);
        for (int i = 0; i < 16; i++) {
            ((HostVector) b.storage()).set(2 * i, 1e30);
            ((HostVector) x.storage()).set(2 * i + 1, 1);
        }
        List<SolveReport> reports = block(scaled(matrix, -90), false, b, x);
        assertEquals(SolveStatus.BREAKDOWN, reports.get(0).status(), () -> reports.get(0).toString());
        assertTrue(reports.get(0).detail().contains("no normal numbers in f32"), () -> reports.get(0).toString());
        assertEquals(SolveStatus.CONVERGED, reports.get(1).status(), () -> reports.get(1).toString());
        assertEquals(0, ((HostVector) x.storage()).get(1));
    }

    @Test
    void firstGuessesFarTooLargeDoNotHideTheRightHandSide() {
        CsrMatrix matrix = KrylovSystems.laplacian(4, Precision.F32);
        MultiVector b = MultiVector.zeros(Precision.F32, 16, 1);
        MultiVector x = MultiVector.zeros(Precision.F32, 16, 1);
        for (int i = 0; i < 16; i++) {
            ((HostVector) b.storage()).set(i, 1e-25);
            ((HostVector) x.storage()).set(i, 1e10 * (i + 1));
        }
        SolveReport report = block(matrix, false, b, x).getFirst();
        assertTrue(!report.converged() || report.trueResidual() <= 1e-5 * report.rightHandSideNorm(),
                report::toString);
        double[] found = ((HostVector) x.storage()).toDoubleArray();
        double[] residual = matrix.multiply(found);
        assertTrue(!report.converged() || Math.abs(residual[5] - 1e-25) <= 1e-29, report::toString);
    }

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void singlePrecisionDoesNotReachWhatItDoesNotResolve(KrylovMethod method) {
        // The residual of 0.33333334f is 0 in single precision and 3e-8 in double precision.
        int n = method.isComplex() ? 2 : 1;
        HostVector one = HostVector.of(Precision.F32, n, i -> i == 0 ? 1 : 0);
        HostVector x = HostVector.zeros(Precision.F32, n);
        SolveReport third = KrylovSystems.solve(reference, CsrMatrix.identity(n, Precision.F32).scaled(3),
                method, method == KrylovMethod.RICHARDSON, Map.of(), one, x, StoppingCriteria.relative(1e-9, 100));
        assertFalse(third.converged(), third::toString);
        assertEquals(3 * x.get(0) - 1, third.trueResidual(), 1e-12, third::toString);
        HostVector y = HostVector.zeros(Precision.F32, n);
        SolveReport half = KrylovSystems.solve(reference, CsrMatrix.identity(n, Precision.F32).scaled(2),
                method, method == KrylovMethod.RICHARDSON, Map.of(), one, y, StoppingCriteria.relative(1e-9, 100));
        assertTrue(half.converged(), half::toString);
    }

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void whatHasConvergedInSinglePrecisionHasSoInDoublePrecision(KrylovMethod method) {
        SplittableRandom random = TestSeed.random("inDouble" + method);
        for (double tolerance : new double[]{1e-5, 1e-6, 2e-7, 1e-7, 5e-8, 1e-8}) {
            CsrMatrix matrix = system(method, 30, Precision.F32, random);
            HostVector b = KrylovSystems.random(Precision.F32, 30, random);
            HostVector x = HostVector.zeros(Precision.F32, 30);
            SolveReport report = KrylovSystems.solve(reference, matrix, method, method == KrylovMethod.RICHARDSON,
                    Map.of(), b, x, StoppingCriteria.relative(tolerance, 500));
            double[] product = matrix.toPrecision(Precision.F64).multiply(x.toDoubleArray());
            double square = 0;
            for (int i = 0; i < 30; i++) {
                square += (b.get(i) - product[i]) * (b.get(i) - product[i]);
            }
            assertTrue(!report.converged() || report.detail().contains("least squares")
                    || Math.sqrt(square) <= 1.00001 * tolerance * report.rightHandSideNorm(),
                    method + ", seed " + TestSeed.value() + ": " + Math.sqrt(square) + " " + report);
        }
    }
}
