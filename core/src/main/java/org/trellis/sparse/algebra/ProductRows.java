package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * Computes rows of a product of sparse matrices in one pass over their terms, for one thread. Terms are added up by
 * column, counted from the first of the row. A row that is the row before shifted by one column, as nearly all are on a
 * grid, takes its columns from there. Elsewhere each term sets a bit where columns lie close together, and is noted
 * when it first occurs where they do not; what is noted is sorted. Up to three rows that follow one another with the
 * same columns in the left factor, as those of the unknowns of a node have, are added up together by place in the row:
 * the rows of the right factor are read once for all of them. None of that changes the order of terms.
 */
final class ProductRows {
    private static final int TOGETHER = 3;
    /** Words of 64 columns that are looked through as quickly as one term is noted and sorted. */
    private static final int WORDS_PER_TERM = 1;
    /** Columns of as many words as one word of bits, which says where there are any, stands for. */
    private static final int SUMMARISED = Long.SIZE * Long.SIZE;
    /** Columns that insertion sorts faster than the library does. */
    private static final int SORTED_BY_INSERTION = 40;
    private static final byte NOT_SHIFTED = 1;
    private static final byte SHIFTED = 2;

    private final Precision precision;
    private final CsrRowCursor left;
    private final CsrRowCursor other;
    private final CsrRowCursor right;
    private final CsrRowCursor rightBefore;
    private final RowTerms terms;
    /**
     * Whether each row of the right factor is the row before shifted by one column: 0 is unknown. Written by all
     * threads, each of which finds the same for a row.
     */
    private final byte[] shifted;
    /** The rows computed so far, one behind the other. */
    private int[] columns = new int[1 << 12];
    private double[] values = new double[1 << 12];
    private int size;
    /** By column, counted from a row's first, or the start of its word: sums, all 0 between rows. */
    private double[] sums = new double[SUMMARISED];
    /** Bits of columns, none set between rows. */
    private long[] bits = new long[SUMMARISED / Long.SIZE];
    /** When each column was last noted. */
    private int[] noted = new int[64];
    private int time;
    /** For rows that are added up together: the place of each column, counted likewise, and the other rows. */
    private int[] places = new int[64];
    private final CsrRowCursor[] alike = new CsrRowCursor[TOGETHER];

    /**
     * Prepares a product.
     *
     * @param a       the left factor
     * @param b       the right factor
     * @param values  the right factor's {@link RowTerms#doubles}
     * @param shifted for all threads of the product: as many zeros as {@code b} has rows
     */
    ProductRows(CsrMatrix a, CsrMatrix b, double[] values, byte[] shifted) {
        this.precision = a.precision();
        this.left = new CsrRowCursor(a);
        this.other = new CsrRowCursor(a);
        this.right = new CsrRowCursor(b);
        this.rightBefore = new CsrRowCursor(b);
        this.terms = new RowTerms(b, values);
        this.shifted = shifted;
        Arrays.setAll(alike, i -> new CsrRowCursor(a));
    }

    /**
     * Rows of a product.
     *
     * @param columns their columns, one row behind the other
     * @param values  their values likewise
     */
    record Rows(int[] columns, HostVector values) {}

    /**
     * Computes rows.
     *
     * @param from    the first row
     * @param end     the row after the last
     * @param lengths takes the number of entries of each row
     * @return the rows
     */
    Rows compute(int from, int end, int[] lengths) {
        size = 0;
        int row = from;
        while (row < end) {
            left.moveTo(row);
            terms.collect(left);
            int start = size;
            int count = 1;
            if (terms.terms > 0) {
                count = alike(row, end);
                if (count > 1) {
                    computeTogether(row, count);
                } else {
                    computeAlone(row, row > from ? lengths[row - 1] : 0);
                }
            }
            Arrays.fill(lengths, row, row + count, (size - start) / count);
            row += count;
        }
        return new Rows(Arrays.copyOf(columns, size), copiedValues());
    }

