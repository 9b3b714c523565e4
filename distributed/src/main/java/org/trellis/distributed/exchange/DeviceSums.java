package org.trellis.distributed.exchange;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.RowKernels;

/**
 * Sums on a device: the messages of an exchange turned round, and a product with a matrix of ones that adds own
 * contributions first and then those of the neighbours by rank. No kernel of its own and no atomics are needed.
 */
final class DeviceSums extends SumExchange {
    private static final int FROM = 0;
    private static final int COMING = 1;

    private final Backend backend;
    private final int owned;
    private final PreparedRows adding;
    private final Exchange exchange;
    private final DenseVector coming;
    /** Own contributions, where they are to be overwritten; null as long as they were not. */
    private DenseVector copy;
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    DeviceSums(Communicator communicator, int tag, ExchangeMemory carrier, ExchangePattern links, Precision precision,
            int owned) {
        this.backend = carrier.backend();
        this.owned = owned;
        int self = communicator.rank();
        this.coming = backend.vector(precision, links.sent(self));
        this.adding = adding(links, self, precision);
        this.exchange = Exchange.of(communicator, tag)
                .part(FROM, COMING, links.reversed().inOrder(self), 1, ScalarType.of(precision))
                .open(carrier);
        exchange.bind(COMING, backend.kernels(LoopKernels.class).wrap(coming));
    }

    /** A one for the element itself, and one for each neighbour's contribution, by rank. */
    @MustBeClosed
    private PreparedRows adding(ExchangePattern links, int self, Precision precision) {
        int[] offsets = new int[owned + 1];
        for (int rank = 0; rank < links.ranks(); rank++) {
            for (int i = 0; rank != self && i < links.sends(rank).length; i++) {
                offsets[links.sends(rank)[i] + 1]++;
            }
        }
        for (int row = 0; row < owned; row++) {
            offsets[row + 1] += offsets[row] + 1;
        }
        int[] next = offsets.clone();
        int[] columns = new int[offsets[owned]];
        for (int row = 0; row < owned; row++) {
            columns[next[row]++] = row;
        }
        int at = owned;
        for (int rank = 0; rank < links.ranks(); rank++) {
            for (int i = 0; rank != self && i < links.sends(rank).length; i++) {
                columns[next[links.sends(rank)[i]]++] = at++;
            }
        }
        return backend.kernels(RowKernels.class).prepare(offsets, columns,
                HostVector.of(precision, columns.length, i -> 1), 1);
    }

    @Override
    public void start(DatStorage contributions) {
        exchange.bind(FROM, contributions);
        exchange.start();
    }

    @Override
    public void finish(DenseVector own, DenseVector y) {
        exchange.finish();
        adding.multiplySplit(1, own, owned, coming, 0, y);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void finish(DenseVector y) {
        copy = copy == null ? backend.vector(y.precision(), owned) : copy;
        backend.kernels(ElementKernels.class).update(1, null, y, 0, copy);
        finish(copy, y);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            exchange.close();
            adding.close();
            coming.close();
            if (copy != null) {
                copy.close();
            }
        }
    }
}
