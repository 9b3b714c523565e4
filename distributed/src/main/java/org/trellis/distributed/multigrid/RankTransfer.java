package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangeMemory;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.ScalarType;

/**
 * A product with a prolongation or a restriction: a rank's rows, and what it needs of the vector that belongs to the
 * columns, which other ranks own. One message from each of those a product. Sums are formed in the order of the global
 * columns, on the host one after the other, so results have the same bits for any number of ranks.
 */
final class RankTransfer implements AutoCloseable {
    private static final int OWN = 0;
    private static final int WANTED = 1;

    private final ExchangePattern links;
    private final int self;
    private final int[] offsets;
    /** Places among what is imported. */
    private final int[] columns;
    /** What is imported, on the host; else null. */
    private final HostVector operand;
    /** Brings it, on the host; else null. */
    private final Exchange exchange;
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
    RankTransfer(RowBlock rows, PartitionedMatrix source, Communicator communicator, int tag, RankDevices place) {
        timeline = communicator.timeline();
        activity = timeline.activity("transfer");
        long[] wanted = Rows.columns(rows, new IndexMap(0));
        IndexMap places = Rows.places(wanted);
        self = communicator.rank();
        links = new ScatterPlan(communicator, tag, source.directory(), wanted, 0).links();
        offsets = rows.offsets();
        columns = new int[rows.nonZeros()];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = places.get(rows.columns()[k]);
        }
        values = rows.values();
        operand = place.onDevice() ? null : HostVector.zeros(rows.precision(), wanted.length);
        double rowEntries = place.anyDevices() ? rowEntries(rows, communicator) : 0;
        if (place.onDevice()) {
            exchange = null;
            device = new DeviceTransfer(place.backend(), communicator, tag, links, source.ownedRows(), rows, columns,
                    rowEntries);
        } else {
            exchange = Exchange.of(communicator, tag)
                    .part(OWN, WANTED, links, 1, ScalarType.of(rows.precision()))
                    .open(ExchangeMemory.host(place.anyDevices()));
            device = null;
        }
    }

    /** Returns the mean of sums of whole numbers, so that all ranks share rows among as many threads. */
    private static double rowEntries(RowBlock rows, Communicator communicator) {
        double entries = communicator.sum(rows.nonZeros());
        return entries / Math.max(1, communicator.sum(rows.rows()));
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
        return links.neighbours(self);
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
        bring((HostVector) x);
        began = timeline.begin();
        HostVector target = (HostVector) y;
        if (target.precision() == Precision.F64) {
            multiply(values.doubles(), operand.doubles(), target.doubles(), add);
        } else {
            multiply(values.floats(), operand.floats(), target.floats(), add);
        }
        timeline.end(RankPhase.BOUNDARY, began);
    }

    /** Brings what others own, and copies what this rank owns meanwhile. */
    private void bring(HostVector x) {
        exchange.bind(OWN, x);
        exchange.bind(WANTED, operand);
        exchange.start();
        int[] from = links.sends(self);
        int[] to = links.receives(self);
        int offset = x.offset();
        if (x.precision() == Precision.F64) {
            double[] source = x.doubleStorage();
            double[] target = operand.doubles();
            for (int i = 0; i < from.length; i++) {
                target[to[i]] = source[offset + from[i]];
            }
        } else {
            float[] source = x.floatStorage();
            float[] target = operand.floats();
            for (int i = 0; i < from.length; i++) {
                target[to[i]] = source[offset + from[i]];
            }
        }
        exchange.finish();
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
