package org.trellis.distributed.communicate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.trellis.common.Configuration;

/**
 * Runs a program on ranks that are platform threads of this process. For tests, for laptops, and for one process with
 * several devices: each rank opens a backend of its own.
 */
public final class ThreadRanks {
    private ThreadRanks() {}

    /**
     * What each rank does.
     *
     * @param <T> the type of its result
     */
    @FunctionalInterface
    public interface RankTask<T> {
        /**
         * Runs on one rank.
         *
         * @param communicator this rank's view of all; closed when the task has ended
         * @return its result
         */
        T run(Communicator communicator);
    }

    /**
     * Runs a task on several ranks, with the time that settings give for waiting.
     *
     * @param <T>   the type of results
     * @param ranks how many ranks, at least 1
     * @param task  what each does
     * @return the results by rank
     * @throws IllegalArgumentException if the number of ranks is less than 1
     * @throws JobFailedException       if a rank failed; the cause is what it threw
     */
    public static <T> List<T> run(int ranks, RankTask<T> task) {
        return run(ranks, Backoff.configured(Configuration.load()), task);
    }

    /**
     * Runs a task on several ranks. If one fails, the others are ended: those that wait for it at once, those that
     * compute when they next communicate; a rank that does not come to an end within the patience is left behind as a
     * daemon thread, and the message mentions it.
     *
     * @param <T>      the type of results
     * @param ranks    how many ranks, at least 1
     * @param patience how long a rank waits for others before the job fails
     * @param task     what each does
     * @return the results by rank
     * @throws IllegalArgumentException if the number of ranks is less than 1, or the patience not positive
     * @throws JobFailedException       if a rank failed; the cause is what it threw
     */
    public static <T> List<T> run(int ranks, Duration patience, RankTask<T> task) {
        ThreadJob job = new ThreadJob(ranks, new Backoff(patience, ranks));
        RankGroup world = new RankGroup(job, IntStream.range(0, ranks).boxed().toList());
        List<Worker<T>> workers = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            workers.add(new Worker<>(job, new ThreadCommunicator(world, rank), task));
        }
        workers.forEach(Thread::start);
        String left = join(job, workers);
        if (job.hasFailed()) {
            JobFailedException failure = job.exception();
            throw left.isEmpty() ? failure : new JobFailedException(failure.getMessage() + left, failure.getCause());
        }
        return workers.stream().map(worker -> worker.result).toList();
    }

    /**
     * Waits for all ranks, once the job has failed for no longer than the patience; names who is left. Before that
     * there is no limit: a rank that others wait for fails the job by their limits, and one that computes may.
     */
    private static <T> String join(ThreadJob job, List<Worker<T>> workers) {
        long failedAt = 0;
        boolean interrupted = false;
        StringBuilder left = new StringBuilder();
        for (Worker<T> worker : workers) {
            while (worker.isAlive()) {
                try {
                    TimeUnit.MILLISECONDS.timedJoin(worker, 20);
                } catch (InterruptedException e) {
                    interrupted = true;
                    job.fail("the thread that started it was interrupted", e);
                }
                if (job.hasFailed()) {
                    failedAt = failedAt == 0 ? System.nanoTime() : failedAt;
                    worker.interrupt();
                    if (job.patience().isOver(failedAt)) {
                        left.append("; rank ").append(worker.communicator.rank()).append(" still runs after ")
                                .append(job.patience());
                        break;
                    }
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return left.toString();
    }

    /** The thread of one rank. */
    private static final class Worker<T> extends Thread {
        private final ThreadJob job;
        private final Communicator communicator;
        private final RankTask<T> task;
        private T result;

        Worker(ThreadJob job, Communicator communicator, RankTask<T> task) {
            super("trellis-rank-" + communicator.rank());
            this.job = job;
            this.communicator = communicator;
            this.task = task;
            setDaemon(true);
        }

        @Override
        public void run() {
            try (communicator) {
                result = task.run(communicator);
            } catch (RuntimeException | Error e) {
                // Whatever ends a rank ends the job, and reaches the caller as its cause.
                job.fail("rank " + communicator.rank() + " ended with " + e, e);
            } finally {
                job.end(communicator.rank());
            }
        }
    }
}
