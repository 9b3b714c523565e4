package org.trellis.distributed.exchange;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.distributed.device.DeviceExchange.Neighbour;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;

/**
 * Messages to and from the neighbours of a rank, again and again: elements of some operands go where an
 * {@link ExchangePattern} says, one message to each neighbour whatever the number of operands. Operands are vectors,
 * dats or arrays; each exchange may bind others of the same kind. Between {@link #start} and {@link #finish} code that
 * uses it may compute, and write what was sent. Hosts and devices have the same messages, so they can be neighbours.
 * Allocates nothing once it has run for the first time.
 */
public abstract sealed class Exchange implements AutoCloseable permits HostExchange, DeviceSide {
    private final int[] sendOf;
    private final int sends;
    private final int receives;
    private final long bytes;
    private long count;

    Exchange(Messages messages) {
        sendOf = new int[messages.ranks];
        Arrays.fill(sendOf, -1);
        for (int i = 0; i < messages.sends.size(); i++) {
            sendOf[messages.sends.get(i).rank()] = i;
        }
        sends = messages.sends.size();
        receives = messages.receives.size();
        bytes = messages.sends.stream().mapToLong(send -> send.parcel().bytes()).sum();
    }

    /** What goes out and comes in. */
    record Messages(int ranks, List<Neighbour> sends, List<Neighbour> receives) {}

    /**
     * Begins an exchange.
     *
     * @param communicator the ranks
     * @param tag          distinguishes its messages from those of others; the same on all ranks
     * @return what describes the messages
     */
    public static Builder of(Communicator communicator, int tag) {
        return new Builder(communicator, tag);
    }

    /** Describes messages, part by part. */
    public static final class Builder {
        private final Communicator communicator;
        private final int tag;
        private final List<Part> parts = new ArrayList<>();
        private int operands;
        private boolean adding;
        private boolean timed;

        /** Elements of one operand, in each message. */
        private record Part(int operand, ExchangePattern links, boolean in, int components, ScalarType type) {}

        private Builder(Communicator communicator, int tag) {
            this.communicator = communicator;
            this.tag = tag;
        }

        /**
         * Lets elements of an operand travel, whose copies are in the same operand.
         *
         * @param operand    its number, from 0
         * @param links      which elements go where
         * @param components of each element
         * @param type       of a component
         * @return this builder
         */
        public Builder part(int operand, ExchangePattern links, int components, ScalarType type) {
            return part(operand, operand, links, components, type);
        }

        /**
         * Lets elements of an operand travel to another one.
         *
         * @param from       the number of the operand that they are read from, from 0
         * @param into       the number of the operand where they land
         * @param links      which elements go where
         * @param components of each element
         * @param type       of a component
         * @return this builder
         */
        public Builder part(int from, int into, ExchangePattern links, int components, ScalarType type) {
            parts.add(new Part(from, links, false, components, type));
            parts.add(new Part(into, links, true, components, type));
            operands = Math.max(operands, 1 + Math.max(from, into));
            return this;
        }

        /**
         * Measures how long {@link Exchange#finish} waits on the host.
         *
         * @return this builder
         */
        public Builder timed() {
            timed = true;
            return this;
        }

        /** Adds what comes to what is there, on the host. */
        Builder adding() {
            adding = true;
            return this;
        }

        /**
         * Opens the channels. Collective.
         *
         * @param carrier where this rank's operands are
         * @return the exchange, which the caller closes before its communicator; on the host that does nothing
         * @throws IllegalArgumentException if a message exceeds 2³¹ − 1 bytes, or a device has too many operands
         * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
         */
        @MustBeClosed
        public Exchange open(ExchangeMemory carrier) {
            Messages messages = new Messages(communicator.size(), messages(false), messages(true));
            if (carrier.onDevice()) {
                return new DeviceSide(communicator, tag, carrier, messages, operands);
            }
            if (carrier.anyDevices()) {
                DeviceExchange.decline(communicator);
            }
            return new HostExchange(communicator, tag, messages, operands, adding, timed);
        }

        private List<Neighbour> messages(boolean in) {
            List<Neighbour> messages = new ArrayList<>();
            for (int rank = 0; rank < communicator.size(); rank++) {
                if (rank != communicator.rank()) {
                    List<HaloPart> layout = layout(rank, in);
                    if (!layout.isEmpty()) {
                        HaloPart last = layout.getLast();
                        messages.add(new Neighbour(rank, new HaloParcel(last.offset() + last.bytes(), layout)));
                    }
                }
            }
            return messages;
        }

