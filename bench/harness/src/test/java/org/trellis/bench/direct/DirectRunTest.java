package org.trellis.bench.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.sparse.CsrMatrix;

class DirectRunTest {
    private static final double BUSY_SECONDS = 0.03;

    /** Factorises on a thread of the pool, while the caller waits. */
    private static final class OnPool implements DirectFactors {
        @Override
        public String solver() {
            return "on the pool";
        }

        @Override
        public void analyse() {}

        @Override
        public void factorise() {
            CountDownLatch done = new CountDownLatch(1);
            ForkJoinPool.commonPool().execute(() -> {
                long until = processorTime() + (long) (BUSY_SECONDS * 1e9);
                while (processorTime() < until) {
                    Thread.onSpinWait();
                }
                done.countDown();
            });
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private static long processorTime() {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        @Override
        public void take(CsrMatrix values) {}

        @Override
        public boolean refactorise() {
            return false;
        }

        @Override
        public void solve(double[] x) {}

        @Override
        public Size size() {
            return new Size("natural", "none", 1, 0);
        }

        @Override
        public void close() {}
    }

    @Test
    void processorTimeCountsThreadsThatHelp() {
        CsrMatrix one = CsrMatrix.of(1, 1, new int[]{0, 1}, new int[]{0}, new double[]{1});
        DirectRun run = new DirectRun(one, new double[]{1}).limited(Double.POSITIVE_INFINITY, true);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        try (OnPool factors = new OnPool();
                ConsoleProgress progress = new ConsoleProgress(new Console(nowhere, nowhere, false), true)) {
            run.add(factors);
            run.run(1, progress);
        }
        double[] seconds = run.results().getFirst().seconds();
        assertTrue(seconds[1] >= BUSY_SECONDS, seconds[1] + " s");
        assertTrue(seconds[0] < BUSY_SECONDS, seconds[0] + " s");
        assertEquals(0, run.results().getFirst().backwardError());
    }
}
