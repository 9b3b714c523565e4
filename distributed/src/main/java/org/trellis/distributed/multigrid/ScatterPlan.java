package org.trellis.distributed.multigrid;

import java.util.stream.IntStream;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangeMemory;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.ScalarType;

/**
 * Chosen elements of a distributed vector that a rank wants, who owns them, and what brings them in the order in which
 * they are requested: one message from each rank that owns some, through channels that the first exchange opens.
 */
final class ScatterPlan {
    private final Communicator communicator;
    private final int tag;
    private final int first;
    private final RowDirectory.Locations found;
    private final ExchangePattern links;
    private Exchange exchange;

    /**
     * Finds out who owns what. Collective; three exchanges.
     *
     * @param communicator the ranks
     * @param tag          distinguishes its messages from those of other objects of the communicator
     * @param directory    who owns which element
     * @param wanted       the global indices of the elements that this rank wants
     * @param first        where the first of them goes
     */
    ScatterPlan(Communicator communicator, int tag, RowDirectory directory, long[] wanted, int first) {
        this.communicator = communicator;
        this.tag = tag;
        this.first = first;
        this.found = directory.find(wanted);
        this.links = ExchangePattern.asked(communicator, found.owners(), found.places(),
                IntStream.range(first, first + wanted.length).toArray());
    }

    /** Returns who sends what, and where it goes; what this rank owns itself included. */
    ExchangePattern links() {
        return links;
    }

    /** Returns how many elements come. */
    int count() {
        return found.owners().length;
    }

    /** Returns the rank that owns what was requested at a place. */
    int owner(int number) {
        return found.owners()[number];
    }

    /** Returns the local index of what was requested at a place on the rank that owns it. */
    int place(int number) {
        return found.places()[number];
    }

    /**
     * Brings elements of an array to others of the same, those that this rank owns not included. Collective among
     * neighbours.
     */
    void bring(double[] elements) {
        opened().bind(0, HostVector.of(elements));
        run();
    }

    /** Brings whole numbers likewise. */
    void bring(long[] elements) {
        opened().bind(0, elements);
        run();
    }

    @SuppressWarnings("MustBeClosed") // closing it does nothing on the host
    private Exchange opened() {
        if (exchange == null) {
            exchange =
                    Exchange.of(communicator, tag).part(0, links, 1, ScalarType.F64).open(ExchangeMemory.host(false));
        }
        return exchange;
    }

    private void run() {
        exchange.start();
        exchange.finish();
    }

    /**
     * Brings rows. Collective; one exchange of all with all.
     *
     * @param own rows in the order of the owned elements
     * @return those that are requested, in that order
     */
    RowBlock rows(RowBlock own) {
        byte[][] messages = new byte[links.ranks()][];
        for (int rank = 0; rank < messages.length; rank++) {
            Packet packet = new Packet();
            for (int place : links.sends(rank)) {
                own.write(place, packet);
            }
            messages[rank] = links.sends(rank).length == 0 ? null : packet.toBytes();
        }
        byte[][] answers = communicator.exchange(messages);
        RowBlockBuilder builder = new RowBlockBuilder(own.precision(), count());
        int[] placeOf = new int[count()];
        int at = 0;
        for (int rank = 0; rank < answers.length; rank++) {
            builder.addAll(Packet.of(answers[rank]));
            for (int place : links.receives(rank)) {
                placeOf[place - first] = at++;
            }
        }
        return builder.build().select(placeOf);
    }
}
