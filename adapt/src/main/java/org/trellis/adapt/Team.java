package org.trellis.adapt;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;

/**
 * Threads of one adaptation: the caller and its helpers. Work is cut into pieces of fixed size, so that what is done
 * does not depend on threads. An adaptation has thousands of short parallel steps, so helpers look for the next one for
 * a moment before they sleep, and the caller waits for pieces, not for helpers: one that wakes up late costs nothing.
 */
final class Team implements AutoCloseable {
    /** How long a helper looks for work before it sleeps. */
    private static final long PATIENCE_NANOS = 20_000;
    /** How often the caller looks whether the last pieces are done before it lets others have the core. */
    private static final int LOOKS = 1000;

    private final int threads;
    private final Helper[] helpers;
    private final PhaseClock clock = new PhaseClock();
    private volatile Job<?> job;
    private volatile boolean closed;

    Team(int threads) {
        this.threads = Checks.positive("number of threads", threads);
        helpers = new Helper[threads - 1];
        Arrays.setAll(helpers, i -> new Helper());
        for (Helper helper : helpers) {
            helper.start();
        }
    }

    int threads() {
        return threads;
    }

    /** Returns the clock that the caller's thread keeps. */
    PhaseClock clock() {
        return clock;
    }

    /** Runs a task on pieces of a range. A thread that is free takes the next piece. */
    <W> void run(int count, int grain, Supplier<W> workspace, ParallelRanges.WorkspaceTask<W> task) {
        int pieces = Math.ceilDiv(count, grain);
        if (pieces <= 1) {
            if (count > 0) {
                task.run(0, count, workspace.get());
            }
            return;
        }
        long begin = System.nanoTime();
        if (helpers.length == 0) {
            task.run(0, count, workspace.get());
            clock.shared(System.nanoTime() - begin, System.nanoTime() - begin);
            return;
        }
        Job<W> mine = new Job<>(count, grain, pieces, workspace, task);
        job = mine;
        for (int i = 0; i < Math.min(helpers.length, pieces - 1); i++) {
            helpers[i].wake();
        }
        mine.work();
        await(mine);
        job = null;
        clock.shared(System.nanoTime() - begin, mine.busy.get());
        RuntimeException failure = mine.failure.get();
        if (failure != null) {
            throw failure;
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a helper that has lost its core has the last piece
    private static void await(Job<?> mine) {
        for (int look = 0; mine.done.get() < mine.pieces; look++) {
            if (look < LOOKS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Helper helper : helpers) {
            LockSupport.unpark(helper);
        }
    }

    /** One parallel step. Those who come when all pieces are taken leave again. */
    private static final class Job<W> {
        private final int count;
        private final int grain;
        private final int pieces;
        private final Supplier<W> workspace;
        private final ParallelRanges.WorkspaceTask<W> task;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicLong busy = new AtomicLong();
        private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

        Job(int count, int grain, int pieces, Supplier<W> workspace, ParallelRanges.WorkspaceTask<W> task) {
            this.count = count;
            this.grain = grain;
            this.pieces = pieces;
            this.workspace = workspace;
            this.task = task;
        }

        void work() {
            W mine = null;
            for (int p = next.getAndIncrement(); p < pieces; p = next.getAndIncrement()) {
                long begin = System.nanoTime();
                try {
                    if (failure.get() == null) {
                        mine = mine == null ? workspace.get() : mine;
                        task.run(p * grain, Math.min(count, (p + 1) * grain), mine);
                    }
                } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                } finally {
                    busy.getAndAdd(System.nanoTime() - begin);
                    done.getAndIncrement();
                }
            }
        }
    }

    /** A thread that takes part in each step it is in time for. */
    private final class Helper extends Thread {
        private volatile boolean sleeps;

        Helper() {
            super("trellis-adapt");
            setDaemon(true);
        }

        void wake() {
            if (sleeps) {
                LockSupport.unpark(this);
            }
        }

        @Override
        public void run() {
            Job<?> last = null;
            while (!closed) {
                Job<?> found = await(last);
                if (found != null) {
                    found.work();
                    last = found;
                }
            }
        }

        /** Returns a step other than the last, or null if there was none before it slept. */
        private Job<?> await(Job<?> last) {
            long begin = System.nanoTime();
            while (!closed) {
                Job<?> found = job;
                if (found != null && found != last) {
                    return found;
                }
                if (System.nanoTime() - begin > PATIENCE_NANOS) {
                    sleeps = true;
                    if (job == found && !closed) {
                        LockSupport.park(Team.this);
                    }
                    sleeps = false;
                    return null;
                }
                Thread.onSpinWait();
            }
            return null;
        }
    }
}
