package org.trellis.distributed.powers;

import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.PreparedRelaxation;

/**
 * Relaxes local rows on a device, which is queued. There are copies of the rows in the order in which they are relaxed,
 * without their diagonals, so that those of a colour lie one behind the other.
 */
final class DeviceColourKernels implements ColourKernels {
    private final PreparedRelaxation rows;
    private final double omega;

    DeviceColourKernels(HaloPlan plan, Relaxation what) {
        LocalRows local = plan.localRows();
        int count = what.rows().length;
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            int row = what.rows()[i];
            offsets[i + 1] = offsets[i] + local.offsets()[row + 1] - local.offsets()[row] - 1;
        }
        int[] columns = new int[offsets[count]];
        HostVector values = HostVector.zeros(plan.precision(), columns.length);
        HostVector inverse = HostVector.zeros(plan.precision(), count);
        for (int i = 0; i < count; i++) {
            int row = what.rows()[i];
            int at = offsets[i];
            for (int k = local.offsets()[row]; k < local.offsets()[row + 1]; k++) {
                if (k != what.diagonals()[row]) {
                    columns[at] = local.columns()[k];
                    values.set(at++, local.values().get(k));
                }
            }
            inverse.set(i, what.inverse().get(row));
        }
        this.rows = plan.deviceRelaxation(new LocalRows(offsets, columns, values), what.rows(), inverse);
        this.omega = what.omega();
    }

    @Override
    public void relax(int from, int to, RingVector b, RingVector x) {
        rows.relax(from, to, omega, b.elements(), x.elements());
    }
}
