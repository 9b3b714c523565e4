package org.trellis.distributed.halo;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.PreparedRows;

/**
 * What a rank on a device has computed for elements of its first rings goes to their owners, who add it: the messages
 * of an exchange turned round, and a product with a matrix of ones that adds own contributions first and then those of
 * the neighbours by rank. No kernel of its own and no atomics are needed, and the bits are those of ranks on the host.
 */
public final class DeviceSums {
    private final int owned;
    private final PreparedRows adding;
    private final DeviceExchange exchange;
    private final DenseVector coming;

    /**
     * Copies the matrix to the device and agrees with the neighbours. Collective; ranks on the host call
     * {@link HaloPlan#declineDevices} at the same time.
     *
     * @param plan  the halo, on a device; closes what is made here
     * @param rings how many rings contribute
     * @param tag   tells the messages apart from others
     */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    public DeviceSums(HaloPlan plan, int rings, int tag) {
        this.owned = plan.rowsWithin(0);
        this.coming = plan.deviceVector(plan.sends().stream().mapToInt(list -> list.offsets()[rings]).sum());
        this.adding = adding(plan, rings);
        this.exchange = exchange(plan, rings, tag);
        plan.whenClosed(exchange::close);
        exchange.bind(1, plan.deviceStorage(coming), 1, 1);
    }

    /** A one for the element itself, and one for each neighbour's contribution, by rank. */
    private static PreparedRows adding(HaloPlan plan, int rings) {
        int rows = plan.rowsWithin(0);
        int[] offsets = new int[rows + 1];
        for (SendList list : plan.sends()) {
            for (int i = 0; i < list.offsets()[rings]; i++) {
                offsets[list.places()[i] + 1]++;
            }
        }
        for (int row = 0; row < rows; row++) {
            offsets[row + 1] += offsets[row] + 1;
        }
        int[] next = offsets.clone();
        int[] columns = new int[offsets[rows]];
        for (int row = 0; row < rows; row++) {
            columns[next[row]++] = row;
        }
        int at = rows;
        for (SendList list : plan.sends()) {
            for (int i = 0; i < list.offsets()[rings]; i++) {
                columns[next[list.places()[i]]++] = at++;
            }
        }
        return plan.deviceRows(offsets, columns, HostVector.of(plan.precision(), columns.length, i -> 1), true);
    }

    /** Operand 0 has the rings, operand 1 what comes in, neighbour by neighbour. */
    @MustBeClosed
    private static DeviceExchange exchange(HaloPlan plan, int rings, int tag) {
        List<Neighbour> sends = new ArrayList<>();
        for (ReceiveList list : plan.receives()) {
            add(sends, plan, 0, list.rank(), IntStream.range(0, rings).flatMap(
                    ring -> IntStream.range(list.starts()[ring], list.starts()[ring] + list.counts()[ring])).toArray());
        }
        List<Neighbour> receives = new ArrayList<>();
        int at = 0;
        for (SendList list : plan.sends()) {
            int end = at + list.offsets()[rings];
            add(receives, plan, 1, list.rank(), IntStream.range(at, end).toArray());
            at = end;
        }
        return plan.deviceExchange(tag, sends, receives, 2);
    }

    private static void add(List<Neighbour> neighbours, HaloPlan plan, int operand, int rank, int... places) {
        if (places.length > 0) {
            int bytes = HaloTraffic.bytes(plan, 1, places.length);
            neighbours.add(new Neighbour(rank, new HaloParcel(bytes,
                    List.of(new HaloPart(operand, places, 1, ScalarType.of(plan.precision()), 0)))));
        }
    }

    /**
     * Says where contributions are, from the next {@link #start} on.
     *
     * @param plan     the halo
     * @param elements as many elements as there are within the rings, or more, in their order
     */
    public void bind(HaloPlan plan, DenseVector elements) {
        exchange.bind(0, plan.deviceStorage(elements), 1, 1);
    }

    /** Queues the sending of contributions. What they were read from may be overwritten by what is queued next. */
    public void start() {
        exchange.start();
    }

    /**
     * Queues {@code y = own + } what the neighbours have sent.
     *
     * @param own own contributions, one for each owned element
     * @param y   another vector of as many elements, or more; the first are overwritten
     */
    public void finish(DenseVector own, DenseVector y) {
        exchange.finish();
        adding.multiplySplit(1, own, owned, coming, 0, y);
    }
}
