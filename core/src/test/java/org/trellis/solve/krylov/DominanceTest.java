package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorArithmetic;
import org.trellis.solve.direct.LuOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/** Bounds by a dominant diagonal, and the choice of iterations that follows from it. */
class DominanceTest {
    /**
     * Small integers, so that products with small integers are exact in both precisions. Some five others a row are
     * beside a diagonal element that is at least 4/3 of their sum.
     */
    private static CsrMatrix dominant(int n, boolean symmetric, Precision precision, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (int k = 0; k < (symmetric ? 2 : 5) * n; k++) {
            int i = random.nextInt(n);
            int j = random.nextInt(n);
            a[i][j] = random.nextInt(-9, 10);
            a[j][i] = symmetric ? a[i][j] : a[j][i];
        }
        for (int i = 0; i < n; i++) {
            a[i][i] = 0;
            double sum = Arrays.stream(a[i]).map(Math::abs).sum();
            a[i][i] = (1 + Math.ceil(sum * random.nextDouble(4 / 3.0, 2)))
                    * (!symmetric && random.nextBoolean() ? -1 : 1);
        }
        return KrylovSystems.csr(a, n, precision);
    }

    private static double[] integers(int n, SplittableRandom random) {
        return random.doubles(n, -9, 10).map(Math::floor).toArray();
    }

    private static double distance(double[] x, double[] y) {
        double[] difference = x.clone();
        Arrays.setAll(difference, i -> x[i] - y[i]);
        return VectorArithmetic.norm(difference);
    }

    @ParameterizedTest
    @CsvSource({"F64, true", "F64, false", "F32, true", "F32, false"})
    void iterationsComeFirstAndTheirErrorIsBounded(Precision precision, boolean symmetric) {
        SplittableRandom random = TestSeed.random("dominant systems");
        int n = random.nextInt(500, 700);
        CsrMatrix matrix = dominant(n, symmetric, precision, random);
        double[] exact = integers(n, random);
        HostVector b = HostVector.of(matrix.multiply(exact)).convert(precision);
        HostVector x = HostVector.zeros(precision, n);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                AutomaticSolver solver =
                        new AutomaticSolver(matrix, () -> product, SolverContext.of(backend))) {
            SolveReport report = solver.solve(b, x, StoppingCriteria.defaults(precision));
            String said = report + " " + report.facts().notes() + ", seed " + TestSeed.value();
            assertTrue(report.converged(), said);
            assertTrue(report.method().startsWith(symmetric ? "cg" : "gmres"), said);
            assertTrue(report.facts().notes().stream().noneMatch(note -> note.contains("direct")), said);
            assertTrue(report.facts().error().basis().contains("a bound by the dominance"), said);
            double error = distance(x.toDoubleArray(), exact) / VectorArithmetic.norm(exact);
            double bound = report.facts().error().forwardBound();
            assertTrue(error <= bound && bound <= 1e-2, () -> error + " beyond " + bound + ": " + said);
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void boundsHoldAndAreNotFarOff(Precision precision) {
        SplittableRandom random = TestSeed.random("bounds of errors");
        for (int repetition = 0; repetition < 40; repetition++) {
            int n = random.nextInt(1, 90);
            CsrMatrix matrix = dominant(n, random.nextBoolean(), precision, random);
            double[] exact = integers(n, random);
            double[] b = matrix.multiply(exact);
            Dominance dominance = Dominance.of(matrix).orElseThrow();
            assertFalse(dominance.isWeighted());
            double[] x = exact.clone();
            double amount = Math.scalb(1.0, -random.nextInt(0, 45));
            int only = random.nextInt(n);
            boolean one = random.nextBoolean();
            Arrays.setAll(x, i -> exact[i] + (one && i != only ? 0 : amount * random.nextDouble(-1, 1)));
            double error = distance(x, exact);
            double bound = dominance.error(b, x);
            assertTrue(error <= bound && bound <= 30 * error + 1e-11 * VectorArithmetic.norm(exact),
                    () -> error + " bounded by " + bound + ", seed " + TestSeed.value());
            assertInverse(matrix, dominance, random);
        }
    }

    private static void assertInverse(CsrMatrix matrix, Dominance dominance, SplittableRandom random) {
        HostVector z = HostVector.of(random.doubles(matrix.rows()).map(u -> u < 0.5 ? -1 : 1).toArray())
                .convert(matrix.precision());
        HostVector y = HostVector.zeros(matrix.precision(), matrix.rows());
        try (DirectSolver solver = DirectSolver.of(matrix, false, LuOptions.defaults(), Double.POSITIVE_INFINITY)) {
            solver.solve(z, y, StoppingCriteria.defaults(matrix.precision()));
        }
        double largest = Arrays.stream(y.toDoubleArray()).map(Math::abs).max().orElseThrow();
        assertTrue(largest <= (1 + 1e-6) * dominance.inverse(),
                () -> largest + " beyond " + dominance.inverse() + ", seed " + TestSeed.value());
    }

    /** With columns of other sizes rows are no longer dominant as they are. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void weightsOfColumnsAreFound(Precision precision) {
        SplittableRandom random = TestSeed.random("weights of columns");
        int n = random.nextInt(200, 300);
        CsrMatrix plain = dominant(n, true, precision, random);
        // of a row that is not the diagonal alone
        int scaled = random.ints(0, n).filter(i -> plain.diagonal().get(i) > 1).findFirst().orElseThrow();
        CsrMatrix matrix = plain.mapValues((i, j, value) -> j == scaled ? value / 64 : value);
        Dominance dominance = Dominance.of(matrix).orElseThrow(() -> new AssertionError(TestSeed.value()));
        assertTrue(dominance.isWeighted() && dominance.share() <= Dominance.MOST, dominance::toString);
        assertInverse(matrix, dominance, random);
        double[] exact = integers(n, random);
        double[] b = matrix.multiply(exact);
        double[] x = Arrays.stream(exact).map(e -> e + random.nextDouble(-1e-3, 1e-3)).toArray();
        assertTrue(distance(x, exact) <= dominance.error(b, x), () -> "seed " + TestSeed.value());
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void otherDiagonalsDoNotDominate(Precision precision) {
        assertEquals(Optional.empty(), Dominance.of(KrylovSystems.laplacian(20, precision)));
        CsrMatrix hollow = KrylovSystems.csr(new double[][]{{0, 0}, {1, 4}}, 2, precision);
        assertEquals(Optional.empty(), Dominance.of(hollow));
        CsrMatrix notFinite = KrylovSystems.csr(new double[][]{{1, Double.NaN}, {1, 4}}, 2, precision);
        assertEquals(Optional.empty(), Dominance.of(notFinite));
    }
}
