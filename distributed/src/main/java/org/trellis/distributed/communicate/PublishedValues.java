package org.trellis.distributed.communicate;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Values that one rank computes and others may want to see, for ranks that are threads of one process. A value has a
 * new version whenever it has been computed anew, which all ranks count alike. The rank that computes never waits for
 * others to look, and brings a value here only if the program may still need it: when it looks at the value itself,
 * when it is going to change it, and when it waits for others ({@link #beforeWaiting}).
 */
public final class PublishedValues {
    private final ThreadJob job;
    private final int[] members;
    private final int owner;
    private final Map<Integer, Slot> slots = new ConcurrentHashMap<>();

    PublishedValues(ThreadJob job, int[] members, int owner) {
        this.job = job;
        this.members = members;
        this.owner = owner;
    }

    /**
     * Makes a bulletin that all ranks of a group see. Called by all.
     *
     * @param communicator the group
     * @param owner        the rank that brings values, the same on all
     * @return empty if the ranks are not threads of one process
     * @throws IllegalArgumentException if there is no such rank
     */
    public static Optional<PublishedValues> of(Communicator communicator, int owner) {
        CommunicatorChecks.root(communicator, owner);
        return communicator.innermost() instanceof ThreadCommunicator threads
                ? Optional.of(threads.bulletin(owner))
                : Optional.empty();
    }

    /**
     * Lets the owner do something before it waits for other ranks, in whatever call of a communicator: they may wait
     * for values that it has not brought so far.
     *
     * @param action brings them; run by the owner's thread, until {@link #waitsWithout}
     */
    public void beforeWaiting(Runnable action) {
        job.beforeWaiting(members[owner]).add(action);
    }

    /**
     * Takes back {@link #beforeWaiting}.
     *
     * @param action what was given there
     */
    public void waitsWithout(Runnable action) {
        job.beforeWaiting(members[owner]).remove(action);
    }

    /**
     * Returns the place of a value.
     *
     * @param number     which value, from 0, alike on all ranks
     * @param components how many numbers it is
     * @return the same on all ranks
     */
    public Slot slot(int number, int components) {
        return slots.computeIfAbsent(number, n -> new Slot(components));
    }

    /** One value, in some versions. The owner brings them in order; allocates nothing. */
    public final class Slot {
        /** Versions that are kept for ranks that are behind. */
        private static final int KEPT = 64;

        private final double[][] values;
        /** What is in each place: written behind its value, and read before. */
        private final AtomicLongArray versions = new AtomicLongArray(KEPT);
        /** For each rank, up to which version it wants nothing any more. */
        private final AtomicLongArray passed = new AtomicLongArray(members.length);
        /** For each rank, the thread that waits for a version, or null. */
        private final AtomicReferenceArray<Thread> waiting = new AtomicReferenceArray<>(members.length);

        private Slot(int components) {
            values = new double[KEPT][components];
            passed.set(owner, Long.MAX_VALUE);
        }

        /**
         * Says whether a rank may still ask for a version.
         *
         * @param version from 1
         * @return false once all have read it or have gone on
         */
        public boolean isWanted(long version) {
            return behind(version) >= 0;
        }

        private int behind(long version) {
            for (int rank = 0; rank < members.length; rank++) {
                if (passed.get(rank) < version) {
                    return rank;
                }
            }
            return -1;
        }

        /**
         * Waits a moment for ranks that may still want a version to say that they do not. Called by the owner; ends in
         * any case.
         *
         * @param version     from 1
         * @param nanoseconds how long at most
         */
        public void letPass(long version, long nanoseconds) {
            if (isWanted(version)) {
                long start = System.nanoTime();
                while (isWanted(version) && System.nanoTime() - start < nanoseconds) {
                    Thread.onSpinWait();
                }
            }
        }

        /**
         * Brings a version. Called by the owner; waits only if as many versions as are kept are requested by a rank
         * that does not come on.
         *
         * @param version higher than those before
         * @param from    its components; copied
         * @throws JobFailedException if the job has failed, or a rank does not come on
         */
        public void post(long version, double[] from) {
            int place = free();
            if (place < 0) {
                long oldest = oldest();
                int rank = behind(oldest);
                if (rank >= 0) {
                    job.awaitQuietly(members[owner], members[rank], () -> passed.get(rank), oldest, this);
                }
                post(version, from);
                return;
            }
            System.arraycopy(from, 0, values[place], 0, values[place].length);
            versions.set(place, version);
            for (int rank = 0; rank < members.length; rank++) {
                LockSupport.unpark(waiting.get(rank));
            }
        }

        private int free() {
            for (int place = 0; place < KEPT; place++) {
                if (behind(versions.get(place)) < 0) {
                    return place;
                }
            }
            return -1;
        }

        private long oldest() {
            long oldest = versions.get(0);
            for (int place = 1; place < KEPT; place++) {
                oldest = Math.min(oldest, versions.get(place));
            }
            return oldest;
        }

        /**
         * Says that a rank does not want a version, or any before it, any more.
         *
         * @param rank    the rank
         * @param version the version
         */
        public void pass(int rank, long version) {
            passed.set(rank, version);
        }

        /**
         * Waits for a version and looks at it. Neither it nor any before it is there for this rank afterwards.
         *
         * @param rank    who looks, not the owner
         * @param version from 1
         * @param target  as long as the value; overwritten
         * @throws JobFailedException if the job has failed, or the owner has ended or does not come to that version
         */
        public void read(int rank, long version, double[] target) {
            if (place(version) < 0) {
                waiting.set(rank, Thread.currentThread());
                job.awaitQuietly(members[rank], members[owner], () -> place(version) < 0 ? 0 : 1, 1, this);
                waiting.set(rank, null);
            }
            System.arraycopy(values[place(version)], 0, target, 0, target.length);
            pass(rank, version);
        }

        private int place(long version) {
            for (int place = 0; place < KEPT; place++) {
                if (versions.get(place) == version) {
                    return place;
                }
            }
            return -1;
        }

        @Override
        public String toString() {
            return "a value that rank " + members[owner] + " computes";
        }
    }
}
