package org.trellis.distributed.multigrid;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.memory.HostVector;

/**
 * Brings chosen elements of a distributed vector to a rank, in the order in which it wants them: one message from each
 * rank that owns some, through persistent channels that the first exchange opens. Elements of its own are copied.
 */
final class Imports {
    private final Communicator communicator;
    private final int tag;
    private final int count;
    private final RowDirectory.Locations found;
    /** By rank, the places of what it wants from here; by rank, where what comes from it goes. */
    private final int[][] sent;
    private final int[][] received;
    private final int[] neighboursOut;
    private final int[] neighboursIn;
    private SendChannel[] sends;
    private ReceiveChannel[] receives;
    private int bytes;

    /**
     * Finds out who owns what. Collective; three exchanges.
     *
     * @param communicator the ranks
     * @param tag          tells the messages apart from those of other objects of the communicator
     * @param directory    who owns which element
     * @param wanted       the global indices of the elements that this rank wants
     */
    Imports(Communicator communicator, int tag, RowDirectory directory, long[] wanted) {
        this.communicator = communicator;
        this.tag = tag;
        this.count = wanted.length;
        this.found = directory.find(wanted);
        int size = communicator.size();
        int[] counts = new int[size];
        for (int owner : found.owners()) {
            counts[owner]++;
        }
        received = new int[size][];
        byte[][] questions = new byte[size][];
        int[] at = new int[size];
        Packet[] packets = new Packet[size];
        for (int rank = 0; rank < size; rank++) {
            received[rank] = new int[counts[rank]];
            packets[rank] = new Packet();
        }
        for (int i = 0; i < count; i++) {
            int owner = found.owners()[i];
            received[owner][at[owner]++] = i;
            packets[owner].put(found.places()[i]);
        }
        for (int rank = 0; rank < size; rank++) {
            questions[rank] = counts[rank] == 0 ? null : packets[rank].toBytes();
        }
        byte[][] asked = communicator.exchange(questions);
        sent = new int[size][];
        for (int rank = 0; rank < size; rank++) {
            sent[rank] = new int[asked[rank].length / Integer.BYTES];
            Packet packet = Packet.of(asked[rank]);
            for (int i = 0; i < sent[rank].length; i++) {
                sent[rank][i] = packet.getInt();
            }
        }
        neighboursOut = others(sent);
        neighboursIn = others(received);
    }

    private int[] others(int[][] lists) {
        int[] ranks = new int[lists.length];
        int found = 0;
        for (int rank = 0; rank < lists.length; rank++) {
            if (rank != communicator.rank() && lists[rank].length > 0) {
                ranks[found++] = rank;
            }
        }
        return Arrays.copyOf(ranks, found);
    }

    /** Returns how many elements come. */
    int count() {
        return count;
    }

    /** Returns the rank that owns what was wanted at a place. */
    int owner(int number) {
        return found.owners()[number];
    }

    /** Returns the local index of what was wanted at a place on the rank that owns it. */
    int place(int number) {
        return found.places()[number];
    }

    /** Counts the messages that a rank sends in an exchange. */
    int messages() {
        return neighboursOut.length;
    }

    /** Returns the local indices of what a rank wants from here. */
    int[] sentTo(int rank) {
        return sent[rank];
    }

    /** Returns the places, among what is wanted, of what comes from a rank. */
    int[] receivedFrom(int rank) {
        return received[rank];
    }

    /** Counts what comes from other ranks than one. */
    int fromOthers(int self) {
        return count - received[self].length;
    }

    /**
     * Numbers what is wanted where elements of this rank stay where they are: by their local indices, those of others
     * from a number on, rank by rank.
     */
    int[] places(int self, int first) {
        int[] places = new int[count];
        int next = first;
        for (int rank = 0; rank < received.length; rank++) {
            for (int i = 0; i < received[rank].length; i++) {
                places[received[rank][i]] = rank == self ? sent[self][i] : next++;
            }
        }
        return places;
    }

    private void open(int elementBytes) {
        if (bytes == elementBytes) {
            return;
        }
        if (bytes != 0) {
            throw new IllegalStateException("elements of " + elementBytes + " bytes are to be exchanged, expected "
                    + bytes + " as before");
        }
        bytes = elementBytes;
        sends = new SendChannel[neighboursOut.length];
        receives = new ReceiveChannel[neighboursIn.length];
        for (int i = 0; i < receives.length; i++) {
            receives[i] = communicator.receiveFrom(neighboursIn[i], tag, received[neighboursIn[i]].length * bytes);
        }
        for (int i = 0; i < sends.length; i++) {
            sends[i] = communicator.sendTo(neighboursOut[i], tag, sent[neighboursOut[i]].length * bytes);
        }
    }

