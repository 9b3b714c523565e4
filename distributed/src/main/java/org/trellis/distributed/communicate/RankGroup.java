package org.trellis.distributed.communicate;

import java.util.List;

/**
 * The threads of a group, and where they meet for collective operations. Each call of a rank is written into one of two
 * places in turn. A place is free again when its rank makes the next but one call: it has then met all others in the
 * call between, and they would not be there had they not finished with this one.
 */
final class RankGroup {
    /** What is called; ranks must agree. */
    enum Operation {
        /** Sums, minima and maxima of doubles. */
        REDUCE_DOUBLES("all-reduce of doubles"),
        /** Sums, minima and maxima of longs. */
        REDUCE_LONGS("all-reduce of longs"),
        /** One to all. */
        BROADCAST("broadcast"),
        /** All to one. */
        GATHER("gather"),
        /** All to all. */
        EXCHANGE("exchange"),
        /** No data. */
        BARRIER("barrier"),
        /** New groups. */
        SPLIT("split"),
        /** Values that one rank brings. */
        BULLETIN("bulletin");

        private final String label;

        Operation(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** A call of one rank. Its plain fields are written before and read after the volatile one. */
    static final class Call {
        private final int rank;
        private Operation operation;
        private Object detail = Operation.BARRIER;
        private int length;
        private double[] doubles = {};
        private long[] longs = {};
        private byte[][] messages = {};
        private volatile long number;
        /** How far the rank has come; made once, since ranks wait for it in every call. */
        private final ThreadJob.Progress progress = () -> number;
        private final Waiting waiting;

        private Call(int rank, int member) {
            this.rank = rank;
            this.waiting = new Waiting(member, this);
        }

        double[] doubles() {
            return doubles;
        }

        long[] longs() {
            return longs;
        }

        byte[][] messages() {
            return messages;
        }

        private boolean agreesWith(Call other) {
            return operation == other.operation && detail.equals(other.detail) && length == other.length;
        }

        @Override
        public String toString() {
            return switch (operation) {
                case REDUCE_DOUBLES, REDUCE_LONGS -> operation + " by " + detail + " of " + length
                        + " elements";
                case BROADCAST -> "broadcast from rank " + detail;
                case GATHER -> "gather to rank " + detail;
                case BULLETIN -> "bulletin of rank " + detail;
                default -> operation.toString();
            };
        }
    }

    /** Names a rank in a call, if a message wants to. */
    private record Waiting(int member, Call call) {
        @Override
        public String toString() {
            return "rank " + member + " in " + call;
        }
    }

    private final ThreadJob job;
    /** The rank within the whole job of each member. */
    private final int[] members;
    private final Call[][] calls;

    RankGroup(ThreadJob job, List<Integer> members) {
        this.job = job;
        this.members = members.stream().mapToInt(Integer::intValue).toArray();
        this.calls = new Call[2][members.size()];
        for (Call[] turn : calls) {
            for (int rank = 0; rank < turn.length; rank++) {
                turn[rank] = new Call(rank, this.members[rank]);
            }
        }
    }

    ThreadJob job() {
        return job;
    }

    int size() {
        return members.length;
    }

    int member(int rank) {
        return members[rank];
    }

    /** Copies numbers to where other ranks may read them. */
    void prepare(int rank, long number, double[] values) {
        Call call = calls[(int) (number & 1)][rank];
        if (call.doubles.length < values.length) {
            call.doubles = new double[values.length];
        }
        System.arraycopy(values, 0, call.doubles, 0, values.length);
    }

    /** Copies numbers to where other ranks may read them. */
    void prepare(int rank, long number, long[] values) {
        Call call = calls[(int) (number & 1)][rank];
        if (call.longs.length < values.length) {
            call.longs = new long[values.length];
        }
        System.arraycopy(values, 0, call.longs, 0, values.length);
    }

    /** Puts messages where other ranks may read them; they must not change afterwards. */
    void prepare(int rank, long number, byte[]... messages) {
        calls[(int) (number & 1)][rank].messages = messages;
    }

    /**
     * Meets the other ranks in a call, for which this rank has prepared its data.
     *
     * @param rank      who calls
     * @param number    the how manieth call of this rank it is, from 1
     * @param operation what is called
     * @param detail    the reduction, the root, or the operation again
     * @param length    the number of elements, if ranks must agree on it
     * @return the calls of all ranks
     */
    Call[] meet(int rank, long number, Operation operation, Object detail, int length) {
        post(rank, number, operation, detail, length);
        return await(rank, number);
    }

    /** Lets the other ranks know of a call, for which this rank has prepared its data, without waiting for theirs. */
    void post(int rank, long number, Operation operation, Object detail, int length) {
        job.requireRunning();
        Call own = calls[(int) (number & 1)][rank];
        own.operation = operation;
        own.detail = detail;
        own.length = length;
        own.number = number;
    }

    /** Waits until the other ranks have made a call that this rank has made; returns the calls of all. */
    Call[] await(int rank, long number) {
        Call[] turn = calls[(int) (number & 1)];
        Call own = turn[rank];
        for (Call other : turn) {
            if (other.number < number) {
                job.await(members[rank], members[other.rank], other.progress, number, own.waiting);
            }
            if (!own.agreesWith(other)) {
                int first = Math.min(rank, other.rank);
                int second = Math.max(rank, other.rank);
                throw job.fail("ranks called different collective operations: rank " + members[first] + " "
                        + turn[first] + ", rank " + members[second] + " " + turn[second], null);
            }
        }
        return turn;
    }
}
