package org.trellis.fem.space;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.trellis.common.ParallelRanges;

/**
 * Numbers pairs of numbers in their order, equal ones alike: a counting sort by the first number, and a small sort by
 * the second within each. Which thread puts a pair into its bucket first does not show, since buckets are sorted.
 */
final class PairNumbering {
    private static final int PAIRS_PER_TASK = 1 << 14;
    private static final int BUCKETS_PER_TASK = 1 << 12;

    private final int[] numbers;
    private final int count;

    /**
     * Numbers pairs. Takes 8 bytes for each pair and 12 for each bucket beside.
     *
     * @param buckets first numbers are below this
     * @param first   the first number of each pair; is overwritten
     * @param second  the second number of each pair, at least 0
     */
    PairNumbering(int buckets, int[] first, int[] second) {
        AtomicIntegerArray next = new AtomicIntegerArray(buckets);
        ParallelRanges.strips(first.length, PAIRS_PER_TASK, (from, to) -> {
            for (int k = from; k < to; k++) {
                next.getAndIncrement(first[k]);
            }
        });
        int[] starts = new int[buckets + 1];
        for (int b = 0; b < buckets; b++) {
            starts[b + 1] = starts[b] + next.getPlain(b);
            next.setPlain(b, starts[b]);
        }
        long[] sorted = new long[first.length];
        ParallelRanges.strips(first.length, PAIRS_PER_TASK, (from, to) -> {
            for (int k = from; k < to; k++) {
                sorted[next.getAndIncrement(first[k])] = (long) second[k] << Integer.SIZE | k;
            }
        });
        int[] bases = new int[buckets + 1];
        ParallelRanges.strips(buckets, BUCKETS_PER_TASK, (from, to) -> {
            for (int b = from; b < to; b++) {
                Arrays.sort(sorted, starts[b], starts[b + 1]);
                bases[b + 1] = distinct(sorted, starts[b], starts[b + 1]);
            }
        });
        ParallelRanges.accumulate(bases);
        ParallelRanges.strips(buckets, BUCKETS_PER_TASK, (from, to) -> {
            for (int b = from; b < to; b++) {
                number(sorted, starts[b], starts[b + 1], bases[b], first);
            }
        });
        numbers = first;
        count = bases[buckets];
    }

    private static int distinct(long[] sorted, int from, int to) {
        int count = 0;
        for (int k = from; k < to; k++) {
            count += k == from || sorted[k] >> Integer.SIZE != sorted[k - 1] >> Integer.SIZE ? 1 : 0;
        }
        return count;
    }

    /** Numbers the pairs of a bucket, whose first numbers nothing reads any more. */
    private static void number(long[] sorted, int from, int to, int base, int[] numbers) {
        int number = base - 1;
        for (int k = from; k < to; k++) {
            number += k == from || sorted[k] >> Integer.SIZE != sorted[k - 1] >> Integer.SIZE ? 1 : 0;
            numbers[(int) sorted[k]] = number;
        }
    }

    /** Returns the number of each pair, the array that had the first numbers. */
    int[] numbers() {
        return numbers;
    }

    /** Returns how many different pairs there are. */
    int count() {
        return count;
    }
}
