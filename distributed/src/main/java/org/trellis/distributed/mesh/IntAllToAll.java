package org.trellis.distributed.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;

/** Whole numbers on their way from each rank to each. What a rank sends to itself is handed over, not sent. */
final class IntAllToAll {
    private static final int FIRST_CAPACITY = 64;
    private static final int[] NOTHING = {};

    private final Directory homes;
    private final int[][] numbers;
    private final int[] counts;

    IntAllToAll(Directory homes) {
        this.homes = homes;
        this.numbers = new int[homes.ranks()][];
        this.counts = new int[homes.ranks()];
        Arrays.fill(numbers, NOTHING);
    }

    private int[] room(int rank, int more) {
        int[] has = numbers[rank];
        long needed = (long) counts[rank] + more;
        if (needed > has.length) {
            int least = Checks.arrayLength("message to rank " + rank, needed);
            long doubled = Math.max(FIRST_CAPACITY, 2L * has.length);
            has = Arrays.copyOf(has, (int) Math.max(least, Math.min(Checks.LONGEST_ARRAY, doubled)));
            numbers[rank] = has;
        }
        return has;
    }

    /** Expects that so many more numbers go to a rank, so that memory is taken once. */
    void expect(int rank, int more) {
        if (counts[rank] + (long) more > numbers[rank].length) {
            numbers[rank] = Arrays.copyOf(numbers[rank],
                    Checks.arrayLength("message to rank " + rank, counts[rank] + (long) more));
        }
    }

    /** Adds a number to what goes to a rank. */
    void put(int rank, int number) {
        int at = counts[rank];
        int[] has = numbers[rank];
        if (at == has.length) {
            has = room(rank, 1);
        }
        has[at] = number;
        counts[rank] = at + 1;
    }

    /** Adds two numbers to what goes to a rank. */
    void put(int rank, int one, int other) {
        int at = counts[rank];
        int[] has = numbers[rank];
        if (at + 1 >= has.length) {
            has = room(rank, 2);
        }
        has[at] = one;
        has[at + 1] = other;
        counts[rank] = at + 2;
    }

    /** Adds a part of an array to what goes to a rank. */
    void put(int rank, int[] values, int from, int count) {
        System.arraycopy(values, from, room(rank, count), counts[rank], count);
        counts[rank] += count;
    }

    /** Returns what has been put for a rank so far; a new array. */
    int[] written(int rank) {
        return Arrays.copyOf(numbers[rank], counts[rank]);
    }

    /** Sends everything; returns what came from each rank. Called by all ranks; at most once. */
    int[][] send() {
        for (int rank = 0; rank < numbers.length; rank++) {
            if (numbers[rank].length != counts[rank]) {
                numbers[rank] = Arrays.copyOf(numbers[rank], counts[rank]);
            }
        }
        return homes.exchange(numbers);
    }

    /**
     * Sends numbers from each rank to each. Called by all ranks.
     *
     * @param communicator the ranks
     * @param numbers      what goes to each rank; let go while it is sent
     * @return what came from each rank; of this rank the array itself
     */
    static int[][] exchange(Communicator communicator, int[]... numbers) {
        byte[][] messages = new byte[numbers.length][];
        int own = communicator.rank();
        int[] kept = numbers[own];
        for (int rank = 0; rank < messages.length; rank++) {
            if (rank != own && numbers[rank].length > 0) {
                messages[rank] = new byte[Checks.arrayLength("bytes of a message to rank " + rank,
                        (long) Integer.BYTES * numbers[rank].length)];
                ByteBuffer.wrap(messages[rank]).order(ByteOrder.nativeOrder()).asIntBuffer().put(numbers[rank]);
            }
            numbers[rank] = null;
        }
        byte[][] received = communicator.exchange(messages);
        int[][] result = new int[received.length][];
        for (int rank = 0; rank < result.length; rank++) {
            result[rank] = rank == own ? kept : new int[received[rank].length / Integer.BYTES];
            if (rank != own) {
                ByteBuffer.wrap(received[rank]).order(ByteOrder.nativeOrder()).asIntBuffer().get(result[rank]);
            }
            received[rank] = null;
        }
        return result;
    }

    /**
     * Sends numbers from each rank to each. Called by all ranks.
     *
     * @param communicator the ranks
     * @param numbers      what goes to each rank; let go while it is sent
     * @return what came from each rank; of this rank the array itself
     */
    static double[][] exchange(Communicator communicator, double[]... numbers) {
        byte[][] messages = new byte[numbers.length][];
        int own = communicator.rank();
        double[] kept = numbers[own];
        for (int rank = 0; rank < messages.length; rank++) {
            if (rank != own && numbers[rank].length > 0) {
                messages[rank] = new byte[Checks.arrayLength("bytes of a message to rank " + rank,
                        (long) Double.BYTES * numbers[rank].length)];
                ByteBuffer.wrap(messages[rank]).order(ByteOrder.nativeOrder()).asDoubleBuffer().put(numbers[rank]);
            }
            numbers[rank] = null;
        }
        byte[][] received = communicator.exchange(messages);
        double[][] result = new double[received.length][];
        for (int rank = 0; rank < result.length; rank++) {
            result[rank] = rank == own ? kept : new double[received[rank].length / Double.BYTES];
            if (rank != own) {
                ByteBuffer.wrap(received[rank]).order(ByteOrder.nativeOrder()).asDoubleBuffer().get(result[rank]);
            }
            received[rank] = null;
        }
        return result;
    }
}
