package org.trellis.distributed.powers;

import org.trellis.memory.DenseVector;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.PreparedRows.SweepData;

/** Kernels on a device, which return before they are done. */
final class DeviceLocalKernels implements LocalKernels {
    private final PreparedRows rows;

    DeviceLocalKernels(PreparedRows rows) {
        this.rows = rows;
    }

    @Override
    public void combine(int from, int to, double a, DenseVector x, double b, DenseVector w, double c, DenseVector y) {
        rows.combine(from, to, a, x, b, w, c, y);
    }

    @Override
    public void sweep(int from, int to, double momentum, DenseVector w, double step, DenseVector x, SweepData data,
            DenseVector y) {
        rows.sweep(from, to, momentum, w, step, x, data, y);
    }
}
