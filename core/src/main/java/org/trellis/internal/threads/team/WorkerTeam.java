package org.trellis.internal.threads.team;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.trellis.common.Checks;

/**
 * A fixed number of threads that work on one task at a time: the caller and daemon threads that wait for it. A waiting
 * thread spins for about a tenth of a millisecond, so that tasks in close succession start within a microsecond, and
 * then sleeps.
 *
 * <p>The caller waits for no thread that has not begun: if other programs have the processors, it does all units itself
 * and shuts out who comes late. So it waits only for units that a thread has taken, spinning first and then asleep.
 */
public final class WorkerTeam implements AutoCloseable {
    private static final long SPIN_NANOSECONDS = 100_000;
    /** Looks at the clock once in so many rounds of spinning. */
    private static final int ROUNDS_PER_CLOCK = 64;
    /** Rounds of spinning, a few tens of microseconds, before the caller sleeps until a taken unit is done. */
    private static final int JOIN_SPINS = 1_000;
    /** Teams of the process, by size. */
    private static final Map<Integer, WorkerTeam> SHARED = new ConcurrentHashMap<>();

    private final UnitRange units;
    private final Worker[] workers;
    private final boolean spins;
    private final boolean shared;
    private final AtomicBoolean busy = new AtomicBoolean();
    private UnitTask task;
    /** The caller, once it sleeps until a worker is done. */
    private volatile Thread sleeper;
    /** Number of the latest task; writing it publishes {@link #task} and the units to the workers. */
    private volatile int epoch;
    private volatile boolean closed;

    /**
     * Starts the threads.
     *
     * @param threads how many, the caller among them; at least 1
     * @throws IllegalArgumentException if there are fewer threads than 1
     */
    @MustBeClosed
    public WorkerTeam(int threads) {
        this(threads, false);
    }

    private WorkerTeam(int threads, boolean shared) {
        this.shared = shared;
        this.units = new UnitRange(Checks.positive("threads", threads));
        this.spins = threads <= Runtime.getRuntime().availableProcessors();
        this.workers = new Worker[threads - 1];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(i + 1);
            workers[i].setDaemon(true);
            workers[i].start();
        }
    }

    /**
     * Returns a team that all callers of this process share. A caller that comes while another thread is using it does
     * the units alone, so no caller waits for another. Closing it does nothing.
     *
     * @param threads how many, the caller among them; at least 1
     * @return the team of that size
     * @throws IllegalArgumentException if there are fewer threads than 1
     */
    public static WorkerTeam shared(int threads) {
        return SHARED.computeIfAbsent(Checks.positive("threads", threads), size -> new WorkerTeam(size, true));
    }

    /**
     * Returns the number of threads.
     *
     * @return at least 1, the caller included
     */
    public int size() {
        return workers.length + 1;
    }

    /**
     * Runs a task and returns when all of it is done. Writes made before are seen by all units; writes of all units are
     * seen by the caller afterwards.
     *
     * @param count number of units
     * @param work  called once for each unit, on any thread
     * @throws IllegalStateException if the team is closed, or another thread is using it and it is not shared
     */
    public void run(int count, UnitTask work) {
        boolean mine = busy.compareAndSet(false, true);
        if (!mine && shared) {
            runAlone(count, work);
            return;
        }
        if (closed || !mine) {
            throw new IllegalStateException(closed
                    ? "worker team is closed"
                    : "worker team is in use by another thread; open one backend for each calling thread");
        }
        try {
            if (workers.length == 0 || count < 2) {
                runAlone(count, work);
            } else {
                runShared(count, work);
            }
        } finally {
            busy.setRelease(false);
        }
    }

    private static void runAlone(int count, UnitTask work) {
        for (int unit = 0; unit < count; unit++) {
            work.run(unit);
        }
    }

    private void runShared(int count, UnitTask work) {
        units.share(count);
        task = work;
        int current = epoch + 1;
        epoch = current;
        for (Worker worker : workers) {
            worker.wake();
        }
        try {
            takeUnits(0, work);
        } finally {
            for (Worker worker : workers) {
                if (!worker.shutOut(current)) {
                    worker.join(current);
                }
            }
            task = null;
        }
        for (Worker worker : workers) {
            worker.rethrow();
        }
    }

    private void takeUnits(int thread, UnitTask work) {
        for (int unit = units.take(thread); unit != UnitRange.NONE; unit = units.take(thread)) {
            work.run(unit);
        }
    }

    /** Ends the threads, unless they are shared. Idempotent. */
    @Override
    public void close() {
        if (shared) {
            return;
        }
        closed = true;
        int last = epoch + 1;
        epoch = last;
        for (Worker worker : workers) {
            worker.wake();
        }
    }

    /** A thread that waits for tasks. */
    private final class Worker extends Thread {
        private final int number;
        /** The latest task that this thread has begun, or that has ended without it. */
        private final AtomicInteger gate = new AtomicInteger();
        private volatile int done;
        private volatile boolean asleep;
        private RuntimeException failure;
        private Error error;

        Worker(int number) {
            super("trellis-worker-" + number);
            this.number = number;
        }

        @Override
        public void run() {
            int seen = 0;
            while (true) {
                seen = await(seen);
                if (closed) {
                    return;
                }
                if (gate.compareAndSet(seen - 1, seen)) {
                    work();
                    done = seen;
                    Thread caller = sleeper;
                    if (caller != null) {
                        LockSupport.unpark(caller);
                    }
                }
            }
        }

        /** Ends a task for this thread unless it has begun it; every task either begins or ends here. */
        boolean shutOut(int current) {
            return gate.compareAndSet(current - 1, current);
        }

        private void work() {
            try {
                takeUnits(number, task);
            } catch (RuntimeException e) {
                failure = e;
            } catch (Error e) {
                error = e;
            }
        }

        private int await(int seen) {
            if (spins && spin(seen)) {
                return epoch;
            }
            asleep = true;
            while (epoch == seen) {
                LockSupport.park(WorkerTeam.this);
            }
            asleep = false;
            return epoch;
        }

        private boolean spin(int seen) {
            long start = System.nanoTime();
            do {
                for (int i = 0; i < ROUNDS_PER_CLOCK; i++) {
                    if (epoch != seen) {
                        return true;
                    }
                    Thread.onSpinWait();
                }
            } while (System.nanoTime() - start < SPIN_NANOSECONDS);
            return false;
        }

        void wake() {
            if (asleep) {
                LockSupport.unpark(this);
            }
        }

        /** Waits as long as a unit takes: units are computations of this process, which wait for no other. */
        void join(int wanted) {
            for (int i = 0; i < JOIN_SPINS && spins; i++) {
                if (done == wanted) {
                    return;
                }
                Thread.onSpinWait();
            }
            sleeper = Thread.currentThread();
            while (done != wanted) {
                LockSupport.park(WorkerTeam.this);
            }
            sleeper = null;
        }

        void rethrow() {
            RuntimeException thrown = failure;
            Error fatal = error;
            failure = null;
            error = null;
            if (fatal != null) {
                throw fatal;
            }
            if (thrown != null) {
                throw thrown;
            }
        }
    }
}
