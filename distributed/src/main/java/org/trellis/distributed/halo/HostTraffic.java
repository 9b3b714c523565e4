package org.trellis.distributed.halo;

import java.nio.ByteBuffer;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.memory.HostVector;

/** The messages of an exchange of vectors on the host. */
final class HostTraffic implements HaloTraffic {
    private final HaloPlan plan;
    private final int rings;
    private final SendChannel[] sends;
    private final HaloBuffer[] outgoing;
    private final ReceiveChannel[] receives;
    private final HaloBuffer[] incoming;
    private final RankTimeline timeline;

    /** Opens channels for messages of so many vectors and rings. */
    HostTraffic(HaloPlan plan, int vectors, int rings, int tag) {
        this.plan = plan;
        this.rings = rings;
        Communicator communicator = plan.communicator();
        this.timeline = communicator.timeline();
        List<SendList> targets = plan.sends();
        List<ReceiveList> sources = plan.receives();
        this.sends = new SendChannel[targets.size()];
        this.outgoing = new HaloBuffer[sends.length];
        this.receives = new ReceiveChannel[sources.size()];
        this.incoming = new HaloBuffer[receives.length];
        for (int i = 0; i < receives.length; i++) {
            ReceiveList source = sources.get(i);
            int bytes = HaloTraffic.bytes(plan, vectors, source.elements(rings));
            receives[i] = bytes == 0 ? null : communicator.receiveFrom(source.rank(), tag, bytes);
            incoming[i] = bytes == 0 ? null : view(receives[i].buffer());
        }
        for (int i = 0; i < sends.length; i++) {
            SendList target = targets.get(i);
            int bytes = HaloTraffic.bytes(plan, vectors, target.offsets()[rings]);
            sends[i] = bytes == 0 ? null : communicator.sendTo(target.rank(), tag, bytes);
            outgoing[i] = bytes == 0 ? null : view(sends[i].buffer());
        }
    }

    private HaloBuffer view(ByteBuffer buffer) {
        return plan.precision() == Precision.F64
                ? new DoubleHaloBuffer(buffer.asDoubleBuffer())
                : new FloatHaloBuffer(buffer.asFloatBuffer());
    }

    @Override
    public void start(RingVector[] vectors) {
        for (ReceiveChannel receive : receives) {
            if (receive != null) {
                receive.start();
            }
        }
        for (int i = 0; i < sends.length; i++) {
            if (sends[i] != null) {
                sends[i].await();
                long began = timeline.begin();
                SendList list = plan.sends().get(i);
                int elements = list.offsets()[rings];
                for (int v = 0; v < vectors.length; v++) {
                    outgoing[i].pack(v * elements, list.places(), elements, vectors[v].values());
                }
                sends[i].start();
                timeline.end(RankPhase.PACK, began);
            }
        }
    }

    @Override
    public void finish(RingVector[] vectors) {
        for (int i = 0; i < receives.length; i++) {
            if (receives[i] == null) {
                continue;
            }
            receives[i].await();
            long began = timeline.begin();
            ReceiveList list = plan.receives().get(i);
            int at = 0;
            for (RingVector vector : vectors) {
                at = unpack(incoming[i], at, list, vector.values());
            }
            receives[i].release();
            timeline.end(RankPhase.PACK, began);
        }
    }

    private int unpack(HaloBuffer message, int from, ReceiveList list, HostVector values) {
        int at = from;
        for (int ring = 0; ring < rings; ring++) {
            message.unpack(at, values, list.starts()[ring], list.counts()[ring]);
            at += list.counts()[ring];
        }
        return at;
    }

    @Override
    public long messages(int neighbour) {
        return sends[neighbour] == null ? 0 : sends[neighbour].messages();
    }
}
