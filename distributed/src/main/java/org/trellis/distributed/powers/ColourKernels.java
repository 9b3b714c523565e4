package org.trellis.distributed.powers;

import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.HostVector;

/** Relaxes local rows in place. */
interface ColourKernels {
    /**
     * Computes {@code xᵢ = (1 − ω) xᵢ + ω / aᵢᵢ (bᵢ − Σ aᵢⱼ xⱼ)}, the sum over {@code j ≠ i}, of some rows. No two of
     * them are neighbours.
     *
     * @param from the place of the first among the rows that this was made for
     * @param to   behind that of the last
     */
    void relax(int from, int to, RingVector b, RingVector x);

    /**
     * What is relaxed.
     *
     * @param rows      the local rows in the order of their places
     * @param diagonals the place of the diagonal element of each local row among the entries
     * @param inverse   one divided by each
     * @param omega     ω
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Relaxation(int[] rows, int[] diagonals, HostVector inverse, double omega) {}

    /** Returns the kernels for the rows of a plan, where these are. */
    static ColourKernels of(HaloPlan plan, Relaxation what) {
        LocalRows rows = plan.localRows();
        if (plan.isOnDevice()) {
            return new DeviceColourKernels(plan, what);
        }
        return rows.values().precision() == Precision.F64
                ? new DoubleColourKernels(rows, what)
                : new FloatColourKernels(rows, what);
    }
}
