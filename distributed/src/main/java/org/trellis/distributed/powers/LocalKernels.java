package org.trellis.distributed.powers;

import org.trellis.common.Precision;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.memory.HostVector;

/** What is computed on consecutive local rows. Results do not overlap operands. */
interface LocalKernels {
    /** Returns the kernels of the precision of some rows. */
    static LocalKernels of(LocalRows rows) {
        return rows.values().precision() == Precision.F64
                ? new DoubleLocalKernels(rows)
                : new FloatLocalKernels(rows);
    }

    /** Computes {@code y = a A x + b x + c w}; w is not read if c is 0. */
    void combine(int from, int to, double a, HostVector x, double b, HostVector w, double c, HostVector y);

    /** Computes {@code y = x + m (x − w) + s D⁻¹ (b − A x)}; w is not read if the momentum m is 0. */
    void sweep(int from, int to, double momentum, HostVector w, double step, HostVector x, SweepData data,
            HostVector y);

    /** Computes {@code y = Aᵀ x} of the first rows; y has room for all columns of these and is overwritten. */
    void transposed(int rows, HostVector x, HostVector y, int columns);

    /**
     * What sweeps read beside iterates.
     *
     * @param inverse the elements of D⁻¹
     * @param b       the right-hand side
     */
    record SweepData(HostVector inverse, HostVector b) {}
}
