package org.trellis.distributed.powers;

import org.trellis.distributed.halo.DeviceSums;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.PreparedRows;

/**
 * The transposed product on a device, as two products by rows: with the transpose of the rank's own rows, which gives
 * sums for own elements and those of the first ring, and, when those of the neighbours have come in, with a matrix of
 * ones that adds them up ({@link DeviceSums}). Sums for the ring come first and travel while those for own elements are
 * computed.
 */
final class DeviceTransposed {
    private final HaloPlan plan;
    private final PreparedRows transpose;
    private final DeviceSums adding;
    /** Sums for own elements, then for those of the first ring. */
    private final DenseVector sums;

    /** Copies the transpose to the device and agrees with the neighbours. Collective; closed with the plan. */
    DeviceTransposed(HaloPlan plan, int tag) {
        this.plan = plan;
        sums = plan.deviceVector(plan.rowsWithin(1));
        transpose = transpose(plan);
        adding = new DeviceSums(plan, 1, tag);
        adding.bind(plan, sums);
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

    void multiply(DenseVector x, DenseVector y) {
        int owned = plan.rowsWithin(0);
        transpose.combine(owned, plan.rowsWithin(1), 1, x, 0, x, 0, sums);
        adding.start();
        transpose.combine(0, owned, 1, x, 0, x, 0, sums);
        adding.finish(sums, y);
    }
}
