package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * Computes rows of a product of sparse matrices, for one thread. Terms are added up by column. A column is noted when
 * it first occurs, and what is noted is sorted; where a row has many terms in few columns, each term sets a bit
 * instead. Up to three rows that follow one another with the same columns in the left factor, as those of the unknowns
 * of a node have, are added up together by place in the row: the rows of the right factor are read once for all of
 * them. None of that changes the order of terms.
 */
final class ProductRows {
    private static final int TOGETHER = 3;
    /** Columns whose sums and notes fit a cache of the first level, and those that fit one of the second. */
    private static final int NEAR = 1 << 12;
    private static final int FAR = 1 << 15;
    /** Columns for a term where terms lie in few of the places that a row spans. */
    private static final int COLUMNS_PER_TERM = 8;
    /** Words of 64 columns that are looked through as quickly as the library sorts one column. */
    private static final int WORDS_PER_COLUMN = 2;
    /** Columns that insertion sorts faster than the library does. */
    private static final int SORTED_BY_INSERTION = 40;

    private final RowPieces product;
    private final CsrRowCursor left;
    private final CsrRowCursor other;
    private final RowTerms terms;
    /** Whether sums and notes of all columns are kept, so that nothing is counted from a row's first. */
    private final boolean direct;
    /** Where rows go, one behind the other; the piece that is being computed begins at {@code start}. */
    private EntryBlocks.Block block;
    private int[] columns;
    private double[] values;
    private int start;
    private int size;
    /** By column, counted from a row's first: sums, all 0 between rows. */
    private double[] sums = new double[64];
    /** Bits of columns, counted from the start of a word, none set between rows. */
    private long[] bits = new long[64];
    /** When each column was last noted, counted likewise. */
    private int[] noted = new int[64];
    private int time;
    /** For rows that are added up together: the place of each column, counted likewise, and the other rows. */
    private int[] places = new int[64];
    private final CsrRowCursor[] alike = new CsrRowCursor[TOGETHER];

    /**
     * Prepares a product.
     *
     * @param a       the left factor
     * @param terms   the right factor's
     * @param product takes the rows
     * @param direct  whether there is room for sums and notes of all columns
     */
    ProductRows(CsrMatrix a, RowTerms terms, RowPieces product, boolean direct) {
        this.product = product;
        this.left = new CsrRowCursor(a);
        this.other = new CsrRowCursor(a);
        this.terms = terms;
        this.direct = direct && !terms.copies();
        if (this.direct) {
            reserveSums(product.columnCount());
            reserveNotes(product.columnCount());
        }
        Arrays.setAll(alike, i -> new CsrRowCursor(a));
        take(product.block(0));
    }

    private void take(EntryBlocks.Block taken) {
        block = taken;
        columns = taken.columns();
        values = taken.values();
    }

    /** Computes the rows of a piece. */
    void compute(int piece) {
        int[] lengths = product.lengths();
        int first = product.firstRow(piece);
        int end = product.endRow(piece);
        start = size;
        int row = first;
        while (row < end) {
            left.moveTo(row);
            int count = alike(row, end);
            int length = count > 1 ? computeTogether(row, count) : computeAlone();
            for (int i = 0; i < count; i++) {
                lengths[row++] = length;
            }
        }
        product.set(piece, block, start);
    }

    /** Counts the rows from this one on whose columns in the left factor are the same. */
    private int alike(int row, int end) {
        int count = 1;
        while (count < TOGETHER && row + count < end) {
            other.moveTo(row + count);
            if (!other.hasColumnsOf(left)) {
                break;
            }
            count++;
        }
        return count;
    }

    /** Makes room; a piece that outgrows its block moves to another one. */
    private void reserve(long entries) {
        if (columns.length - size < entries) {
            int[] columnsBefore = columns;
            double[] valuesBefore = values;
            int count = size - start;
            take(product.block(count + entries));
            System.arraycopy(columnsBefore, start, columns, 0, count);
            System.arraycopy(valuesBefore, start, values, 0, count);
            start = 0;
            size = count;
        }
    }

    /** Returns a length of an array that grows to so many elements. */
    private static int grown(int length, int needed) {
        return (int) Math.max(needed, Math.min(Checks.LONGEST_ARRAY, 2L * length));
    }

    // --- One row -----------------------------------------------------------------------------------------------------

    private int computeAlone() {
        if (direct && looksNear()) {
            return computeNear();
        }
        terms.collect(left);
        if (terms.terms == 0) {
            return 0;
        }
        long range = (long) terms.highest - terms.lowest + 1;
        // One more, since a column is written before it is known to be new.
        reserve(Math.min(terms.terms, range) + 1);
        reserveSums((int) range);
        int from = size;
        if (isClose(range)) {
            reserveBits((int) range + Long.SIZE);
            addUpSettingBits();
            size = takeBits(size, terms.lowest & -Long.SIZE, terms.highest);
        } else {
            reserveNotes((int) range);
            note();
            addUp();
            sort(from, terms.lowest, terms.highest);
        }
        collect(from, terms.lowest);
        return size - from;
    }

