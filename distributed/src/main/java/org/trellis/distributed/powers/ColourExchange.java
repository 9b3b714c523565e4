package org.trellis.distributed.powers;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ReceiveList;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.halo.SendList;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;

/**
 * Brings some elements of the first rings up to date, those of colours that are out of date there; if it is asked for,
 * the right-hand side with them, in the same message. Own elements may be written between {@link #start} and
 * {@link #finish}, on a device by what is queued in between. Allocates nothing.
 */
final class ColourExchange {
    /** Says which elements travel. Both ends of a message must find the same. */
    interface Choice {
        /** Returns whether elements of some colour travel that are in some ring of the receiver, from 1 on. */
        boolean takes(int ring, int colour);
    }

    private final RankTimeline timeline;
    private final boolean isDouble;
    private final Message[] outgoing;
    private final Message[] incoming;
    /** On the host. */
    private final SendChannel[] sends;
    private final ReceiveChannel[] receives;
    /** On a device, else null. */
    private final DeviceExchange device;
    /** The place of each neighbour's message among those of a device, or −1. */
    private final int[] ofDevice;
    private final int sentElements;
    private long count;

    /** Places of elements, which lie one behind the other in the message, x first. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(int[] x, int[] b) {
        int length() {
            return x.length + b.length;
        }

        boolean isEmpty() {
            return length() == 0;
        }
    }

    /**
     * Opens channels.
     *
     * @param plan       the halo
     * @param colours    the colours of all local elements
     * @param choice     which elements of x travel
     * @param rings      of x
     * @param rightRings of the right-hand side; 0 for none
     * @param tag        of the messages, the same on all ranks
     */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    ColourExchange(HaloPlan plan, int[] colours, Choice choice, int rings, int rightRings, int tag) {
        Communicator communicator = plan.communicator();
        timeline = communicator.timeline();
        isDouble = plan.precision() == Precision.F64;
        incoming = plan.receives().stream().map(list -> new Message(places(list, rings, colours, choice),
                places(list, rightRings, colours, (ring, colour) -> true))).toArray(Message[]::new);
        outgoing = plan.sends().stream().map(list -> new Message(places(list, rings, colours, choice),
                places(list, rightRings, colours, (ring, colour) -> true))).toArray(Message[]::new);
        sentElements = Arrays.stream(outgoing).mapToInt(Message::length).sum();
        device = onDevice(plan, outgoing, incoming, tag);
        receives = new ReceiveChannel[incoming.length];
        sends = new SendChannel[outgoing.length];
        ofDevice = new int[outgoing.length];
        int next = 0;
        for (int i = 0; i < outgoing.length; i++) {
            ofDevice[i] = outgoing[i].isEmpty() ? -1 : next++;
        }
        if (device == null) {
            open(plan, tag);
        }
    }

    private void open(HaloPlan plan, int tag) {
        int bytes = plan.precision().bytes();
        for (int i = 0; i < receives.length; i++) {
            if (!incoming[i].isEmpty()) {
                receives[i] = plan.communicator().receiveFrom(plan.receives().get(i).rank(), tag,
                        Math.multiplyExact(incoming[i].length(), bytes));
            }
        }
        for (int i = 0; i < sends.length; i++) {
            if (!outgoing[i].isEmpty()) {
                sends[i] = plan.communicator().sendTo(plan.sends().get(i).rank(), tag,
                        Math.multiplyExact(outgoing[i].length(), bytes));
            }
        }
    }

    /** Agrees on the ways of messages with all ranks; returns null on the host. */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    private static DeviceExchange onDevice(HaloPlan plan, Message[] sent, Message[] received, int tag) {
        if (!plan.isOnDevice()) {
            plan.declineDevices();
            return null;
        }
        List<Neighbour> sends = new ArrayList<>();
        for (int i = 0; i < sent.length; i++) {
            add(sends, plan, plan.sends().get(i).rank(), sent[i]);
        }
        List<Neighbour> receives = new ArrayList<>();
        for (int i = 0; i < received.length; i++) {
            add(receives, plan, plan.receives().get(i).rank(), received[i]);
        }
        DeviceExchange made = plan.deviceExchange(tag, sends, receives, 2);
        plan.whenClosed(made::close);
        return made;
    }

