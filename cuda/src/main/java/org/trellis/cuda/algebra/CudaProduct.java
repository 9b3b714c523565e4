package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.Mailbox;

/**
 * Products of sparse matrices on a device, row by row. Rows are sorted into four bins by the number of their terms,
 * later of their columns: a few threads, a warp or a block work on a row with a hash table in shared memory, and a
 * block with a bit for each column in the device's memory where that is too small (after Y. Nagasaka, A. Nukada, S.
 * Matsuoka, "High-performance and memory-saving sparse general matrix-matrix multiplication for NVIDIA Pascal GPU",
 * ICPP 2017, section III). Each row is passed three times: to count its columns, to find and sort them, and to add up
 * its terms, for which the structure of a former product will do as well. Beside the result that takes 16 bytes a row.
 *
 * <p>A group of threads takes the rows of B that a row of A names one after the other, so that an element is the sum of
 * its terms in the order of the columns of A, whatever the bin.
 */
final class CudaProduct {
    private static final int BINS = 3;
    private static final int COUNTS = 7;
    private static final int MISSING = 3;
    private static final int LONGER = 4;
    private static final int LONGEST = 5;
    private static final int LONG = 6;
    private static final int LONG_BLOCKS = 1056;
    private static final int LARGEST_BLOCKS = 1 << 14;
    private static final int BIT_BLOCKS = 128;
    /** Rows are few below so many for each of their terms. */
    private static final int ROWS_OF_TERM = 32;
    private static final int FEWEST_TERMS = 128;
    private static final int MOST_FEW_ROWS = 1 << 15;

    private final AlgebraLaunch launches;
    private final CudaContext context;
    private final CudaMatrix a;
    private final CudaMatrix b;
    private final Precision precision;
    private final int span;
    private final boolean fewRows;

    CudaProduct(AlgebraLaunch launches, CudaMatrix a, CudaMatrix b) {
        if (a.columns() != b.rows() || a.precision() != b.precision()) {
            throw new IllegalArgumentException("product of " + a + " and " + b
                    + ", expected as many columns as rows and equal precisions");
        }
        this.launches = launches;
        this.context = launches.context();
        this.a = a;
        this.b = b;
        this.precision = a.precision();
        double length = (double) b.nonZeros() / Math.max(1, b.rows());
        this.span = span(length);
        double terms = length * a.nonZeros() / Math.max(1, a.rows());
        this.fewRows = terms >= FEWEST_TERMS && a.rows() <= Math.min(MOST_FEW_ROWS, ROWS_OF_TERM * terms);
    }

    /** The threads that look at a row of B: about as many as it has entries, from 4 to 16. */
    private static int span(double length) {
        int power = 4;
        while (power < AlgebraLaunch.LARGEST_SPAN && power < length) {
            power *= 2;
        }
        return power;
    }

    /** Computes structure and values. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    CudaMatrix multiply() {
        int rows = a.rows();
        try (CudaBuffer lists = context.buffer(RowScan.ints((long) BINS * rows))) {
            return new TwoPassBuilder(launches).make(rows, b.columns(), precision, lengths -> count(lengths, lists),
                    (arrays, total) -> fill(arrays, lists));
        }
    }

    private static final int[] NO_COUNTS = {0, 0, 0, Integer.MAX_VALUE, 0, 0, 0};

    /**
     * Counts the columns of rows. Few of many terms are different columns, so all but the longest rows are tried by a
     * few threads, those that do not fit their table by a warp, then by a block, and at last with bits.
     */
    private void count(CudaBuffer lengths, CudaBuffer lists) {
        try (CudaBuffer counts = RowScan.counters(launches, NO_COUNTS)) {
            step("countTerms", 0).set(Pointer.LENGTHS, lengths).set(Pointer.MORE, lists).set(Pointer.COUNTS, counts)
                    .set(Count.SIZE, b.columns()).runThreads(a.rows());
            Mailbox.Message message = launches.send(counts, COUNTS);
            step("countDistinct", 0).set(Pointer.COUNTS, counts).set(Pointer.LENGTHS, lengths).set(Pointer.MORE, lists)
                    .run(a.rows());
            int[] sizes = message.read(COUNTS);
            int[] tried = {sizes[LONG], sizes[LONGER], sizes[LONGEST]};
            for (int bin = 1; bin < BINS && tried[bin - 1] > 0; bin++) {
                Step step = inList(step("countDistinct", bin), lists, counts, bin).set(Pointer.LENGTHS, lengths)
                        .set(Pointer.MORE, lists);
                step.runBlocks(step.blocksFor(tried[bin - 1], bin == 1 ? LARGEST_BLOCKS : LONG_BLOCKS));
            }
            int left = tried[BINS - 1] == 0 ? 0 : launches.fetch(counts, COUNTS)[BINS - 1];
            withBits(left, (blocks, bits) -> inList(step("countBits", BINS), lists, counts, BINS)
                    .set(Pointer.LENGTHS, lengths).set(Pointer.MORE, bits).set(Count.SIZE, words()).runBlocks(blocks));
        }
    }

