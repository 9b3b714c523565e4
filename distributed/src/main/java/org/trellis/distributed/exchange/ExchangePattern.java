package org.trellis.distributed.exchange;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;

/**
 * Who has what for whom, and where it lands: for each rank the places of this rank's elements that go there, and the
 * places that what comes from it takes, in the order in which it sends. A forest of stars whose roots are elements at
 * their owners and whose leaves are the copies (J. Zhang et al., IEEE Trans. Parallel Distrib. Syst. 33(4), 2022,
 * section 3). What a rank has for itself is in the lists too; no message carries it.
 */
public final class ExchangePattern {
    private final int[][] sends;
    private final int[][] receives;

    private ExchangePattern(int[][] sends, int[][] receives) {
        this.sends = sends;
        this.receives = receives;
    }

    /**
     * Takes lists that are known.
     *
     * @param sends    for each rank the places of what goes to it; not copied
     * @param receives for each rank the places of what comes from it, in the order of its list; not copied
     * @return the links
     * @throws IllegalArgumentException if there are not as many lists of both
     */
    public static ExchangePattern of(int[][] sends, int[][] receives) {
        Checks.length("number of lists of what comes", receives.length, sends.length);
        return new ExchangePattern(sends, receives);
    }

    /**
     * Lets owners know what is needed of them. Collective; one exchange of all with all.
     *
     * @param communicator the ranks
     * @param owners       the owner of each element that this rank needs
     * @param there        the place of each where it is owned
     * @param here         the place of each on this rank
     * @return the links, with elements in the order in which they were given
     * @throws IllegalArgumentException if there are not as many of each
     */
    public static ExchangePattern asked(Communicator communicator, int[] owners, int[] there, int[] here) {
        Checks.length("number of places at owners", there.length, owners.length);
        Checks.length("number of places", here.length, owners.length);
        int[] counts = new int[communicator.size()];
        for (int owner : owners) {
            counts[owner]++;
        }
        int[][] receives = new int[counts.length][];
        int[][] wanted = new int[counts.length][];
        for (int rank = 0; rank < counts.length; rank++) {
            receives[rank] = new int[counts[rank]];
            wanted[rank] = new int[counts[rank]];
        }
        Arrays.fill(counts, 0);
        for (int i = 0; i < owners.length; i++) {
            int at = counts[owners[i]]++;
            receives[owners[i]][at] = here[i];
            wanted[owners[i]][at] = there[i];
        }
        byte[][] questions = new byte[counts.length][];
        for (int rank = 0; rank < counts.length; rank++) {
            questions[rank] = wanted[rank].length == 0
                    ? null
                    : new Packet(wanted[rank].length * Integer.BYTES).put(wanted[rank], 0, wanted[rank].length)
                            .toBytes();
        }
        byte[][] asked = communicator.exchange(questions);
        int[][] sends = new int[counts.length][];
        for (int rank = 0; rank < counts.length; rank++) {
            sends[rank] = new int[asked[rank].length / Integer.BYTES];
            Packet.of(asked[rank]).get(sends[rank], 0, sends[rank].length);
        }
        return new ExchangePattern(sends, receives);
    }

    /**
     * Returns the number of ranks.
     *
     * @return how many lists there are of either kind
     */
    public int ranks() {
        return sends.length;
    }

    /**
     * Returns what goes to a rank.
     *
     * @param rank the rank
     * @return the places. Not to be changed
     */
    public int[] sends(int rank) {
        return sends[rank];
    }

    /**
     * Returns where what comes from a rank lands.
     *
     * @param rank the rank
     * @return the places, in the order in which it sends. Not to be changed
     */
    public int[] receives(int rank) {
        return receives[rank];
    }

    /**
     * Turns the links round: copies go to their owners.
     *
     * @return links of the same lists
     */
    public ExchangePattern reversed() {
        return new ExchangePattern(receives, sends);
    }

    /**
     * Lets what comes land elsewhere.
     *
     * @param places the new place of each old one
     * @return links with the same senders
     */
    public ExchangePattern landing(IntUnaryOperator places) {
        int[][] in = new int[receives.length][];
        Arrays.setAll(in, rank -> Arrays.stream(receives[rank]).map(places).toArray());
        return new ExchangePattern(sends, in);
    }

    /**
     * Names what is sent otherwise, such as by places where owners were asked for numbers.
     *
     * @param places the place of each old one
     * @return links with the same receivers
     */
    public ExchangePattern sending(IntUnaryOperator places) {
        int[][] out = new int[sends.length][];
        Arrays.setAll(out, rank -> Arrays.stream(sends[rank]).map(places).toArray());
        return new ExchangePattern(out, receives);
    }

    /**
     * Lets what comes from other ranks land one behind the other, rank by rank.
     *
     * @param self this rank, from which nothing comes any more
     * @return links with the same senders
     */
    public ExchangePattern inOrder(int self) {
        int[][] in = new int[receives.length][];
        int next = 0;
        for (int rank = 0; rank < in.length; rank++) {
            in[rank] = new int[rank == self ? 0 : receives[rank].length];
            for (int i = 0; i < in[rank].length; i++) {
                in[rank][i] = next++;
            }
        }
        return new ExchangePattern(sends, in);
    }

    /**
     * Counts the elements that go to other ranks.
     *
     * @param self this rank
     * @return at least 0
     */
    public int sent(int self) {
        return Arrays.stream(sends).mapToInt(list -> list.length).sum() - sends[self].length;
    }

    /**
     * Counts the elements that come from other ranks.
     *
     * @param self this rank
     * @return at least 0
     */
    public int received(int self) {
        return Arrays.stream(receives).mapToInt(list -> list.length).sum() - receives[self].length;
    }

    /**
     * Counts the ranks that something goes to.
     *
     * @param self this rank, which is not counted
     * @return at least 0
     */
    public int neighbours(int self) {
        int count = 0;
        for (int rank = 0; rank < sends.length; rank++) {
            count += rank != self && sends[rank].length > 0 ? 1 : 0;
        }
        return count;
    }

    @Override
    public String toString() {
        return "links of " + Arrays.stream(sends).mapToInt(list -> list.length).sum() + " elements to and "
                + Arrays.stream(receives).mapToInt(list -> list.length).sum() + " from " + sends.length + " ranks";
    }
}
