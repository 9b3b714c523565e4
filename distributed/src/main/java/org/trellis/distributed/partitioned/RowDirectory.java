package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;

/**
 * Says which rank owns a row and as which of its rows. Spread over the ranks like a telephone book: the entries of a
 * block of consecutive indices are with one rank, which the others ask. Takes 8 bytes a row altogether.
 */
public final class RowDirectory {
    private static final int NONE = -1;

    private final Communicator communicator;
    private final RowRanges ranges;
    private final long first;
    private final int[] owners;
    private final int[] places;

    /**
     * Where rows are.
     *
     * @param owners the rank that owns each
     * @param places its local index there
     */
    public record Locations(int[] owners, int[] places) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Locations that && Arrays.equals(owners, that.owners)
                    && Arrays.equals(places, that.places);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(owners) + Arrays.hashCode(places);
        }

        @Override
        public String toString() {
            return "ranks " + Arrays.toString(owners) + " at " + Arrays.toString(places);
        }
    }

    private RowDirectory(Communicator communicator, RowRanges ranges) {
        this.communicator = communicator;
        this.ranges = ranges;
        this.first = ranges.start(communicator.rank());
        int count = (int) (ranges.start(communicator.rank() + 1) - first);
        this.owners = new int[count];
        this.places = new int[count];
        Arrays.fill(owners, NONE);
    }

    /**
     * Makes the directory. Collective; one exchange.
     *
     * @param communicator the ranks
     * @param rows         number of rows of the whole matrix
     * @param owned        the rows of this rank, in their local order
     * @return the directory
     * @throws IllegalArgumentException if a row does not exist, or belongs to two ranks or to none; names it. On
     *                                  whichever rank it shows; the job then fails on all
     */
    public static RowDirectory of(Communicator communicator, long rows, long[] owned) {
        RowDirectory directory = new RowDirectory(communicator, new RowRanges(rows, communicator.size()));
        Packet[] packets = new Packet[communicator.size()];
        for (int i = 0; i < owned.length; i++) {
            if (owned[i] < 0 || owned[i] >= rows) {
                throw new IllegalArgumentException("rank " + communicator.rank() + " brings row " + owned[i]
                        + ", expected 0 to " + (rows - 1));
            }
            packetFor(packets, directory.ranges.blockOf(owned[i])).put(owned[i]).put(i);
        }
        byte[][] received = communicator.exchange(bytes(packets));
        for (int from = 0; from < received.length; from++) {
            directory.register(from, Packet.of(received[from]));
        }
        for (int i = 0; i < directory.owners.length; i++) {
            if (directory.owners[i] == NONE) {
                throw new IllegalArgumentException("row " + (directory.first + i)
                        + " is brought by no rank, expected one");
            }
        }
        return directory;
    }

    private void register(int from, Packet packet) {
        while (packet.hasMore()) {
            long row = packet.getLong();
            int at = (int) (row - first);
            if (owners[at] != NONE) {
                throw new IllegalArgumentException("row " + row + " is brought by rank " + owners[at] + " and by rank "
                        + from + ", expected one");
            }
            owners[at] = from;
            places[at] = packet.getInt();
        }
    }

    /**
     * Returns the packet for a rank, which is made if there is none yet.
     *
     * @param packets one for each rank, or null
     * @param rank    the rank
     * @return its packet
     */
    public static Packet packetFor(Packet[] packets, int rank) {
        if (packets[rank] == null) {
            packets[rank] = new Packet();
        }
        return packets[rank];
    }

    /**
     * Returns what was written into packets.
     *
     * @param packets one for each rank, or null
     * @return the bytes of each, null where there is none: messages for an exchange
     */
    public static byte[][] bytes(Packet[] packets) {
        byte[][] messages = new byte[packets.length][];
        for (int rank = 0; rank < packets.length; rank++) {
            messages[rank] = packets[rank] == null ? null : packets[rank].toBytes();
        }
        return messages;
    }

    /**
     * Finds rows. Collective; two exchanges.
     *
     * @param rows the global indices of any rows that exist, another number on each rank
     * @return where they are
     */
    public Locations find(long[] rows) {
        Packet[] questions = new Packet[communicator.size()];
        for (long row : rows) {
            packetFor(questions, ranges.blockOf(row)).put(row);
        }
        byte[][] asked = communicator.exchange(bytes(questions));
        byte[][] answers = new byte[asked.length][];
        for (int from = 0; from < asked.length; from++) {
            Packet question = Packet.of(asked[from]);
            Packet answer = new Packet();
            while (question.hasMore()) {
                int at = (int) (question.getLong() - first);
                answer.put(owners[at]).put(places[at]);
            }
            answers[from] = answer.toBytes();
        }
        byte[][] answered = communicator.exchange(answers);
        Packet[] readers = new Packet[answered.length];
        Arrays.setAll(readers, rank -> Packet.of(answered[rank]));
        Locations found = new Locations(new int[rows.length], new int[rows.length]);
        for (int i = 0; i < rows.length; i++) {
            Packet reader = readers[ranges.blockOf(rows[i])];
            found.owners[i] = reader.getInt();
            found.places[i] = reader.getInt();
        }
        return found;
    }
}
