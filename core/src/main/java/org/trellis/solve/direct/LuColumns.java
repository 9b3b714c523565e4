package org.trellis.solve.direct;

import java.util.Arrays;

/** Columns of a triangular factor, made one after another: a row and a value for each entry. */
final class LuColumns {
    private static final int MAX_ENTRIES = Integer.MAX_VALUE - 8;
    private static final int BYTES = Integer.BYTES + Double.BYTES;

    private final FactorMeter meter;
    private final int[] start;
    private int[] rows;
    private double[] values;
    private int filled;

    LuColumns(int columns, long expected, FactorMeter meter) {
        this.meter = meter;
        start = new int[columns + 1];
        grow(0, (int) Math.min(MAX_ENTRIES, Math.max(16, expected)));
    }

    /** Makes room for the entries of a column. Both factors grow alike: what one may take is half of it all. */
    void reserve(int column, int most) {
        long needed = (long) filled + most;
        if (needed <= rows.length) {
            return;
        }
        if (needed > MAX_ENTRIES) {
            throw meter.tooLarge(BYTES * (double) needed, column, "and one factor has " + MAX_ENTRIES
                    + " entries, expected no more");
        }
        grow(column, (int) Math.min(MAX_ENTRIES, Math.max(needed, rows.length * 3L / 2)));
    }

    private void grow(int column, int capacity) {
        double bytes = 2.0 * BYTES * capacity;
        rows = meter.allocate(bytes, column, () -> rows == null ? new int[capacity] : Arrays.copyOf(rows, capacity));
        values = meter.allocate(bytes, column,
                () -> values == null ? new double[capacity] : Arrays.copyOf(values, capacity));
    }

    /** Ends a column whose entries were written into the arrays, from the end of the one before on. */
    void endColumn(int column, int end) {
        filled = end;
        start[column + 1] = end;
    }

    /** Gives back what was reserved and not needed, and every entry another row. */
    void finish(int[] newRows) {
        for (int k = 0; k < filled; k++) {
            rows[k] = newRows[rows[k]];
        }
        if (rows.length > filled + filled / 4 + 16) {
            rows = Arrays.copyOf(rows, filled);
            values = Arrays.copyOf(values, filled);
        }
    }

    int size() {
        return filled;
    }

    int[] start() {
        return start;
    }

    int[] rows() {
        return rows;
    }

    double[] values() {
        return values;
    }
}