    private static void add(List<Neighbour> neighbours, HaloPlan plan, int rank, Message message) {
        if (message.isEmpty()) {
            return;
        }
        ScalarType type = ScalarType.of(plan.precision());
        List<HaloPart> parts = new ArrayList<>();
        if (message.x().length > 0) {
            parts.add(new HaloPart(0, message.x(), 1, type, 0));
        }
        if (message.b().length > 0) {
            parts.add(new HaloPart(1, message.b(), 1, type, message.x().length * type.bytes()));
        }
        neighbours.add(new Neighbour(rank, new HaloParcel(message.length() * type.bytes(), parts)));
    }

    private static int[] places(SendList list, int rings, int[] colours, Choice choice) {
        int[] places = new int[list.offsets()[rings]];
        int count = 0;
        for (int ring = 1; ring <= rings; ring++) {
            for (int k = list.offsets()[ring - 1]; k < list.offsets()[ring]; k++) {
                if (choice.takes(ring, colours[list.places()[k]])) {
                    places[count++] = list.places()[k];
                }
            }
        }
        return Arrays.copyOf(places, count);
    }

    private static int[] places(ReceiveList list, int rings, int[] colours, Choice choice) {
        int[] places = new int[list.elements(rings)];
        int count = 0;
        for (int ring = 1; ring <= rings; ring++) {
            int start = list.starts()[ring - 1];
            for (int place = start; place < start + list.counts()[ring - 1]; place++) {
                if (choice.takes(ring, colours[place])) {
                    places[count++] = place;
                }
            }
        }
        return Arrays.copyOf(places, count);
    }

    /** Packs and sends. */
    void start(RingVector x, RingVector b) {
        count++;
        if (device != null) {
            long began = timeline.begin();
            device.bind(0, x.storage(), 1, 1);
            device.bind(1, b.storage(), 1, 1);
            device.start();
            timeline.end(RankPhase.PACK, began);
            return;
        }
        for (ReceiveChannel receive : receives) {
            if (receive != null) {
                receive.start();
            }
        }
        for (int i = 0; i < sends.length; i++) {
            if (sends[i] != null) {
                sends[i].await();
                long began = timeline.begin();
                pack(sends[i].buffer(), 0, outgoing[i].x(), x.values());
                pack(sends[i].buffer(), outgoing[i].x().length, outgoing[i].b(), b.values());
                sends[i].start();
                timeline.end(RankPhase.PACK, began);
            }
        }
    }

    /** Waits for the neighbours' elements and puts them in their places; on a device that is queued. */
    void finish(RingVector x, RingVector b) {
        if (device != null) {
            device.finish();
            return;
        }
        for (int i = 0; i < receives.length; i++) {
            if (receives[i] != null) {
                receives[i].await();
                long began = timeline.begin();
                unpack(receives[i].buffer(), 0, incoming[i].x(), x.values());
                unpack(receives[i].buffer(), incoming[i].x().length, incoming[i].b(), b.values());
                receives[i].release();
                timeline.end(RankPhase.PACK, began);
            }
        }
    }

    private void pack(ByteBuffer message, int at, int[] places, HostVector vector) {
        if (isDouble) {
            double[] elements = vector.doubles();
            for (int i = 0; i < places.length; i++) {
                message.putDouble((at + i) * Double.BYTES, elements[places[i]]);
            }
        } else {
            float[] elements = vector.floats();
            for (int i = 0; i < places.length; i++) {
                message.putFloat((at + i) * Float.BYTES, elements[places[i]]);
            }
        }
    }

    private void unpack(ByteBuffer message, int at, int[] places, HostVector vector) {
        if (isDouble) {
            double[] elements = vector.doubles();
            for (int i = 0; i < places.length; i++) {
                elements[places[i]] = message.getDouble((at + i) * Double.BYTES);
            }
        } else {
            float[] elements = vector.floats();
            for (int i = 0; i < places.length; i++) {
                elements[places[i]] = message.getFloat((at + i) * Float.BYTES);
            }
        }
    }

    /** Counts the exchanges. */
    long count() {
        return count;
    }

    /** Counts the elements that this rank has sent. */
    long elements() {
        return count * sentElements;
    }

    /** Counts the messages to a neighbour, by its place among those of the plan. */
    long messages(int neighbour) {
        if (ofDevice[neighbour] < 0) {
            return 0;
        }
        return device == null ? sends[neighbour].messages() : device.messages(ofDevice[neighbour]);
    }
}
