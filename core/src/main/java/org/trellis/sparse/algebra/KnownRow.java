package org.trellis.sparse.algebra;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * Adds up one row of a matrix product whose columns are known, by place, with an array that says where in the row each
 * column is. Up to three rows that follow one another with the same columns, as those of the unknowns of a node have,
 * are added up together: the rows of the right factor are read once for all of them. None of that changes the order of
 * terms.
 */
final class KnownRow {
    private static final int ABSENT = -1;
    private static final int TOGETHER = 3;

    private final CsrRowCursor[] left = new CsrRowCursor[TOGETHER];
    private final CsrRowCursor right;
    private final IntPredicate alike;
    private final int rows;
    private final int[] places;
    private final double[][] sums = new double[TOGETHER][64];
    private final double[] factors = new double[TOGETHER];
    /** The rows whose sums there are, and the column of a term of theirs without an entry. */
    private int first;
    private int count;
    private int absent;

    /**
     * Prepares a product.
     *
     * @param a     the left factor
     * @param b     the right factor
     * @param alike says of a row but the first whether its columns, in the left factor and in the product, are those
     *              of the row before
     */
    KnownRow(CsrMatrix a, CsrMatrix b, IntPredicate alike) {
        Arrays.setAll(left, i -> new CsrRowCursor(a));
        this.right = new CsrRowCursor(b);
        this.alike = alike;
        this.rows = a.rows();
        this.places = new int[b.columns()];
        Arrays.fill(places, ABSENT);
    }

    /**
     * Computes the values of a row of {@code A B}, each the sum of its terms in the order of the columns of A.
     *
     * @param row     the row
     * @param columns has the row's columns from {@code at} on
     * @param length  how many
     * @param values  where the values go, from {@code at} on
     * @param at      where the row starts in both
     * @return the column of a term that the row has no entry for, or -1
     */
    int compute(int row, int[] columns, int length, HostVector values, int at) {
        if (row < first || row >= first + count) {
            compute(row, columns, length, at);
        }
        values.setRange(at, sums[row - first], 0, length);
        return absent;
    }

    private void compute(int row, int[] columns, int length, int at) {
        first = row;
        count = 1;
        while (count < TOGETHER && row + count < rows && alike.test(row + count)) {
            count++;
        }
        for (int i = 0; i < (count == 1 ? 1 : TOGETHER); i++) {
            if (sums[i].length < length) {
                sums[i] = new double[Math.max(length, 2 * sums[i].length)];
            }
            Arrays.fill(sums[i], 0, length, 0);
        }
        for (int k = 0; k < length; k++) {
            places[columns[at + k]] = k;
        }
        absent = count == 1 ? add(row) : addTogether(row);
        for (int k = 0; k < length; k++) {
            places[columns[at + k]] = ABSENT;
        }
    }

    private int add(int row) {
        CsrRowCursor own = left[0];
        own.moveTo(row);
        int[] inner = own.columns();
        int end = own.end();
        int missing = ABSENT;
        for (int k = own.start(); k < end && missing == ABSENT; k++) {
            right.moveTo(inner[k]);
            missing = right.addTo(own.value(k), places, sums[0]);
        }
        return missing;
    }

    /** Where there are two rows only, the third sum is of no use and cheap. */
    private int addTogether(int row) {
        for (int i = 0; i < TOGETHER; i++) {
            left[i].moveTo(row + Math.min(i, count - 1));
        }
        int[] inner = left[0].columns();
        int start = left[0].start();
        int length = left[0].end() - start;
        int missing = ABSENT;
        for (int k = 0; k < length && missing == ABSENT; k++) {
            right.moveTo(inner[start + k]);
            for (int i = 0; i < TOGETHER; i++) {
                factors[i] = left[i].value(left[i].start() + k);
            }
            missing = right.addToThree(factors, places, sums);
        }
        return missing;
    }
}
