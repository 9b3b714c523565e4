package org.trellis.distributed.halo;

import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Precision;
import org.trellis.distributed.device.SideQueue;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.RowKernels;

/** Where the vectors and rows of a plan are that are on a device, and what has to be closed with the plan. */
final class HaloDevice implements AutoCloseable {
    private final Backend backend;
    private final HaloKernels halos;
    private final LoopKernels loops;
    private final int threads;
    private final List<Runnable> owned = new ArrayList<>();
    private SideQueue side;
    private PreparedRows rows;

    /**
     * Finds the kernels of a backend.
     *
     * @param backend    of this rank, with messages between devices
     * @param rowEntries the mean number of entries of a row of the whole matrix, the same on all ranks
     */
    HaloDevice(Backend backend, double rowEntries) {
        this.backend = backend;
        this.halos = backend.kernels(HaloKernels.class);
        this.loops = backend.kernels(LoopKernels.class);
        this.side = SideQueue.of(backend);
        int wanted = 1;
        while (wanted < 32 && 2 * wanted < rowEntries) {
            wanted *= 2;
        }
        this.threads = wanted;
    }

    Backend backend() {
        return backend;
    }

    HaloKernels halos() {
        return halos;
    }

    SideQueue side() {
        return side;
    }

    void beside(SideQueue other) {
        side = other;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    DenseVector vector(HaloPlan plan) {
        return vector(plan.precision(), plan.localElements());
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    DenseVector vector(Precision precision, int length) {
        DenseVector vector = backend.vector(precision, length);
        owned.add(vector::close);
        return vector;
    }

    DatStorage storage(DenseVector vector) {
        return loops.wrap(vector);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    PreparedRows rows(LocalRows local) {
        if (rows == null) {
            rows = backend.kernels(RowKernels.class).prepare(local.offsets(), local.columns(), local.values(), threads);
            owned.add(rows::close);
        }
        return rows;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    PreparedRows rows(int[] offsets, int[] columns, HostVector values, boolean ordered) {
        PreparedRows further =
                backend.kernels(RowKernels.class).prepare(offsets, columns, values, ordered ? 1 : threads);
        owned.add(further::close);
        return further;
    }

    /** Does something when this is closed, before what was made earlier is closed. */
    void whenClosed(Runnable close) {
        owned.add(close);
    }

    void synchronize() {
        backend.kernels(DeviceTiming.class).synchronize();
    }

    @Override
    public void close() {
        // An exchange that failed leaves the device aside.
        side.join();
        List<Runnable> all = owned.reversed().stream().toList();
        owned.clear();
        all.forEach(Runnable::run);
    }
}
