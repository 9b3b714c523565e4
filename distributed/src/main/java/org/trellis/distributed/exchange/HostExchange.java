package org.trellis.distributed.exchange;

import java.nio.ByteBuffer;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HostStorage;

/** An exchange of a rank whose operands are on the host. */
final class HostExchange extends Exchange {
    private final HostOperand[] operands;
    private final SendChannel[] sends;
    private final HostPart[][] outgoing;
    private final ReceiveChannel[] receives;
    private final HostPart[][] incoming;
    private final boolean adds;
    private final boolean timed;
    private final RankTimeline timeline;

    HostExchange(Communicator communicator, int tag, Messages messages, int operands, boolean adds, boolean timed) {
        super(messages);
        this.adds = adds;
        this.timed = timed;
        this.timeline = communicator.timeline();
        this.operands = new HostOperand[operands];
        for (int i = 0; i < operands; i++) {
            this.operands[i] = new HostOperand(i);
        }
        List<Neighbour> from = messages.receives();
        List<Neighbour> to = messages.sends();
        receives = new ReceiveChannel[from.size()];
        incoming = new HostPart[receives.length][];
        for (int i = 0; i < receives.length; i++) {
            HaloParcel parcel = from.get(i).parcel();
            receives[i] = communicator.receiveFrom(from.get(i).rank(), tag, parcel.bytes());
            incoming[i] = parts(parcel, receives[i].buffer());
        }
        sends = new SendChannel[to.size()];
        outgoing = new HostPart[sends.length][];
        for (int i = 0; i < sends.length; i++) {
            HaloParcel parcel = to.get(i).parcel();
            sends[i] = communicator.sendTo(to.get(i).rank(), tag, parcel.bytes());
            outgoing[i] = parts(parcel, sends[i].buffer());
        }
    }

    private HostPart[] parts(HaloParcel parcel, ByteBuffer message) {
        return parcel.parts().stream().map(part -> new HostPart(part, operands[part.operand()], message))
                .toArray(HostPart[]::new);
    }

    @Override
    public void bind(int operand, DatStorage storage, int elementStride, int componentStride) {
        operands[operand].bind((HostStorage) storage, elementStride, componentStride);
    }

    @Override
    public void bind(int operand, HostVector vector) {
        operands[operand].bind(vector, 1, 1);
    }

    @Override
    public void bind(int operand, long[] values) {
        operands[operand].bind(values);
    }

    @Override
    void send() {
        for (ReceiveChannel receive : receives) {
            receive.start();
        }
        for (int i = 0; i < sends.length; i++) {
            sends[i].await();
            long began = timeline.begin();
            for (HostPart part : outgoing[i]) {
                part.pack();
            }
            sends[i].start();
            timeline.end(RankPhase.PACK, began);
        }
    }

    @Override
    public long finish() {
        long waited = 0;
        for (int i = 0; i < receives.length; i++) {
            if (timed) {
                long before = System.nanoTime();
                receives[i].await();
                waited += System.nanoTime() - before;
            } else {
                receives[i].await();
            }
            long began = timeline.begin();
            for (HostPart part : incoming[i]) {
                if (adds) {
                    part.add();
                } else {
                    part.unpack();
                }
            }
            receives[i].release();
            timeline.end(RankPhase.PACK, began);
        }
        return waited;
    }

    @Override
    public boolean isSelfOrdered() {
        return false;
    }

    @Override
    public void pack() {
        throw new IllegalStateException("messages of a host were to be packed without a word, expected start()");
    }

    @Override
    public void unpack() {
        throw new IllegalStateException("messages of a host were to be unpacked without a word, expected finish()");
    }

    @Override
    long messagesOf(int send) {
        return sends[send].messages();
    }

    @Override
    public String transport() {
        return "host";
    }

    /** Channels are closed with their communicator. */
    @Override
    public void close() {}
}
