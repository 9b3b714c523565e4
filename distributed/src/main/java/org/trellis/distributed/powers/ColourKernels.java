package org.trellis.distributed.powers;

import org.trellis.common.Precision;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.memory.HostVector;

/** Relaxes local rows in place, on the host. */
interface ColourKernels {
    /**
     * Computes {@code xᵢ = (1 − ω) xᵢ + ω / aᵢᵢ (bᵢ − Σ aᵢⱼ xⱼ)}, the sum over {@code j ≠ i}, of some rows. No two of
     * them are neighbours.
     *
     * @param rows the local rows
     * @param from the place of the first
     * @param to   behind that of the last
     */
    void relax(int[] rows, int from, int to, HostVector b, HostVector x);

    /**
     * Returns the kernels of the precision of some rows.
     *
     * @param rows      the rows
     * @param diagonals the place of each row's diagonal element
     * @param inverse   one divided by each
     * @param omega     ω
     */
    static ColourKernels of(LocalRows rows, int[] diagonals, HostVector inverse, double omega) {
        return rows.values().precision() == Precision.F64
                ? new DoubleColourKernels(rows, diagonals, inverse, omega)
                : new FloatColourKernels(rows, diagonals, inverse, omega);
    }
}
