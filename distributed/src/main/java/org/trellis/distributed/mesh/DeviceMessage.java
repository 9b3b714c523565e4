package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.distributed.device.SideQueue;
import org.trellis.mesh.Dat;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;

/** A message whose dats are on a device, with the layout of those on the host. */
final class DeviceMessage implements HaloMessage, AutoCloseable {
    private final List<HaloNeed> needs;
    private final DeviceExchange exchange;
    private final SideQueue side;
    private final RankBatches batches;
    private final int sends;
    private final int receives;
    private final long bytes;
    /** Whether devices order the message among themselves on all ranks. */
    private final boolean ordered;

    /**
     * Agrees with the neighbours and opens channels. Called by all ranks.
     *
     * @param communicator the ranks
     * @param tag          tells the message apart from others
     * @param kernels      what packs and unpacks
     * @param needs        what the message brings
     * @param lists        for each need, which elements go where
     * @param side         where messages are unpacked beside what needs none
     * @param batches      says whether the exchange is part of what devices are told of as a whole
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    DeviceMessage(Communicator communicator, int tag, HaloKernels kernels, List<HaloNeed> needs,
            List<HaloList> lists, SideQueue side, RankBatches batches) {
        this.side = side;
        this.batches = batches;
        this.needs = List.copyOf(needs);
        List<Neighbour> outgoing = new ArrayList<>();
        List<Neighbour> incoming = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++) {
            int neighbour = rank;
            add(outgoing, rank, lists.stream().map(list -> list.sends(neighbour)).toList());
            add(incoming, rank, lists.stream().map(list -> list.receives(neighbour)).toList());
        }
        sends = outgoing.size();
        receives = incoming.size();
        bytes = outgoing.stream().mapToLong(one -> one.parcel().bytes()).sum();
        exchange = new DeviceExchange(communicator, tag, kernels, outgoing, incoming, needs.size());
        ordered = communicator.greatest(exchange.isSelfOrdered() ? 0 : 1) == 0;
    }

    private void add(List<Neighbour> neighbours, int rank, List<int[]> places) {
        int size = HaloMessage.size(needs, places);
        if (size == 0) {
            return;
        }
        List<HaloPart> parts = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < needs.size(); i++) {
            if (places.get(i).length > 0) {
                Dat dat = needs.get(i).dat().dat();
                HaloPart part = new HaloPart(i, places.get(i), dat.components(), dat.type(), at);
                parts.add(part);
                at += HaloMessage.aligned(part.bytes());
            }
        }
        neighbours.add(new Neighbour(rank, new HaloParcel(size, parts)));
    }

    @Override
    public void start() {
        for (int i = 0; i < needs.size(); i++) {
            // Layouts may have changed, and with them the memory.
            Dat dat = needs.get(i).dat().dat();
            exchange.bind(i, dat.storage(), dat.elementStride(), dat.componentStride());
        }
        if (isQuiet()) {
            exchange.pack();
            return;
        }
        exchange.start();
        batches.note(ordered);
        if (!batches.isWhole() && !batches.isRehearsal()) {
            side.mark(true);
        }
    }

    /** Says whether hosts need not tell each other of the message. */
    private boolean isQuiet() {
        return ordered && batches.isWhole();
    }

    @Override
    public long finish() {
        long waited = 0;
        if (isQuiet()) {
            exchange.unpack();
        } else {
            // Unpacking alone: what needs the message may add to elements that the rest adds to.
            side.aside();
            waited = exchange.finish();
            side.join();
        }
        for (int i = 0; i < needs.size(); i++) {
            needs.get(i).dat().brought(needs.get(i).key());
        }
        return waited;
    }

    @Override
    public boolean isEmpty() {
        return sends + receives == 0;
    }

    @Override
    public int messages() {
        return sends;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Says how messages travel. */
    String way() {
        return exchange.way();
    }

    @Override
    public void close() {
        exchange.close();
    }
}
