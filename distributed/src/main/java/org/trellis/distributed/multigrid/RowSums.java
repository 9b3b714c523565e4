package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;

/**
 * Adds up a row by column. Terms of a column are added in the order in which they come, in double precision, as those
 * of products of matrices on one rank are: so results have the same bits.
 */
final class RowSums {
    private final IndexMap numbers = new IndexMap(64);
    private double[] sums = new double[64];
    private boolean[] here = new boolean[64];
    private int[] touched = new int[64];
    private int size;

    /** Adds a term. */
    void add(long column, double term) {
        int number = numbers.get(column);
        if (number == IndexMap.ABSENT) {
            number = numbers.size();
            numbers.add(column);
            if (number == sums.length) {
                sums = Arrays.copyOf(sums, 2 * number);
                here = Arrays.copyOf(here, 2 * number);
            }
        }
        if (here[number]) {
            sums[number] += term;
            return;
        }
        here[number] = true;
        sums[number] = term;
        if (size == touched.length) {
            touched = Arrays.copyOf(touched, 2 * size);
        }
        touched[size++] = number;
    }

    /** Adds a multiple of a row of a block. */
    void add(double factor, RowBlock block, int row) {
        for (int k = block.offsets()[row]; k < block.offsets()[row + 1]; k++) {
            add(block.columns()[k], factor * block.values().get(k));
        }
    }

    /** Says whether nothing was added since the last row. */
    boolean isEmpty() {
        return size == 0;
    }

    /** Ends the row: adds it to a block, with its columns in order, and starts over. */
    void endRow(RowBlockBuilder builder, long index) {
        long[] columns = new long[size];
        for (int i = 0; i < size; i++) {
            columns[i] = numbers.index(touched[i]);
            here[touched[i]] = false;
        }
        size = 0;
        Arrays.sort(columns);
        for (long column : columns) {
            builder.add(column, sums[numbers.get(column)]);
        }
        builder.endRow(index);
    }
}