        /** Parts lie one behind the other, each where its components may be. */
        private List<HaloPart> layout(int rank, boolean in) {
            List<HaloPart> layout = new ArrayList<>();
            long end = 0;
            for (Part part : parts) {
                int[] places = in ? part.links().receives(rank) : part.links().sends(rank);
                if (part.in() == in && places.length > 0) {
                    int size = part.type().bytes();
                    long at = Math.ceilDiv(end, (long) size) * size;
                    end = at + (long) places.length * part.components() * size;
                    if (end > Integer.MAX_VALUE) {
                        throw new IllegalArgumentException("a message with " + places.length + " elements of operand "
                                + part.operand() + " has " + end + " bytes and more, expected at most "
                                + Integer.MAX_VALUE);
                    }
                    layout.add(new HaloPart(part.operand(), places, part.components(), part.type(), (int) at));
                }
            }
            return layout;
        }
    }

    /**
     * Says where an operand is, from the next {@link #start} on. What is sent is read then, what is received is written
     * where it is bound when {@link #finish} is called.
     *
     * @param operand         its number
     * @param storage         its memory, on the host or of the device
     * @param elementStride   the distance between elements, in components
     * @param componentStride the distance between the components of an element
     */
    public abstract void bind(int operand, DatStorage storage, int elementStride, int componentStride);

    /**
     * Says where an operand is whose elements have one component and lie side by side.
     *
     * @param operand its number
     * @param storage its memory, on the host or of the device
     */
    public final void bind(int operand, DatStorage storage) {
        bind(operand, storage, 1, 1);
    }

    /**
     * Says where an operand is that is a vector on the host.
     *
     * @param operand its number
     * @param vector  the elements; not copied
     * @throws IllegalStateException if this rank is on a device
     */
    public abstract void bind(int operand, HostVector vector);

    /**
     * Lets whole numbers travel in the place of doubles.
     *
     * @param operand the number of an operand of double precision
     * @param values  the elements; not copied
     * @throws IllegalStateException if this rank is on a device
     */
    public abstract void bind(int operand, long[] values);

    /**
     * Packs messages and sends them off; on a device that is queued. What was sent may be written by what follows.
     *
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public final void start() {
        count++;
        send();
    }

    abstract void send();

    /**
     * Waits for what comes and puts it where it belongs; on a device that is queued.
     *
     * @return the nanoseconds that the host has waited; 0 on a host that does not measure them
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public abstract long finish();

    /**
     * Says whether devices order all messages among themselves, so that {@link #pack} and {@link #unpack} may take the
     * place of {@link #start} and {@link #finish}.
     *
     * @return false on the host
     */
    public abstract boolean isSelfOrdered();

    /**
     * Queues packing without a word to the neighbours, where {@link #isSelfOrdered} on all ranks.
     *
     * @throws IllegalStateException on the host
     */
    public abstract void pack();

    /**
     * Queues unpacking without a word from the neighbours, after {@link #pack}.
     *
     * @throws IllegalStateException on the host
     */
    public abstract void unpack();

    /**
     * Counts the calls of {@link #start}.
     *
     * @return at least 0
     */
    public final long count() {
        return count;
    }

    /**
     * Counts the neighbours that something goes to.
     *
     * @return how many messages this rank sends in an exchange
     */
    public final int sends() {
        return sends;
    }

    /**
     * Says whether this rank neither sends nor receives anything.
     *
     * @return true if there are no messages
     */
    public final boolean isEmpty() {
        return sends + receives == 0;
    }

    /**
     * Returns what this rank sends in an exchange.
     *
     * @return the size of all messages, in bytes
     */
    public final long bytes() {
        return bytes;
    }

    /**
     * Counts the messages to a rank so far.
     *
     * @param rank the rank
     * @return 0 if nothing goes there
     */
    public final long messages(int rank) {
        return sendOf[rank] < 0 ? 0 : messagesOf(sendOf[rank]);
    }

    abstract long messagesOf(int send);

    /**
     * Says how messages travel.
     *
     * @return some words, for reports
     */
    public abstract String transport();

    /** Waits on a device until neighbours have what was sent, and releases its memory. Idempotent. */
    @Override
    public abstract void close();
}
