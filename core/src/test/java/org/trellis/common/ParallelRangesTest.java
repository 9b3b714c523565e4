package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ParallelRangesTest {
    @Test
    void visitsEachIndexOnce() {
        for (int count : new int[]{0, 1, 2, 63, 64, 65, 1000, 100_003}) {
            for (int grain : new int[]{1, 7, 64, 1 << 20}) {
                int[] visits = new int[count];
                ParallelRanges.run(count, grain, (from, to) -> {
                    for (int i = from; i < to; i++) {
                        visits[i]++;
                    }
                });
                int[] ones = new int[count];
                Arrays.fill(ones, 1);
                assertArrayEquals(ones, visits, count + " in pieces of " + grain);
            }
        }
    }

    @Test
    void accumulatesCounts() {
        ParallelRanges.accumulate(new int[0]);
        for (int count : new int[]{1, 2, 1000, (1 << 20) + 3}) {
            int[] sums = new int[count];
            int[] expected = new int[count];
            for (int i = 0; i < count; i++) {
                sums[i] = i % 7 - 3;
                expected[i] = sums[i] + (i == 0 ? 0 : expected[i - 1]);
            }
            ParallelRanges.accumulate(sums);
            assertArrayEquals(expected, sums, count + " numbers");
        }
    }

    @Test
    void cutsOnlyWhatIsWorthAnotherThread() {
        assertEquals(1000, ParallelRanges.grain(1000, 100_000));
        assertEquals(500, ParallelRanges.grain(1000, 1 << 18));
        assertEquals(1, ParallelRanges.grain(10, 1L << 40));
        assertEquals(1, ParallelRanges.grain(0, 0));
        assertEquals(7, ParallelRanges.grain(7, 0));
    }

    @Test
    void makesNoMoreWorkspaceThanThreads() {
        AtomicInteger made = new AtomicInteger();
        int[] inUse = new int[1000];
        ParallelRanges.run(100_000, 1, made::incrementAndGet, (from, to, mine) -> {
            synchronized (inUse) {
                assertEquals(0, inUse[mine]++);
            }
            Thread.onSpinWait();
            synchronized (inUse) {
                inUse[mine]--;
            }
        });
        assertTrue(made.get() <= ForkJoinPool.getCommonPoolParallelism() + 1, made + " made");
    }

    @Test
    void sumsAtFixedCuts() {
        double[] parts = new double[1];
        for (int from = 0; from < 1001; from += 10) {
            double part = 0;
            for (int i = from; i < Math.min(1001, from + 10); i++) {
                part += 1.0 / (1 + i);
            }
            parts[0] += part;
        }
        double found = ParallelRanges.sum(1001, 10, (from, to) -> {
            double part = 0;
            for (int i = from; i < to; i++) {
                part += 1.0 / (1 + i);
            }
            return part;
        });
        assertEquals(parts[0], found);
        double withWorkspace = ParallelRanges.sum(1001, 10, () -> new double[1], (from, to, part) -> {
            part[0] = 0;
            for (int i = from; i < to; i++) {
                part[0] += 1.0 / (1 + i);
            }
            return part[0];
        });
        assertEquals(parts[0], withWorkspace);
        assertEquals(0, ParallelRanges.sum(0, 10, (from, to) -> 1));
        assertEquals(1000, ParallelRanges.max(1001, 10, (from, to) -> to - 1.0));
        assertThrows(IllegalArgumentException.class, () -> ParallelRanges.sum(5, 0, (from, to) -> 1));
    }
}