    /** Fills short rows at once, unless they are few; long ones get their columns and then their values. */
    private void fill(Consumer<Step> arrays, CudaBuffer lists) {
        try (CudaBuffer counts = RowScan.counters(launches, NO_COUNTS)) {
            queueSorting(arrays, lists, counts);
            Mailbox.Message message = launches.send(counts, COUNTS);
            shortRows(fewRows ? "fillColumns" : "fillRows", counts, arrays);
            int[] sizes = message.read(COUNTS);
            longRows("fillColumns", lists, counts, sizes, arrays);
            withBits(sizes[BINS - 1], (blocks, bits) -> {
                Step step = inList(step("fillBits", BINS), lists, counts, BINS).set(Pointer.MORE, bits)
                        .set(Count.SIZE, words());
                arrays.accept(step);
                step.runBlocks(blocks);
            });
            if (fewRows) {
                shortRows("fillValues", counts, arrays);
            }
            longValues(arrays, lists, counts, sizes);
        }
    }

    private int[] sortIntoLists(Consumer<Step> arrays, CudaBuffer lists, CudaBuffer counts) {
        queueSorting(arrays, lists, counts);
        return launches.fetch(counts, COUNTS);
    }

    private void queueSorting(Consumer<Step> arrays, CudaBuffer lists, CudaBuffer counts) {
        Step step = step("sortIntoLists", 0).set(Pointer.MORE, lists).set(Pointer.COUNTS, counts);
        arrays.accept(step);
        step.runThreads(a.rows());
    }

    /**
     * Computes the values of a known structure. Returns the first row with a term that has no entry, or a great number.
     */
    int again(CudaStructure structure, Consumer<Step> arrays) {
        try (CudaBuffer lists = context.buffer(RowScan.ints((long) BINS * a.rows()));
                CudaBuffer counts = RowScan.counters(launches, NO_COUNTS)) {
            int[] sizes = structure.binSizes();
            if (sizes == null) {
                sizes = sortIntoLists(arrays, lists, counts);
                structure.rememberBinSizes(sizes);
            } else if (sizes[0] + sizes[1] + sizes[2] > 0) {
                queueSorting(arrays, lists, counts);
            }
            shortRows("fillValues", counts, arrays);
            longValues(arrays, lists, counts, sizes);
            return launches.fetch(counts, COUNTS)[MISSING];
        }
    }

    private void longValues(Consumer<Step> arrays, CudaBuffer lists, CudaBuffer counts, int[] sizes) {
        longRows("fillValues", lists, counts, sizes, arrays);
        int blocks = Math.min(sizes[BINS - 1], BIT_BLOCKS);
        if (blocks > 0) {
            try (CudaBuffer sums = context.buffer((long) blocks * b.columns() * Double.BYTES)) {
                Step step = inList(step("fillLongValues", BINS), lists, counts, BINS).set(Pointer.X, sums)
                        .set(Count.LAST, b.columns());
                arrays.accept(step);
                step.runBlocks(blocks);
            }
        }
    }

    /** Values of few rows are for warps, since a block would wait for itself at each row of B. */
    private void shortRows(String function, CudaBuffer counts, Consumer<Step> arrays) {
        int bin = fewRows && function.equals("fillValues") ? 1 : 0;
        Step first = step(function, bin).set(Pointer.COUNTS, counts);
        arrays.accept(first);
        first.run(a.rows());
    }

    private void longRows(String function, CudaBuffer lists, CudaBuffer counts, int[] sizes,
            Consumer<Step> arrays) {
        for (int bin = 1; bin < BINS; bin++) {
            if (sizes[bin - 1] > 0) {
                Step step = inList(step(function, bin), lists, counts, bin);
                arrays.accept(step);
                step.runBlocks(step.blocksFor(sizes[bin - 1], LARGEST_BLOCKS));
            }
        }
    }

    /** Where there are few rows of many terms, blocks work on all that are not very long: no thread has much to do. */
    private Step step(String function, int bin) {
        Step step = bin == 0 && fewRows
                ? launches.productOfFewRows(function, precision, span)
                : launches.product(function, precision, bin, span);
        return step.a(a).b(b).set(Count.ROWS, a.rows());
    }

    private Step inList(Step step, CudaBuffer lists, CudaBuffer counts, int bin) {
        return step.set(Pointer.LIST, lists.address() + RowScan.ints((long) (bin - 1) * a.rows()))
                .set(Pointer.COUNTS, counts).set(Count.FIRST, bin - 1);
    }

    private int words() {
        return Math.ceilDiv(b.columns(), Integer.SIZE);
    }

    /** What is done by blocks that each have bits for all columns. */
    private interface BitWork {
        void run(int blocks, CudaBuffer bits);
    }

    private void withBits(int rows, BitWork work) {
        int blocks = Math.min(rows, BIT_BLOCKS);
        if (blocks > 0) {
            try (CudaBuffer bits = context.zeros(RowScan.ints((long) blocks * words()))) {
                work.run(blocks, bits);
            }
        }
    }
}
