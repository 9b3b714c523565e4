package org.trellis.adapt;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;

/**
 * Threads of one adaptation. Work is cut into pieces of fixed size, so that what is done does not depend on threads.
 */
final class Team implements AutoCloseable {
    private final int threads;
    private final ForkJoinPool pool;

    Team(int threads) {
        this.threads = Checks.positive("number of threads", threads);
        pool = threads == 1 ? null : new ForkJoinPool(threads);
    }

    int threads() {
        return threads;
    }

    /** Runs a task on pieces of a range. Whoever is free takes the next piece. */
    <W> void run(int count, int grain, Supplier<W> workspace, ParallelRanges.WorkspaceTask<W> task) {
        int pieces = Math.ceilDiv(count, grain);
        if (pool == null || pieces <= 1) {
            if (count > 0) {
                task.run(0, count, workspace.get());
            }
            return;
        }
        AtomicInteger next = new AtomicInteger();
        ConcurrentLinkedQueue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
        Runnable work = () -> {
            try {
                W mine = workspace.get();
                for (int p = next.getAndIncrement(); p < pieces; p = next.getAndIncrement()) {
                    task.run(p * grain, Math.min(count, (p + 1) * grain), mine);
                }
            } catch (RuntimeException e) {
                failures.add(e);
                next.set(pieces);
            }
        };
        IntStream.range(0, Math.min(threads, pieces)).mapToObj(t -> pool.submit(work)).toList()
                .forEach(ForkJoinTask::join);
        if (!failures.isEmpty()) {
            throw failures.peek();
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }
}
