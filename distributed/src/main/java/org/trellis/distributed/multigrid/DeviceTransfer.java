package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.IdentityHashMap;
import org.trellis.backend.Backend;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangeMemory;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.RowKernels;

/**
 * A product with a prolongation or a restriction on a device: rows read this rank's elements where they are, and those
 * of other ranks from a vector into which messages are unpacked. Messages are those of ranks on the host, so that a
 * neighbour may be on the host. Each product is three launches, or one where no rank has anything for another.
 */
final class DeviceTransfer implements AutoCloseable {
    private static final int OWN = 0;
    private static final int OTHERS = 1;

    private final Backend backend;
    private final LoopKernels loops;
    private final int threads;
    private final int split;
    private final int[] offsets;
    private final int[] columns;
    private final DenseVector others;
    private final DatStorage othersStorage;
    private final Exchange exchange;
    private final IdentityHashMap<DenseVector, DatStorage> storages = new IdentityHashMap<>();
    private PreparedRows rows;

    /**
     * Prepares the product. Collective, together with ranks on the host.
     *
     * @param backend      of this rank
     * @param communicator the ranks
     * @param tag          for the messages
     * @param links        who sends what, and the place of it among what is requested
     * @param split        how many elements this rank owns of what is multiplied
     * @param given        this rank's rows
     * @param wanted       for each entry, the place of its column among what is requested
     * @param rowEntries   the mean number of entries of a row on all ranks
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    DeviceTransfer(Backend backend, Communicator communicator, int tag, ExchangePattern links, int split,
            RowBlock given,
            int[] wanted, double rowEntries) {
        this.backend = backend;
        this.loops = backend.kernels(LoopKernels.class);
        this.threads = HaloPlan.threadsOfRow(rowEntries);
        this.split = split;
        this.offsets = given.offsets();
        int self = communicator.rank();
        ExchangePattern arriving = links.inOrder(self);
        int[] places = new int[links.sends(self).length + links.received(self)];
        for (int rank = 0; rank < links.ranks(); rank++) {
            int[] from = rank == self ? links.sends(self) : arriving.receives(rank);
            for (int i = 0; i < from.length; i++) {
                places[links.receives(rank)[i]] = rank == self ? from[i] : split + from[i];
            }
        }
        this.columns = new int[wanted.length];
        for (int k = 0; k < wanted.length; k++) {
            columns[k] = places[wanted[k]];
        }
        this.others = backend.vector(given.precision(), links.received(self));
        this.othersStorage = loops.wrap(others);
        this.exchange = Exchange.of(communicator, tag).part(OWN, OTHERS, arriving, 1, ScalarType.of(given.precision()))
                .open(ExchangeMemory.device(backend));
        refresh(given.values());
    }

    /** Takes other values in the same structure, and forgets where vectors were. */
    @SuppressWarnings("MustBeClosed") // closed with this
    void refresh(HostVector values) {
        storages.clear();
        if (rows != null) {
            rows.close();
        }
        rows = backend.kernels(RowKernels.class).prepare(offsets, columns, values, threads);
    }

    /** Queues {@code y = M x} or {@code y += M x}. Collective among neighbours. */
    void multiply(DenseVector x, DenseVector y, boolean add) {
        exchange.bind(OWN, storages.computeIfAbsent(x, loops::wrap));
        exchange.bind(OTHERS, othersStorage);
        exchange.start();
        exchange.finish();
        rows.multiplySplit(1, x, split, others, add ? 1 : 0, y);
    }

    @Override
    public void close() {
        exchange.close();
        rows.close();
        others.close();
    }
}
