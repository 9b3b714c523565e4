package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Adds up one row of a matrix product whose columns are known: an array says where in the row each column is. */
final class KnownRow {
    private static final int ABSENT = -1;

    private final CsrMatrix structure;
    private final int[] places;
    private double[] sums = new double[64];
    private CsrSegment known;
    private int row;
    private int start;
    private int length;

    KnownRow(CsrMatrix structure) {
        this.structure = structure;
        this.places = new int[structure.columns()];
        Arrays.fill(places, ABSENT);
    }

    /** Starts a row, and copies its columns. */
    void start(int newRow, int[] columns, int at) {
        row = newRow;
        known = structure.segmentOf(row);
        start = known.rowStart(row);
        length = known.rowEnd(row) - start;
        if (sums.length < length) {
            sums = new double[Math.max(length, 2 * sums.length)];
        }
        Arrays.fill(sums, 0, length, 0);
        System.arraycopy(known.columnIndices(), start, columns, at, length);
        for (int k = 0; k < length; k++) {
            places[columns[at + k]] = k;
        }
    }

    /** Adds a multiple of some entries. */
    void add(double factor, CsrSegment segment, int from, int to) {
        HostVector values = segment.values();
        int[] columns = segment.columnIndices();
        int shift = values.offset();
        if (values.precision() == Precision.F64) {
            double[] storage = values.doubleStorage();
            for (int l = from; l < to; l++) {
                sums[place(columns[l])] += factor * storage[shift + l];
            }
        } else {
            float[] storage = values.floatStorage();
            for (int l = from; l < to; l++) {
                sums[place(columns[l])] += factor * storage[shift + l];
            }
        }
    }

    private int place(int column) {
        int place = places[column];
        if (place == ABSENT) {
            throw new IllegalArgumentException("product in the structure of " + structure + ": row " + row
                    + " has a term in column " + column + ", expected an entry there");
        }
        return place;
    }

    /** Stores the sums. */
    void store(HostVector values, int at) {
        for (int k = 0; k < length; k++) {
            values.set(at + k, sums[k]);
            places[known.columnIndices()[start + k]] = ABSENT;
        }
    }
}