    /** Says whether looking through a bit for each column is quicker than noting and sorting. */
    private boolean isClose(long range) {
        return range / Long.SIZE <= terms.terms;
    }

    /**
     * Says whether sums and notes of the row fit a cache, as far as the first and last row that it names show, and if
     * only one of the second level, whether there are so few terms that noting them is quicker than setting bits.
     */
    private boolean looksNear() {
        int span = terms.span(left);
        return span <= NEAR
                || (span <= FAR && (left.end() - left.start()) * (long) terms.longest <= span / COLUMNS_PER_TERM);
    }

    /** Adds terms up and notes their columns in one pass, with nothing known of the row before. */
    private int computeNear() {
        reserveForTerms();
        time++;
        int from = size;
        int[] inner = left.columns();
        int last = left.end();
        int k = left.start();
        while (k < last) {
            int array = inner[k] >> terms.shift;
            int end = k + 1;
            while (end < last && inner[end] >> terms.shift == array) {
                end++;
            }
            addUpNear(k, end, array);
            k = end;
        }
        int at = size;
        if (at - from <= SORTED_BY_INSERTION) {
            sortByInsertion(columns, from, at);
        } else {
            sortNoted(from);
        }
        collect(from, 0);
        return at - from;
    }

    /**
     * Adds up the terms of some rows of the right factor that lie in the same arrays. Whether a column is new is a
     * branch: where rows are alike it is foreseen, and then a term waits for none of the terms before. Counting without
     * a branch makes each place in the list wait for a note that has just been stored.
     */
    private void addUpNear(int first, int last, int array) {
        int[] inner = left.columns();
        int[] offsets = terms.offsets;
        int[] these = terms.columns[array];
        double[] elements = terms.values[array];
        double[] into = sums;
        int[] times = noted;
        int[] list = columns;
        int now = time;
        int at = size;
        for (int k = first; k < last; k++) {
            double factor = left.value(k);
            int place = inner[k] + array;
            int end = offsets[place + 1];
            for (int l = offsets[place]; l < end; l++) {
                int column = these[l];
                double term = factor * elements[l];
                if (times[column] == now) {
                    into[column] += term;
                } else {
                    times[column] = now;
                    list[at++] = column;
                    // Not the term alone, which may be a negative zero.
                    into[column] = 0.0 + term;
                }
            }
        }
        size = at;
    }

    private void sortNoted(int from) {
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        for (int i = from; i < size; i++) {
            lowest = Math.min(lowest, columns[i]);
            highest = Math.max(highest, columns[i]);
        }
        sort(from, lowest, highest);
    }

    private void reserveForTerms() {
        if (columns.length - size <= (left.end() - left.start()) * (long) terms.longest) {
            terms.collect(left);
            reserve(Math.min(terms.terms, product.columnCount()) + 1L);
        }
    }

    private void reserveSums(int range) {
        if (sums.length < range) {
            sums = new double[grown(sums.length, range)];
        }
    }

    private void reserveNotes(int range) {
        if (noted.length < range) {
            noted = new int[grown(noted.length, range)];
            time = 0;
        }
        time++;
    }

    private void addUpSettingBits() {
        double[] into = sums;
        long[] set = bits;
        int lowest = terms.lowest;
        int base = lowest & -Long.SIZE;
        for (int k = 0; k < terms.count; k++) {
            int[] these = terms.columnsOf(k);
            double[] elements = terms.valuesOf(k);
            double factor = terms.factors[k];
            int end = terms.ends[k];
            for (int l = terms.starts[k]; l < end; l++) {
                int column = these[l];
                into[column - lowest] += factor * elements[l];
                set[(column - base) >>> 6] |= 1L << column;
            }
        }
    }

    private void addUp() {
        double[] into = sums;
        int base = terms.lowest;
        for (int k = 0; k < terms.count; k++) {
            int[] these = terms.columnsOf(k);
            double[] elements = terms.valuesOf(k);
            double factor = terms.factors[k];
            int end = terms.ends[k];
            for (int l = terms.starts[k]; l < end; l++) {
                into[these[l] - base] += factor * elements[l];
            }
        }
    }

    /** Takes the sums in the order of the columns, and leaves nothing behind. */
    private void collect(int from, int base) {
        int[] list = columns;
        double[] elements = values;
        double[] taken = sums;
        for (int at = from; at < size; at++) {
            int place = list[at] - base;
            elements[at] = taken[place];
            taken[place] = 0;
        }
    }

    // --- Columns alone -----------------------------------------------------------------------------------------------

