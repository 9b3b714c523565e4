package org.trellis.distributed.mesh;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;

/** A message whose dats are on the host. What is needed of a neighbour is packed when the message is started. */
final class HostMessage implements HaloMessage {
    private final List<HaloNeed> needs;
    private final Sending[] sends;
    private final Receiving[] receives;
    private final RankTimeline timeline;
    private long bytes;

    /** A message to a neighbour. */
    private record Sending(SendChannel channel, HaloTransfer[] parts) {}

    /** A message from a neighbour. */
    private record Receiving(ReceiveChannel channel, HaloTransfer[] parts) {}

    /**
     * Opens channels.
     *
     * @param communicator the ranks
     * @param tag          tells the message apart from others
     * @param needs        what it brings
     * @param lists        for each need, which elements go where
     */
    HostMessage(Communicator communicator, int tag, List<HaloNeed> needs, List<HaloList> lists) {
        this.needs = List.copyOf(needs);
        this.timeline = communicator.timeline();
        List<Sending> outgoing = new ArrayList<>();
        List<Receiving> incoming = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++) {
            int neighbour = rank;
            List<int[]> send = lists.stream().map(list -> list.sends(neighbour)).toList();
            int size = HaloMessage.size(needs, send);
            if (size > 0) {
                SendChannel channel = communicator.sendTo(rank, tag, size);
                outgoing.add(new Sending(channel, parts(send, channel.buffer())));
                bytes += size;
            }
            List<int[]> receive = lists.stream().map(list -> list.receives(neighbour)).toList();
            size = HaloMessage.size(needs, receive);
            if (size > 0) {
                ReceiveChannel channel = communicator.receiveFrom(rank, tag, size);
                incoming.add(new Receiving(channel, parts(receive, channel.buffer())));
            }
        }
        sends = outgoing.toArray(Sending[]::new);
        receives = incoming.toArray(Receiving[]::new);
    }

    private HaloTransfer[] parts(List<int[]> places, ByteBuffer memory) {
        List<HaloTransfer> parts = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < needs.size(); i++) {
            if (places.get(i).length > 0) {
                LocalDat dat = needs.get(i).dat();
                parts.add(new HaloTransfer(dat, places.get(i), memory, at));
                at += HaloMessage.aligned(HaloTransfer.bytes(dat, places.get(i)));
            }
        }
        return parts.toArray(HaloTransfer[]::new);
    }

    @Override
    public void start() {
        for (Receiving receiving : receives) {
            receiving.channel().start();
        }
        for (Sending sending : sends) {
            sending.channel().await();
            long began = timeline.begin();
            for (HaloTransfer part : sending.parts()) {
                part.pack();
            }
            sending.channel().start();
            timeline.end(RankPhase.PACK, began);
        }
    }

    @Override
    public long finish() {
        long waited = 0;
        for (Receiving receiving : receives) {
            long start = System.nanoTime();
            receiving.channel().await();
            waited += System.nanoTime() - start;
            long began = timeline.begin();
            for (HaloTransfer part : receiving.parts()) {
                part.unpack();
            }
            receiving.channel().release();
            timeline.end(RankPhase.PACK, began);
        }
        for (int i = 0; i < needs.size(); i++) {
            needs.get(i).dat().brought(needs.get(i).key());
        }
        return waited;
    }

    @Override
    public boolean isEmpty() {
        return sends.length + receives.length == 0;
    }

    @Override
    public int messages() {
        return sends.length;
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
