package org.trellis.solve.direct;

import java.util.Arrays;

/** Columns of a triangular factor, made one after another: a row and a value for each entry. */
final class LuColumns {
    private static final int MOST = Integer.MAX_VALUE - 8;
    private static final int BYTES = Integer.BYTES + Double.BYTES;

    private final int[] offsets;
    private int[] rows;
    private double[] values;
    private final FactorMeter meter;
    private int columns;
    private int filled;

    LuColumns(int count, int expected, FactorMeter meter) {
        this.meter = meter;
        offsets = new int[count + 1];
        grow(Math.max(16, expected));
    }

    void add(int row, double value) {
        if (filled == rows.length) {
            if (filled == MOST) {
                throw meter.tooLarge(BYTES * (double) filled, columns, "and one factor has " + MOST
                        + " entries, expected no more");
            }
            grow((int) Math.min(MOST, filled * 3L / 2));
        }
        rows[filled] = row;
        values[filled++] = value;
    }

    /** Both factors grow alike: what one may take is half of it all. */
    private void grow(int capacity) {
        double bytes = 2.0 * BYTES * capacity;
        rows = meter.allocate(bytes, columns, () -> rows == null ? new int[capacity] : Arrays.copyOf(rows, capacity));
        values = meter.allocate(bytes, columns,
                () -> values == null ? new double[capacity] : Arrays.copyOf(values, capacity));
    }

    void endColumn() {
        offsets[++columns] = filled;
    }

    int start(int column) {
        return offsets[column];
    }

    int end(int column) {
        return offsets[column + 1];
    }

    int row(int k) {
        return rows[k];
    }

    double value(int k) {
        return values[k];
    }

    int size() {
        return filled;
    }

    /** Gives every entry another row. */
    void renumber(int[] newRows) {
        for (int k = 0; k < filled; k++) {
            rows[k] = newRows[rows[k]];
        }
    }

    /** Brings the entries of a column whose rows have a number first; returns where the others start. */
    int separate(int column, int[] numbers) {
        int head = offsets[column];
        int tail = offsets[column + 1];
        while (head < tail) {
            if (numbers[rows[head]] >= 0) {
                head++;
            } else {
                tail--;
                int row = rows[head];
                double value = values[head];
                rows[head] = rows[tail];
                values[head] = values[tail];
                rows[tail] = row;
                values[tail] = value;
            }
        }
        return tail;
    }

    /** Subtracts a multiple of a column from a vector. */
    void subtract(int column, double factor, double[] x) {
        int end = offsets[column + 1];
        for (int k = offsets[column]; k < end; k++) {
            x[rows[k]] -= values[k] * factor;
        }
    }

    double dot(int column, double[] x) {
        double sum = 0;
        for (int k = offsets[column]; k < offsets[column + 1]; k++) {
            sum += values[k] * x[rows[k]];
        }
        return sum;
    }
}