    /** Lists the columns of the terms, as they first occur. */
    private void note() {
        int[] times = noted;
        int[] list = columns;
        int now = time;
        int base = terms.lowest;
        int at = size;
        for (int k = 0; k < terms.count; k++) {
            int[] these = terms.columnsOf(k);
            int end = terms.ends[k];
            for (int l = terms.starts[k]; l < end; l++) {
                int column = these[l];
                list[at] = column;
                at += (times[column - base] - now) >>> 31;
                times[column - base] = now;
            }
        }
        size = at;
    }

    /** Sorts the columns from a place on: few by insertion, those that lie close together by a bit for each. */
    private void sort(int from, int lowest, int highest) {
        int count = size - from;
        if (count <= SORTED_BY_INSERTION) {
            sortByInsertion(columns, from, size);
        } else if ((highest - lowest) / Long.SIZE <= WORDS_PER_COLUMN * (long) count) {
            sortByBits(from, lowest, highest);
        } else {
            Arrays.sort(columns, from, size);
        }
    }

    private static void sortByInsertion(int[] list, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int column = list[i];
            int j = i - 1;
            while (j >= from && list[j] > column) {
                list[j + 1] = list[j];
                j--;
            }
            list[j + 1] = column;
        }
    }

    private void sortByBits(int from, int lowest, int highest) {
        int base = lowest & -Long.SIZE;
        reserveBits(highest - base);
        long[] set = bits;
        int[] list = columns;
        for (int i = from; i < size; i++) {
            set[(list[i] - base) >>> 6] |= 1L << list[i];
        }
        takeBits(from, base, highest);
    }

    /** Lists the columns of the terms in order, as is quicker where rows have most columns in common. */
    private void findByBits() {
        int base = terms.lowest & -Long.SIZE;
        reserveBits(terms.highest - base);
        long[] set = bits;
        for (int k = 0; k < terms.count; k++) {
            int[] these = terms.columnsOf(k);
            int end = terms.ends[k];
            for (int l = terms.starts[k]; l < end; l++) {
                set[(these[l] - base) >>> 6] |= 1L << these[l];
            }
        }
        size = takeBits(size, base, terms.highest);
    }

    private void reserveBits(int last) {
        int words = last / Long.SIZE + 1;
        if (bits.length < words) {
            bits = new long[Math.max(words, 2 * bits.length)];
        }
    }

    /** Lists the columns whose bits are set from a place on, and leaves none behind; returns the place behind them. */
    private int takeBits(int from, int base, int highest) {
        long[] set = bits;
        int[] list = columns;
        int words = (highest - base) / Long.SIZE + 1;
        int at = from;
        for (int word = 0; word < words; word++) {
            for (long ones = set[word]; ones != 0; ones &= ones - 1) {
                list[at++] = base + word * Long.SIZE + Long.numberOfTrailingZeros(ones);
            }
            set[word] = 0;
        }
        return at;
    }

    // --- Rows of the same columns ------------------------------------------------------------------------------------

    private int computeTogether(int row, int count) {
        terms.collect(left);
        if (terms.terms == 0) {
            return 0;
        }
        long range = (long) terms.highest - terms.lowest + 1;
        reserve(TOGETHER * Math.min(terms.terms, range) + 1);
        int from = size;
        if (isClose(range)) {
            findByBits();
        } else {
            reserveNotes((int) range);
            note();
            sort(from, terms.lowest, terms.highest);
        }
        int length = size - from;
        for (int i = 1; i < count; i++) {
            System.arraycopy(columns, from, columns, from + i * length, length);
        }
        size = from + count * length;
        if (places.length < range) {
            places = new int[grown(places.length, (int) range)];
        }
        for (int i = 0; i < length; i++) {
            places[columns[from + i] - terms.lowest] = i;
        }
        Arrays.fill(values, from, from + TOGETHER * length, 0);
        for (int i = 0; i < TOGETHER; i++) {
            // Where there are two rows only, the third is of no use and cheap.
            alike[i].moveTo(row + Math.min(i, count - 1));
        }
        for (int k = 0; k < terms.count; k++) {
            addThree(k, from, length);
        }
        return length;
    }

    private void addThree(int k, int from, int length) {
        double first = terms.factors[k];
        double second = alike[1].value(alike[1].start() + k);
        double third = alike[2].value(alike[2].start() + k);
        int[] these = terms.columnsOf(k);
        double[] elements = terms.valuesOf(k);
        int[] place = places;
        double[] into = values;
        int base = terms.lowest;
        int end = terms.ends[k];
        for (int l = terms.starts[k]; l < end; l++) {
            int at = from + place[these[l] - base];
            double value = elements[l];
            into[at] += first * value;
            into[at + length] += second * value;
            into[at + 2 * length] += third * value;
        }
    }
}
