package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.RowBlock;

/**
 * The columns that some blocks of rows have, numbered in the order of their global indices: what is looked up once for
 * each entry, so that sums over rows index arrays, as on one rank.
 */
final class ColumnNumbers {
    private final long[] globals;
    private final int[][] numbers;

    private ColumnNumbers(long[] globals, int[][] numbers) {
        this.globals = globals;
        this.numbers = numbers;
    }

    /** Numbers the columns of some blocks. */
    static ColumnNumbers of(RowBlock... blocks) {
        return with(new long[0], blocks);
    }

    /** Numbers columns by themselves. */
    static ColumnNumbers of(long[] columns) {
        return number(new IndexMap(columns.length / 2), new long[][]{columns}, new int[][]{new int[columns.length]});
    }

    /** Numbers the columns of some blocks and further ones. */
    static ColumnNumbers with(long[] further, RowBlock... blocks) {
        IndexMap found = new IndexMap(blocks[0].rows());
        for (long column : further) {
            found.add(column);
        }
        long[][] columns = new long[blocks.length][];
        int[][] numbers = new int[blocks.length][];
        for (int b = 0; b < blocks.length; b++) {
            columns[b] = blocks[b].columns();
            numbers[b] = new int[blocks[b].nonZeros()];
        }
        return number(found, columns, numbers);
    }

    private static ColumnNumbers number(IndexMap found, long[][] columns, int[][] numbers) {
        for (int b = 0; b < numbers.length; b++) {
            number(columns[b], found, numbers[b]);
        }
        long[] globals = new long[found.size()];
        for (int i = 0; i < globals.length; i++) {
            globals[i] = found.index(i);
        }
        Arrays.sort(globals);
        int[] places = new int[globals.length];
        for (int i = 0; i < places.length; i++) {
            places[found.get(globals[i])] = i;
        }
        for (int[] block : numbers) {
            for (int k = 0; k < block.length; k++) {
                block[k] = places[block[k]];
            }
        }
        return new ColumnNumbers(globals, numbers);
    }

    private static void number(long[] columns, IndexMap found, int[] numbers) {
        for (int k = 0; k < numbers.length; k++) {
            int number = found.get(columns[k]);
            if (number == IndexMap.ABSENT) {
                number = found.size();
                found.add(columns[k]);
            }
            numbers[k] = number;
        }
    }

    /** Returns how many columns there are. */
    int count() {
        return globals.length;
    }

    /** Returns the global index of a column. */
    long global(int number) {
        return globals[number];
    }

    /** Returns all global indices, in order; not copied. */
    long[] globals() {
        return globals;
    }

    /** Returns the number of a column that there is. */
    int number(long global) {
        return Arrays.binarySearch(globals, global);
    }

    /** Returns the number of the column of each entry of a block; not copied. */
    int[] of(int block) {
        return numbers[block];
    }
}
