package org.trellis.distributed.halo;

import java.util.ArrayList;
import java.util.Arrays;
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
import org.trellis.sparse.BasisKernels;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.PreparedBasis;
import org.trellis.sparse.PreparedRelaxation;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.RowKernels;

/** Where the vectors and rows of a plan are that are on a device, and what has to be closed with the plan. */
final class HaloDevice implements AutoCloseable {
    private static final int MOST_THREADS = 32;

    private final Backend backend;
    private final HaloKernels halos;
    private final LoopKernels loops;
    private final int threads;
    private final List<Runnable> owned = new ArrayList<>();
    private SideQueue side;
    private PreparedRows rows;
    private PreparedBasis basis;

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
        this.threads = threadsOfRow(rowEntries);
    }

    /** Returns how many threads share a row. */
    static int threadsOfRow(double rowEntries) {
        int wanted = 1;
        while (wanted < MOST_THREADS && 2 * wanted < rowEntries) {
            wanted *= 2;
        }
        return wanted;
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

    @SuppressWarnings("MustBeClosed") // closed with this
    DenseVector scalars(int count) {
        DenseVector vector = backend.vector(Precision.F64, count);
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

    /** Copies some rows to the device. */
    @SuppressWarnings("MustBeClosed") // closed with this
    PreparedRows boundaryRows(LocalRows local, int from, int to) {
        int first = local.offsets()[from];
        int[] offsets = Arrays.copyOfRange(local.offsets(), from, to + 1);
        Arrays.setAll(offsets, row -> offsets[row] - first);
        int last = first + offsets[to - from];
        HostVector values = HostVector.zeros(local.values().precision(), last - first);
        local.values().copyRange(first, values, 0, last - first);
        PreparedRows some = backend.kernels(RowKernels.class).prepare(offsets,
                Arrays.copyOfRange(local.columns(), first, last), values, threads);
        owned.add(some::close);
        return some;
    }

    ElementKernels elements() {
        return backend.kernels(ElementKernels.class);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    PreparedBasis basis(Precision precision) {
        if (basis == null) {
            basis = backend.kernels(BasisKernels.class).prepare(precision);
            owned.add(basis::close);
        }
        return basis;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    PreparedRows rows(int[] offsets, int[] columns, HostVector values, boolean ordered) {
        PreparedRows further =
                backend.kernels(RowKernels.class).prepare(offsets, columns, values, ordered ? 1 : threads);
        owned.add(further::close);
        return further;
    }

    /** Copies rows that are relaxed in place to the device. */
    @SuppressWarnings("MustBeClosed") // closed with this
    PreparedRelaxation relaxation(LocalRows rows, int[] targets, HostVector inverse) {
        PreparedRelaxation relaxation = backend.kernels(RowKernels.class).prepareRelaxation(rows.offsets(),
                rows.columns(), rows.values(), targets, inverse, threads);
        owned.add(relaxation::close);
        return relaxation;
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
