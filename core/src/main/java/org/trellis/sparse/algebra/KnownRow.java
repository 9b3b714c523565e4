package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/** Adds up one row of a matrix product whose columns are known: an array says where in the row each column is. */
final class KnownRow {
    private static final int ABSENT = -1;

    private final CsrRowCursor left;
    private final CsrRowCursor right;
    private final int[] places;
    private double[] sums = new double[64];

    KnownRow(CsrMatrix a, CsrMatrix b) {
        this.left = new CsrRowCursor(a);
        this.right = new CsrRowCursor(b);
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
        if (sums.length < length) {
            sums = new double[Math.max(length, 2 * sums.length)];
        }
        Arrays.fill(sums, 0, length, 0);
        for (int k = 0; k < length; k++) {
            places[columns[at + k]] = k;
        }
        int absent = add(row);
        for (int k = 0; k < length; k++) {
            places[columns[at + k]] = ABSENT;
        }
        values.setRange(at, sums, 0, length);
        return absent;
    }

    private int add(int row) {
        left.moveTo(row);
        int[] inner = left.columns();
        int end = left.end();
        int absent = ABSENT;
        for (int k = left.start(); k < end && absent == ABSENT; k++) {
            right.moveTo(inner[k]);
            absent = right.addTo(left.value(k), places, sums);
        }
        return absent;
    }
}
