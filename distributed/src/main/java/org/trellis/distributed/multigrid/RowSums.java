package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.partitioned.RowBlockBuilder;

/**
 * Adds up a row by the numbers of its columns ({@link ColumnNumbers}). Terms of a column are added in the order in
 * which they come, in double precision, as those of products of matrices on one rank are: so results have the same
 * bits.
 */
final class RowSums {
    private final ColumnNumbers columns;
    private final double[] sums;
    private final boolean[] here;
    private final int[] touched;
    private int size;

    /** Prepares sums over some columns. */
    RowSums(ColumnNumbers columns) {
        this.columns = columns;
        this.sums = new double[columns.count()];
        this.here = new boolean[columns.count()];
        this.touched = new int[columns.count()];
    }

    /** Adds a term. */
    void add(int column, double term) {
        if (here[column]) {
            sums[column] += term;
            return;
        }
        here[column] = true;
        sums[column] = term;
        touched[size++] = column;
    }

    /** Adds a multiple of some consecutive entries. */
    void add(double factor, int[] numbers, double[] values, int from, int to) {
        for (int k = from; k < to; k++) {
            add(numbers[k], factor * values[k]);
        }
    }

    /** Says whether nothing was added since the last row. */
    boolean isEmpty() {
        return size == 0;
    }

    /** Ends the row: adds it to a block, with its columns in order, and starts over. */
    void endRow(RowBlockBuilder builder, long index) {
        Arrays.sort(touched, 0, size);
        for (int i = 0; i < size; i++) {
            int column = touched[i];
            builder.add(columns.global(column), sums[column]);
            here[column] = false;
        }
        size = 0;
        builder.endRow(index);
    }
}
