package org.trellis.distributed.halo;

import java.nio.ByteBuffer;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.memory.HostVector;

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
    private final SendChannel[] sends;
    private final HaloBuffer[] outgoing;
    private final ReceiveChannel[] receives;
    private final HaloBuffer[] incoming;
    private boolean started;
    private long count;

    /** Opens channels for messages of so many vectors and rings. */
    HaloExchange(HaloPlan plan, int vectors, int rings) {
        this.plan = plan;
        this.rings = rings;
        this.vectors = new RingVector[vectors];
        Communicator communicator = plan.communicator();
        List<SendList> targets = plan.sends();
        List<ReceiveList> sources = plan.receives();
        this.sends = new SendChannel[targets.size()];
        this.outgoing = new HaloBuffer[sends.length];
        this.receives = new ReceiveChannel[sources.size()];
        this.incoming = new HaloBuffer[receives.length];
        // The plan has a communicator of its own, so any tags will do.
        int tag = vectors + TAGS_OF_A_RING * (rings - 1);
        for (int i = 0; i < receives.length; i++) {
            ReceiveList source = sources.get(i);
            int elements = source.elements(rings);
            receives[i] = elements == 0 ? null : communicator.receiveFrom(source.rank(), tag, bytes(elements));
            incoming[i] = elements == 0 ? null : view(receives[i].buffer());
        }
        for (int i = 0; i < sends.length; i++) {
            SendList target = targets.get(i);
            int elements = target.offsets()[rings];
            sends[i] = elements == 0 ? null : communicator.sendTo(target.rank(), tag, bytes(elements));
            outgoing[i] = elements == 0 ? null : view(sends[i].buffer());
        }
    }

    private int bytes(int elements) {
        long bytes = (long) elements * vectors.length * plan.precision().bytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a message of " + vectors.length + " vectors with " + elements
                    + " elements each has " + bytes + " bytes, expected at most " + Integer.MAX_VALUE);
        }
        return (int) bytes;
    }

    private HaloBuffer view(ByteBuffer buffer) {
        return plan.precision() == Precision.F64
                ? new DoubleHaloBuffer(buffer.asDoubleBuffer())
                : new FloatHaloBuffer(buffer.asFloatBuffer());
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
        }
        started = true;
        for (ReceiveChannel receive : receives) {
            if (receive != null) {
                receive.start();
            }
        }
        for (int i = 0; i < sends.length; i++) {
            if (sends[i] != null) {
                sends[i].await();
                SendList list = plan.sends().get(i);
                int elements = list.offsets()[rings];
                for (int v = 0; v < vectors.length; v++) {
                    outgoing[i].pack(v * elements, list.places(), elements, vectors[v].values());
                }
                sends[i].start();
            }
        }
        count++;
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
        for (int i = 0; i < receives.length; i++) {
            if (receives[i] == null) {
                continue;
            }
            receives[i].await();
            ReceiveList list = plan.receives().get(i);
            int at = 0;
            for (RingVector vector : vectors) {
                at = unpack(incoming[i], at, list, vector.values());
            }
            receives[i].release();
        }
        for (int v = 0; v < vectors.length; v++) {
            vectors[v].setValidRings(rings);
            vectors[v] = null;
        }
        started = false;
    }

    private int unpack(HaloBuffer message, int from, ReceiveList list, HostVector values) {
        int at = from;
        for (int ring = 0; ring < rings; ring++) {
            message.unpack(at, values, list.starts()[ring], list.counts()[ring]);
            at += list.counts()[ring];
        }
        return at;
    }

    /**
     * Counts the exchanges.
     *
     * @return how often {@link #start} was called
     */
    public long count() {
        return count;
    }

    /**
     * Counts the messages that went to a neighbour.
     *
     * @param neighbour its place among {@link HaloPlan#sends}
     * @return one an exchange, none if the neighbour needs nothing for so few rings
     */
    public long messages(int neighbour) {
        return sends[neighbour] == null ? 0 : sends[neighbour].messages();
    }
}
