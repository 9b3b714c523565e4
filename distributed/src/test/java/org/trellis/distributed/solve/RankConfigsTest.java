package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.common.TrellisException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
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

/** Limits of time, mixed precision and the automatic choice over ranks: all decide alike, and as one rank does. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RankConfigsTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();

    private record Outcome(SolveReport report, double[] x) {}

    private static SolverConfig stack(String method, String preconditioner, StoppingCriteria criteria, boolean mixed) {
        Map<String, String> options = method.contains("gmres") ? Map.of("restart", "10") : Map.of();
        Map<String, String> others =
                preconditioner.equals("amg") ? Map.of("aggregates", "mis2", "coarse-rows", "20") : Map.of();
        return new SolverConfig(method, options, preconditioner, others, criteria, mixed, false);
    }

    /** With {@code wind:} before it, couplings to the one side are stronger than those to the other. */
    private static CsrMatrix generate(String text) {
        if (text.startsWith("wind:")) {
            return changed(generate(text.substring(5)), (row, column, value) -> value * (1 + 0.4
                    * Integer.signum(column - row)));
        }
        return MatrixSpec.parse(text).generate(Precision.F64, ProgressListener.NONE);
    }

    private static double[] rightHandSide(CsrMatrix matrix) {
        double[] b = new double[matrix.rows()];
        matrix.forEachEntry((row, column, value) -> b[row] += value * solution(column));
        return b;
    }

    private static double solution(long i) {
        return 1 + (7919 * i + 13) % 1009 / 1009.0;
    }

    /** Rows in turns of three, so that there are many neighbours; with nine ranks the last has none. */
    private static Partition division(int rows, int ranks) {
        int used = ranks == 9 ? 8 : ranks;
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) (i - i % 3) * used / rows));
        return new Partition(partOf, ranks);
    }

    /** Solves on ranks; on the last one each iteration takes longer. */
    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static List<Outcome> onRanks(SolverConfig stack, CsrMatrix whole, int ranks, long nanosecondsOfLast) {
        double[] right = rightHandSide(whole);
        return ThreadRanks.run(ranks, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, division(whole.rows(), ranks));
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend)) {
                HostVector x = matrix.vector(i -> 0);
                boolean last = communicator.rank() == ranks - 1;
                IterationObserver observer = last && nanosecondsOfLast > 0
                        ? (iteration, norm) -> LockSupport.parkNanos(nanosecondsOfLast)
                        : IterationObserver.NONE;
                SolveReport report =
                        solver.solve(matrix.vector(i -> right[(int) i]), x, stack.criteria(), observer);
                return new Outcome(report, matrix.gather(0, x).toDoubleArray());
            }
        });
    }

    /** What came of a solution whose rings were chosen in some way. */
    private record Chosen(List<Double> history, List<LevelRings> rings) {}

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static Chosen choosing(RingChoice choice, SolverConfig stack, CsrMatrix whole, int ranks) {
        return ThreadRanks.run(ranks, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, division(whole.rows(), ranks));
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver =
                            PartitionedSolver.prepare(stack, matrix, operator, backend, choice, null)) {
                SolveReport report = solver.solve(matrix.vector(i -> 1 + i % 7), matrix.vector(i -> 0),
                        stack.criteria(), IterationObserver.NONE);
                return new Chosen(report.residualHistory(), solver.settleRings());
            }
        }).getFirst();
    }

    /** Whatever numbers of rings are tried, iterates are the same, to the last bit. */
    @ParameterizedTest
    @CsvSource({"s-step,jacobi,4", "s-step-gmres,none,3", "cg,ssor,3", "bicgstab,gauss-seidel,2"})
    void ringsOfStepsAndColoursAreTuned(String method, String preconditioner, int ranks) {
        CsrMatrix matrix = generate("poisson2d:nx=31,ny=23");
        SolverConfig stack = stack(method, preconditioner, StoppingCriteria.relative(1e-9, 400), false);
        assertTrue(PartitionedSolver.takesRings(stack) && PartitionedSolver.tunesRings(stack));
        List<Double> expected = choosing(RingChoice.of(1), stack, matrix, ranks).history();
        Chosen two = choosing(RingChoice.of(2), stack, matrix, ranks);
        assertEquals(expected, two.history());
        assertEquals(List.of(new LevelRings(0, 2, List.of())), two.rings());
        Chosen proposed = choosing(RingChoice.AUTOMATIC, stack, matrix, ranks);
        assertEquals(expected, proposed.history());
        assertEquals(List.of(), proposed.rings().getFirst().trials());
        Chosen tuned = choosing(RingChoice.TUNED, stack, matrix, ranks);
        assertEquals(expected, tuned.history());
        LevelRings found = tuned.rings().getFirst();
        // One ring is always tried, unless it is all that there is.
        assertTrue(found.trials().isEmpty() || found.trials().stream()
                .anyMatch(trial -> trial.rings() == found.rings() && !trial.seconds().isEmpty()), found::toString);
        Chosen known = choosing(RingChoice.knowing(List.of(3)), stack, matrix, ranks);
        assertEquals(expected, known.history());
        assertEquals(3, known.rings().getFirst().rings());
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

    private static SolveReport alike(List<Outcome> all) {
        SolveReport first = all.getFirst().report();
        for (Outcome one : all) {
            assertEquals(first.residualHistory(), one.report().residualHistory());
            assertEquals(first.status(), one.report().status());
            assertEquals(first.facts().notes(), one.report().facts().notes());
        }
        return first;
    }

    private static void assertSolves(List<Outcome> all, double tolerance, String what) {
        SolveReport report = alike(all);
        assertTrue(report.converged(), () -> what + ": " + report);
        double[] x = all.getFirst().x();
        for (int i = 0; i < x.length; i++) {
            assertEquals(solution(i), x[i], tolerance, what + ", row " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"cg,jacobi,2,false", "cg,none,9,false", "pipelined-cg,jacobi,3,false", "gmres,none,5,false",
        "bicgstab,ilu0,4,false", "s-step,jacobi,3,false", "s-step-gmres,jacobi,2,false", "cg,jacobi,4,true",
        "pipelined-cg,jacobi,2,true", "auto,auto,3,false"})
    void timeEndsAllRanksInOneIteration(String method, String preconditioner, int ranks, boolean mixed) {
        CsrMatrix matrix = generate("poisson2d:nx=61,ny=31");
        double limit = 0.03;
        // Of four milliseconds each on one rank, which takes longer than all the others together.
        SolverConfig stack =
                stack(method, preconditioner, StoppingCriteria.relative(1e-12, 5000).within(limit), mixed);
        SolveReport found = alike(onRanks(stack, matrix, ranks, 4_000_000));
        assertEquals(SolveStatus.TIME_LIMIT, found.status(), found.toString());
        // What is reported of a choice among several is the time of one of them.
        assertTrue(method.equals("auto") || found.seconds() > limit, found.toString());
        // Sixteen times the limit: machines stop for a while now and then.
        assertTrue(found.seconds() < 16 * limit + 0.5, found.toString());
        assertTrue(found.iterations() < 200, found.toString());
    }

    @ParameterizedTest
    @CsvSource({"cg,2", "pipelined-cg,3", "s-step,9"})
    void limitsThatAreNotMetChangeNothing(String method, int ranks) {
        CsrMatrix matrix = generate("poisson2d:nx=17,ny=13");
        StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 500);
        SolveReport free = alike(onRanks(stack(method, "jacobi", criteria, false), matrix, ranks, 0));
        SolveReport limited = alike(onRanks(stack(method, "jacobi", criteria.within(1000), false), matrix, ranks, 0));
        assertEquals(free.residualHistory(), limited.residualHistory());
        assertTrue(limited.converged());
    }

    @ParameterizedTest
    @CsvSource({"cg,jacobi", "cg,amg", "pipelined-cg,jacobi", "gmres,jacobi", "bicgstab,chebyshev", "cg,none"})
    void refinesAsOneRankDoes(String method, String preconditioner) {
        CsrMatrix matrix = generate("poisson2d:nx=23,ny=19");
        SolverConfig stack = stack(method, preconditioner, StoppingCriteria.relative(1e-12, 500), true);
        int expected = onOne(stack, matrix).iterations();
        for (int ranks : new int[]{2, 7}) {
            List<Outcome> all = onRanks(stack, matrix, ranks, 0);
            assertSolves(all, 1e-9, stack + " on " + ranks + " ranks");
            // Sums are cut at ranks, and in single precision that counts.
            assertEquals(expected, all.getFirst().report().iterations(), Math.max(4, 0.15 * expected),
                    stack + " on " + ranks + " ranks");
        }
        // A rank without rows, for methods that need none.
        if (!method.equals("gmres")) {
            assertSolves(onRanks(stack, matrix, 9, 0), 1e-9, stack + " with an empty rank");
        }
    }

    @ParameterizedTest
    @CsvSource({"s-step,jacobi,3", "s-step-gmres,jacobi,2"})
    void methodsOfStepsAreRefined(String method, String preconditioner, int ranks) {
        CsrMatrix matrix = generate("poisson2d:nx=23,ny=19");
        SolverConfig stack = stack(method, preconditioner, StoppingCriteria.relative(1e-12, 2000), true);
        assertSolves(onRanks(stack, matrix, ranks, 0), 1e-9, stack.toString());
    }

    @Test
    void refinementWantsSomethingToRefine() {
        CsrMatrix matrix = generate("poisson2d:nx=6").toPrecision(Precision.F32);
        SolverConfig stack = stack("cg", "jacobi", StoppingCriteria.relative(1e-4, 50), true);
        TrellisException refused = assertThrows(TrellisException.class, () -> onRanks(stack, matrix, 2, 0));
        assertTrue(refused.getMessage().contains("expected one in f64"), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"v", "w"})
    void levelsMayBeNarrowerThanTheMethod(String cycle) {
        CsrMatrix matrix = generate("poisson2d:nx=37,ny=29");
        Map<String, String> options =
                Map.of("aggregates", "mis2", "coarse-rows", "20", "levels", "f32", "cycle", cycle);
        SolverConfig stack = new SolverConfig("cg", Map.of(), "amg", options, StoppingCriteria.relative(1e-11, 100),
                false, false);
        int expected = onOne(stack, matrix).iterations();
        for (int ranks : new int[]{3, 9}) {
            List<Outcome> all = onRanks(stack, matrix, ranks, 0);
            assertSolves(all, 1e-8, cycle + " on " + ranks + " ranks");
            assertEquals(expected, all.getFirst().report().iterations(), 2);
            assertTrue(all.getFirst().report().preconditioner().contains("in f32"),
                    all.getFirst().report().preconditioner());
        }
    }

    /** Returns what was tried, without reasons. */
    private static List<String> tried(SolveReport report) {
        return report.facts().notes().stream().filter(note -> note.startsWith("auto: ") && note.contains(" with "))
                .map(note -> note.replaceFirst("auto: ([^,]*(\\([^)]*\\))? with [a-z0-9]+).*", "$1"))
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"poisson2d:nx=100;3;cg with amg", "poisson2d:nx=23,ny=19;4;cg with ic0",
        "poisson2d:nx=23,ny=19;9;cg with ic0", "wind:poisson2d:nx=30;2;gmres(50) with ilu0"})
    void choosesIterationsWhereOneRankFactorises(String text, int ranks, String expected) {
        CsrMatrix matrix = generate(text);
        SolverConfig stack = new SolverConfig("auto", Map.of(), "auto", Map.of(), StoppingCriteria.relative(1e-9, 2000),
                false, false);
        assertEquals("direct", onOne(stack, matrix).method());
        List<Outcome> all = onRanks(stack, matrix, ranks, 0);
        assertSolves(all, 1e-5, text);
        assertEquals(List.of(expected), tried(all.getFirst().report()));
    }

    /** Where factors cannot be made on one rank, all go on to the next choice. */
    @Test
    void goesOnTogether() {
        // Row 0 has no diagonal: only the rank that has it finds no pivot.
        CsrMatrix plain = generate("wind:poisson2d:nx=20");
        CsrMatrix matrix = changed(plain, (row, column, value) -> row == 0 && column == 0 ? 0 : value);
        SolverConfig stack = new SolverConfig("auto", Map.of(), "auto", Map.of(), StoppingCriteria.relative(1e-8, 4000),
                false, false);
        List<Outcome> all = onRanks(stack, matrix, 3, 0);
        assertSolves(all, 1e-4, "a row without a diagonal");
        List<String> notes = all.getFirst().report().facts().notes();
        assertTrue(notes.getFirst().contains("not positive, for the first time in row 0"), notes.toString());
        assertTrue(notes.stream().anyMatch(note -> note.contains("cannot be prepared")), notes.toString());
    }

    /** A cyclic shift, with which nothing but a factorisation gets anywhere in few iterations. */
    @Test
    void factorisesWhereNothingLessHelps() {
        int n = 157;
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, n);
        for (int row = 0; row < n; row++) {
            builder.add((row + 1) % n, 1 + row % 3).endRow();
        }
        SolverConfig stack = new SolverConfig("auto", Map.of(), "auto", Map.of(), StoppingCriteria.relative(1e-10, 900),
                false, false);
        List<Outcome> all = onRanks(stack, builder.build(), 5, 0);
        assertSolves(all, 1e-7, "a cyclic shift");
        assertEquals("fgmres(10) with lu", tried(all.getFirst().report()).getLast());
    }

    /** Changes entries; those that become 0 are left out. */
    private static CsrMatrix changed(CsrMatrix matrix, CsrMatrix.EntryFunction change) {
        CsrBuilder builder = new CsrBuilder(matrix.columns(), matrix.precision(), matrix.nonZeros());
        int[] row = {0};
        matrix.forEachEntry((i, column, value) -> {
            while (row[0] < i) {
                builder.endRow();
                row[0]++;
            }
            double other = change.apply(i, column, value);
            if (other != 0) {
                builder.add(column, other);
            }
        });
        return builder.endRow().build();
    }
}
