package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;

/**
 * A product with a prolongation or a restriction: a rank's rows, and what it needs of the vector that belongs to the
 * columns, which other ranks own. One message from each of those a product. Sums are formed in the order of the global
 * columns, on the host one after the other, so results have the same bits for any number of ranks.
 */
final class RankTransfer implements AutoCloseable {
    private final Imports imports;
    private final int[] offsets;
    /** Places among what is imported. */
    private final int[] columns;
    /** On the host, else null. */
    private final HostVector operand;
    /** On a device, else null. */
    private final DeviceTransfer device;
    private final RankTimeline timeline;
    private final int activity;
    private HostVector values;

    /**
     * Prepares the product. Collective.
     *
     * @param rows         this rank's rows
     * @param source       the matrix to whose rows the columns belong
     * @param communicator the ranks
     * @param tag          for its messages
     * @param place        where vectors are
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    RankTransfer(RowBlock rows, PartitionedMatrix source, Communicator communicator, int tag, RankPlace place) {
        timeline = communicator.timeline();
        activity = timeline.activity("transfer");
        long[] wanted = Rows.columns(rows, new IndexMap(0));
        IndexMap places = Rows.places(wanted);
        imports = new Imports(communicator, tag, source.directory(), wanted);
        offsets = rows.offsets();
        columns = new int[rows.nonZeros()];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = places.get(rows.columns()[k]);
        }
        values = rows.values();
        operand = place.onDevice() ? null : HostVector.zeros(rows.precision(), wanted.length);
        device = place.anyDevices() ? onDevice(rows, source, communicator, tag, place) : null;
    }

    /** Agrees on the ways of messages with all ranks; returns null on the host. */
    @MustBeClosed
    private DeviceTransfer onDevice(RowBlock rows, PartitionedMatrix source, Communicator communicator, int tag,
            RankPlace place) {
        // Sums of whole numbers, so that all ranks share rows among as many threads.
        double entries = communicator.sum(rows.nonZeros());
        double count = communicator.sum(rows.rows());
        if (!place.onDevice()) {
            DeviceExchange.decline(communicator);
            return null;
        }
        return new DeviceTransfer(place.backend(), communicator, tag, imports, source.ownedRows(), rows, columns,
                entries / Math.max(1, count));
    }

    /** Takes other values in the same structure. */
    void refresh(RowBlock rows) {
        values = rows.values();
        if (device != null) {
            device.refresh(values);
        }
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
     * Computes {@code y = M x} or {@code y += M x}; on a device it is queued. Collective among neighbours.
     *
     * @param x   owned elements, perhaps with others behind them
     * @param y   likewise
     * @param add whether y is added to
     */
    void multiply(DenseVector x, DenseVector y, boolean add) {
        timeline.enter(activity);
        long began = timeline.begin();
        if (device != null) {
            device.multiply(x, y, add);
            timeline.end(RankPhase.BOUNDARY, began);
            return;
        }
        imports.exchange((HostVector) x, operand, 0);
        began = timeline.begin();
        HostVector target = (HostVector) y;
        if (target.precision() == Precision.F64) {
            multiply(values.doubles(), operand.doubles(), target.doubles(), add);
        } else {
            multiply(values.floats(), operand.floats(), target.floats(), add);
        }
        timeline.end(RankPhase.BOUNDARY, began);
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

    @Override
    public void close() {
        if (device != null) {
            device.close();
        }
    }
}
