package org.trellis.distributed.communicate;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.trellis.common.Checks;

/** What the threads of one job share: whether it has failed, who has ended, channels and groups. */
final class ThreadJob {
    /** Between which ranks of which group a channel is. */
    record Route(Object group, int from, int to, int tag) {}

    private record Division(RankGroup group, long call, int colour) {}

    private final int ranks;
    private final Backoff patience;
    private final AtomicReference<Failure> failure = new AtomicReference<>();
    /** Set once a rank has ended, in whatever way. */
    private final AtomicReferenceArray<Boolean> ended;
    private final Map<Route, ThreadChannel> channels = new ConcurrentHashMap<>();
    private final Map<Division, RankGroup> groups = new ConcurrentHashMap<>();
    private final Map<Division, PublishedValues> bulletins = new ConcurrentHashMap<>();
    /** For each rank, what it does before it waits for others. */
    private final List<List<Runnable>> beforeWaiting;

    /** For each rank, the one that it waits for, from 1; 0 where it waits for none. For messages. */
    private final AtomicIntegerArray awaited;
    /** For each rank that waits, in what. */
    private final AtomicReferenceArray<Object> waitsIn;

    private record Failure(String message, Throwable cause) {}

    ThreadJob(int ranks, Backoff patience) {
        this.ranks = Checks.positive("number of ranks", ranks);
        this.patience = patience;
        this.ended = new AtomicReferenceArray<>(ranks);
        this.awaited = new AtomicIntegerArray(ranks);
        this.waitsIn = new AtomicReferenceArray<>(ranks);
        this.beforeWaiting = IntStream.range(0, ranks).<List<Runnable>>mapToObj(r -> new CopyOnWriteArrayList<>())
                .toList();
    }

    int ranks() {
        return ranks;
    }

    Backoff patience() {
        return patience;
    }

    /** Fails the job, unless it has failed already, and returns what to throw. */
    JobFailedException fail(String message, Throwable cause) {
        failure.compareAndSet(null, new Failure("the job of " + ranks + " ranks failed: " + message, cause));
        return exception();
    }

    /** Returns what a rank throws; only if the job has failed. */
    JobFailedException exception() {
        Failure first = failure.get();
        return new JobFailedException(first.message(), first.cause());
    }

    boolean hasFailed() {
        return failure.get() != null;
    }

    void requireRunning() {
        if (hasFailed()) {
            throw exception();
        }
    }

    void end(int rank) {
        ended.set(rank, true);
    }

    boolean hasEnded(int rank) {
        return ended.get(rank) != null;
    }

    ThreadChannel channel(Route route, int bytes) {
        return channels.computeIfAbsent(route, r -> new ThreadChannel(this, r, bytes));
    }

    RankGroup division(RankGroup parent, long call, int colour, List<Integer> members) {
        return groups.computeIfAbsent(new Division(parent, call, colour), d -> new RankGroup(this, members));
    }

    PublishedValues bulletin(RankGroup group, long call, int[] members, int owner) {
        return bulletins.computeIfAbsent(new Division(group, call, owner),
                d -> new PublishedValues(this, members, owner));
    }

    /** Returns what a rank does before it waits for others. */
    List<Runnable> beforeWaiting(int rank) {
        return beforeWaiting.get(rank);
    }

    /**
     * Waits until another rank has done something, as its number says.
     *
     * @param own    who waits, of the whole job
     * @param peer   the other rank, of the whole job
     * @param wanted examined again and again
     * @param what   what is waited for, for the message
     */
    void await(int own, int peer, Progress wanted, long count, Object what) {
        if (wanted.count() < count && !beforeWaiting.get(own).isEmpty()) {
            beforeWaiting.get(own).forEach(Runnable::run);
        }
        await(own, peer, wanted, count, what, 0);
    }

    /** Waits asleep, without taking a processor from ranks that compute; code that does what is awaited wakes it. */
    void awaitQuietly(int own, int peer, Progress wanted, long count, Object what) {
        await(own, peer, wanted, count, what, patience.longestSleep());
    }

    private void await(int own, int peer, Progress wanted, long count, Object what, int first) {
        long began = 0;
        for (int round = first; wanted.count() < count; round++) {
            if (patience.isTimeToLook(round)) {
                if (began == 0) {
                    began = System.nanoTime();
                    waitsIn.setPlain(own, what);
                    awaited.setRelease(own, peer + 1);
                }
                requireRunning();
                if (hasEnded(peer) && wanted.count() < count) {
                    throw fail("rank " + peer + " has ended, and " + what + " waits for it", null);
                }
                if (patience.isOver(began)) {
                    throw fail(what + " waited " + patience + " for rank " + peer
                            + ", expected that to be enough (trellis.distributed.timeout)" + others(peer), null);
                }
            }
            patience.pause(round);
        }
        if (began != 0) {
            awaited.setRelease(own, 0);
        }
    }

    /** Says what a rank that has been waited for waits for itself, and so on to the one that holds up all. */
    private String others(int rank) {
        StringBuilder text = new StringBuilder();
        BitSet seen = new BitSet();
        int at = rank;
        for (int next = awaited.getAcquire(at); next > 0 && !seen.get(at); next = awaited.getAcquire(at)) {
            seen.set(at);
            text.append("; ").append(waitsIn.get(at)).append(" waits for rank ").append(next - 1);
            at = next - 1;
        }
        return seen.get(at) ? text.toString() : text.append("; rank ").append(at).append(" waits for none").toString();
    }

    /** Something that another rank counts up. */
    @FunctionalInterface
    interface Progress {
        /** Returns how far the rank has come. */
        long count();
    }
}
