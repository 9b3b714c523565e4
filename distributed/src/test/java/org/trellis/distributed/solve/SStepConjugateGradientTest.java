package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.PolynomialSmoother;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.BasisKind;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.SharedData;
import org.trellis.testing.TestSeed;

/** Iterations and answers of s-step conjugate gradients, on one to four ranks. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SStepConjugateGradientTest {
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 2000);

    /**
     * A system, and what is known of it.
     *
     * @param iterations of conjugate gradients to 1e-8 (by a program that is not ours: numpy, after Carson and Demmel)
     */
    private record Problem(CsrMatrix matrix, double low, double high, int iterations) {
        static Problem squares(int side, int iterations, Precision precision) {
            double angle = Math.PI / (2 * (side + 1));
            return new Problem(generate("poisson2d:nx=" + side, precision), 8 * Math.pow(Math.sin(angle), 2),
                    8 * Math.pow(Math.cos(angle), 2), iterations);
        }

        /** Its eigenvalues are 27 less the products of three eigenvalues of tridiag(1, 1, 1). */
        static Problem cubes(int side, int iterations) {
            double low = 27 - Math.pow(1 + 2 * Math.cos(Math.PI / (side + 1)), 3);
            return new Problem(generate("poisson3d:points=27,nx=" + side, Precision.F64), low, 36, iterations);
        }

        double[] product() {
            double[] b = new double[matrix.rows()];
            matrix.forEachEntry((i, j, value) -> b[i] += value * element(j));
            return b;
        }
    }

    private record Outcome(SolveReport report, double[] x, long exchanges) {
        double error() {
            double greatest = 0;
            for (int i = 0; i < x.length; i++) {
                greatest = Math.max(greatest, Math.abs(x[i] - element(i)));
            }
            return greatest;
        }
    }

    private static double element(long i) {
        return (7919 * i + 13) % 1009 / 1009.0;
    }

    private static CsrMatrix generate(String spec, Precision precision) {
        return MatrixSpec.parse(spec).generate(precision, ProgressListener.NONE);
    }

    private static Partition blocks(int rows, int ranks) {
        int[] parts = new int[rows];
        Arrays.setAll(parts, row -> (int) ((long) row * ranks / rows));
        return new Partition(parts, ranks);
    }

    private static Outcome solve(Problem problem, int ranks, int rings, int steps, BasisKind kind,
            StoppingCriteria criteria) {
        return solve(problem, blocks(problem.matrix().rows(), ranks), rings, steps, kind, criteria);
    }

    private static Outcome solve(Problem problem, Partition partition, int rings, int steps, BasisKind kind,
            StoppingCriteria criteria) {
        double[] b = problem.product();
        List<Outcome> outcomes = ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, problem.matrix(), partition);
            try (HaloPlan plan = HaloPlan.of(part, rings)) {
                RingVector x = plan.vector();
                SStepConjugateGradient method =
                        new SStepConjugateGradient(plan, steps, kind, problem.low(), problem.high());
                SolveReport report = method.solve(part.vector(i -> b[(int) i]), x, criteria);
                HostVector whole = x.gather(0);
                return new Outcome(report, whole == null ? null : whole.toDoubleArray(), plan.exchanges());
            }
        });
        for (Outcome other : outcomes) {
            assertEquals(outcomes.getFirst().report().iterations(), other.report().iterations());
            assertEquals(outcomes.getFirst().report().residualHistory(), other.report().residualHistory());
        }
        return outcomes.getFirst();
    }

    @ParameterizedTest
    @EnumSource(BasisKind.class)
    void iteratesAsConjugateGradientsDo(BasisKind kind) {
        Problem squares = Problem.squares(64, 160, Precision.F64);
        for (Problem problem : List.of(squares, Problem.cubes(16, 33))) {
            for (int steps : kind == BasisKind.MONOMIAL ? new int[]{1, 2, 4, 6} : new int[]{1, 2, 6, 8, 12, 16}) {
                Outcome outcome = solve(problem, 1 + steps % 3, steps, steps, kind, CRITERIA);
                String context = kind + ", s = " + steps + ", " + problem.matrix() + ": " + outcome.report();
                assertTrue(outcome.report().converged(), context);
                assertEquals(problem.iterations(), outcome.report().iterations(), context);
                assertTrue(outcome.error() < 1e-5, context);
            }
        }
    }

    /** Circles may enclose far more than the spectrum: half as much again, or the third beyond that of a structure. */
    @ParameterizedTest
    @EnumSource(value = BasisKind.class, names = "MONOMIAL", mode = EnumSource.Mode.EXCLUDE)
    void boundsThatAreFarOffAreTightened(BasisKind kind) throws IOException {
        Problem squares = Problem.squares(64, 160, Precision.F64);
        Problem loose = new Problem(squares.matrix(), 0, 1.6 * squares.high(), squares.iterations());
        for (int steps : new int[]{8, 12, 16}) {
            requireSteps(loose, steps, kind);
        }
        CsrMatrix structure = MatrixFiles.read(SharedData.folder("matrices").resolve("bcsstk09.mtx.gz"));
        double[] bounds = ThreadRanks.run(1, communicator -> SStepConjugateGradient.gershgorin(
                PartitionedMatrix.scatter(communicator, structure))).getFirst();
        Problem bent = new Problem(structure, bounds[0], bounds[1], 0);
        int single = solve(bent, 2, 1, 1, kind, CRITERIA).report().iterations();
        for (int steps : new int[]{8, 12, 16}) {
            requireSteps(new Problem(structure, bounds[0], bounds[1], single), steps, kind);
        }
    }

    private static void requireSteps(Problem problem, int steps, BasisKind kind) {
        Outcome outcome = solve(problem, 2, steps, steps, kind, CRITERIA);
        String context = kind + ", s = " + steps + ", " + problem.matrix() + ": " + outcome.report();
        assertTrue(outcome.report().converged(), context);
        assertEquals(kind + " basis of " + steps + " steps", outcome.report().detail(), context);
        assertEquals(problem.iterations(), outcome.report().iterations(), 0.06 * problem.iterations(), context);
    }

    /** One exchange for s iterations where the halo has s rings, beside those for residuals. */
    @Test
    void exchangesOnceForAllSteps() {
        Problem problem = Problem.squares(32, 0, Precision.F64);
        Outcome one = solve(problem, 3, 4, 4, BasisKind.CHEBYSHEV, CRITERIA);
        int outer = Math.ceilDiv(one.report().iterations(), 4);
        assertTrue(one.exchanges() <= outer + 5, one.exchanges() + " exchanges for " + outer + " outer steps");
        Outcome fewer = solve(problem, 3, 1, 4, BasisKind.CHEBYSHEV, CRITERIA);
        assertTrue(fewer.exchanges() > 2L * outer, fewer.exchanges() + " exchanges with one ring");
        assertEquals(one.report().iterations(), fewer.report().iterations());
    }

    /** A polynomial of degree 3 takes three rings a step, and two for the last images; fewer rings, more exchanges. */
    @Test
    void polynomialsTakeMoreRings() {
        Problem problem = Problem.squares(32, 0, Precision.F64);
        double[] b = problem.product();
        long[][] exchanges = new long[2][];
        for (int deep = 0; deep < 2; deep++) {
            int rings = deep == 1 ? 3 * 2 + 2 : 1;
            exchanges[deep] = ThreadRanks.run(3, communicator -> {
                PartitionedMatrix part =
                        PartitionedMatrix.scatter(communicator, 0, problem.matrix(), blocks(b.length, 3));
                Map<String, String> options = PolynomialSmoother.complete(part, Map.of("degree", "3"));
                try (HaloPlan plan = HaloPlan.of(part, rings)) {
                    SStepConjugateGradient method =
                            new SStepConjugateGradient(plan, 2, BasisKind.CHEBYSHEV, problem.low(), problem.high())
                                    .preconditionedBy(PolynomialSmoother.of(plan, options));
                    RingVector x = plan.vector();
                    SolveReport report = method.solve(part.vector(i -> b[(int) i]), x, CRITERIA);
                    assertTrue(report.converged(), report::toString);
                    for (int row = 0; row < part.ownedRows(); row++) {
                        assertEquals(element(part.rows().indices()[row]), x.values().get(row), 1e-5);
                    }
                    return new long[]{plan.exchanges(), report.iterations()};
                }
            }).getFirst();
        }
        assertEquals(exchanges[0][1], exchanges[1][1], "iterations");
        long outer = Math.ceilDiv(exchanges[1][1], 2);
        assertTrue(exchanges[1][1] < 40 && exchanges[1][0] <= outer + 5, () -> Arrays.deepToString(exchanges));
        assertTrue(exchanges[0][0] > 8 * outer, () -> Arrays.deepToString(exchanges));
    }

    /** A monomial basis that is too long is noticed, and the method goes on with a shorter one. */
    @Test
    void goesOnWithFewerStepsWhereABasisBreaksDown() {
        for (int steps : new int[]{12, 16, 24}) {
            Outcome outcome = solve(Problem.squares(64, 0, Precision.F64), 2, 2, steps, BasisKind.MONOMIAL, CRITERIA);
            assertTrue(outcome.report().converged(), outcome.report()::toString);
            assertTrue(outcome.report().detail().contains("(" + steps + " at first)"),
                    outcome.report().detail());
            // How many are lost until the basis is short enough depends on the last bits of products.
            assertTrue(outcome.report().iterations() < 3 * 160, outcome.report()::toString);
            assertTrue(outcome.error() < 1e-5, outcome.report()::toString);
        }
    }

    /** Replacing residuals, long runs reach what conjugate gradients reach. */
    @Test
    void reachesTheAccuracyOfConjugateGradients() {
        Problem problem = Problem.squares(48, 0, Precision.F64);
        StoppingCriteria tight = StoppingCriteria.relative(1e-13, 3000);
        double plain = solve(problem, 1, 1, 1, BasisKind.CHEBYSHEV, tight).report().relativeResidual();
        for (int steps : new int[]{4, 10}) {
            Outcome outcome = solve(problem, 2, 1, steps, BasisKind.CHEBYSHEV, tight);
            assertTrue(outcome.report().relativeResidual() <= 10 * plain, outcome.report()::toString);
        }
    }

    @Test
    void worksInSinglePrecisionOnAwkwardParts() {
        SplittableRandom random = TestSeed.random("worksInSinglePrecisionOnAwkwardParts");
        Problem problem = Problem.squares(13, 0, Precision.F32);
        int[] parts = random.ints(problem.matrix().rows(), 0, 3).map(part -> part == 1 ? 3 : part).toArray();
        Outcome outcome = solve(problem, new Partition(parts, 4), 2, 5, BasisKind.NEWTON,
                StoppingCriteria.relative(1e-5, 300));
        assertTrue(outcome.report().converged(), outcome.report() + ", seed " + TestSeed.value());
        assertTrue(outcome.error() < 1e-2, outcome.report() + ", seed " + TestSeed.value());
    }

    @Test
    void saysHowItEnded() {
        Problem problem = Problem.squares(20, 0, Precision.F64);
        SolveReport limited = solve(problem, 2, 1, 4, BasisKind.CHEBYSHEV, CRITERIA.atMost(7)).report();
        assertEquals(SolveStatus.ITERATION_LIMIT, limited.status());
        assertEquals(7, limited.iterations());
        assertEquals(8, limited.residualHistory().size());
        CsrMatrix indefinite = problem.matrix().mapValues((i, j, value) -> i == j ? value - 4 : value);
        SolveReport broken = solve(new Problem(indefinite, -4, 4, 0), 2, 1, 4, BasisKind.NEWTON, CRITERIA).report();
        assertEquals(SolveStatus.BREAKDOWN, broken.status(), broken::toString);
        assertTrue(broken.detail().contains("not positive definite"), broken.detail());
        CsrMatrix nothing = CsrMatrix.identity(9, Precision.F64).mapValues((i, j, value) -> 2.0);
        SolveReport one = solve(new Problem(nothing, 1, 3, 0), 3, 1, 3, BasisKind.MONOMIAL, CRITERIA).report();
        assertEquals(1, one.iterations(), one::toString);
    }

    @Test
    void enclosesSpectra() {
        CsrMatrix matrix = Problem.squares(9, 0, Precision.F64).matrix();
        CsrMatrix shifted = matrix.mapValues((i, j, value) -> i == j ? value + 2 + i % 2 : value);
        for (double[] ends : ThreadRanks.run(3, communicator -> SStepConjugateGradient.gershgorin(
                PartitionedMatrix.scatter(communicator, 0, shifted, blocks(matrix.rows(), 3))))) {
            assertEquals(2, ends[0]);
            assertEquals(11, ends[1]);
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        Problem problem = Problem.squares(4, 0, Precision.F64);
        ThreadRanks.run(1, communicator -> {
            PartitionedMatrix part =
                    PartitionedMatrix.scatter(communicator, 0, problem.matrix(), blocks(problem.matrix().rows(), 1));
            try (HaloPlan plan = HaloPlan.of(part, 1); HaloPlan other = HaloPlan.of(part, 1)) {
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> new SStepConjugateGradient(plan, 2, BasisKind.NEWTON, 3, 3)).getMessage()
                        .contains("the spectrum is said to be in [3.0, 3.0]"));
                assertThrows(IllegalArgumentException.class,
                        () -> new SStepConjugateGradient(plan, 0, BasisKind.NEWTON, 0, 8));
                SStepConjugateGradient method = new SStepConjugateGradient(plan, 2, BasisKind.NEWTON, 0, 8);
                HostVector b = part.vector(i -> 1);
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> method.solve(HostVector.zeros(Precision.F64, 3), plan.vector(), CRITERIA)).getMessage()
                        .contains("right-hand side is 3, expected 16"));
                assertThrows(IllegalArgumentException.class, () -> method.solve(b, other.vector(), CRITERIA));
            }
            return null;
        });
    }
}
