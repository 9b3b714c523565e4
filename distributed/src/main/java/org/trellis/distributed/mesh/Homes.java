package org.trellis.distributed.mesh;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.MeshSet;

/**
 * Where everybody finds out about an element while a mesh is divided that no rank has whole: its home, which is one of
 * as many blocks of consecutive elements as there are ranks, like the pages of a telephone book that is torn into
 * pieces.
 */
final class Homes {
    private final Communicator communicator;

    Homes(Communicator communicator) {
        this.communicator = communicator;
    }

    Communicator communicator() {
        return communicator;
    }

    int ranks() {
        return communicator.size();
    }

    int of(MeshSet set, int element) {
        return (int) ((long) element * ranks() / set.size());
    }

    /** The first element that is at home on this rank. */
    int first(MeshSet set) {
        return first(set, communicator.rank());
    }

    /** The first element that is not at home on this rank, but on the next ones. */
    int end(MeshSet set) {
        return first(set, communicator.rank() + 1);
    }

    private int first(MeshSet set, int rank) {
        return (int) Math.ceilDiv((long) rank * set.size(), (long) ranks());
    }

    /**
     * Asks for a number of each of some elements. Called by all ranks.
     *
     * @param set    their set
     * @param asked  the elements
     * @param answer knows the number of an element that is at home here
     * @return the numbers, in the order of the elements
     */
    int[] ask(MeshSet set, int[] asked, IntUnaryOperator answer) {
        HomeMail questions = new HomeMail(communicator);
        for (int element : asked) {
            questions.to(of(set, element)).put(element);
        }
        Packet[] from = questions.send();
        HomeMail answers = new HomeMail(communicator);
        for (int rank = 0; rank < from.length; rank++) {
            while (from[rank].hasMore()) {
                answers.to(rank).put(answer.applyAsInt(from[rank].getInt()));
            }
        }
        Packet[] back = answers.send();
        int[] numbers = new int[asked.length];
        for (int i = 0; i < asked.length; i++) {
            numbers[i] = back[of(set, asked[i])].getInt();
        }
        return numbers;
    }

    /**
     * Refuses what a rank has found wrong with what was brought, on all ranks and with one message. Called by all.
     *
     * @param problem what this rank has found, or null
     * @throws IllegalArgumentException with the first rank's problem, if any has one
     */
    void require(String problem) {
        byte[] own = problem == null ? new byte[0] : problem.getBytes(StandardCharsets.UTF_8);
        byte[][] messages = new byte[ranks()][];
        Arrays.fill(messages, own);
        for (byte[] found : communicator.exchange(messages)) {
            if (found.length > 0) {
                throw new IllegalArgumentException(new String(found, StandardCharsets.UTF_8));
            }
        }
    }
}
