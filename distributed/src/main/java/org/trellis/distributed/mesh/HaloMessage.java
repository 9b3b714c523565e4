package org.trellis.distributed.mesh;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;

/**
 * Brings some dats up to date: one message to and from each neighbour, whatever the number of dats. What is needed of a
 * neighbour is packed when the message is started; owned values may then be written. Allocates nothing.
 */
final class HaloMessage {
    private static final int ALIGNMENT = 8;

    private final List<HaloNeed> needs;
    private final Sending[] sends;
    private final Receiving[] receives;
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
    HaloMessage(Communicator communicator, int tag, List<HaloNeed> needs, List<HaloList> lists) {
        this.needs = List.copyOf(needs);
        List<Sending> outgoing = new ArrayList<>();
        List<Receiving> incoming = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++) {
            int neighbour = rank;
            List<int[]> send = lists.stream().map(list -> list.sends(neighbour)).toList();
            int size = size(send);
            if (size > 0) {
                SendChannel channel = communicator.sendTo(rank, tag, size);
                outgoing.add(new Sending(channel, parts(send, channel.buffer())));
                bytes += size;
            }
            List<int[]> receive = lists.stream().map(list -> list.receives(neighbour)).toList();
            size = size(receive);
            if (size > 0) {
                ReceiveChannel channel = communicator.receiveFrom(rank, tag, size);
                incoming.add(new Receiving(channel, parts(receive, channel.buffer())));
            }
        }
        sends = outgoing.toArray(Sending[]::new);
        receives = incoming.toArray(Receiving[]::new);
    }

    private static int aligned(int size) {
        return Math.ceilDiv(size, ALIGNMENT) * ALIGNMENT;
    }

    private int size(List<int[]> places) {
        int size = 0;
        for (int i = 0; i < needs.size(); i++) {
            size = Math.addExact(size, aligned(HaloTransfer.bytes(needs.get(i).dat(), places.get(i))));
        }
        return size;
    }

    private HaloTransfer[] parts(List<int[]> places, ByteBuffer memory) {
        List<HaloTransfer> parts = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < needs.size(); i++) {
            if (places.get(i).length > 0) {
                LocalDat dat = needs.get(i).dat();
                parts.add(new HaloTransfer(dat, places.get(i), memory, at));
                at += aligned(HaloTransfer.bytes(dat, places.get(i)));
            }
        }
        return parts.toArray(HaloTransfer[]::new);
    }

    /** Packs and sends. */
    void start() {
        for (Receiving receiving : receives) {
            receiving.channel().start();
        }
        for (Sending sending : sends) {
            sending.channel().await();
            for (HaloTransfer part : sending.parts()) {
                part.pack();
            }
            sending.channel().start();
        }
    }

    /**
     * Waits and unpacks; what is needed is up to date afterwards.
     *
     * @return the time spent waiting, in nanoseconds
     */
    long finish() {
        long waited = 0;
        for (Receiving receiving : receives) {
            long start = System.nanoTime();
            receiving.channel().await();
            waited += System.nanoTime() - start;
            for (HaloTransfer part : receiving.parts()) {
                part.unpack();
            }
            receiving.channel().release();
        }
        for (int i = 0; i < needs.size(); i++) {
            needs.get(i).dat().brought(needs.get(i).key());
        }
        return waited;
    }

    /** Says whether this rank neither sends nor receives anything. */
    boolean isEmpty() {
        return sends.length + receives.length == 0;
    }

    int messages() {
        return sends.length;
    }

    /** Returns how many bytes this rank sends. */
    long bytes() {
        return bytes;
    }
}
