package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.RowKernels;

/**
 * A product with a prolongation or a restriction on a device: rows read this rank's elements where they are, and those
 * of other ranks from a vector into which messages are unpacked. Messages are those of {@link Imports}, so that a
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
    private final DeviceExchange exchange;
    private final IdentityHashMap<DenseVector, DatStorage> storages = new IdentityHashMap<>();
    private PreparedRows rows;

    /**
     * Prepares the product. Collective, together with ranks on the host.
     *
     * @param backend      of this rank
     * @param communicator the ranks
     * @param tag          for the messages
     * @param imports      what comes from whom
     * @param split        how many elements this rank owns of what is multiplied
     * @param given        this rank's rows
     * @param wanted       for each entry, the place of its column among what is imported
     * @param rowEntries   the mean number of entries of a row on all ranks
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    DeviceTransfer(Backend backend, Communicator communicator, int tag, Imports imports, int split, RowBlock given,
            int[] wanted, double rowEntries) {
        this.backend = backend;
        this.loops = backend.kernels(LoopKernels.class);
        this.threads = HaloPlan.threadsOfRow(rowEntries);
        this.split = split;
        this.offsets = given.offsets();
        int[] places = imports.places(communicator.rank(), split);
        this.columns = new int[wanted.length];
        for (int k = 0; k < wanted.length; k++) {
            columns[k] = places[wanted[k]];
        }
        this.others = backend.vector(given.precision(), imports.fromOthers(communicator.rank()));
        this.othersStorage = loops.wrap(others);
        ScalarType type = ScalarType.of(given.precision());
        List<Neighbour> sends = new ArrayList<>();
        List<Neighbour> receives = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++) {
            if (rank != communicator.rank()) {
                add(sends, rank, OWN, imports.sentTo(rank), type);
                int[] arrived = imports.receivedFrom(rank).clone();
                for (int i = 0; i < arrived.length; i++) {
                    arrived[i] = places[arrived[i]] - split;
                }
                add(receives, rank, OTHERS, arrived, type);
            }
        }
        this.exchange = new DeviceExchange(communicator, tag, backend.kernels(HaloKernels.class), sends, receives, 2);
        refresh(given.values());
    }

    private static void add(List<Neighbour> neighbours, int rank, int operand, int[] places, ScalarType type) {
        if (places.length > 0) {
            neighbours.add(new Neighbour(rank, new HaloParcel(places.length * type.bytes(),
                    List.of(new HaloPart(operand, places, 1, type, 0)))));
        }
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
        exchange.bind(OWN, storages.computeIfAbsent(x, loops::wrap), 1, 1);
        exchange.bind(OTHERS, othersStorage, 1, 1);
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
