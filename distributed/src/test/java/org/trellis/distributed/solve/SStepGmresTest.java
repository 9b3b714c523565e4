package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.BasisKind;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/** GMRES in blocks takes the iterations of GMRES, on one to four ranks. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SStepGmresTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 2000);
    private static final CsrMatrix WIND = wind(24, 0.6, Precision.F64);

    private record Outcome(SolveReport report, double[] x, long exchanges, int reductions) {}

    private static CsrMatrix generate(String text, Precision precision) {
        return MatrixSpec.parse(text).generate(precision, ProgressListener.NONE);
    }

    /** Diffusion, and a wind that makes it unsymmetric. */
    private static CsrMatrix wind(int side, double strength, Precision precision) {
        return generate("poisson2d:nx=" + side, precision)
                .mapValues((i, j, value) -> i == j ? value : value * (1 + strength * Integer.signum(j - i)));
    }

    private static double solution(long i) {
        return (7919 * i + 13) % 1009 / 1009.0;
    }

    private static double[] rightHandSide(CsrMatrix matrix) {
        double[] b = new double[matrix.rows()];
        matrix.forEachEntry((row, column, value) -> b[row] += value * solution(column));
        return b;
    }

    private static Partition blocks(int rows, int parts) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) i * parts / rows));
        return new Partition(partOf, parts);
    }

    /** Counts the reductions of a rank. */
    private static Communicator counting(Communicator communicator, AtomicInteger reductions) {
        return (Communicator) Proxy.newProxyInstance(Communicator.class.getClassLoader(),
                new Class<?>[]{Communicator.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("allReduce")) {
                        reductions.incrementAndGet();
                    }
                    try {
                        Object result = method.invoke(communicator, arguments);
                        return result instanceof Communicator other && other != communicator
                                ? counting(other, reductions)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private record Setting(int rings, int steps, int restart, BasisKind kind) {}

    private static Outcome solve(CsrMatrix whole, double[] b, Partition partition, Setting setting,
            StoppingCriteria criteria) {
        List<Outcome> all = ThreadRanks.run(partition.parts(), plain -> {
            AtomicInteger reductions = new AtomicInteger();
            PartitionedMatrix matrix =
                    PartitionedMatrix.scatter(counting(plain, reductions), 0, whole, partition);
            double[] ends = SStepGmres.bounds(matrix, false);
            try (HaloPlan plan = HaloPlan.of(matrix, setting.rings())) {
                RingVector x = plan.vector();
                SStepGmres method = new SStepGmres(plan, setting.steps(), setting.restart(), setting.kind(), ends[0],
                        ends[1]);
                long exchanges = plan.exchanges();
                reductions.set(0);
                SolveReport report =
                        method.solve(matrix.vector(i -> b[(int) i]), x, criteria, IterationObserver.NONE);
                int reduced = reductions.get();
                long exchanged = plan.exchanges() - exchanges;
                HostVector gathered = x.gather(0);
                return new Outcome(report, gathered == null ? null : gathered.toDoubleArray(), exchanged, reduced);
            }
        });
        for (Outcome one : all) {
            assertEquals(all.getFirst().report().residualHistory(), one.report().residualHistory());
        }
        return all.getFirst();
    }

    private static SolveReport onOne(SolverConfig stack, CsrMatrix whole) {
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(whole);
                LinearSolver solver = stack.prepare(whole, product, backend)) {
            HostVector x = HostVector.zeros(whole.precision(), whole.rows());
            double[] right = rightHandSide(whole);
            return solver.solve(HostVector.of(whole.precision(), right.length, i -> right[i]), x, stack.criteria(),
                    IterationObserver.NONE);
        }
    }

    private static SolverConfig gmres(int restart, String preconditioner) {
        return new SolverConfig("gmres", Map.of("restart", Integer.toString(restart)), preconditioner, Map.of(),
                CRITERIA, false, false);
    }

    private static void assertSolves(Outcome outcome, double tolerance, String what) {
        assertTrue(outcome.report().converged(), () -> what + ": " + outcome.report());
        for (int i = 0; i < outcome.x().length; i++) {
            assertEquals(solution(i), outcome.x()[i], tolerance, what + ", row " + i);
        }
    }

    /** Not only iterations: each residual of the history. */
    @ParameterizedTest
    @EnumSource(BasisKind.class)
    void iteratesAsGmresDoes(BasisKind kind) {
        for (CsrMatrix matrix : List.of(WIND, generate("poisson2d:nx=20", Precision.F64))) {
            double[] b = rightHandSide(matrix);
            for (int restart : new int[]{17, 60}) {
                List<Double> expected = onOne(gmres(restart, "none"), matrix).residualHistory();
                for (int steps : kind == BasisKind.MONOMIAL ? new int[]{1, 3, 5} : new int[]{2, 4, 8, 12}) {
                    String what = kind + ", s = " + steps + ", m = " + restart + ", " + matrix;
                    Outcome found = solve(matrix, b, blocks(matrix.rows(), 1 + steps % 4),
                            new Setting(steps, steps, restart, kind), CRITERIA);
                    assertSolves(found, 1e-5, what);
                    List<Double> history = found.report().residualHistory();
                    assertEquals(expected.size(), history.size(), what);
                    for (int i = 0; i < history.size(); i++) {
                        assertEquals(expected.get(i), history.get(i), 1e-5 * expected.get(i),
                                what + ", iteration " + i);
                    }
                }
            }
        }
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static Outcome solve(SolverConfig stack, CsrMatrix whole, int parts) {
        double[] right = rightHandSide(whole);
        return ThreadRanks.run(parts, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, blocks(whole.rows(), parts));
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend)) {
                HostVector x = matrix.vector(i -> 0);
                SolveReport report = solver.solve(matrix.vector(i -> right[(int) i]), x, stack.criteria(),
                        IterationObserver.NONE);
                HostVector all = matrix.gather(0, x);
                return new Outcome(report, all.toDoubleArray(), 0, 0);
            }
        }).getFirst();
    }

    /** Strong wind against coarse cells: most eigenvalues are complex. */
    @ParameterizedTest
    @CsvSource({"none,2,1.6", "none,4,3", "none,8,3", "jacobi,8,3", "none,10,0.6"})
    void ritzShiftsSuitComplexSpectra(String preconditioner, int steps, double strength) {
        CsrMatrix matrix = wind(18, strength, Precision.F64);
        SolverConfig stack = new SolverConfig(SolverConfig.S_STEP_GMRES,
                Map.of("steps", Integer.toString(steps), "restart", "40", "basis", "ritz"), preconditioner, Map.of(),
                CRITERIA, false, false);
        List<Double> expected = onOne(gmres(40, preconditioner), matrix).residualHistory();
        Outcome found = solve(stack, matrix, 3);
        assertSolves(found, 1e-5, stack.toString());
        assertTrue(found.report().facts().notes().isEmpty(), () -> found.report().facts().notes().toString());
        List<Double> history = found.report().residualHistory();
        assertEquals(expected.size(), history.size());
        for (int i = 0; i < history.size(); i++) {
            assertEquals(expected.get(i), history.get(i), 1e-5 * expected.get(i), "iteration " + i);
        }
    }

    /** Preconditioned from the right as gmres is, by what ranks have. */
    @ParameterizedTest
    @CsvSource({"amg,0.6,2", "amg,0.3,5", "amg,0,4", "chebyshev,0,3"})
    void takesPreconditionersThatExchange(String preconditioner, double strength, int steps) {
        CsrMatrix matrix = wind(24, strength, Precision.F64);
        Map<String, String> options = preconditioner.equals("amg")
                ? Map.of("aggregates", "mis2", "coarse-rows", "30")
                : Map.of("degree", "3");
        SolverConfig plain =
                new SolverConfig("gmres", Map.of("restart", "30"), preconditioner, options, CRITERIA, false,
                        false);
        SolverConfig blocks = new SolverConfig(SolverConfig.S_STEP_GMRES,
                Map.of("restart", "30", "steps", Integer.toString(steps)), preconditioner, options, CRITERIA, false,
                false);
        Outcome found = solve(blocks, matrix, 3);
        assertSolves(found, 1e-5, blocks.toString());
        assertEquals(solve(plain, matrix, 3).report().iterations(), found.report().iterations(), 1);
    }

    /** Of a matrix with known eigenvalues: a block of rotations and a real one. */
    @Test
    void findsEigenvaluesAndOrdersThem() {
        RitzValues values = RitzValues.of(new double[][]{{1, 2, 5, 7, 1}, {-2, 1, 3, 1, 0}, {0, 0, 4, -1, 2},
            {0, 0, 1, 4, 6}, {0, 0, 0, 0, -3}});
        assertArrayEquals(new double[]{4, 4, -3, 1, 1}, values.real(), 1e-10);
        assertArrayEquals(new double[]{1, -1, 0, 2, -2}, values.imaginary(), 1e-10);
        assertArrayEquals(new double[]{1, -1, 0, 0}, values.shifts(4).imaginary(), 1e-10);
        assertArrayEquals(new double[]{4, 4, -3, 1, 1, 4}, values.shifts(6).real(), 1e-10);
        assertTrue(values.scale() > 1 && values.scale() < 8, () -> "scale " + values.scale());
    }

    /** One exchange and two reductions for s vectors; norms of b and of residuals beside. */
    @Test
    void aBlockExchangesOnceAndReducesTwice() {
        double[] b = rightHandSide(WIND);
        StoppingCriteria forty = StoppingCriteria.relative(1e-30, 40);
        Outcome found = solve(WIND, b, blocks(WIND.rows(), 3), new Setting(5, 5, 40, BasisKind.NEWTON), forty);
        assertEquals(40, found.report().iterations());
        assertEquals(8 + 2, found.exchanges());
        assertEquals(2 * 8 + 3, found.reductions());
        Outcome fewer = solve(WIND, b, blocks(WIND.rows(), 3), new Setting(1, 5, 40, BasisKind.NEWTON), forty);
        assertEquals(40 + 2, fewer.exchanges());
        assertEquals(found.report().residualHistory(), fewer.report().residualHistory(), "the same bits");
    }

    /** Powers that all point in one direction are left out, and blocks are shorter from then on. */
    @Test
    void goesOnWithShorterBlocksWhereABasisBreaksDown() {
        int expected = onOne(gmres(60, "none"), WIND).iterations();
        for (int steps : new int[]{16, 30}) {
            Outcome found = solve(WIND, rightHandSide(WIND), blocks(WIND.rows(), 2),
                    new Setting(2, steps, 60, BasisKind.MONOMIAL), CRITERIA);
            assertSolves(found, 1e-5, "s = " + steps);
            assertEquals(expected, found.report().iterations(), 1);
            assertTrue(found.report().facts().notes().getFirst().contains("(" + steps + " at first)"),
                    () -> found.report().facts().notes().toString());
        }
    }

    /** A Krylov space that ends has the solution, or says that there is none. */
    @Test
    void spacesEnd() {
        CsrMatrix twos = CsrMatrix.identity(9, Precision.F64).mapValues((i, j, value) -> 2.0);
        for (int steps : new int[]{1, 4}) {
            Outcome one = solve(twos, rightHandSide(twos), blocks(9, 3), new Setting(2, steps, 30, BasisKind.CHEBYSHEV),
                    CRITERIA);
            assertEquals(1, one.report().iterations(), one.report()::toString);
            assertSolves(one, 1e-12, "twice the identity");
            CsrMatrix small = wind(3, 0.3, Precision.F64);
            Outcome all = solve(small, rightHandSide(small), blocks(9, 2),
                    new Setting(1, steps, 30, BasisKind.NEWTON), StoppingCriteria.relative(1e-12, 100));
            assertSolves(all, 1e-9, "as many iterations as rows");
            assertTrue(all.report().iterations() <= 9, all.report()::toString);
            CsrMatrix zeros = new CsrBuilder(3, Precision.F64, 0).endRow().endRow().endRow().build();
            SolveReport singular = solve(zeros, new double[]{1, 1, 1}, blocks(3, 2),
                    new Setting(1, steps, 30, BasisKind.MONOMIAL), CRITERIA).report();
            assertEquals(SolveStatus.BREAKDOWN, singular.status(), singular::toString);
            Outcome nothing = solve(WIND, new double[WIND.rows()], blocks(WIND.rows(), 2),
                    new Setting(1, steps, 30, BasisKind.NEWTON), CRITERIA);
            assertEquals(0, nothing.report().iterations());
            assertTrue(nothing.report().converged());
        }
    }

    @Test
    void worksInSinglePrecisionOnAwkwardParts() {
        SplittableRandom random = TestSeed.random("worksInSinglePrecisionOnAwkwardParts");
        CsrMatrix matrix = wind(13, 0.5, Precision.F32);
        int[] parts = random.ints(matrix.rows(), 0, 3).map(part -> part == 1 ? 3 : part).toArray();
        Outcome found = solve(matrix, rightHandSide(matrix), new Partition(parts, 4),
                new Setting(2, 4, 25, BasisKind.CHEBYSHEV), StoppingCriteria.relative(1e-5, 300));
        assertSolves(found, 1e-2, "seed " + TestSeed.value());
    }

    /** By name, with columns scaled by a diagonal of either sign: what GMRES does with Jacobi from the right. */
    @Test
    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    void jacobiScalesColumns() {
        CsrMatrix matrix = WIND.mapValues((i, j, value) -> (i % 3 == 0 ? -1 - i % 5 : 1 + i % 7) * value);
        SolveReport expected = onOne(gmres(40, "jacobi"), matrix);
        SolverConfig stack =
                new SolverConfig(SolverConfig.S_STEP_GMRES, Map.of("steps", "4", "restart", "40"), "jacobi",
                        Map.of(), CRITERIA, false, false);
        double[] right = rightHandSide(matrix);
        Partition partition = blocks(matrix.rows(), 3);
        ThreadRanks.run(3, communicator -> {
            PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, partition);
            try (HaloPlan plan = HaloPlan.of(own, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, own, operator, backend,
                            RingChoice.AUTOMATIC, null)) {
                HostVector b = own.vector(i -> right[(int) i]);
                SolveReport report = solver.solve(b, own.vector(i -> 0), CRITERIA, IterationObserver.NONE);
                assertTrue(report.converged(), report::toString);
                assertEquals(expected.iterations(), report.iterations());
                HostVector x = own.vector(i -> 0.5);
                assertTrue(solver.solve(b, x, CRITERIA, IterationObserver.NONE).converged());
                assertTrue(report.method().startsWith("s-step gmres(40), s = 4"), report::method);
                for (int row = 0; row < x.length(); row++) {
                    assertEquals(solution(own.rows().indices()[row]), x.get(row), 1e-5);
                }
                assertArrayEquals(new boolean[]{true, true},
                        new boolean[]{PartitionedSolver.takesRings(stack), PartitionedSolver.tunesRings(stack)});
            }
            return null;
        });
        assertTrue(assertThrows(IllegalArgumentException.class, () -> onOne(stack, matrix)).getMessage()
                .contains("method s-step-gmres on one rank, where there is nothing to communicate, expected gmres"));
    }

    @Test
    void refusesWhatDoesNotFit() {
        ThreadRanks.run(1, communicator -> {
            PartitionedMatrix part =
                    PartitionedMatrix.scatter(communicator, 0, WIND, blocks(WIND.rows(), 1));
            try (HaloPlan plan = HaloPlan.of(part, 1); HaloPlan other = HaloPlan.of(part, 1)) {
                assertThrows(IllegalArgumentException.class,
                        () -> new SStepGmres(plan, 0, 30, BasisKind.NEWTON, 0, 8));
                assertThrows(IllegalArgumentException.class,
                        () -> new SStepGmres(plan, 2, 0, BasisKind.NEWTON, 0, 8));
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> new SStepGmres(plan, 2, 30, BasisKind.NEWTON, 3, 2)).getMessage()
                        .contains("the spectrum is said to be in [3.0, 2.0]"));
                SStepGmres method = new SStepGmres(plan, 2, 30, BasisKind.NEWTON, 0, 8);
                HostVector b = part.vector(i -> 1);
                assertThrows(IllegalArgumentException.class, () -> method.solve(HostVector.zeros(Precision.F64, 3),
                        plan.vector(), CRITERIA, IterationObserver.NONE));
                assertThrows(IllegalArgumentException.class,
                        () -> method.solve(b, other.vector(), CRITERIA, IterationObserver.NONE));
            }
            return null;
        });
        assertTrue(assertThrows(IllegalArgumentException.class, () -> PartitionedSolver.refuse(new SolverConfig(
                SolverConfig.S_STEP_GMRES, Map.of("restart", "0"), "none", Map.of(), CRITERIA, false, false)))
                .getMessage().contains("method s-step-gmres: restart is '0'"));
    }
}
