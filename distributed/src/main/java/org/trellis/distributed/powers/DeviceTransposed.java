package org.trellis.distributed.powers;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.ReceiveList;
import org.trellis.distributed.halo.SendList;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.PreparedRows;

/**
 * The transposed product on a device, as two products by rows: with the transpose of the rank's own rows, which gives
 * sums for own elements and those of the first ring, and, when those of the neighbours have come in behind them, with a
 * matrix of ones that adds them up, own ones first and then by rank. Sums for the ring come first and travel while
 * those for own elements are computed.
 */
final class DeviceTransposed {
    private final HaloPlan plan;
    private final PreparedRows transpose;
    private final PreparedRows adding;
    private final DeviceExchange exchange;
    /** Sums for own elements, for those of the first ring, then what comes from neighbours. */
    private final DenseVector sums;

    /** Copies the transpose to the device and agrees with the neighbours. Collective; closed with the plan. */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    DeviceTransposed(HaloPlan plan, int tag) {
        this.plan = plan;
        int coming = plan.sends().stream().mapToInt(list -> list.offsets()[1]).sum();
        sums = plan.deviceVector(plan.rowsWithin(1) + coming);
        transpose = transpose(plan);
        adding = adding(plan, coming);
        exchange = exchange(plan, tag);
        plan.whenClosed(exchange::close);
        exchange.bind(0, plan.deviceStorage(sums), 1, 1);
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

    /** A one for the element itself, and one for each neighbour's sum for it, by rank. */
    private static PreparedRows adding(HaloPlan plan, int coming) {
        int owned = plan.rowsWithin(0);
        int[] offsets = new int[owned + 1];
        for (SendList list : plan.sends()) {
            for (int i = 0; i < list.offsets()[1]; i++) {
                offsets[list.places()[i] + 1]++;
            }
        }
        for (int row = 0; row < owned; row++) {
            offsets[row + 1] += offsets[row] + 1;
        }
        int[] next = offsets.clone();
        int[] columns = new int[owned + coming];
        for (int row = 0; row < owned; row++) {
            columns[next[row]++] = row;
        }
        int at = plan.rowsWithin(1);
        for (SendList list : plan.sends()) {
            for (int i = 0; i < list.offsets()[1]; i++) {
                columns[next[list.places()[i]]++] = at++;
            }
        }
        return plan.deviceRows(offsets, columns, HostVector.of(plan.precision(), columns.length, i -> 1), true);
    }

    /** The messages of the first ring, turned round. */
    @MustBeClosed
    private static DeviceExchange exchange(HaloPlan plan, int tag) {
        List<Neighbour> sends = new ArrayList<>();
        for (ReceiveList list : plan.receives()) {
            add(sends, plan, list.rank(), list.starts()[0], list.counts()[0]);
        }
        List<Neighbour> receives = new ArrayList<>();
        int at = plan.rowsWithin(1);
        for (SendList list : plan.sends()) {
            add(receives, plan, list.rank(), at, list.offsets()[1]);
            at += list.offsets()[1];
        }
        return plan.deviceExchange(tag, sends, receives, 1);
    }

    private static void add(List<Neighbour> neighbours, HaloPlan plan, int rank, int start, int count) {
        if (count > 0) {
            HaloPart part = new HaloPart(0, IntStream.range(start, start + count).toArray(), 1,
                    ScalarType.of(plan.precision()), 0);
            neighbours.add(new Neighbour(rank, new HaloParcel(count * plan.precision().bytes(), List.of(part))));
        }
    }

    void multiply(DenseVector x, DenseVector y) {
        int owned = plan.rowsWithin(0);
        transpose.combine(owned, plan.rowsWithin(1), 1, x, 0, x, 0, sums);
        exchange.start();
        transpose.combine(0, owned, 1, x, 0, x, 0, sums);
        exchange.finish();
        adding.combine(0, owned, 1, sums, 0, sums, 0, y);
    }
}
