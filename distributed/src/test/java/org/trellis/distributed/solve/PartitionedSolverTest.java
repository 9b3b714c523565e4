package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Methods with preconditioners that exchange take over ranks the iterations that they take on one. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PartitionedSolverTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    /** Small levels, so that there are some. */
    private static final Map<String, String> AMG = Map.of("aggregates", "mis2", "coarse-rows", "20");

    private record Outcome(SolveReport report, double[] x) {}

    private static SolverConfig stack(String method, Map<String, String> options, String preconditioner,
            Map<String, String> others, double tolerance) {
        return new SolverConfig(method, options, preconditioner, others, StoppingCriteria.relative(tolerance, 500),
                false, false);
    }

    private static CsrMatrix generate(String text, Precision precision) {
        return MatrixSpec.parse(text).generate(precision, ProgressListener.NONE);
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

    /** Every second rank has nothing. */
    private static Partition withEmptyRanks(int rows, int parts) {
        int[] partOf = blocks(rows, (parts + 1) / 2).partOf().clone();
        Arrays.setAll(partOf, i -> 2 * partOf[i]);
        return new Partition(partOf, parts);
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static Outcome onRanks(SolverConfig stack, CsrMatrix whole, Partition partition, RingChoice rings,
            NearNullSpace space) {
        double[] right = rightHandSide(whole);
        List<Outcome> all = ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend, rings,
                            RankSpace.spread(matrix, 0, space))) {
                HostVector x = matrix.vector(i -> 0);
                SolveReport report = solver.solve(matrix.vector(i -> right[(int) i]), x, stack.criteria(),
                        IterationObserver.NONE);
                return new Outcome(report, matrix.gather(0, x).toDoubleArray());
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

    private static void assertSolves(Outcome outcome, double tolerance, String what) {
        assertTrue(outcome.report().converged(), () -> what + ": " + outcome.report());
        for (int i = 0; i < outcome.x().length; i++) {
            assertEquals(solution(i), outcome.x()[i], tolerance, what + ", row " + i);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"poisson2d:nx=20", "poisson3d:nx=8",
        "anisotropic2d:nx=16,epsilon=0.001,angle=30", "jump2d:nx=16,contrast=1e6,block=4"})
    void multigridTakesTheIterationsOfOneRank(String text) {
        for (Precision precision : Precision.values()) {
            boolean isDouble = precision == Precision.F64;
            CsrMatrix matrix = generate(text, precision);
            SolverConfig stack = stack("cg", Map.of(), "amg", AMG, isDouble ? 1e-8 : 1e-4);
            int expected = onOne(stack, matrix).iterations();
            for (int ranks : isDouble ? new int[]{1, 3, 9} : new int[]{4}) {
                Outcome found = onRanks(stack, matrix, blocks(matrix.rows(), ranks), RingChoice.of(1, 2), null);
                assertEquals(expected, found.report().iterations(), 1, text + " on " + ranks + " ranks");
                assertTrue(found.report().converged());
            }
            Outcome empty = onRanks(stack, matrix, withEmptyRanks(matrix.rows(), 5), RingChoice.of(2), null);
            assertEquals(expected, empty.report().iterations(), 1, text + " with empty ranks");
        }
    }

    @ParameterizedTest
    @CsvSource({"multigrid,amg", "pipelined-cg,amg", "fcg,amg", "gmres,amg", "fgmres,amg", "minres,amg", "bicgstab,amg",
        "idr,amg", "richardson,amg", "cg,chebyshev", "pipelined-cg,chebyshev", "gmres,chebyshev",
        "cg,ssor", "bicgstab,ssor", "gmres,ssor", "cg,gauss-seidel", "gmres,sor", "cg,l1-jacobi", "bicgstab,spai0",
        "pipelined-cg,polynomial"})
    void everyMethodTakesThem(String method, String preconditioner) {
        CsrMatrix matrix = generate("poisson2d:nx=14", Precision.F64);
        Map<String, String> options = switch (preconditioner) {
            case "amg" -> AMG;
            case "ssor" -> Map.of("omega", "1.2");
            case "gauss-seidel" -> Map.of("sweeps", "2");
            case "sor" -> Map.of("direction", "backward");
            case "l1-jacobi", "spai0" -> Map.of();
            default -> Map.of("degree", "4");
        };
        SolverConfig stack = stack(method, Map.of(), preconditioner, options, 1e-9);
        Outcome found = onRanks(stack, matrix, blocks(matrix.rows(), 3), RingChoice.of(2), null);
        assertSolves(found, 1e-6, method);
        assertEquals(onOne(stack, matrix).iterations(), found.report().iterations(), 2, method);
    }

    /** On one rank as without ranks; on several each has its own, as Schwarz methods without overlap have. */
    @ParameterizedTest
    @CsvSource({"cg,ic0,schwarz", "bicgstab,ilu0,schwarz", "pipelined-cg,fsai,", "cg,block-jacobi,",
        "minres,hybrid-gauss-seidel,"})
    void ranksAreBlocksOfTheOthers(String method, String preconditioner, String same) {
        CsrMatrix matrix = generate("jump2d:nx=14,contrast=100,block=4", Precision.F64);
        Map<String, String> options = switch (preconditioner) {
            case "block-jacobi" -> Map.of("block-size", "2");
            case "hybrid-gauss-seidel" -> Map.of("blocks", "2");
            default -> Map.of();
        };
        SolverConfig stack = stack(method, Map.of(), preconditioner, options, 1e-9);
        int expected = onOne(stack, matrix).iterations();
        Outcome one = onRanks(stack, matrix, blocks(matrix.rows(), 1), RingChoice.of(1), null);
        assertEquals(expected, one.report().iterations(), 1, preconditioner);
        for (Partition partition : List.of(blocks(matrix.rows(), 3), withEmptyRanks(matrix.rows(), 4))) {
            Outcome found = onRanks(stack, matrix, partition, RingChoice.of(1), null);
            assertSolves(found, 1e-5, preconditioner);
            assertTrue(found.report().iterations() <= 2 * expected, found.report()::toString);
            if (same != null) {
                Outcome schwarz = onRanks(stack(method, Map.of(), same,
                        Map.of("overlap", "0", "local", preconditioner), 1e-9), matrix, partition, RingChoice.of(1),
                        null);
                assertEquals(schwarz.report().residualHistory(), found.report().residualHistory());
            }
        }
    }

    /** One rank and nine of them, with what one rank alone takes. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "jacobi", "l1-jacobi", "spai0", "polynomial", "chebyshev", "gauss-seidel", "ssor",
        "amg"})
    void oneToNineRanksAgree(String preconditioner) {
        CsrMatrix matrix = generate("jump2d:nx=14,contrast=100,block=4", Precision.F64);
        SolverConfig stack = stack("cg", Map.of(), preconditioner,
                preconditioner.equals("amg") ? AMG : Map.of(), 1e-9);
        int expected = onOne(stack, matrix).iterations();
        for (int ranks : new int[]{1, 9}) {
            Outcome found = onRanks(stack, matrix, blocks(matrix.rows(), ranks), RingChoice.of(1), null);
            assertSolves(found, 1e-5, preconditioner + " on " + ranks + " ranks");
            // Without a preconditioner the contrast makes rounding cost iterations.
            int allowed = preconditioner.equals("none") ? expected / 30 : preconditioner.equals("amg") ? 2 : 1;
            assertEquals(expected, found.report().iterations(), allowed, preconditioner + " on " + ranks + " ranks");
        }
    }

    /** A singular matrix whose null space are constants, and a right-hand side that has some of them. */
    @ParameterizedTest
    @CsvSource({"cg,jacobi", "cg,amg", "minres,ssor", "pipelined-cg,none"})
    void constantsAreTakenOut(String method, String preconditioner) {
        CsrMatrix definite = generate("poisson2d:nx=14", Precision.F64);
        double[] sums = definite.multiply(DoubleStream.generate(() -> 1).limit(definite.rows()).toArray());
        CsrMatrix matrix = definite.mapValues((i, j, value) -> i == j ? value - sums[i] : value);
        SolverConfig stack = new SolverConfig(method, Map.of(), preconditioner,
                preconditioner.equals("amg") ? AMG : Map.of(), StoppingCriteria.relative(1e-9, 500), false, true);
        Outcome found = onRanks(stack, matrix, blocks(matrix.rows(), 3), RingChoice.of(1), null);
        assertTrue(found.report().converged(), found.report()::toString);
        double mean = Arrays.stream(found.x()).sum() / found.x().length;
        assertEquals(0, mean, 1e-9, "the solution of least norm");
        double shift = IntStream.range(0, matrix.rows()).mapToDouble(PartitionedSolverTest::solution).average()
                .orElseThrow();
        for (int i = 0; i < matrix.rows(); i++) {
            assertEquals(solution(i) - shift, found.x()[i], 1e-5, method + ", row " + i);
        }
        assertEquals(onOne(stack, matrix).iterations(), found.report().iterations(), 2, method);
    }

    /** One rank's diagonal is constant, another's is not: all apply it, or none. */
    @ParameterizedTest
    @ValueSource(strings = {"cg", "pipelined-cg"})
    void allRanksApplyADiagonalThatIsConstantOnOne(String method) {
        CsrMatrix matrix = generate("poisson2d:nx=12", Precision.F64)
                .mapValues((i, j, value) -> i == j && i >= 72 ? value * (1 + i % 5) : value);
        SolverConfig stack = stack(method, Map.of(), "jacobi", Map.of(), 1e-9);
        Outcome found = onRanks(stack, matrix, blocks(matrix.rows(), 2), RingChoice.of(1), null);
        assertSolves(found, 1e-6, method);
        assertEquals(onOne(stack, matrix).iterations(), found.report().iterations(), method);
    }

    /** What pipelined methods know late changes neither where they stop nor what they return there. */
    @Test
    void pipelinedIterationsStopWhereTheyShould() {
        CsrMatrix matrix = generate("poisson2d:nx=20", Precision.F64);
        for (int most : new int[]{1, 2, 7, 500}) {
            SolverConfig stack = new SolverConfig("pipelined-cg", Map.of(), "none", Map.of(),
                    StoppingCriteria.relative(1e-8, most), false, false);
            SolveReport one = onOne(stack, matrix);
            SolveReport ranks =
                    onRanks(stack, matrix, blocks(matrix.rows(), 3), RingChoice.of(1), null).report();
            assertEquals(one.iterations(), ranks.iterations());
            assertEquals(one.status(), ranks.status());
            for (int i = 0; i < one.residualHistory().size(); i++) {
                assertEquals(one.residualHistory().get(i), ranks.residualHistory().get(i),
                        1e-6 * one.residualHistory().get(i), "iteration " + i + " of " + most);
            }
        }
    }

    @Test
    void nearNullSpacesAreDivided() {
        CsrMatrix matrix = generate("elasticity2d:nx=8", Precision.F64);
        int[] partOf = new int[matrix.rows()];
        Arrays.setAll(partOf, i -> (int) ((long) (i / 2) * 3 / (partOf.length / 2)));
        Partition partition = new Partition(partOf, 3);
        Map<String, String> options = new TreeMap<>(AMG);
        options.put("block-size", "2");
        SolverConfig stack = stack("cg", Map.of(), "amg", options, 1e-8);
        Outcome constants = onRanks(stack, matrix, partition, RingChoice.of(1), null);
        assertEquals(onOne(stack, matrix).iterations(), constants.report().iterations(), 2);
        Outcome divided = onRanks(stack, matrix, partition, RingChoice.of(2),
                NearNullSpace.constants(matrix.rows(), 2));
        assertEquals(constants.report().residualHistory(), divided.report().residualHistory());
    }

    @Test
    void sStepTakesTheIterationsOfConjugateGradientsWithJacobi() {
        for (String text : new String[]{"jump2d:nx=24,contrast=100,block=4", "poisson2d:nx=24"}) {
            CsrMatrix matrix = generate(text, Precision.F64);
            int expected = onOne(stack("cg", Map.of(), "jacobi", Map.of(), 1e-8), matrix).iterations();
            for (String basis : List.of("chebyshev", "newton")) {
                SolverConfig stack = stack("s-step", Map.of("steps", "6", "basis", basis), "jacobi", Map.of(), 1e-8);
                Outcome found = onRanks(stack, matrix, blocks(matrix.rows(), 4), RingChoice.AUTOMATIC, null);
                assertTrue(found.report().converged(), () -> found.report().toString());
                assertEquals(expected, found.report().iterations(), Math.max(1, expected / 40), text + ", " + basis);
            }
        }
    }

    /** A polynomial of one rank as the preconditioner of steps, with rings for all of them, few, and one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"poisson2d:nx=24|degree=3|", "jump2d:nx=24,contrast=100,block=4|degree=4|2",
        "jump2d:nx=20,contrast=100,block=5|degree=2,kind=4|1", "poisson3d:nx=8|degree=1|"})
    void sStepTakesPolynomials(String text, String given, Integer rings) {
        Map<String, String> options = new TreeMap<>();
        for (String one : given.split(",", -1)) {
            options.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        CsrMatrix matrix = generate(text, Precision.F64);
        Partition partition = blocks(matrix.rows(), 3);
        RingChoice choice = rings == null ? RingChoice.AUTOMATIC : RingChoice.of(rings);
        SolveReport expected = onRanks(stack("cg", Map.of(), "chebyshev", options, 1e-8), matrix, partition,
                RingChoice.of(1), null).report();
        for (String basis : List.of("chebyshev", "newton", "monomial")) {
            SolverConfig stack = stack("s-step", Map.of("steps", "3", "basis", basis), "chebyshev", options, 1e-8);
            Outcome found = onRanks(stack, matrix, partition, choice, null);
            assertSolves(found, 1e-4, text + ", " + basis);
            assertEquals(expected.iterations(), found.report().iterations(), text + ", " + basis);
            for (int i = 0; i <= expected.iterations(); i++) {
                double norm = expected.residualHistory().get(i);
                assertEquals(norm, found.report().residualHistory().get(i), 1e-3 * norm, basis + ", iteration " + i);
            }
        }
    }

    /** The norms of a history are those of b − A x, not of the scaled system. */
    @Test
    void sStepMeasuresTheResidualOfTheGivenSystem() {
        CsrMatrix matrix = generate("jump2d:nx=12,contrast=1e4,block=4", Precision.F64);
        SolverConfig stack = stack("s-step", Map.of("steps", "3"), "jacobi", Map.of(), 1e-6);
        Outcome found = onRanks(stack, matrix, blocks(matrix.rows(), 2), RingChoice.of(1), null);
        double[] b = rightHandSide(matrix);
        double[] product = matrix.multiply(found.x());
        double left = 0;
        double all = 0;
        for (int i = 0; i < b.length; i++) {
            left += (b[i] - product[i]) * (b[i] - product[i]);
            all += b[i] * b[i];
        }
        assertEquals(Math.sqrt(all), found.report().residualHistory().getFirst(), 1e-9 * Math.sqrt(all));
        assertEquals(Math.sqrt(left), found.report().residualHistory().getLast(), 0.01 * Math.sqrt(left));
        assertEquals(Math.sqrt(left), found.report().trueResidual(), 1e-6 * Math.sqrt(left));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"s-step|amg||with preconditioner amg, which takes jacobi",
        "s-step-gmres|amg|basis=chebyshev|basis is 'chebyshev', expected ritz",
        "s-step|none|steps=0|steps is '0'", "s-step|none|basis=legendre|expected one of monomial, newton, chebyshev",
        "s-step|ic0||method s-step with preconditioner ic0", "s-step|ssor||method s-step with preconditioner ssor",
        "s-step-gmres|ssor||method s-step-gmres with preconditioner ssor"})
    void refusesWhatThereIsNot(String method, String preconditioner, String option, String message) {
        Map<String, String> options = option == null
                ? Map.of()
                : Map.of(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> PartitionedSolver.refuse(
                stack(method, options, preconditioner, Map.of(), 1e-8)));
        assertTrue(refused.getMessage().contains(message), refused.getMessage());
    }

    @Test
    void sStepIsRefusedOnOneRank() {
        CsrMatrix matrix = generate("poisson2d:nx=4", Precision.F64);
        SolverConfig stack = stack("s-step", Map.of(), "none", Map.of(), 1e-8);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> onOne(stack, matrix)).getMessage()
                .contains("method s-step on one rank"));
        assertArrayEquals(new Object[]{false, true}, new Object[]{
            PartitionedSolver.takesRings(SolverConfig.of("cg", "jacobi")), PartitionedSolver.takesRings(stack)});
    }
}