    /** What an exchange reads and writes, element by element. */
    private interface Elements {
        void put(ByteBuffer buffer, int at, int place);

        void get(ByteBuffer buffer, int at, int place);

        void copy(int from, int to);
    }

    private void exchange(Elements elements) {
        for (ReceiveChannel receive : receives) {
            receive.start();
        }
        for (int i = 0; i < sends.length; i++) {
            sends[i].await();
            int[] places = sent[neighboursOut[i]];
            for (int k = 0; k < places.length; k++) {
                elements.put(sends[i].buffer(), k * bytes, places[k]);
            }
            sends[i].start();
        }
        int[] from = sent[communicator.rank()];
        int[] to = received[communicator.rank()];
        for (int k = 0; k < from.length; k++) {
            elements.copy(from[k], to[k]);
        }
        for (int i = 0; i < receives.length; i++) {
            receives[i].await();
            int[] places = received[neighboursIn[i]];
            for (int k = 0; k < places.length; k++) {
                elements.get(receives[i].buffer(), k * bytes, places[k]);
            }
            receives[i].release();
        }
    }

    /**
     * Brings elements. Collective among neighbours.
     *
     * @param own  the owned elements, perhaps with others behind them
     * @param into where what is wanted goes, in the order in which it was wanted
     * @param at   where the first of it goes
     */
    void exchange(HostVector own, HostVector into, int at) {
        open(own.precision().bytes());
        exchange(own.precision() == Precision.F64 ? new Doubles(own, into, at) : new Floats(own, into, at));
    }

    /** Brings elements: doubles, those that come behind those that are owned. */
    void exchange(double[] elements, int owned) {
        open(Double.BYTES);
        exchange(new DoubleArray(elements, owned));
    }

    /** Brings whole numbers, those that come behind those that are owned. */
    void exchange(long[] elements, int owned) {
        open(Long.BYTES);
        exchange(new Longs(elements, owned));
    }

    /**
     * Brings rows. Collective; one exchange of all with all.
     *
     * @param own rows in the order of the owned elements
     * @return those that are wanted, in that order
     */
    RowBlock rows(RowBlock own) {
        byte[][] messages = new byte[sent.length][];
        for (int rank = 0; rank < sent.length; rank++) {
            Packet packet = new Packet();
            for (int place : sent[rank]) {
                own.write(place, packet);
            }
            messages[rank] = sent[rank].length == 0 ? null : packet.toBytes();
        }
        byte[][] answers = communicator.exchange(messages);
        RowBlockBuilder builder = new RowBlockBuilder(own.precision(), count);
        int[] placeOf = new int[count];
        int at = 0;
        for (int rank = 0; rank < answers.length; rank++) {
            builder.addAll(Packet.of(answers[rank]));
            for (int place : received[rank]) {
                placeOf[place] = at++;
            }
        }
        return builder.build().select(placeOf);
    }

    private record Doubles(HostVector own, HostVector into, int shift) implements Elements {
        @Override
        public void put(ByteBuffer buffer, int at, int place) {
            buffer.putDouble(at, own.get(place));
        }

        @Override
        public void get(ByteBuffer buffer, int at, int place) {
            into.set(shift + place, buffer.getDouble(at));
        }

        @Override
        public void copy(int from, int to) {
            into.set(shift + to, own.get(from));
        }
    }

    private record Floats(HostVector own, HostVector into, int shift) implements Elements {
        @Override
        public void put(ByteBuffer buffer, int at, int place) {
            buffer.putFloat(at, (float) own.get(place));
        }

        @Override
        public void get(ByteBuffer buffer, int at, int place) {
            into.set(shift + place, buffer.getFloat(at));
        }

        @Override
        public void copy(int from, int to) {
            into.set(shift + to, own.get(from));
        }
    }

    /** Elements of an array, those that come behind the owned ones. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record DoubleArray(double[] elements, int shift) implements Elements {
        @Override
        public void put(ByteBuffer buffer, int at, int place) {
            buffer.putDouble(at, elements[place]);
        }

        @Override
        public void get(ByteBuffer buffer, int at, int place) {
            elements[shift + place] = buffer.getDouble(at);
        }

        @Override
        public void copy(int from, int to) {
            elements[shift + to] = elements[from];
        }
    }

    /** Whole numbers of an array, those that come behind the owned ones. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Longs(long[] elements, int shift) implements Elements {
        @Override
        public void put(ByteBuffer buffer, int at, int place) {
            buffer.putLong(at, elements[place]);
        }

        @Override
        public void get(ByteBuffer buffer, int at, int place) {
            elements[shift + place] = buffer.getLong(at);
        }

        @Override
        public void copy(int from, int to) {
            elements[shift + to] = elements[from];
        }
    }
}