    private HostVector copiedValues() {
        if (precision == Precision.F64) {
            return HostVector.of(Arrays.copyOf(values, size));
        }
        HostVector copied = HostVector.zeros(precision, size);
        copied.setRange(0, values, 0, size);
        return copied;
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

    private void reserve(long entries) {
        if (columns.length - size < entries) {
            int room = grown(columns.length,
                    Checks.arrayLength("entries of some rows of a product", size + entries));
            columns = Arrays.copyOf(columns, room);
            values = Arrays.copyOf(values, room);
        }
    }

    /** Returns a length of an array that grows to so many elements. */
    private static int grown(int length, int needed) {
        return (int) Math.max(needed, Math.min(Checks.LONGEST_ARRAY, 2L * length));
    }

    // --- One row -----------------------------------------------------------------------------------------------------

    private void computeAlone(int row, int lengthBefore) {
        long range = (long) terms.highest - terms.lowest + 1;
        // One more, since a column is written before it is known to be new.
        reserve(Math.min(terms.terms, range) + 1);
        if (lengthBefore > 0 && isShifted(row)) {
            int base = terms.lowest;
            addUp(base, (int) range);
            copyShifted(lengthBefore, base);
        } else if (isClose(range)) {
            int base = terms.lowest & -Long.SIZE;
            collect(base, addUpWithBits(base));
        } else {
            int start = size;
            findByNotes((int) range);
            addUp(terms.lowest, (int) range);
            collect(start, terms.lowest);
        }
    }

    private boolean isClose(long range) {
        return range <= SUMMARISED - Long.SIZE || range / Long.SIZE <= WORDS_PER_TERM * (long) terms.terms;
    }

    /** Says whether the row is the row before, shifted, and so are all rows of the right factor that it names. */
    private boolean isShifted(int row) {
        other.moveTo(row - 1);
        if (!left.hasShiftedColumnsOf(other)) {
            return false;
        }
        int[] inner = left.columns();
        int end = left.end();
        for (int k = left.start(); k < end; k++) {
            int named = inner[k];
            if (shifted[named] == 0) {
                right.moveTo(named);
                rightBefore.moveTo(named - 1);
                shifted[named] = right.hasShiftedColumnsOf(rightBefore) ? SHIFTED : NOT_SHIFTED;
            }
            if (shifted[named] == NOT_SHIFTED) {
                return false;
            }
        }
        return true;
    }

    private void reserveSums(int range) {
        if (sums.length < range) {
            sums = new double[grown(sums.length, range)];
        }
    }

    private void addUp(int base, int range) {
        reserveSums(range);
        double[] into = sums;
        int[] these = terms.columns;
        double[] elements = terms.values;
        for (int k = 0; k < terms.count; k++) {
            double factor = terms.factors[k];
            int end = terms.ends[k];
            for (int l = terms.starts[k]; l < end; l++) {
                into[these[l] - base] += factor * elements[l];
            }
        }
    }

    private void copyShifted(int length, int base) {
        int[] to = columns;
        double[] elements = values;
        double[] from = sums;
        int at = size;
        for (int i = 0; i < length; i++, at++) {
            int column = to[at - length] + 1;
            to[at] = column;
            elements[at] = from[column - base];
            from[column - base] = 0;
        }
        size = at;
    }

    /** Adds up terms and sets their bits; returns the bits of the groups of words in which there are any. */
    private long addUpWithBits(int base) {
        int range = terms.highest - base + 1;
        reserveSums(range);
        reserveBits(range);
        int shift = shift(range);
        double[] into = sums;
        long[] set = bits;
        int[] these = terms.columns;
        double[] elements = terms.values;
        long groups = 0;
        for (int k = 0; k < terms.count; k++) {
            double factor = terms.factors[k];
            int end = terms.ends[k];
            for (int l = terms.starts[k]; l < end; l++) {
                int place = these[l] - base;
                into[place] += factor * elements[l];
                set[place >>> 6] |= 1L << place;
                groups |= 1L << (place >>> shift);
            }
        }
        return groups;
    }

    private void reserveBits(int range) {
        // As many as the last group has.
        int words = (range >>> 6) + 1 + (1 << (shift(range) - 6));
        if (bits.length < words) {
            bits = new long[Math.max(words, 2 * bits.length)];
        }
    }

    /** The power of two of columns that are a group, where a word has a bit for each group. */
    private static int shift(int range) {
        return 6 + Math.max(0, 26 - Integer.numberOfLeadingZeros((range - 1) >>> 6));
    }

    /** Takes columns and sums in order, and leaves nothing behind. */
    private void collect(int base, long groups) {
        int shift = shift(terms.highest - base + 1) - 6;
        int[] to = columns;
        double[] elements = values;
        double[] from = sums;
        long[] set = bits;
        int at = size;
        for (long rest = groups; rest != 0; rest &= rest - 1) {
            int first = Long.numberOfTrailingZeros(rest) << shift;
            int end = first + (1 << shift);
            for (int word = first; word < end; word++) {
                for (long ones = set[word]; ones != 0; ones &= ones - 1) {
                    int place = word * Long.SIZE + Long.numberOfTrailingZeros(ones);
                    to[at] = base + place;
                    elements[at++] = from[place];
                    from[place] = 0;
                }
                set[word] = 0;
            }
        }
        size = at;
    }

    /** Takes the sums of columns that are known. */
    private void collect(int start, int base) {
        for (int at = start; at < size; at++) {
            int place = columns[at] - base;
            values[at] = sums[place];
            sums[place] = 0;
        }
    }

    // --- Columns alone -----------------------------------------------------------------------------------------------

    private void findByNotes(int range) {
        if (noted.length < range) {
            noted = new int[grown(noted.length, range)];
            time = 0;
        }
        time++;
        int start = size;
        for (int k = 0; k < terms.count; k++) {
            note(terms.columns, terms.starts[k], terms.ends[k]);
        }
        if (size - start > SORTED_BY_INSERTION) {
            Arrays.sort(columns, start, size);
        } else {
            sortByInsertion(columns, start, size);
        }
    }

    /** Half the columns are new, in no pattern, so a branch would be guessed wrong all the time. */
    private void note(int[] these, int from, int to) {
        int[] times = noted;
        int[] list = columns;
        int now = time;
        int base = terms.lowest;
        int at = size;
        for (int l = from; l < to; l++) {
            int column = these[l];
            list[at] = column;
            at += (times[column - base] - now) >>> 31;
            times[column - base] = now;
        }
        size = at;
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

    private void findByBits() {
        int base = terms.lowest & -Long.SIZE;
        reserveBits(terms.highest - base + 1);
        long[] set = bits;
        int[] these = terms.columns;
        for (int k = 0; k < terms.count; k++) {
            int end = terms.ends[k];
            for (int l = terms.starts[k]; l < end; l++) {
                set[(these[l] - base) >>> 6] |= 1L << these[l];
            }
        }
        int words = (terms.highest - base) / Long.SIZE + 1;
        int at = size;
        for (int word = 0; word < words; word++) {
            for (long ones = set[word]; ones != 0; ones &= ones - 1) {
                columns[at++] = base + word * Long.SIZE + Long.numberOfTrailingZeros(ones);
            }
            set[word] = 0;
        }
        size = at;
    }

    // --- Rows of the same columns ------------------------------------------------------------------------------------

    private void computeTogether(int row, int count) {
        long range = (long) terms.highest - terms.lowest + 1;
        reserve(TOGETHER * Math.min(terms.terms, range) + 1);
        int start = size;
        if (isClose(range)) {
            findByBits();
        } else {
            findByNotes((int) range);
        }
        int length = size - start;
        for (int i = 1; i < count; i++) {
            System.arraycopy(columns, start, columns, start + i * length, length);
        }
        size = start + count * length;
        if (places.length < range) {
            places = new int[grown(places.length, (int) range)];
        }
        for (int i = 0; i < length; i++) {
            places[columns[start + i] - terms.lowest] = i;
        }
        Arrays.fill(values, start, start + TOGETHER * length, 0);
        for (int i = 0; i < TOGETHER; i++) {
            // Where there are two rows only, the third is of no use and cheap.
            alike[i].moveTo(row + Math.min(i, count - 1));
        }
        for (int k = 0; k < terms.count; k++) {
            addThree(k, start, length);
        }
    }

    private void addThree(int k, int start, int length) {
        double first = terms.factors[k];
        double second = alike[1].value(alike[1].start() + k);
        double third = alike[2].value(alike[2].start() + k);
        int[] these = terms.columns;
        double[] elements = terms.values;
        int[] place = places;
        double[] into = values;
        int base = terms.lowest;
        int end = terms.ends[k];
        for (int l = terms.starts[k]; l < end; l++) {
            int at = start + place[these[l] - base];
            double value = elements[l];
            into[at] += first * value;
            into[at + length] += second * value;
            into[at + 2 * length] += third * value;
        }
    }
}
