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
 * Products of sparse matrices on a device, row by row. A thread by itself counts the columns of a row of up to 64 with
 * a hash table in shared memory, and then finds its columns and values at once; nothing is waited for, and where there
 * are enough rows for the terms of one, threads enough are at work. Other rows are sorted into four bins by the number
 * of their terms, later of their columns: a few threads, a warp or a block work on a row with a hash table, and a block
 * with a bit for each column in the device's memory where that is too small (after Y. Nagasaka, A. Nukada, S. Matsuoka,
 * "High-performance and memory-saving sparse general matrix-matrix multiplication for NVIDIA Pascal GPU", ICPP 2017,
 * section III). These rows are passed three times: to count columns, to find and sort them, and to add up terms, for
 * which the structure of a former product will do as well. Beside the result that takes 16 bytes a row.
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
    /** What a thread by itself works on: terms of rows in the mean, entries of a row of A, and columns of a row. */
    private static final int MOST_TERMS_OF_THREAD = 1 << 13;
    private static final int ROWS_OF_THREAD_TERM = 8;
    private static final int MOST_ENTRIES_OF_THREAD = 256;
    private static final int THREAD_COLUMNS = 64;
    /** After so many rows of too many columns no more rows are tried by threads. */
    private static final int FEWEST_GIVEN_UP = 1024;
    private static final int GIVEN_UP_SHARE = 32;
    /** Slots of a table in which a thread counts: half as many again as columns. */
    private static final int FEWEST_SLOTS = 24;
    private static final int MOST_SLOTS = 96;
    /** With so many threads for a row of B, rows of the first bin have as many columns as those of a thread. */
    private static final int SPAN_OF_WIDEST = 8;

    private final AlgebraLaunch launches;
    private final CudaContext context;
    private final CudaMatrix a;
    private final CudaMatrix b;
    private final Precision precision;
    private final int span;
    private final boolean fewRows;
    private final double terms;
    private final int slots;

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
        this.terms = length * a.nonZeros() / Math.max(1, a.rows());
        this.slots = (int) Math.clamp(terms * 3 / 2 + 8, FEWEST_SLOTS, MOST_SLOTS);
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
            return isForThreads()
                    ? multiplyByThreads(lists)
                    : new TwoPassBuilder(launches).make(rows, b.columns(), precision,
                            lengths -> count(lengths, lists), (arrays, total) -> fill(arrays, lists));
        }
    }

    private boolean isForThreads() {
        double rows = terms <= FEWEST_TERMS ? 0 : terms * ROWS_OF_THREAD_TERM;
        return terms <= MOST_TERMS_OF_THREAD && a.rows() >= rows;
    }

    /** Has each row worked on by a thread, and by more those that turn out to have too many columns. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or here
    private CudaMatrix multiplyByThreads(CudaBuffer lists) {
        CudaBuffer[] arrays = new CudaBuffer[3];
        try (CudaBuffer lengths = context.buffer(RowScan.ints(a.rows()));
                CudaBuffer found = context.zeros(RowScan.ints(2))) {
            launches.byThread("countAlone", precision).a(a).b(b).set(Count.ROWS, a.rows())
                    .set(Pointer.LENGTHS, lengths).set(Pointer.MORE, lists).set(Pointer.COUNTS, found)
                    .set(Count.SIZE, b.columns()).set(Count.FIRST, Math.min(THREAD_COLUMNS, slots * 2 / 3))
                    .set(Count.LAST, slots).alpha(MOST_ENTRIES_OF_THREAD)
                    .beta(FEWEST_GIVEN_UP + a.rows() / GIVEN_UP_SHARE).runThreads(a.rows(), slots * Integer.BYTES);
            RowScan.Sent sent = RowScan.send(launches, lengths, a.rows(), found.address());
            arrays[0] = sent.offsets();
            int longer = sent.counters()[0];
            int longest = longer > 0 ? THREAD_COLUMNS : sent.counters()[1];
            if (longer > 0) {
                arrays[0].close();
                arrays[0] = null;
                countListed(lengths, lists, longer);
                sent = RowScan.send(launches, lengths, a.rows());
                arrays[0] = sent.offsets();
            }
            return new TwoPassBuilder(launches).filled(arrays,
                    new CudaMatrix.Sizes(a.rows(), b.columns(), sent.read().total(), precision),
                    (filling, total) -> fillByThreads(filling, lists, longer, longest));
        } catch (RuntimeException | Error e) {
            CudaMatrix.closeAll(arrays);
            throw e;
        }
    }

    /** Counts the columns of the rows of the first list, of which nothing is known. */
    private void countListed(CudaBuffer lengths, CudaBuffer lists, int listed) {
        int[] counters = NO_COUNTS.clone();
        counters[0] = listed;
        try (CudaBuffer counts = RowScan.counters(launches, counters)) {
            countLonger(lengths, lists, counts, listed, listed, listed);
        }
    }

    private void fillByThreads(Consumer<Step> arrays, CudaBuffer lists, int longer, int longest) {
        if (longest > 0) {
            int size = longest + longest / 2 + 2;
            Step step = launches.byThread("fillAlone", precision).a(a).b(b).set(Count.ROWS, a.rows())
                    .set(Count.FIRST, longest).set(Count.LAST, size);
            arrays.accept(step);
            step.runThreads(a.rows(), size * (Integer.BYTES + Double.BYTES));
        }
        if (longer > 0) {
            try (CudaBuffer counts = RowScan.counters(launches, NO_COUNTS)) {
                Step sorting = launches.product("sortIntoLists", precision, 0, Math.max(span, SPAN_OF_WIDEST));
                int[] sizes = sortIntoLists(sorting, arrays, lists, counts);
                longColumns(arrays, lists, counts, sizes);
                longValues(arrays, lists, counts, sizes);
            }
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
            countLonger(lengths, lists, counts, sizes[LONG], sizes[LONGER], sizes[LONGEST]);
        }
    }

    /** Counts the columns of the rows of the first list, of which at most so many are for each of the bins. */
    private void countLonger(CudaBuffer lengths, CudaBuffer lists, CudaBuffer counts, int... tried) {
        for (int bin = 1; bin < BINS && tried[bin - 1] > 0; bin++) {
            Step step = inList(step("countDistinct", bin), lists, counts, bin).set(Pointer.LENGTHS, lengths)
                    .set(Pointer.MORE, lists);
            step.runBlocks(step.blocksFor(tried[bin - 1], bin == 1 ? LARGEST_BLOCKS : LONG_BLOCKS));
        }
        int left = tried[BINS - 1] == 0 ? 0 : launches.fetch(counts, COUNTS)[BINS - 1];
        withBits(left, (blocks, bits) -> inList(step("countBits", BINS), lists, counts, BINS)
                .set(Pointer.LENGTHS, lengths).set(Pointer.MORE, bits).set(Count.SIZE, words()).runBlocks(blocks));
    }

    /** Fills short rows at once, unless they are few; long ones get their columns and then their values. */
    private void fill(Consumer<Step> arrays, CudaBuffer lists) {
        try (CudaBuffer counts = RowScan.counters(launches, NO_COUNTS)) {
            queueSorting(sorting(), arrays, lists, counts);
            Mailbox.Message message = launches.send(counts, COUNTS);
            shortRows(fewRows ? "fillColumns" : "fillRows", counts, arrays);
            int[] sizes = message.read(COUNTS);
            longColumns(arrays, lists, counts, sizes);
            if (fewRows) {
                shortRows("fillValues", counts, arrays);
            }
            longValues(arrays, lists, counts, sizes);
        }
    }

    private Step sorting() {
        return step("sortIntoLists", 0);
    }

    private int[] sortIntoLists(Step sorting, Consumer<Step> arrays, CudaBuffer lists, CudaBuffer counts) {
        queueSorting(sorting, arrays, lists, counts);
        return launches.fetch(counts, COUNTS);
    }

    private void queueSorting(Step sorting, Consumer<Step> arrays, CudaBuffer lists, CudaBuffer counts) {
        sorting.set(Count.ROWS, a.rows()).set(Pointer.MORE, lists).set(Pointer.COUNTS, counts);
        arrays.accept(sorting);
        sorting.runThreads(a.rows());
    }

    /**
     * Computes the values of a known structure. Returns the first row with a term that has no entry, or a great number.
     */
    int again(CudaStructure structure, Consumer<Step> arrays) {
        try (CudaBuffer lists = context.buffer(RowScan.ints((long) BINS * a.rows()));
                CudaBuffer counts = RowScan.counters(launches, NO_COUNTS)) {
            int[] sizes = structure.binSizes();
            if (sizes == null) {
                sizes = sortIntoLists(sorting(), arrays, lists, counts);
                structure.rememberBinSizes(sizes);
            } else if (sizes[0] + sizes[1] + sizes[2] > 0) {
                queueSorting(sorting(), arrays, lists, counts);
            }
            shortRows("fillValues", counts, arrays);
            longValues(arrays, lists, counts, sizes);
            return launches.fetch(counts, COUNTS)[MISSING];
        }
    }

    private void longColumns(Consumer<Step> arrays, CudaBuffer lists, CudaBuffer counts, int[] sizes) {
        longRows("fillColumns", lists, counts, sizes, arrays);
        withBits(sizes[BINS - 1], (blocks, bits) -> {
            Step step = inList(step("fillBits", BINS), lists, counts, BINS).set(Pointer.MORE, bits)
                    .set(Count.SIZE, words());
            arrays.accept(step);
            step.runBlocks(blocks);
        });
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
