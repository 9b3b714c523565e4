package org.trellis.distributed.partitioned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.TransposedProduct;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;

/**
 * Products, transposed products and conjugate gradients over ranks that have more than 2³¹ non-zeros together, each its
 * own share. With {@code -Dtrellis.test.large=true}, on 16 ranks in single precision, it takes a heap of 90 GB;
 * without, the same program runs with few rows.
 */
class LargeRanksTest {
    private static final boolean LARGE = Boolean.getBoolean("trellis.test.large");
    /** Entries on each side of the diagonal. */
    private static final int HALF = 20;
    private static final int ROWS = LARGE ? 53_000_000 : 2_000;
    private static final int RANKS = LARGE ? 16 : 3;
    private static final SolverConfig STACK = new SolverConfig("cg", Map.of(), "jacobi", Map.of(),
            StoppingCriteria.relative(1e-5, 200), false, false);

    /** Minus ones beside a diagonal of their number and 2, columns multiplied by a factor. */
    private static PartitionedMatrix banded(Communicator communicator, boolean symmetric) {
        RowRanges ranges = new RowRanges(ROWS, communicator.size());
        int first = (int) ranges.start(communicator.rank());
        int end = (int) ranges.start(communicator.rank() + 1);
        RowBlockBuilder rows = new RowBlockBuilder(Precision.F32, end - first, (2 * HALF + 1) * (end - first));
        for (int row = first; row < end; row++) {
            for (int column = Math.max(0, row - HALF); column <= Math.min(ROWS - 1, row + HALF); column++) {
                rows.add(column, (column == row ? 2 * HALF + 2 : -1) * (symmetric ? 1 : factor(column)));
            }
            rows.endRow(row);
        }
        return PartitionedMatrix.ofRows(communicator, ROWS, rows.build());
    }

    private static double factor(long column) {
        return 1 + column % 3;
    }

    /** What a row of the symmetric matrix sums up to. */
    private static double sum(long row) {
        return 2 * HALF + 2 - (Math.min(ROWS - 1, row + HALF) - Math.max(0, row - HALF));
    }

    private static void assertLarge(Communicator communicator, PartitionedMatrix matrix) {
        long all = communicator.sum(matrix.rows().nonZeros());
        assertEquals((2L * HALF + 1) * ROWS - HALF * (HALF + 1), all, "non-zeros of all ranks");
        assertTrue(!LARGE || all > 1L << 31, () -> all + " non-zeros");
    }

    /** Compares the owned elements of a vector with a function of their global indices. */
    private static void assertOwned(PartitionedMatrix matrix, HostVector found,
            PartitionedMatrix.ElementFunction wanted,
            double tolerance, String what) {
        long[] indices = matrix.rows().indices();
        for (int i = 0; i < indices.length; i++) {
            double expected = wanted.apply(indices[i]);
            if (!(Math.abs(found.get(i) - expected) <= tolerance)) {
                assertEquals(expected, found.get(i), tolerance, what + " " + indices[i]);
            }
        }
    }

    @Test
    void productsAndTransposedProducts() {
        ThreadRanks.run(RANKS, communicator -> {
            PartitionedMatrix matrix = banded(communicator, false);
            assertLarge(communicator, matrix);
            try (HaloPlan plan = HaloPlan.of(matrix, 1)) {
                RingVector x = plan.vector(column -> 1 / factor(column));
                RingVector y = plan.vector();
                new RingProduct(plan).multiply(x, y);
                assertOwned(matrix, y.toHost(), LargeRanksTest::sum, 1e-4, "row");
                x.set(row -> 1);
                new TransposedProduct(plan).multiply(x, y);
                assertOwned(matrix, y.toHost(), column -> factor(column) * sum(column), 1e-4, "column");
            }
            return null;
        });
    }

    /** Adds up squares over all ranks, in double precision. */
    private static double norm(Communicator communicator, HostVector owned, IntToDoubleFunction element) {
        double[] sum = new double[1];
        for (int i = 0; i < owned.length(); i++) {
            sum[0] += element.applyAsDouble(i) * element.applyAsDouble(i);
        }
        communicator.allReduce(Reduction.SUM, sum);
        return Math.sqrt(sum[0]);
    }

    private static double solution(long row) {
        return 1 + row % 7;
    }

    /** Measures {@code ‖b − A x‖₂} and compares it with what a report says. */
    private static double residual(Communicator communicator, HaloPlan plan, HostVector b, HostVector x,
            SolveReport report) {
        RingVector found = plan.vector();
        found.setOwned(x);
        RingVector product = plan.vector();
        new RingProduct(plan).multiply(found, product);
        HostVector y = product.toHost();
        double residual = norm(communicator, b, i -> b.get(i) - y.get(i));
        double all = norm(communicator, b, b::get);
        assertEquals(all, report.rightHandSideNorm(), 1e-5 * all);
        assertEquals(residual, report.trueResidual(), 1e-6 * all, report::toString);
        assertTrue(residual <= 1.1e-5 * all, () -> residual + " of " + all + ": " + report);
        return residual;
    }

    /**
     * Each eigenvalue is at least 2 by Gershgorin's theorem, so errors are at most half as great as the residual, in
     * the Euclidean norm and so in each element. The right-hand side is exact: a product of small integers.
     */
    @Test
    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    void conjugateGradients() {
        Configuration oneThread = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
        ThreadRanks.run(RANKS, communicator -> {
            PartitionedMatrix matrix = banded(communicator, true);
            assertLarge(communicator, matrix);
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", oneThread));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(STACK, matrix, operator, backend)) {
                RingVector expected = plan.vector(LargeRanksTest::solution);
                RingVector right = plan.vector();
                new RingProduct(plan).multiply(expected, right);
                HostVector b = matrix.vector(row -> 0);
                right.toHost().copyRange(0, b, 0, b.length());
                HostVector x = matrix.vector(row -> 0);
                SolveReport report = solver.solve(b, x, STACK.criteria(), IterationObserver.NONE);
                assertTrue(report.converged(), report::toString);
                double most = residual(communicator, plan, b, x, report) / 2;
                assertTrue(LARGE || most < 0.1, () -> most + " may be the error of an element, too much to tell");
                assertOwned(matrix, x, LargeRanksTest::solution, most, "element");
                long[] indices = matrix.rows().indices();
                double error = norm(communicator, x, i -> x.get(i) - solution(indices[i]));
                assertTrue(error <= most, () -> error + " in all elements, expected at most " + most);
            }
            return null;
        });
    }
}
