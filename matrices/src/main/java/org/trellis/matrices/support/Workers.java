package org.trellis.matrices.support;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** The threads of one read or write; the caller's is the first of them. */
public final class Workers implements AutoCloseable {

    private static final ThreadFactory DAEMONS = task -> {
        Thread thread = new Thread(task, "trellis-matrix-file");
        thread.setDaemon(true);
        return thread;
    };

    private final int threads;
    private final ExecutorService others;

    /** What one thread does of a common task. */
    @FunctionalInterface
    public interface Share {

        /**
         * Does the share of one thread.
         *
         * @param worker its number, from 0
         * @throws IOException if reading or writing fails
         */
        void run(int worker) throws IOException;
    }

    /**
     * Makes threads; {@link #close} ends them.
     *
     * @param threads how many there are with the caller's, at least 1
     */
    @MustBeClosed
    public Workers(int threads) {
        this.threads = threads;
        this.others = threads > 1 ? Executors.newFixedThreadPool(threads - 1, DAEMONS) : null;
    }

    /**
     * Returns how many threads share a task.
     *
     * @return at least 1
     */
    public int threads() {
        return threads;
    }

    /**
     * Runs a task on every thread and returns when the last has ended.
     *
     * @param share what each thread does
     * @throws IOException the exception of the worker with the lowest number; others are suppressed in it
     * @throws IllegalStateException if a worker ended in another checked exception, which is the cause
     */
    public void run(Share share) throws IOException {
        List<Future<?>> futures = new ArrayList<>();
        for (int worker = 1; worker < threads; worker++) {
            int number = worker;
            futures.add(others.submit(() -> {
                share.run(number);
                return null;
            }));
        }
        Throwable failure = null;
        try {
            share.run(0);
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        for (Future<?> future : futures) {
            failure = combine(failure, outcome(future));
        }
        rethrow(failure);
    }

    private static Throwable outcome(Future<?> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    future.get();
                    return null;
                } catch (ExecutionException e) {
                    return e.getCause();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Throwable combine(Throwable first, Throwable next) {
        if (first == null || next == null || first == next) {
            return first == null ? next : first;
        }
        first.addSuppressed(next);
        return first;
    }

    private static void rethrow(Throwable failure) throws IOException {
        switch (failure) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        if (others != null) {
            others.shutdown();
        }
    }
}
