package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixAlgebra;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Cycles on the backends of a CPU. */
final class MultigridTest {
    @MustBeClosed
    private static Backend open(String name, int threads) {
        return Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, threads).build());
    }

    private static Map<String, String> options(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : text.isEmpty() ? new String[0] : text.split(" ")) {
            int equals = option.indexOf('=');
            options.put(option.substring(0, equals), option.substring(equals + 1));
        }
        return options;
    }

    private static HostVector rightHandSide(Precision precision, int rows) {
        return Grids.vector(precision, rows, i -> ((7919L * i + 13) % 1009) / 1009.0 - 0.3);
    }

    private static HostVector applied(CsrMatrix a, String options, String backendName, int threads) {
        HostVector z = HostVector.zeros(a.precision(), a.rows());
        try (Backend backend = open(backendName, threads);
                Multigrid multigrid = Multigrid.of(a, null, options(options), backend)) {
            multigrid.apply(rightHandSide(a.precision(), a.rows()), z);
            HostVector again = HostVector.zeros(a.precision(), a.rows());
            multigrid.apply(rightHandSide(a.precision(), a.rows()), again);
            assertArrayEquals(z.toDoubleArray(), again.toDoubleArray());
        }
        return z;
    }

    @ParameterizedTest
    @ValueSource(strings = {"coarse-rows=10", "coarse-rows=10 cycle=w smoother=jacobi aggregates=mis2",
        "coarse-rows=10 cycle=f smoother=ssor before=2 after=0", "coarse-rows=10 coarsening=aggregation smoother=ssor",
        "coarse-rows=10 coarsening=classical smoother=l1-jacobi before=0 after=2", "coarse-rows=10 coarsening=air",
        "coarse-rows=10 coarsening=air smoother=fc-gauss-seidel before=1 prolongation=extended distance=1"})
    void backendsAgree(String options) {
        for (Precision precision : Precision.values()) {
            CsrMatrix a = Grids.square(33).toPrecision(precision);
            double[] expected = applied(a, options, "reference", 1).toDoubleArray();
            for (String name : List.of("threads", "simd")) {
                for (int threads : new int[]{1, 3}) {
                    double[] found = applied(a, options, name, threads).toDoubleArray();
                    double tolerance = 1e4 * precision.unitRoundoff();
                    for (int i = 0; i < found.length; i++) {
                        assertEquals(expected[i], found[i], tolerance * Math.max(1, Math.abs(expected[i])),
                                name + ", " + threads + " threads, " + precision.label() + ", row " + i);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"coarse-rows=10 | true", "coarse-rows=10 cycle=w smoother=ssor | true",
        "coarse-rows=10 smoother=gauss-seidel,direction=forward | true",
        "coarse-rows=10 smoother=gauss-seidel,direction=forward mirror=false | false",
        "coarse-rows=10 before=2 smoother=jacobi | false", "coarse-rows=2 cycle=f | false",
        "coarse-rows=10 cycle=k | false"})
    void symmetryIsWhatItIsSaidToBe(String options, boolean symmetric) {
        CsrMatrix a = Grids.square(41);
        HostVector x = Grids.vector(Precision.F64, a.rows(), i -> Math.sin(i * i));
        HostVector y = Grids.vector(Precision.F64, a.rows(), i -> Math.cos(3.0 * i));
        HostVector mx = HostVector.zeros(Precision.F64, a.rows());
        HostVector my = HostVector.zeros(Precision.F64, a.rows());
        try (Backend backend = open("threads", 2);
                Multigrid multigrid = Multigrid.of(a, null, options(options), backend)) {
            assertEquals(symmetric, multigrid.symmetric());
            multigrid.apply(x, mx);
            multigrid.apply(y, my);
            double difference = Math.abs(dot(y, mx) - dot(x, my)) / Math.sqrt(dot(mx, mx) * dot(y, y));
            assertEquals(symmetric, difference < 1e-13, "apart by " + difference);
        }
    }

    private static double dot(HostVector x, HostVector y) {
        double sum = 0;
        for (int i = 0; i < x.length(); i++) {
            sum += x.get(i) * y.get(i);
        }
        return sum;
    }

    /** α z + β y, and bound cycles, give what an application gives. */
    @Test
    @SuppressWarnings("try") // closed early
    void waysToApplyAgree() {
        CsrMatrix a = Grids.square(25);
        HostVector b = rightHandSide(Precision.F64, a.rows());
        HostVector z = HostVector.zeros(Precision.F64, a.rows());
        HostVector y = Grids.vector(Precision.F64, a.rows(), i -> i);
        HostVector x = HostVector.zeros(Precision.F64, a.rows());
        try (Backend backend = open("threads", 2);
                Multigrid multigrid = Multigrid.of(a, null, options("coarse-rows=20"), backend);
                PreparedStep fromZero = multigrid.bindApplication(b, x).getFirst()) {
            multigrid.apply(b, z);
            multigrid.apply(2, b, -1, y);
            x.fill(Double.NaN);
            fromZero.run();
            for (int i = 0; i < a.rows(); i++) {
                assertEquals(2 * z.get(i) - i, y.get(i), 1e-12 * (1 + i));
            }
            assertArrayEquals(z.toDoubleArray(), x.toDoubleArray());
            x.fill(0);
            multigrid.sweep(b, x, SweepDirection.FORWARD);
            for (int i = 0; i < a.rows(); i++) {
                assertEquals(z.get(i), x.get(i), 1e-12);
            }
            assertThrows(IllegalArgumentException.class, () -> multigrid.bindApplication(b, b));
            multigrid.close();
            assertThrows(IllegalStateException.class, fromZero::run);
        }
    }

    private static SolveReport solve(CsrMatrix a, Multigrid multigrid, Backend backend, double tolerance) {
        HostVector x = HostVector.zeros(a.precision(), a.rows());
        HostVector b = a.multiply(rightHandSide(a.precision(), a.rows()));
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend)) {
            return solver.solve(b, x, StoppingCriteria.relative(tolerance, 200), ProgressListener.NONE);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"coarse-rows=30 | 14", "coarse-rows=30 aggregates=mis2 | 17",
        "coarse-rows=30 coarsening=classical smoother=ssor | 8", "coarse-rows=30 coarsening=aggregation | 30"})
    void convergesInBothPrecisions(String options, int most) {
        for (Precision precision : Precision.values()) {
            CsrMatrix a = Grids.square(60).toPrecision(precision);
            try (Backend backend = open("threads", 2);
                    Multigrid multigrid = Multigrid.of(a, null, options(options), backend)) {
                SolveReport report = solve(a, multigrid, backend, precision == Precision.F64 ? 1e-8 : 1e-5);
                assertTrue(report.converged() && report.iterations() <= most, report.toString());
            }
        }
    }

    /** Two steps of conjugate gradients on each level reduce the error of the next one more than one cycle does. */
    @ParameterizedTest
    @ValueSource(strings = {"smoothed-aggregation", "aggregation"})
    void krylovCyclesConvergeFasterThanVCycles(String coarsening) {
        CsrMatrix a = Grids.square(50);
        HostVector b = HostVector.zeros(Precision.F64, a.rows());
        double[] left = new double[2];
        try (Backend backend = open("threads", 2)) {
            for (int k = 0; k < 2; k++) {
                HostVector x = rightHandSide(Precision.F64, a.rows());
                String cycle = k == 0 ? "k" : "v";
                try (Multigrid multigrid = Multigrid.of(a, null, options("coarse-rows=10 smoother=ssor coarsening="
                        + coarsening + " cycle=" + cycle), backend)) {
                    for (int step = 0; step < 8; step++) {
                        multigrid.sweep(b, x, SweepDirection.FORWARD);
                    }
                }
                left[k] = dot(x, a.multiply(x));
            }
        }
        assertTrue(left[0] < 0.5 * left[1], left[0] + " and " + left[1]);
    }

    @Test
    void refreshTakesOtherValues() {
        CsrMatrix a = Grids.square(40);
        CsrMatrix other = a.mapValues((i, j, value) -> value * (1 + 0.5 * Math.sin(i + j)) + (i == j ? 1 : 0));
        HostVector b = rightHandSide(Precision.F64, a.rows());
        HostVector z = HostVector.zeros(Precision.F64, a.rows());
        HostVector expected = HostVector.zeros(Precision.F64, a.rows());
        Map<String, String> options = options("coarse-rows=20 smoother=ssor");
        try (Backend backend = open("threads", 2);
                Multigrid multigrid = Multigrid.of(a, null, options, backend);
                PreparedStep bound = multigrid.bindApplication(b, z).getFirst();
                Multigrid anew = Multigrid.of(other, null, options, backend)) {
            multigrid.refresh(other);
            bound.run();
            anew.apply(b, expected);
            for (int i = 0; i < a.rows(); i++) {
                assertEquals(expected.get(i), z.get(i), 1e-12);
            }
        }
    }

    /** A consistent system with free ends: the coarsest matrix is singular, which is said, and the cycle converges. */
    @Test
    void singularSystemsAreSaid() {
        CsrMatrix a = Grids.freeLine(200);
        try (Backend backend = open("threads", 1);
                Multigrid multigrid = Multigrid.of(a, null, options("coarse-rows=20 smoother=ssor"), backend)) {
            MultigridReport report = multigrid.report();
            assertTrue(report.remarks().getFirst().contains("null space of dimension 1"), report.toString());
            assertEquals("pseudo-inverse", report.levels().getLast().smoother());
            assertTrue(solve(a, multigrid, backend, 1e-8).converged());
        }
    }

    /**
     * The coarsest level is the finest, and elimination fills most of it in: predicted, refused, and solved by
     * sweeps.
     */
    @Test
    void factorsThatWouldBeTooLargeAreNotComputed() {
        int rows = 12_000;
        SplittableRandom random = TestSeed.random("factorsThatWouldBeTooLargeAreNotComputed");
        CsrMatrix half = AwkwardMatrices.random(rows, rows, row -> 3, Precision.F64, random)
                .plus(CsrMatrix.identity(rows, Precision.F64)).mapValues((i, j, v) -> i == j ? 10 : -1);
        CsrMatrix a = half.combine(1, half.transpose(), 1);
        for (CsrMatrix matrix : List.of(a, half)) {
            try (Backend backend = open("threads", 2);
                    Multigrid multigrid = Multigrid.of(matrix, null,
                            options("coarse-rows=20000 smoother=jacobi"), backend)) {
                MultigridReport report = multigrid.report();
                assertTrue(
                        report.remarks().getFirst().matches("level 0, the coarsest, of 12000 rows is not factorised, "
                                + "which would take [0-9]+ MiB and [0-9.e+]+ operations, more than 256 MiB "
                                + "and 2.0e\\+10 "
                                + "operations: 8 sweeps of a smoother take the place of its solution"),
                        report.toString());
                assertTrue(report.levels().getFirst().smoother().startsWith("8 sweeps of jacobi"), report.toString());
                assertTrue(multigrid.report().levels().getFirst().bytes() < 64 << 20, report.toString());
                assertTrue(matrix == half || solve(a, multigrid, backend, 1e-8).converged());
            }
        }
    }

    @Test
    void awkwardMatrices() {
        CsrBuilder dense = new CsrBuilder(40, Precision.F64, 200);
        for (int i = 0; i < 40; i++) {
            for (int j = 0; j < 40; j++) {
                if (i == 0 || j == 0 || i == j) {
                    dense.add(j, i == j ? 50 : -1);
                }
            }
            dense.endRow();
        }
        List<CsrMatrix> matrices = List.of(CsrMatrix.identity(0, Precision.F64), CsrMatrix.identity(1, Precision.F32),
                CsrMatrix.identity(1000, Precision.F64).scaled(3), dense.build(), Grids.line(2));
        for (CsrMatrix a : matrices) {
            for (String options : List.of("coarse-rows=3", "coarse-rows=0 coarsening=classical smoother=jacobi",
                    "coarse-rows=1 coarsening=aggregation smoother=ssor")) {
                try (Backend backend = open("threads", 2);
                        Multigrid multigrid = Multigrid.of(a, null, options(options), backend)) {
                    SolveReport report = solve(a, multigrid, backend, 1e-6);
                    assertTrue(report.converged(), a + ", " + options + ": " + report);
                }
            }
        }
    }

    @Test
    void reportTellsOfTheLevels() {
        CsrMatrix a = Grids.square(50);
        try (Backend backend = open("threads", 2);
                Multigrid multigrid = Multigrid.of(a, null, options("coarse-rows=30 smoother=ssor"), backend)) {
            MultigridReport report = multigrid.report();
            assertEquals(multigrid.hierarchy().size(), report.levels().size());
            assertEquals(2500, report.levels().getFirst().rows());
            assertEquals(a.nonZeros(), report.levels().getFirst().nonZeros());
            assertEquals("inverse", report.levels().getLast().smoother());
            assertTrue(report.levels().getFirst().seconds() > 0);
            assertTrue(report.operatorComplexity() > 1 && report.operatorComplexity() < 1.6, report.toString());
            assertTrue(report.bytes() > a.storedBytes());
            assertTrue(report.setupSeconds().get(SetupPhase.GALERKIN) > 0);
            assertTrue(report.toString().startsWith("smoothed-aggregation, strength symmetric, theta=0.0, "
                    + "cycle V(1,1): "), report.toString());
            assertFalse(report.toString().contains("remark"), report.toString());
        }
    }

    @Test
    void largeCoarsestLevelsAreFactorised() {
        CsrMatrix a = Grids.square(40);
        CsrMatrix unsymmetric = a.mapValues((i, j, value) -> i < j ? 0.9 * value : value);
        try (Backend backend = open("threads", 2)) {
            for (CsrMatrix matrix : List.of(a, unsymmetric)) {
                try (Multigrid multigrid =
                        Multigrid.of(matrix, null, options("coarse-rows=2000 smoother=jacobi"), backend)) {
                    HostVector b = rightHandSide(Precision.F64, a.rows());
                    HostVector x = HostVector.zeros(Precision.F64, a.rows());
                    multigrid.apply(b, x);
                    double[] back = matrix.multiply(x.toDoubleArray());
                    assertArrayEquals(b.toDoubleArray(), back, 1e-10);
                    assertTrue(multigrid.report().levels().getFirst().smoother().contains("factors"));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"colour=red", "coarsening=geometric", "cycle=x", "theta=none", "theta=2", "smoother=none",
        "smoother=jacobi,sweeps=2", "smoother=jacobi,degree=2", "smoother=magic", "smoother=jacobi,omega",
        "smoother=gauss-seidel,direction=backward", "aggregates=random", "before=0 after=0", "max-levels=0",
        "coarsening=classical damping=1", "coarsening=aggregation damping=1", "interpolation=4", "mirror=maybe",
        "coarse-rows=many", "splitting=hmis", "coarsening=classical splitting=falgout",
        "coarsening=classical row-sum=0", "coarsening=classical aggressive-levels=-1",
        "improve-candidates=-1", "improve-candidates=some",
        "coarsening=classical improve-candidates=1", "coarsening=classical adaptive-candidates=1",
        "adaptive-candidates=-1", "adaptive-candidates=many", "improve-candidates=1 setup=backend",
        "coarsening=classical splitting=hmis setup=backend", "coarsening=classical aggressive-levels=1 setup=backend",
        "coarsening=air setup=backend", "coarsening=air aggressive-levels=1", "coarsening=air damping=1",
        "coarsening=air distance=3", "coarsening=air distance=0", "coarsening=air restriction-theta=1",
        "coarsening=air prolongation=smoothed", "coarsening=air adaptive-candidates=1",
        "coarsening=air strength=signed",
        "coarsening=classical distance=1", "restriction-theta=0.1", "prolongation=one-point", "smoother=fc-jacobi",
        "coarsening=classical smoother=fc-gauss-seidel", "coarsening=air smoother=fc-jacobi,sweeps=1",
        "coarsening=air smoother=fc-jacobi,f-sweeps=0,c-sweeps=0"})
    void refusesUnknownOptions(String options) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> MultigridOptions.parse(options(options)));
        assertTrue(refused.getMessage().contains("expected") || refused.getMessage().contains("another"),
                refused.getMessage());
    }

    @Test
    void everyOptionIsRead() {
        MultigridOptions options = MultigridOptions.parse(options("coarsening=classical theta=0.5 interpolation=6 "
                + "splitting=hmis aggressive-levels=2 row-sum=0.8 "
                + "truncation=0.1 coarse-rows=40 max-levels=7 smoother=chebyshev,degree=4 cycle=w before=2 after=3 "
                + "mirror=false"));
        assertEquals(
                new CoarseningOptions(Coarsening.CLASSICAL, false, new StrengthOptions(StrengthMeasure.SIGNED, 0.5),
                        CoarseningOptions.Smoothing.usual(),
                        new CoarseningOptions.Classical(CoarseningOptions.SplittingMethod.HMIS, 2, 6, 0.8,
                                CoarseningOptions.Reduction.usual()),
                        0.1, 40, 7),
                options.coarsening());
        MultigridOptions reduction = MultigridOptions.parse(options("coarsening=air theta=0.3 splitting=pmis row-sum=1 "
                + "distance=1 restriction-theta=0.1 prolongation=extended interpolation=5 truncation=0.2"));
        assertEquals(new CoarseningOptions(Coarsening.AIR, false, new StrengthOptions(StrengthMeasure.SIGNED, 0.3),
                CoarseningOptions.Smoothing.usual(), new CoarseningOptions.Classical(
                        CoarseningOptions.SplittingMethod.PMIS, 0, 5, 1, new CoarseningOptions.Reduction(1, 0.1,
                                CoarseningOptions.Reduction.Prolongation.EXTENDED)),
                0.2, 300, 25), reduction.coarsening());
        assertEquals(new CycleOptions(CycleShape.V, 0, 1, true), reduction.cycle());
        assertEquals(SmootherSpec.parse("fc-jacobi"), reduction.smoother());
        assertEquals(CoarseningOptions.of(Coarsening.AIR),
                MultigridOptions.parse(options("coarsening=air")).coarsening());
        assertEquals(new CoarseningOptions.Smoothing(1.2, 3),
                MultigridOptions.parse(options("damping=1.2 improve-candidates=3")).coarsening().smoothing());
        assertEquals(4, MultigridOptions.parse(options("adaptive-candidates=4")).candidates());
        assertEquals(new CycleOptions(CycleShape.W, 2, 3, false), options.cycle());
        assertEquals(new SmootherSpec("chebyshev", Map.of("degree", "4")), options.smoother());
    }

    private static int iterations(Backend backend, CsrMatrix a, Multigrid multigrid) {
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend)) {
            HostVector x = HostVector.zeros(a.precision(), a.rows());
            SolveReport report =
                    solver.solve(rightHandSide(a.precision(), a.rows()), x, StoppingCriteria.relative(1e-10, 60));
            assertEquals(SolveStatus.CONVERGED, report.status(), report.toString());
            return report.iterations();
        }
    }

    /** A method in double precision, whose preconditioner is not. */
    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads"})
    void levelsMayBeInSinglePrecision(String name) {
        CsrMatrix a = Grids.square(40);
        Map<String, String> narrowOptions = Map.of("levels", "f32", "coarse-rows", "20");
        try (Backend backend = open(name, 2);
                Multigrid wide = Multigrid.of(a, null, Map.of("coarse-rows", "20"), backend);
                Multigrid narrow = Multigrid.of(a, null, narrowOptions, backend)) {
            assertEquals(iterations(backend, a, wide), iterations(backend, a, narrow), 1);
            assertEquals(Precision.F32, narrow.hierarchy().level(0).matrix().precision());
            assertTrue(narrow.describe().contains("in f32"), narrow.describe());
            HostVector r = rightHandSide(Precision.F64, a.rows());
            HostVector z = HostVector.zeros(Precision.F64, a.rows());
            HostVector twice = HostVector.of(Precision.F64, a.rows(), i -> 1);
            narrow.apply(r, z);
            narrow.apply(2, r, 0.5, twice);
            for (int i = 0; i < a.rows(); i++) {
                assertEquals((double) (float) z.get(i), z.get(i));
                assertEquals(2 * z.get(i) + 0.5, twice.get(i), 1e-12);
            }
            narrow.refresh(a.scaled(4));
            assertEquals(iterations(backend, a, wide), iterations(backend, a.scaled(4), narrow), 1);
            assertThrows(UnsupportedOperationException.class, () -> narrow.sweep(r, z, SweepDirection.SYMMETRIC));
            assertThrows(UnsupportedOperationException.class, () -> narrow.bindSweep(r, z, SweepDirection.SYMMETRIC));
        }
    }

    @Test
    void refusesPlacesAndPrecisionsThatThereAreNot() {
        try (Backend backend = open("threads", 1)) {
            CsrMatrix a = Grids.square(5);
            assertTrue(assertThrows(UnsupportedKernelException.class,
                    () -> Multigrid.of(a, null, Map.of("setup", "backend"), backend)).getMessage()
                    .contains("setup=host"));
            for (Map<String, String> wrong : List.of(Map.of("setup", "moon"), Map.of("levels", "f16"),
                    Map.of("setup", "backend", "aggregates", "greedy"))) {
                assertThrows(IllegalArgumentException.class, () -> MultigridOptions.parse(wrong), wrong.toString());
            }
            assertEquals(SetupLocation.HOST, MultigridOptions.parse(Map.of("aggregates", "greedy")).setup());
            assertEquals(SetupLocation.AUTOMATIC, MultigridOptions.parse(Map.of()).setup());
        }
        assertThrows(IllegalArgumentException.class, () -> new SolverConfig("multigrid", Map.of(), "amg",
                Map.of("levels", "f32"), StoppingCriteria.relative(1e-8, 10), false, false));
    }

    /** Transfers are not converted where that takes longer than few products gain; a caller's own way is kept. */
    @Test
    @SuppressWarnings({"MustBeClosed", "UnnecessaryMethodReference"}) // closed by callers; a function is asked about
    void transfersFollowTheRuleForFewProducts() {
        try (Backend backend = Backends.open("simd", Configuration.load())) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            CsrMatrix matrix = Grids.square(40);
            MultigridParts.LevelSmoothers none = (level, of, product) -> {
                throw new AssertionError("a smoother was asked for");
            };
            try (SpmvOperator transfer = MultigridParts.of(backend, none).transfer(matrix);
                    SpmvOperator level = MultigridParts.of(backend, none).product(matrix)) {
                assertEquals(kernels.ruleForFew(matrix), transfer.parameters());
                assertEquals(kernels.rule(matrix), level.parameters());
                assertNotEquals(level.parameters(), transfer.parameters());
            }
            Function<CsrMatrix, SpmvOperator> own = kernels::prepare;
            try (SpmvOperator transfer = new MultigridParts(backend, own, none).transfer(matrix)) {
                assertEquals(kernels.rule(matrix), transfer.parameters());
            }
        }
    }

    /** A tuner is asked for products of matrices that are with a backend; others leave them there. */
    @Test
    @SuppressWarnings({"MustBeClosed", "UnnecessaryMethodReference"}) // closed by callers; a function is asked about
    void tunersGetTheLevelsOfBackends() {
        try (Backend backend = Backends.open("threads", Configuration.load());
                BackendMatrix there = backend.kernels(MatrixAlgebra.class).upload(Grids.square(5))) {
            AtomicInteger asked = new AtomicInteger();
            LevelProducts tuner = matrix -> {
                asked.incrementAndGet();
                return backend.kernels(SparseKernels.class).prepare(matrix);
            };
            MultigridParts.LevelSmoothers none = (level, matrix, product) -> {
                throw new AssertionError("a smoother was asked for");
            };
            try (SpmvOperator tuned = new MultigridParts(backend, tuner, none).product(there)) {
                assertEquals(1, asked.get());
                assertEquals(25, tuned.rows());
            }
            Function<CsrMatrix, SpmvOperator> plain = tuner::apply;
            try (SpmvOperator left = new MultigridParts(backend, plain, none).product(there)) {
                assertEquals(1, asked.get());
                assertEquals(25, left.rows());
            }
        }
    }
}
