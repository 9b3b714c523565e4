package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/** Every method solves what it is made for, on every backend that there is. */
class KrylovMethodTest {
    private static final int[] SIZES = {0, 1, 2, 7, 40};

    private static CsrMatrix system(KrylovMethod method, int n, Precision precision, SplittableRandom random) {
        return switch (method.matrices()) {
            case DEFINITE -> KrylovSystems.symmetric(n, true, precision, random);
            case SYMMETRIC -> KrylovSystems.symmetric(n, false, precision, random);
            case SQUARE, ANY -> KrylovSystems.unsymmetric(n, precision, random);
            case COMPLEX_SYMMETRIC -> KrylovSystems.complex(n / 2, true, precision, random).realForm();
            case COMPLEX -> KrylovSystems.complex(n / 2, false, precision, random).realForm();
        };
    }

    @ParameterizedTest
    @EnumSource(KrylovMethod.class)
    void agreesWithADenseSolution(KrylovMethod method) {
        SplittableRandom random = TestSeed.random("agreesWithADenseSolution" + method);
        List<Backend> backends = KrylovSystems.backends();
        try {
            for (Precision precision : Precision.values()) {
                for (int n : SIZES) {
                    CsrMatrix matrix = system(method, n, precision, random);
                    HostVector b = KrylovSystems.random(precision, matrix.rows(), random);
                    double[] expected = KrylovSystems.dense(matrix, b);
                    HostVector guess = KrylovSystems.random(precision, matrix.rows(), random);
                    for (Backend backend : backends) {
                        for (boolean jacobi : new boolean[]{false, true}) {
                            if ((jacobi && (method.matrices() == KrylovMethod.Matrices.ANY
                                    || method == KrylovMethod.MINRES))
                                    || (!jacobi && method == KrylovMethod.RICHARDSON)) {
                                continue; // Jacobi of an indefinite matrix is not definite; Richardson needs a scale
                            }
                            check(backend, matrix, method, jacobi, b, guess.copy(), expected);
                        }
                    }
                }
            }
        } finally {
            backends.forEach(Backend::close);
        }
    }

    private static void check(Backend backend, CsrMatrix matrix, KrylovMethod method, boolean jacobi, HostVector b,
            HostVector x, double[] expected) {
        boolean single = matrix.precision() == Precision.F32;
        double tolerance = single ? 1e-5 : 1e-11;
        SolveReport report = KrylovSystems.solve(backend, matrix, method, jacobi, Map.of(), b, x,
                StoppingCriteria.relative(tolerance, 2000));
        String context = method + " on " + backend.name() + ", " + matrix + ", Jacobi " + jacobi + ", seed "
                + TestSeed.value() + ": " + report;
        assertEquals(SolveStatus.CONVERGED, report.status(), context);
        assertTrue(report.trueResidual() <= tolerance * report.rightHandSideNorm(), context);
        assertEquals(report.iterations() + 1, report.residualHistory().size(), context);
        assertArrayEquals(expected, x.toDoubleArray(), single ? 1e-3 : 1e-9, context);
    }

    @ParameterizedTest
    @EnumSource(names = {"LSQR", "LSMR"})
    void leastSquaresOfAnyShapeAreSolved(KrylovMethod method) {
        SplittableRandom random = TestSeed.random("lsqr");
        for (Precision precision : Precision.values()) {
            for (int[] shape : new int[][]{{5, 1}, {20, 7}, {101, 33}, {3, 3}}) {
                double[][] a = new double[shape[0]][shape[1]];
                for (double[] row : a) {
                    java.util.Arrays.setAll(row, j -> random.nextDouble(-1, 1));
                }
                CsrMatrix matrix = KrylovSystems.csr(a, shape[1], precision);
                HostVector b = KrylovSystems.random(precision, shape[0], random);
                double[] expected = KrylovSystems.dense(matrix, b);
                List<Backend> backends = KrylovSystems.backends();
                for (Backend backend : backends) {
                    try (backend) {
                        HostVector x = HostVector.zeros(precision, shape[1]);
                        SolveReport report = KrylovSystems.solve(backend, matrix, method, false, Map.of(),
                                b, x, StoppingCriteria.relative(precision == Precision.F64 ? 1e-12 : 1e-5, 1000));
                        String context = backend.name() + " " + matrix + ", seed " + TestSeed.value() + ": " + report;
                        assertEquals(SolveStatus.CONVERGED, report.status(), context);
                        assertArrayEquals(expected, x.toDoubleArray(), precision == Precision.F64 ? 1e-8 : 2e-2,
                                context);
                        assertEquals(shape[0] > shape[1], report.detail().contains("least squares"), context);
                    }
                }
            }
        }
    }
}
