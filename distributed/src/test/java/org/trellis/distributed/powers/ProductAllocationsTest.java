package org.trellis.distributed.powers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;

/** What is done again and again allocates nothing. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProductAllocationsTest {
    private static final int WARM_UP = 200;
    private static final int CALLS = 500;
    /** Less than the smallest object a call; a thread that waits may allocate a little now and then. */
    private static final long SLACK = 8 * CALLS;

    private static void measure(Communicator communicator, String what, Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < SLACK, () -> what + " allocated " + bytes + " bytes on rank " + communicator.rank() + " in "
                + CALLS + " calls");
    }

    @ParameterizedTest
    @EnumSource
    void productsAllocateNothing(Precision precision) {
        int n = 60;
        ThreadRanks.run(2, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.generate(communicator, n, precision, (row, entries) -> {
                entries.add(row, 4);
                if (row < n - 7) {
                    entries.add(row + 7, 1);
                }
            });
            try (HaloPlan plan = HaloPlan.of(matrix, 2)) {
                RingVector x = plan.vector(i -> i);
                RingVector y = plan.vector();
                RingProduct product = new RingProduct(plan);
                TransposedProduct transposed = new TransposedProduct(plan);
                RingSmoother smoother = RingSmoother.jacobi(plan, 0.5);
                measure(communicator, "the product", () -> {
                    x.changed();
                    product.multiply(x, y);
                });
                measure(communicator, "the transposed product", () -> transposed.multiply(x, y));
                measure(communicator, "a sweep", () -> smoother.smooth(1));
            }
            return null;
        });
    }
}
