package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ProductMode;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.PartitionedCase;

/** Solvers of one rank that work on several, and the operator under them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PartitionedOperatorTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();

    /** What a rank does with its operator. */
    private interface Work {
        HostVector run(PartitionedMatrix matrix, PartitionedOperator operator, RankBackend backend);
    }

    /** Runs on all ranks, and brings the results together. */
    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static double[] onRanks(CsrMatrix whole, Partition partition, Work work) {
        return onRanks(whole, partition, "threads", ProductMode.REPRODUCIBLE, work);
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static double[] onRanks(CsrMatrix whole, Partition partition, String name, ProductMode mode, Work work) {
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            try (RankBackend backend = new RankBackend(communicator, Backends.open(name, ONE_THREAD));
                    HaloPlan plan = HaloPlan.of(matrix, 1, backend.own(), mode);
                    PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
                return matrix.gather(0, work.run(matrix, operator, backend)).toDoubleArray();
            }
        }).getFirst();
    }

    private static CsrMatrix poisson(int n) {
        CsrBuilder builder = new CsrBuilder(n * n, Precision.F64, 5L * n * n);
        for (int row = 0; row < n * n; row++) {
            if (row >= n) {
                builder.add(row - n, -1);
            }
            if (row % n > 0) {
                builder.add(row - 1, -1);
            }
            builder.add(row, 4.5);
            if (row % n < n - 1) {
                builder.add(row + 1, -1);
            }
            if (row < n * n - n) {
                builder.add(row + n, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static Partition blocks(int rows, int parts) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) i * parts / rows));
        return new Partition(partOf, parts);
    }

    private static double entry(long i) {
        return Math.sin(i + 1.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void productsAreThoseOfOneRank(int ranks) {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
                CsrMatrix whole = problem.matrix();
                double[] expected = new double[whole.rows()];
                try (Backend alone = Backends.open("threads", ONE_THREAD);
                        SpmvOperator product = alone.kernels(SparseKernels.class).prepare(whole)) {
                    HostVector y = HostVector.of(precision, whole.rows(), i -> 1.0 / (i + 1));
                    product.apply(1.5, HostVector.of(precision, whole.rows(), PartitionedOperatorTest::entry), 0.25,
                            y);
                    expected = y.toDoubleArray();
                }
                double[] actual = onRanks(whole, problem.partition(), (matrix, operator, backend) -> {
                    HostVector y = matrix.vector(i -> 1.0 / (i + 1));
                    operator.apply(1.5, matrix.vector(PartitionedOperatorTest::entry), 0.25, y);
                    return y;
                });
                assertArrayEquals(expected, actual, 1e-5 * (precision == Precision.F64 ? 1e-9 : 1), problem::toString);
            }
        }
    }

    /** Products of the backend with owned rows: results of one rank but for rounding, for dot products too. */
    @ParameterizedTest
    @CsvSource({"1, reference", "2, threads", "3, simd", "4, cpu"})
    void tunedProductsAreThoseOfOneRankButForRounding(int ranks, String name) {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
                CsrMatrix whole = problem.matrix();
                HostVector expected = HostVector.of(precision, whole.rows(), i -> 1.0 / (i + 1));
                double[] dot = new double[1];
                HostVector x = HostVector.of(precision, whole.rows(), PartitionedOperatorTest::entry);
                try (Backend alone = Backends.open("reference", ONE_THREAD);
                        SpmvOperator product = alone.kernels(SparseKernels.class).prepare(whole)) {
                    product.multiplyAndDot(1.5, x, 0.25, expected, x, HostVector.of(dot), 0);
                }
                double bound = precision == Precision.F64 ? 1e-13 : 1e-5;
                double[] actual = onRanks(whole, problem.partition(), name, ProductMode.TUNED,
                        (matrix, operator, backend) -> {
                            HostVector own = matrix.vector(PartitionedOperatorTest::entry);
                            HostVector y = matrix.vector(i -> 1.0 / (i + 1));
                            HostVector sum = HostVector.zeros(Precision.F64, 1);
                            operator.multiplyAndDot(1.5, own, 0.25, y, own, sum, 0);
                            assertEquals(dot[0], sum.get(0), bound * 100 * (1 + Math.abs(dot[0])), problem::toString);
                            HostVector again = matrix.vector(i -> 1.0 / (i + 1));
                            operator.apply(1.5, own, 0.25, again);
                            assertArrayEquals(y.toDoubleArray(), again.toDoubleArray(), problem::toString);
                            return y;
                        });
                for (int row = 0; row < whole.rows(); row++) {
                    assertEquals(expected.get(row), actual[row], bound * (1 + Math.abs(expected.get(row))) * 10,
                            problem + ", row " + row);
                }
            }
        }
    }

    /** The mode is a setting, and what a plan without a backend cannot have. */
    @Test
    void modesAreNamedInReports() {
        CsrMatrix whole = poisson(9);
        List<String> texts = new ArrayList<>();
        for (ProductMode mode : ProductMode.values()) {
            onRanks(whole, blocks(whole.rows(), 1), "threads", mode, (matrix, operator, backend) -> {
                texts.add(operator.product());
                return matrix.vector(i -> 0);
            });
        }
        assertEquals("rows in the order of global columns", texts.get(0));
        assertTrue(texts.get(1).startsWith("interior rows: csr"), texts.get(1));
        assertEquals("tuned", Configuration.builder().build().get(ConfigurationKeys.DISTRIBUTED_PRODUCT));
    }

    @Test
    void transposedProductsAndDotsAreThoseOfOneRank() {
        for (PartitionedCase problem : PartitionedCase.all(3, Precision.F64)) {
            CsrMatrix whole = problem.matrix();
            HostVector expected = HostVector.zeros(Precision.F64, whole.rows());
            double[] dots = new double[2];
            try (Backend alone = Backends.open("reference", ONE_THREAD);
                    SpmvOperator product = alone.kernels(SparseKernels.class).prepare(whole.transpose())) {
                HostVector x = HostVector.of(Precision.F64, whole.rows(), PartitionedOperatorTest::entry);
                HostVector result = HostVector.of(dots);
                product.multiplyAndDot(1, x, 0, expected, x, result, 1);
            }
            double[] actual = onRanks(whole, problem.partition(), (matrix, operator, backend) -> {
                HostVector x = matrix.vector(PartitionedOperatorTest::entry);
                HostVector y = matrix.vector(i -> Double.NaN);
                HostVector result = HostVector.zeros(Precision.F64, 2);
                operator.transposed().multiplyAndDot(1, x, 0, y, x, result, 1);
                assertEquals(dots[1], result.get(1), 1e-12 * (1 + Math.abs(dots[1])), problem::toString);
                return y;
            });
            assertArrayEquals(expected.toDoubleArray(), actual, 1e-13, problem::toString);
        }
    }

    private static SolveReport[] solve(String method, String preconditioner, int ranks, double[][] solution) {
        CsrMatrix whole = poisson(17);
        SolveReport[] reports = new SolveReport[ranks];
        solution[0] = onRanks(whole, blocks(whole.rows(), ranks), (matrix, operator, backend) -> {
            HostVector b = matrix.vector(PartitionedOperatorTest::entry);
            HostVector x = matrix.vector(i -> 0);
            try (LinearSolver solver = PartitionedSolver.prepare(SolverConfig.of(method, preconditioner), matrix,
                    operator, backend)) {
                reports[matrix.communicator().rank()] = solver.solve(b, x, StoppingCriteria.relative(1e-10, 2000),
                        IterationObserver.NONE);
            }
            return x;
        });
        return reports;
    }

    /** One code for all: the iterations on three ranks are those on one. */
    @ParameterizedTest
    @CsvSource({"cg,jacobi", "cg,none", "fcg,jacobi", "pipelined-cg,jacobi", "minres,jacobi", "gmres,jacobi",
        "bicgstab,jacobi", "bicgstab,none", "chebyshev,jacobi", "richardson,jacobi", "lsqr,none", "lsmr,none",
        "idr,jacobi", "tfqmr,jacobi", "bicg,jacobi",
        "lgmres,jacobi"})
    void methodsTakeTheIterationsOfOneRank(String method, String preconditioner) {
        double[][] alone = new double[1][];
        double[][] together = new double[1][];
        SolveReport one = solve(method, preconditioner, 1, alone)[0];
        SolveReport[] several = solve(method, preconditioner, 3, together);
        assertTrue(one.converged(), one::toString);
        for (SolveReport report : several) {
            assertTrue(report.converged(), report::toString);
            assertEquals(several[0].iterations(), report.iterations());
            assertEquals(several[0].residualHistory(), report.residualHistory(), "the same bits on all ranks");
        }
        // Random vectors of a method are others on several ranks.
        double slack = List.of("idr", "chebyshev", "bicgstab").contains(method) ? 0.3 : 0.02;
        assertEquals(one.iterations(), several[0].iterations(), 1 + slack * one.iterations());
        assertArrayEquals(alone[0], together[0], 1e-7);
    }

    @Test
    void emptyRanksSolveToo() {
        for (PartitionedCase problem : PartitionedCase.all(4, Precision.F64)) {
            double[] solution = onRanks(problem.matrix(), problem.partition(), (matrix, operator, backend) -> {
                HostVector x = matrix.vector(i -> 0);
                HostVector ones = matrix.vector(i -> 1);
                HostVector b = matrix.vector(i -> 0);
                operator.apply(ones, b);
                try (LinearSolver solver = PartitionedSolver.prepare(SolverConfig.of("bicgstab", "jacobi"), matrix,
                        operator, backend)) {
                    assertTrue(solver.solve(b, x, StoppingCriteria.relative(1e-12, 500), IterationObserver.NONE)
                            .converged(), problem::toString);
                }
                return x;
            });
            for (double element : solution) {
                assertEquals(1, element, 1e-9, problem::toString);
            }
        }
    }

    @Test
    void stacksForOneRankAreRefused() {
        for (SolverConfig stack : List.of(SolverConfig.of("s-step", "ic0"), SolverConfig.of("s-step", "amg"),
                new SolverConfig("cg", Map.of(), "jacobi", Map.of("sweeps", "2"),
                        StoppingCriteria.relative(1e-8, 9), false, false),
                new SolverConfig("s-step", Map.of(), "jacobi", Map.of(), StoppingCriteria.relative(1e-8, 9), true,
                        true))) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> PartitionedSolver.refuse(stack)).getMessage()
                    .contains("cannot be used, expected a method by name with preconditioner jacobi"));
        }
    }

    @Test
    void methodsThatLookAtTheirRowsNeedSome() {
        CsrMatrix whole = poisson(5);
        onRanks(whole, blocks(whole.rows(), 2), (matrix, operator, backend) -> {
            assertTrue(assertThrows(IllegalArgumentException.class,
                    () -> PartitionedSolver.prepare(SolverConfig.of("gmres", "none"), matrix, operator, backend))
                    .getMessage().contains("one of which has 12 rows, expected at least 50 on each"));
            return matrix.vector(i -> 0);
        });
    }

    @Test
    void whatIsNotThereIsRefused() {
        CsrMatrix matrix = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{1, 0}, new double[]{1, 1});
        JobFailedException failed = assertThrows(JobFailedException.class,
                () -> onRanks(matrix, blocks(2, 2), (part, operator, backend) -> {
                    assertThrows(UnsupportedKernelException.class, () -> backend.kernels(SparseKernels.class));
                    PartitionedOperator.diagonal(part);
                    return null;
                }));
        assertTrue(assertInstanceOf(IllegalArgumentException.class, failed.getCause()).getMessage()
                .matches("row [01] has no element on the diagonal.*"), failed::getMessage);
    }
}
