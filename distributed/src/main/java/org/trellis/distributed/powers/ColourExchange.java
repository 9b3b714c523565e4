package org.trellis.distributed.powers;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ReceiveList;
import org.trellis.distributed.halo.SendList;
import org.trellis.memory.HostVector;

/**
 * Brings some elements of the first rings up to date, those of colours that are out of date there; if it is asked for,
 * the right-hand side with them, in the same message. Own elements may be written between {@link #start} and
 * {@link #finish}. Allocates nothing.
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
    private final SendChannel[] sends;
    private final Message[] incoming;
    private final ReceiveChannel[] receives;
    private final int sentElements;
    private long count;

    /** Places of elements, and the buffer in which they lie one behind the other, x first. */
    private record Message(int[] x, int[] b, DoubleBuffer doubles, FloatBuffer floats) {
        static Message of(int[] x, int[] b, ByteBuffer buffer) {
            return new Message(x, b, buffer.asDoubleBuffer(), buffer.asFloatBuffer());
        }
    }

    /**
     * Opens channels.
     *
     * @param plan       the halo, on the host
     * @param colours    the colours of all local elements
     * @param choice     which elements of x travel
     * @param rings      of x
     * @param rightRings of the right-hand side; 0 for none
     * @param tag        of the messages, the same on all ranks
     */
    ColourExchange(HaloPlan plan, int[] colours, Choice choice, int rings, int rightRings, int tag) {
        Communicator communicator = plan.communicator();
        timeline = communicator.timeline();
        isDouble = plan.precision() == Precision.F64;
        int bytes = plan.precision().bytes();
        List<ReceiveList> sources = plan.receives();
        incoming = new Message[sources.size()];
        receives = new ReceiveChannel[incoming.length];
        for (int i = 0; i < incoming.length; i++) {
            int[] x = places(sources.get(i), rings, colours, choice);
            int[] b = places(sources.get(i), rightRings, colours, (ring, colour) -> true);
            if (x.length + b.length > 0) {
                int length = Math.multiplyExact(x.length + b.length, bytes);
                receives[i] = communicator.receiveFrom(sources.get(i).rank(), tag, length);
                incoming[i] = Message.of(x, b, receives[i].buffer());
            }
        }
        List<SendList> targets = plan.sends();
        outgoing = new Message[targets.size()];
        sends = new SendChannel[outgoing.length];
        int sum = 0;
        for (int i = 0; i < outgoing.length; i++) {
            int[] x = places(targets.get(i), rings, colours, choice);
            int[] b = places(targets.get(i), rightRings, colours, (ring, colour) -> true);
            if (x.length + b.length > 0) {
                int length = Math.multiplyExact(x.length + b.length, bytes);
                sends[i] = communicator.sendTo(targets.get(i).rank(), tag, length);
                outgoing[i] = Message.of(x, b, sends[i].buffer());
                sum += x.length + b.length;
            }
        }
        sentElements = sum;
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
    void start(HostVector x, HostVector b) {
        for (ReceiveChannel receive : receives) {
            if (receive != null) {
                receive.start();
            }
        }
        for (int i = 0; i < sends.length; i++) {
            if (sends[i] != null) {
                sends[i].await();
                long began = timeline.begin();
                pack(outgoing[i], 0, outgoing[i].x(), x);
                pack(outgoing[i], outgoing[i].x().length, outgoing[i].b(), b);
                sends[i].start();
                timeline.end(RankPhase.PACK, began);
            }
        }
        count++;
    }

    /** Waits for the neighbours' elements and puts them in their places. */
    void finish(HostVector x, HostVector b) {
        for (int i = 0; i < receives.length; i++) {
            if (receives[i] != null) {
                receives[i].await();
                long began = timeline.begin();
                unpack(incoming[i], 0, incoming[i].x(), x);
                unpack(incoming[i], incoming[i].x().length, incoming[i].b(), b);
                receives[i].release();
                timeline.end(RankPhase.PACK, began);
            }
        }
    }

    private void pack(Message message, int at, int[] places, HostVector vector) {
        if (isDouble) {
            double[] elements = vector.doubles();
            for (int i = 0; i < places.length; i++) {
                message.doubles().put(at + i, elements[places[i]]);
            }
        } else {
            float[] elements = vector.floats();
            for (int i = 0; i < places.length; i++) {
                message.floats().put(at + i, elements[places[i]]);
            }
        }
    }

    private void unpack(Message message, int at, int[] places, HostVector vector) {
        if (isDouble) {
            double[] elements = vector.doubles();
            for (int i = 0; i < places.length; i++) {
                elements[places[i]] = message.doubles().get(at + i);
            }
        } else {
            float[] elements = vector.floats();
            for (int i = 0; i < places.length; i++) {
                elements[places[i]] = message.floats().get(at + i);
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
        return sends[neighbour] == null ? 0 : sends[neighbour].messages();
    }
}
