package org.trellis.distributed.halo;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;

/** The messages of an exchange of vectors on a device, with the layout of those on the host. */
final class DeviceTraffic implements HaloTraffic, AutoCloseable {
    private final DeviceExchange exchange;
    /** The place of each neighbour's message among those that are sent, or −1. */
    private final int[] sent;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    DeviceTraffic(HaloPlan plan, int vectors, int rings, int tag) {
        List<Neighbour> sends = new ArrayList<>();
        sent = new int[plan.sends().size()];
        for (int i = 0; i < sent.length; i++) {
            SendList list = plan.sends().get(i);
            int[] places = Arrays.copyOf(list.places(), list.offsets()[rings]);
            sent[i] = places.length == 0 ? -1 : sends.size();
            add(sends, plan, vectors, list.rank(), places);
        }
        List<Neighbour> receives = new ArrayList<>();
        for (ReceiveList list : plan.receives()) {
            int[] places = IntStream.range(0, rings).flatMap(
                    ring -> IntStream.range(list.starts()[ring], list.starts()[ring] + list.counts()[ring])).toArray();
            add(receives, plan, vectors, list.rank(), places);
        }
        exchange = new DeviceExchange(plan.communicator(), tag, plan.device().halos(), sends, receives, vectors,
                plan.ways());
    }

    /** Adds a message of the elements of each vector, one vector after the other. */
    private static void add(List<Neighbour> neighbours, HaloPlan plan, int vectors, int rank, int[] places) {
        int bytes = HaloTraffic.bytes(plan, vectors, places.length);
        if (bytes > 0) {
            ScalarType type = ScalarType.of(plan.precision());
            List<HaloPart> parts = IntStream.range(0, vectors)
                    .mapToObj(v -> new HaloPart(v, places, 1, type, v * (bytes / vectors))).toList();
            neighbours.add(new Neighbour(rank, new HaloParcel(bytes, parts)));
        }
    }

    /**
     * Opens the messages of the first ring of one vector, whose owned elements are operand 0 and whose ring, in its
     * order, is operand 1. They are those of an exchange of one vector and one ring.
     */
    @MustBeClosed
    static DeviceExchange ofTwo(HaloPlan plan, int tag) {
        List<Neighbour> sends = new ArrayList<>();
        for (SendList list : plan.sends()) {
            addPart(sends, plan, 0, list.rank(), Arrays.copyOf(list.places(), list.offsets()[1]));
        }
        List<Neighbour> receives = new ArrayList<>();
        int owned = plan.rowsWithin(0);
        for (ReceiveList list : plan.receives()) {
            int first = list.starts()[0] - owned;
            addPart(receives, plan, 1, list.rank(), IntStream.range(first, first + list.counts()[0]).toArray());
        }
        return plan.deviceExchange(tag, sends, receives, 2);
    }

    private static void addPart(List<Neighbour> neighbours, HaloPlan plan, int operand, int rank, int... places) {
        if (places.length > 0) {
            int bytes = HaloTraffic.bytes(plan, 1, places.length);
            neighbours.add(new Neighbour(rank, new HaloParcel(bytes,
                    List.of(new HaloPart(operand, places, 1, ScalarType.of(plan.precision()), 0)))));
        }
    }

    @Override
    public void start(RingVector[] vectors) {
        for (int v = 0; v < vectors.length; v++) {
            exchange.bind(v, vectors[v].storage(), 1, 1);
        }
        exchange.start();
    }

    @Override
    public void finish(RingVector[] vectors) {
        exchange.finish();
    }

    @Override
    public long messages(int neighbour) {
        return sent[neighbour] < 0 ? 0 : exchange.messages(sent[neighbour]);
    }

    String way() {
        return exchange.way();
    }

    @Override
    public void close() {
        exchange.close();
    }
}
