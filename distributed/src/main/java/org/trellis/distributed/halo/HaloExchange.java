package org.trellis.distributed.halo;

import org.trellis.distributed.exchange.Exchange;
import org.trellis.mesh.device.ScalarType;

/**
 * Brings the first rings of some vectors up to date: one message to and from each neighbour, whatever the number of
 * vectors and rings. Between {@link #start} and {@link #finish} the caller may compute what needs owned elements only.
 * Allocates nothing.
 */
public final class HaloExchange {
    /** The most vectors that travel together. */
    public static final int MOST_VECTORS = 8;

    /** More than the greatest number of vectors, which is the lower part of a tag. */
    private static final int TAGS_OF_A_RING = 16;

    private final HaloPlan plan;
    private final int rings;
    private final RingVector[] vectors;
    private final Exchange exchange;
    private boolean started;

    /** Opens channels for messages of so many vectors and rings. */
    HaloExchange(HaloPlan plan, int vectors, int rings) {
        this.plan = plan;
        this.rings = rings;
        this.vectors = new RingVector[vectors];
        // The plan has a communicator of its own, so any tags will do.
        Exchange.Builder messages = Exchange.of(plan.communicator(), tag(vectors, rings));
        for (int v = 0; v < vectors; v++) {
            messages.part(v, plan.links(rings), 1, ScalarType.of(plan.precision()));
        }
        this.exchange = plan.open(messages);
    }

    static int tag(int vectors, int rings) {
        return vectors + TAGS_OF_A_RING * (rings - 1);
    }

    /**
     * Chooses one of the vectors that travel.
     *
     * @param number which, 0 to one less than their number
     * @param vector a vector of the plan
     * @return this exchange
     * @throws IllegalArgumentException if the vector belongs to another plan
     * @throws IllegalStateException    if the exchange is under way
     */
    public HaloExchange with(int number, RingVector vector) {
        if (vector.plan() != plan) {
            throw new IllegalArgumentException(vector + " belongs to another plan than the exchange, expected "
                    + plan);
        }
        if (started) {
            throw new IllegalStateException("an exchange under way was given another vector, expected finish() first");
        }
        vectors[number] = vector;
        return this;
    }

    /**
     * Sends owned elements to the neighbours. They must not be written before {@link #finish}; the rings neither be
     * read nor written.
     *
     * @throws IllegalStateException if the exchange is under way, or a vector was not chosen
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed
     */
    public void start() {
        if (started) {
            throw new IllegalStateException("an exchange was started twice, expected finish() between");
        }
        for (int v = 0; v < vectors.length; v++) {
            if (vectors[v] == null) {
                throw new IllegalStateException("vector " + v + " of an exchange of " + vectors.length
                        + " was not chosen, expected with(" + v + ", vector)");
            }
            exchange.bind(v, vectors[v].storage());
        }
        started = true;
        exchange.start();
    }

    /**
     * Waits for the neighbours' elements; as many rings of the vectors are valid then as the exchange brings.
     *
     * @throws IllegalStateException if the exchange was not started
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed, or a message does not come
     */
    public void finish() {
        if (!started) {
            throw new IllegalStateException("an exchange was finished before it was started");
        }
        exchange.finish();
        for (int v = 0; v < vectors.length; v++) {
            vectors[v].setValidRings(rings);
            vectors[v] = null;
        }
        started = false;
    }

    /**
     * Counts the exchanges.
     *
     * @return how often {@link #start} was called
     */
    public long count() {
        return exchange.count();
    }

    /**
     * Counts the messages that went to a neighbour.
     *
     * @param neighbour its place among {@link HaloPlan#sends}
     * @return one an exchange, none if the neighbour needs nothing for so few rings
     */
    public long messages(int neighbour) {
        return exchange.messages(plan.sends().get(neighbour).rank());
    }
}
