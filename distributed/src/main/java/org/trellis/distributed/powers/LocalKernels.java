package org.trellis.distributed.powers;

import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.ProductMode;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.PreparedRows.SweepData;

/** What is computed on consecutive local rows. Results do not overlap operands. */
interface LocalKernels {
    /** Returns the kernels for the rows of a plan, where its vectors are. */
    static LocalKernels of(HaloPlan plan) {
        return plan.isOnDevice() ? new DeviceLocalKernels(plan.deviceRows()) : ofHost(plan);
    }

    /** Returns the kernels for the rows of a plan on the host. */
    static HostLocalKernels ofHost(HaloPlan plan) {
        HostLocalKernels own = of(plan.localRows());
        return plan.productMode() == ProductMode.TUNED ? new TunedRows(plan, own) : own;
    }

    /** Returns the kernels of the precision of some rows on the host. */
    static HostLocalKernels of(LocalRows rows) {
        return rows.values().precision() == Precision.F64
                ? new DoubleLocalKernels(rows)
                : new FloatLocalKernels(rows);
    }

    /** Computes {@code y = a A x + b x + c w}; w is not read if c is 0. */
    void combine(int from, int to, double a, DenseVector x, double b, DenseVector w, double c, DenseVector y);

    /** Computes {@code y = x + m (x − w) + s D⁻¹ (b − A x)}; w is not read if the momentum m is 0. */
    void sweep(int from, int to, double momentum, DenseVector w, double step, DenseVector x, SweepData data,
            DenseVector y);
}
