package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;

/** Coarsest levels that are factorised. */
final class CoarseSolutionTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void factorsSolveWithoutAllocation() {
        CsrMatrix matrix = Grids.square(30);
        assertTrue(matrix.rows() > CoarseSolution.LARGEST_INVERSE);
        for (CsrMatrix given : List.of(matrix, matrix.mapValues((i, j, value) -> i < j ? 0.9 * value : value))) {
            List<String> remarks = new ArrayList<>();
            try (Backend backend = Backends.open("reference", Configuration.load())) {
                MultigridParts parts = MultigridParts.of(backend, (level, of, product) -> Preconditioners
                        .smoother("jacobi", of, product, backend, Map.of()));
                try (SpmvOperator product = parts.product(given);
                        CoarseSolution solution =
                                CoarseSolution.of(3, CoarseInverse.begin(given), parts, product, new SetupTimes(),
                                        remarks)) {
                    assertEquals(given == matrix ? "Cholesky factors" : "LU factors", solution.toString());
                    HostVector ones = HostVector.zeros(Precision.F64, given.rows()).fill(1);
                    HostVector b = given.multiply(ones);
                    HostVector x = HostVector.zeros(Precision.F64, given.rows());
                    List<PreparedStep> steps = solution.bind(b, x, true);
                    long least = Long.MAX_VALUE;
                    for (int i = 0; i < 30; i++) {
                        x.fill(Double.NaN);
                        long before = THREADS.getCurrentThreadAllocatedBytes();
                        steps.forEach(PreparedStep::run);
                        least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                    }
                    // A vector has 7,200.
                    assertTrue(least < 1_000, "bytes: " + least);
                    for (int i = 0; i < given.rows(); i++) {
                        assertEquals(1, x.get(i), 1e-11);
                    }
                    steps.forEach(PreparedStep::close);
                }
            }
        }
    }
}
