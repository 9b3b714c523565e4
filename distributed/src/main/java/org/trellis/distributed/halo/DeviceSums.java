package org.trellis.distributed.halo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.PreparedRows;

/**
 * Adds what ranks have in their rings to the elements of the owners, on a device: messages of
 * {@link ReverseExchange}, unpacked one behind the other, and a product with the matrix of zeros and ones that says
 * which elements they belong to. Everything is queued.
 */
final class DeviceSums {
    private final DeviceExchange exchange;
    private final PreparedRows sums;
    private final DenseVector others;
    private final DatStorage othersStorage;

    /** Opens the messages of the first rings. Collective, with those of ranks on the host. */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    DeviceSums(HaloPlan plan, int rings, int tag) {
        List<Neighbour> sends = new ArrayList<>();
        for (ReceiveList owner : plan.receives()) {
            int[] places = IntStream.range(0, rings).flatMap(ring -> IntStream.range(owner.starts()[ring],
                    owner.starts()[ring] + owner.counts()[ring])).toArray();
            add(sends, plan, owner.rank(), 0, places);
        }
        List<Neighbour> receives = new ArrayList<>();
        List<int[]> targets = new ArrayList<>();
        int count = 0;
        for (SendList user : plan.sends()) {
            int length = user.offsets()[rings];
            add(receives, plan, user.rank(), 1, IntStream.range(count, count + length).toArray());
            targets.add(Arrays.copyOf(user.places(), length));
            count += length;
        }
        this.others = plan.deviceVector(count);
        this.othersStorage = plan.deviceStorage(others);
        this.exchange = plan.deviceExchange(tag, sends, receives, 2);
        plan.whenClosed(exchange::close);
        this.sums = sums(plan, targets.stream().flatMapToInt(Arrays::stream).toArray());
    }

    private static void add(List<Neighbour> neighbours, HaloPlan plan, int rank, int operand, int... places) {
        if (places.length > 0) {
            ScalarType type = ScalarType.of(plan.precision());
            neighbours.add(new Neighbour(rank, new HaloParcel(Math.multiplyExact(places.length, type.bytes()),
                    List.of(new HaloPart(operand, places, 1, type, 0)))));
        }
    }

    /** Makes the matrix that adds up what has come, in the order of the neighbours, for each owned element. */
    private static PreparedRows sums(HaloPlan plan, int[] targets) {
        int[] offsets = new int[plan.rowsWithin(0) + 1];
        for (int target : targets) {
            offsets[target + 1]++;
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] next = offsets.clone();
        int[] columns = new int[targets.length];
        for (int k = 0; k < targets.length; k++) {
            columns[next[targets[k]]++] = k;
        }
        return plan.deviceRows(offsets, columns, HostVector.of(plan.precision(), targets.length, k -> 1), true);
    }

    /** Adds. Collective among neighbours. */
    void add(RingVector vector) {
        exchange.bind(0, vector.storage(), 1, 1);
        exchange.bind(1, othersStorage, 1, 1);
        exchange.start();
        exchange.finish();
        sums.multiplySplit(1, others, others.length(), others, 1, vector.elements());
    }
}
