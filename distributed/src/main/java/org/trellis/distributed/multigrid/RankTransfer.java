package org.trellis.distributed.multigrid;

import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.HostVector;

/**
 * A product with a prolongation or a restriction: a rank's rows, and what it needs of the vector that belongs to the
 * columns, which other ranks own. One message from each of those a product. Sums are formed in the order of the global
 * columns, so results have the same bits for any number of ranks.
 */
final class RankTransfer {
    private final Imports imports;
    private final int[] offsets;
    /** Places among what is imported. */
    private final int[] columns;
    private final HostVector operand;
    private HostVector values;

    /**
     * Prepares the product. Collective.
     *
     * @param rows         this rank's rows
     * @param source       the matrix to whose rows the columns belong
     * @param communicator the ranks
     * @param tag          for its messages
     */
    RankTransfer(RowBlock rows, PartitionedMatrix source, Communicator communicator, int tag) {
        long[] wanted = Rows.columns(rows, new IndexMap(0));
        IndexMap places = Rows.places(wanted);
        imports = new Imports(communicator, tag, source.directory(), wanted);
        offsets = rows.offsets();
        columns = new int[rows.nonZeros()];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = places.get(rows.columns()[k]);
        }
        operand = HostVector.zeros(rows.precision(), wanted.length);
        values = rows.values();
    }

    /** Takes other values in the same structure. */
    void refresh(RowBlock rows) {
        values = rows.values();
    }

    /** Counts the messages that this rank sends for a product. */
    int messages() {
        return imports.messages();
    }

    /** Returns the number of entries. */
    int nonZeros() {
        return columns.length;
    }

    /**
     * Computes {@code y = M x} or {@code y += M x}. Collective among neighbours.
     *
     * @param x   owned elements, perhaps with others behind them
     * @param y   likewise
     * @param add whether y is added to
     */
    void multiply(HostVector x, HostVector y, boolean add) {
        imports.exchange(x, operand, 0);
        if (y.precision() == Precision.F64) {
            multiply(values.doubles(), operand.doubles(), y.doubles(), add);
        } else {
            multiply(values.floats(), operand.floats(), y.floats(), add);
        }
    }

    private void multiply(double[] entries, double[] x, double[] y, boolean add) {
        for (int row = 0; row + 1 < offsets.length; row++) {
            double sum = 0;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                sum += entries[k] * x[columns[k]];
            }
            y[row] = add ? y[row] + sum : sum;
        }
    }

    private void multiply(float[] entries, float[] x, float[] y, boolean add) {
        for (int row = 0; row + 1 < offsets.length; row++) {
            float sum = 0;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                sum += entries[k] * x[columns[k]];
            }
            y[row] = add ? y[row] + sum : sum;
        }
    }
}
