package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.SideQueue;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangeMemory;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.mesh.Dat;

/**
 * Brings some dats up to date: one message to and from each neighbour, whatever the number of dats. Owned values may be
 * written once the message is started. Allocates nothing once it has been sent for the first time.
 */
final class HaloMessage implements AutoCloseable {
    private final List<HaloNeed> needs;
    private final Exchange exchange;
    private final SideQueue side;
    private final RankBatches batches;
    /** Whether devices order the message among themselves on all ranks. */
    private final boolean ordered;

    /**
     * Agrees with the neighbours and opens channels. Called by all ranks.
     *
     * @param communicator the ranks
     * @param tag          distinguishes the message from others
     * @param carrier      where this rank's dats are
     * @param needs        what the message brings
     * @param links        for each need, which elements go where
     * @param side         where messages are unpacked beside what needs none
     * @param batches      says whether the exchange is part of what devices are given as a whole
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    HaloMessage(Communicator communicator, int tag, ExchangeMemory carrier, List<HaloNeed> needs,
            List<ExchangePattern> links,
            SideQueue side, RankBatches batches) {
        this.side = side;
        this.batches = batches;
        this.needs = List.copyOf(needs);
        Exchange.Builder messages = Exchange.of(communicator, tag).timed();
        for (int i = 0; i < needs.size(); i++) {
            Dat dat = needs.get(i).dat().dat();
            messages.part(i, links.get(i), dat.components(), dat.type());
        }
        exchange = messages.open(carrier);
        ordered = carrier.anyDevices() && communicator.greatest(exchange.isSelfOrdered() ? 0 : 1) == 0;
    }

    /** Packs and sends. */
    void start() {
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

    /** Says whether hosts need no messages of their own for it. */
    private boolean isQuiet() {
        return ordered && batches.isWhole();
    }

    /**
     * Waits and unpacks; what is needed is up to date afterwards.
     *
     * @return the time spent waiting, in nanoseconds
     */
    long finish() {
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

    /** Says whether this rank neither sends nor receives anything. */
    boolean isEmpty() {
        return exchange.isEmpty();
    }

    /** Returns how many messages this rank sends. */
    int messages() {
        return exchange.sends();
    }

    /** Returns how many bytes this rank sends. */
    long bytes() {
        return exchange.bytes();
    }

    /** Says how messages travel. */
    String transport() {
        return exchange.transport();
    }

    @Override
    public void close() {
        exchange.close();
    }
}
