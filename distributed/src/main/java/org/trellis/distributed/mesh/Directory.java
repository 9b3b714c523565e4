package org.trellis.distributed.mesh;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.mesh.MeshSet;

/**
 * Where a rank finds out about an element while a mesh is divided. If no rank has the mesh whole, that is the element's
 * home: one of as many blocks of consecutive elements as there are ranks, like the pages of a telephone book that is
 * torn into pieces. If every rank has it whole, each is at home to all elements: it asks itself, and nothing is sent.
 */
final class Directory {
    private final Communicator communicator;
    private final boolean whole;

    private Directory(Communicator communicator, boolean whole) {
        this.communicator = communicator;
        this.whole = whole;
    }

    /** Spreads elements over the ranks, by the user's numbers. */
    static Directory spread(Communicator communicator) {
        return new Directory(communicator, false);
    }

    /** Has all elements on every rank, by their current numbers. */
    static Directory whole(Communicator communicator) {
        return new Directory(communicator, true);
    }

    /** Says whether all elements are at home on every rank. */
    boolean isWhole() {
        return whole;
    }

    /** Says whether a rank finds out here about what is at home here. */
    boolean serves(int rank) {
        return !whole || rank == communicator.rank();
    }

    Communicator communicator() {
        return communicator;
    }

    int ranks() {
        return communicator.size();
    }

    int of(MeshSet set, int element) {
        return whole ? communicator.rank() : (int) ((long) element * ranks() / set.size());
    }

    /** The first element that is at home on this rank. */
    int first(MeshSet set) {
        return whole ? 0 : first(set, communicator.rank());
    }

    /** The first element that is not at home on this rank, but on the next ones. */
    int end(MeshSet set) {
        return whole ? set.size() : first(set, communicator.rank() + 1);
    }

    private int first(MeshSet set, int rank) {
        return (int) Math.ceilDiv((long) rank * set.size(), (long) ranks());
    }

    /** Finds homes of elements one after the other, of which many are at the home of the one before. */
    final class Finder {
        private final MeshSet set;
        private int rank;
        private int begin;
        private int end;

        Finder(MeshSet set) {
            this.set = set;
        }

        int of(int element) {
            if (element < begin || element >= end) {
                rank = Directory.this.of(set, element);
                begin = whole ? 0 : first(set, rank);
                end = whole ? set.size() : first(set, rank + 1);
            }
            return rank;
        }
    }

    Finder finder(MeshSet set) {
        return new Finder(set);
    }

    /**
     * Sorts elements by their homes.
     *
     * @param set      their set
     * @param elements the elements
     * @return for each home its elements, in the order in which they were
     */
    int[][] byHome(MeshSet set, int... elements) {
        Finder finder = finder(set);
        int[] counts = new int[ranks()];
        for (int element : elements) {
            counts[finder.of(element)]++;
        }
        int[][] result = new int[ranks()][];
        Arrays.setAll(result, rank -> new int[counts[rank]]);
        Arrays.fill(counts, 0);
        for (int element : elements) {
            int home = finder.of(element);
            result[home][counts[home]++] = element;
        }
        return result;
    }

    /** Cuts an array with a number for each element of a set into those of each home. */
    int[][] cut(MeshSet set, int... numbers) {
        int[][] result = new int[ranks()][];
        Arrays.setAll(result, rank -> Arrays.copyOfRange(numbers, first(set, rank), first(set, rank + 1)));
        return result;
    }

    /** Sends numbers to the homes of each rank and back; those for this rank are handed over. Called by all ranks. */
    int[][] exchange(int[]... numbers) {
        if (!whole) {
            return IntAllToAll.exchange(communicator, numbers);
        }
        int[][] own = new int[ranks()][0];
        own[communicator.rank()] = numbers[communicator.rank()];
        return own;
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
        int[][] questions = exchange(byHome(set, asked));
        for (int[] question : questions) {
            for (int i = 0; i < question.length; i++) {
                question[i] = answer.applyAsInt(question[i]);
            }
        }
        int[][] answers = exchange(questions);
        Finder finder = finder(set);
        int[] next = new int[ranks()];
        int[] numbers = new int[asked.length];
        for (int i = 0; i < asked.length; i++) {
            int home = finder.of(asked[i]);
            numbers[i] = answers[home][next[home]++];
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

    /** Makes numbers of things for each of some elements, one behind, into where those of each element start. */
    static void accumulate(int... counts) {
        for (int i = 1; i < counts.length; i++) {
            counts[i] = Math.addExact(counts[i - 1], counts[i]);
        }
    }
}
