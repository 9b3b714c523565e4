package org.trellis.distributed.multigrid;

import org.trellis.distributed.partitioned.RowBlock;

/** Rows by which a product multiplies: those of this rank first, then those that came from others. */
final class Operand {
    private final ColumnNumbers columns;
    private final int owned;
    private final int[][] offsets;
    private final double[][] values;

    /**
     * Takes rows.
     *
     * @param columns numbers of their columns, of the own block first
     * @param own     this rank's rows
     * @param others  those of others
     */
    Operand(ColumnNumbers columns, RowBlock own, RowBlock others) {
        this.columns = columns;
        this.owned = own.rows();
        this.offsets = new int[][]{own.offsets(), others.offsets()};
        this.values = new double[][]{LocalMatrix.doubles(own), LocalMatrix.doubles(others)};
    }

    /** Adds a multiple of a row. */
    void add(RowSums sums, double factor, int row) {
        int block = row < owned ? 0 : 1;
        int place = row < owned ? row : row - owned;
        sums.add(factor, columns.of(block), values[block], offsets[block][place], offsets[block][place + 1]);
    }
}
