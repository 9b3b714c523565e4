package org.trellis.distributed.powers;

import org.trellis.distributed.exchange.SumExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.sparse.PreparedRows;

/**
 * The transposed product {@code y = Aᵀ x}: each rank multiplies its own rows, and what falls on the first ring goes
 * back to its owners, who add it: own contributions first, then those of the neighbours by rank, so that the bits are
 * the same in every run with as many ranks; a rank on a device adds up its own in another order than one on the host,
 * with as many threads as share a row. One message to each neighbour of the first ring, whatever the number of
 * rings.
 */
public final class TransposedProduct {
    /** Beyond the tags of exchanges. */
    private static final int TAG = 30_000;

    private final HaloPlan plan;
    private final SumExchange adding;
    /** Sums for own elements, then for those of the first ring. */
    private final DenseVector sums;
    private final DatStorage storage;
    /** On the host, else null. */
    private final HostLocalKernels kernels;
    /** Own rows turned round, on a device; else null. */
    private final PreparedRows transpose;

    /**
     * Prepares the product. Collective; at most once for a plan.
     *
     * @param plan the halo of the matrix
     * @throws IllegalStateException if there is one for the plan
     */
    public TransposedProduct(HaloPlan plan) {
        this.plan = plan;
        boolean device = plan.isOnDevice();
        this.sums = device
                ? plan.deviceVector(plan.rowsWithin(1))
                : HostVector.zeros(plan.precision(), plan.rowsWithin(1));
        this.storage = plan.storage(sums);
        this.kernels = device ? null : LocalKernels.of(plan.localRows());
        this.transpose = device ? transpose(plan) : null;
        this.adding = plan.sums(1, TAG);
    }

    private static PreparedRows transpose(HaloPlan plan) {
        LocalRows rows = plan.localRows();
        int owned = plan.rowsWithin(0);
        int[] offsets = new int[plan.rowsWithin(1) + 1];
        int entries = rows.offsets()[owned];
        for (int k = 0; k < entries; k++) {
            offsets[rows.columns()[k] + 1]++;
        }
        for (int column = 0; column < offsets.length - 1; column++) {
            offsets[column + 1] += offsets[column];
        }
        int[] next = offsets.clone();
        int[] columns = new int[entries];
        HostVector values = HostVector.zeros(plan.precision(), entries);
        for (int row = 0; row < owned; row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                int place = next[rows.columns()[k]]++;
                columns[place] = row;
                values.set(place, rows.values().get(k));
            }
        }
        return plan.deviceRows(offsets, columns, values, false);
    }

    /**
     * Computes {@code y = Aᵀ x}. Collective. Allocates nothing.
     *
     * @param x a vector of the plan; its rings are not read
     * @param y another one, overwritten; none of its rings is valid
     * @throws IllegalArgumentException if a vector belongs to another plan, or both are one
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void multiply(RingVector x, RingVector y) {
        if (x.plan() != plan || y.plan() != plan || x == y) {
            throw new IllegalArgumentException("y = A^T x: " + (x == y
                    ? "x and y are one vector"
                    : "a vector belongs to another plan")
                    + ", expected two vectors of " + plan);
        }
        int owned = plan.rowsWithin(0);
        int within = plan.rowsWithin(1);
        if (transpose == null) {
            kernels.transposed(owned, x.values(), sums, within);
            adding.start(storage);
        } else {
            // What others wait for comes first, and travels while the rest is computed.
            transpose.combine(owned, within, 1, x.elements(), 0, x.elements(), 0, sums);
            adding.start(storage);
            transpose.combine(0, owned, 1, x.elements(), 0, x.elements(), 0, sums);
        }
        adding.finish(sums, y.elements());
        y.changed();
    }
}
