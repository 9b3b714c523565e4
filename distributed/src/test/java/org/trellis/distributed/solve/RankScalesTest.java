package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** Systems times powers of two over ranks: solved in the same iterations, bit by bit, or refused. */
class RankScalesTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    private static final int[][] DOUBLE = {{0, 560}, {0, -900}, {-400, 500}, {700, 700}, {-900, -900}};
    private static final int[][] SINGLE = {{0, 66}, {0, -76}, {-40, 50}, {96, 96}, {-96, -96}};

    private record Outcome(SolveReport report, double[] x) {}

    private static CsrMatrix matrix(Precision precision) {
        return MatrixSpec.parse("poisson2d:nx=18").generate(precision, ProgressListener.NONE);
    }

    private static Partition division(int rows, int ranks) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> i * ranks / rows);
        return new Partition(partOf, ranks);
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static Outcome onRanks(SolverConfig stack, CsrMatrix whole, int ranks, double right, double guess) {
        return ThreadRanks.run(ranks, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole,
                    division(whole.rows(), ranks));
            try (RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    HaloPlan plan = HaloPlan.of(matrix, 1, backend.own());
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend)) {
                HostVector x = matrix.vector(i -> guess * (i % 3));
                SolveReport report = solver.solve(matrix.vector(i -> right * (1 + i % 5)), x, stack.criteria(),
                        IterationObserver.NONE);
                return new Outcome(report, matrix.gather(0, x).toDoubleArray());
            }
        }).getFirst();
    }

    private static SolverConfig stack(String method, String preconditioner, Precision precision, boolean mixed) {
        return new SolverConfig(method, Map.of(), preconditioner, Map.of(),
                StoppingCriteria.relative(precision == Precision.F32 ? 1e-4 : 1e-9, 400), mixed, false);
    }

    @ParameterizedTest
    @CsvSource({"cg,none", "cg,jacobi", "cg,amg", "pipelined-cg,jacobi", "fcg,ssor", "gmres,ilu0", "bicgstab,none",
        "idr,jacobi", "minres,none", "lsqr,none", "s-step,none", "s-step,jacobi", "s-step-gmres,none",
        "s-step-gmres,jacobi", "multigrid,amg", "chebyshev,jacobi", "auto,auto"})
    void iteratesAlike(String method, String preconditioner) {
        for (Precision precision : Precision.values()) {
            SolverConfig stack = stack(method, preconditioner, precision, false);
            Outcome expected = onRanks(stack, matrix(precision), 2, 1, 0.25);
            String context = stack + " " + precision + ": " + expected.report();
            assertTrue(expected.report().converged(), context);
            for (int[] by : precision == Precision.F64 ? DOUBLE : SINGLE) {
                Outcome found = onRanks(stack, matrix(precision).scaled(Math.scalb(1.0, by[0])), 2,
                        Math.scalb(1.0, by[1]), Math.scalb(0.25, by[1] - by[0]));
                String both = context + "\n2^" + by[0] + " A x = 2^" + by[1] + " b: " + found.report();
                assertEquals(expected.report().status(), found.report().status(), both);
                assertEquals(expected.report().residualHistory(),
                        found.report().residualHistory().stream().map(norm -> Math.scalb(norm, -by[1])).toList(), both);
                double[] back = new double[found.x().length];
                for (int i = 0; i < back.length; i++) {
                    back[i] = Math.scalb(found.x()[i], by[0] - by[1]);
                }
                assertArrayEquals(expected.x(), back, both);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"cg,jacobi", "gmres,none", "s-step,none", "s-step-gmres,none"})
    void refusesSolutionsThatAreNoNormalNumbersAndFindsZero(String method, String preconditioner) {
        SolverConfig stack = stack(method, preconditioner, Precision.F32, false);
        for (int sign : new int[]{-1, 1}) {
            Outcome found = onRanks(stack, matrix(Precision.F32).scaled(Math.scalb(1.0, sign * 90)), 2,
                    Math.scalb(1.0, -sign * 90), 0);
            assertEquals(SolveStatus.BREAKDOWN, found.report().status(), found::toString);
            assertTrue(found.report().detail().contains("no normal numbers in f32"), found::toString);
        }
        Outcome zero = onRanks(stack, matrix(Precision.F32), 2, 0, 1);
        assertEquals(SolveStatus.CONVERGED, zero.report().status(), zero::toString);
        assertArrayEquals(new double[324], zero.x());
    }

    @Test
    void mixedPrecisionTakesEntriesThatSinglePrecisionDoesNot() {
        for (int exponent : new int[]{-300, 300}) {
            double size = Math.scalb(1.0, exponent);
            Outcome found = onRanks(stack("cg", "jacobi", Precision.F64, true), matrix(Precision.F64).scaled(size), 2,
                    size, 0);
            assertTrue(found.report().converged(), found::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"cg,jacobi", "gmres,none", "bicgstab,none", "minres,none"})
    void whatHasConvergedInSinglePrecisionHasSoInDoublePrecision(String method, String preconditioner) {
        CsrMatrix matrix = matrix(Precision.F32);
        for (double tolerance : new double[]{1e-5, 1e-6, 1e-7, 1e-8}) {
            SolverConfig stack = stack(method, preconditioner, Precision.F32, false)
                    .with(StoppingCriteria.relative(tolerance, 400));
            Outcome found = onRanks(stack, matrix, 3, 1, 0);
            double[] product = matrix.toPrecision(Precision.F64).multiply(found.x());
            double square = 0;
            for (int i = 0; i < product.length; i++) {
                square += (1 + i % 5 - product[i]) * (1 + i % 5 - product[i]);
            }
            assertTrue(!found.report().converged()
                    || Math.sqrt(square) <= 1.00001 * tolerance * found.report().rightHandSideNorm(),
                    Math.sqrt(square) + " " + found.report());
        }
    }
}
