package org.trellis.bench.measure;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;

/**
 * Measures what this machine can do at best with plain Java: the triad of STREAM (J. McCalpin, 1995), a read-only sum,
 * and fused multiply-adds in the first-level cache. Each thread first touches and then works on a part of its own.
 */
public final class BandwidthProbe {
    private static final int REPETITIONS = 10;
    private static final long LARGEST_ARRAY = 20_000_000;
    private static final long SMALLEST_ARRAY = 1_000_000;
    /** Three arrays of eight-byte elements are to take at most an eighth of the heap. */
    private static final long HEAP_SHARE = 8 * 3 * 8;
    private static final int BYTES_OF_TRIAD = 24;
    /** By numbers of threads. */
    private static final Map<Integer, Bandwidth> MEASURED = new ConcurrentHashMap<>();

    private final int threads;
    private final int partLength;

    /**
     * Creates a probe.
     *
     * @param threads threads at work, at least 1
     * @param length  elements of each array
     */
    public BandwidthProbe(int threads, int length) {
        this.threads = threads;
        this.partLength = Math.max(1, length / threads);
    }

    /**
     * Creates a probe with arrays of 160 MB, or less where the heap is small.
     *
     * @param threads threads at work, at least 1
     */
    public BandwidthProbe(int threads) {
        this(threads, (int) Math.max(SMALLEST_ARRAY,
                Math.min(LARGEST_ARRAY, Runtime.getRuntime().maxMemory() / HEAP_SHARE)));
    }

    /**
     * Returns what the machine can do with this number of threads, which a process measures once.
     *
     * @param threads threads at work, at least 1
     * @return what was measured when the number was first asked for
     * @throws IllegalStateException if the thread is interrupted meanwhile
     */
    public static Bandwidth ofMachine(int threads) {
        return MEASURED.computeIfAbsent(threads, number -> new BandwidthProbe(number).measure());
    }

    /**
     * Measures. Takes about a second.
     *
     * @return the best of ten repetitions of each kind
     * @throws IllegalStateException if the thread is interrupted meanwhile
     */
    public Bandwidth measure() {
        Worker[] workers = new Worker[threads];
        CyclicBarrier barrier = new CyclicBarrier(threads);
        Thread[] crew = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new Worker(barrier, partLength);
            crew[i] = Thread.ofPlatform().daemon().name("trellis-probe-" + i).start(workers[i]);
        }
        try {
            for (Thread thread : crew) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the bandwidth probe was interrupted", e);
        }
        return summary(workers);
    }

    private Bandwidth summary(Worker[] workers) {
        long length = (long) partLength * threads;
        return new Bandwidth(threads,
                BYTES_OF_TRIAD * length * 1e-9 / slowestOfBest(workers, 0),
                Long.BYTES * length * 1e-9 / slowestOfBest(workers, 1),
                threads * PeakKernel.FLOPS * 1e-9 / slowestOfBest(workers, 2),
                length * Double.BYTES);
    }

    /** A repetition lasts as long as its slowest thread; the best repetition counts. */
    private static double slowestOfBest(Worker[] workers, int kind) {
        double best = Double.POSITIVE_INFINITY;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            double slowest = 0;
            for (Worker worker : workers) {
                slowest = Math.max(slowest, worker.seconds[kind][repetition]);
            }
            best = Math.min(best, slowest);
        }
        return best;
    }

    /** One thread with its part of the arrays. */
    private static final class Worker implements Runnable {
        private static final int KINDS = 3;
        private static final int BLOCK = 2048;
        private static final int STREAMS = 4;

        private final CyclicBarrier barrier;
        private final int length;
        private final double[][] seconds = new double[KINDS][REPETITIONS];
        private double[] a;
        private double[] b;
        private double[] c;
        private long[] bits;
        private PeakKernel peak;

        Worker(CyclicBarrier barrier, int length) {
            this.barrier = barrier;
            this.length = length;
        }

        @Override
        public void run() {
            a = filled(0);
            b = filled(1);
            c = filled(2);
            repeat(0, this::triad);
            a = null;
            b = null;
            c = null;
            bits = new long[length];
            Arrays.fill(bits, 3);
            repeat(1, this::sum);
            bits = null;
            peak = new PeakKernel();
            repeat(2, peak::run);
        }

        private double[] filled(double value) {
            double[] array = new double[length];
            Arrays.fill(array, value);
            return array;
        }

        private void repeat(int kind, Runnable action) {
            action.run();
            action.run();
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                await();
                long start = System.nanoTime();
                action.run();
                seconds[kind][repetition] = (System.nanoTime() - start) * 1e-9;
            }
        }

        private void await() {
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException("the bandwidth probe was interrupted", e);
            }
        }

        private void triad() {
            for (int from = 0; from < length; from += BLOCK) {
                triad(a, b, c, from, Math.min(length, from + BLOCK));
            }
        }

        /** A block at a time, so that the compiler sees a method that is called often and not one endless loop. */
        private static void triad(double[] a, double[] b, double[] c, int from, int to) {
            for (int i = from; i < to; i++) {
                a[i] = b[i] + 3.0 * c[i];
            }
        }

        private void sum() {
            long total = 0;
            int quarter = length / STREAMS;
            for (int from = 0; from < quarter; from += BLOCK) {
                total += sum(bits, from, Math.min(quarter, from + BLOCK), quarter);
            }
            if (total == 1) {
                throw new IllegalStateException("the sum of " + length + " numbers is 1");
            }
        }

        /**
         * Four places at a time, as a product reads several arrays. Integers, since the compiler may not reorder a sum
         * of doubles and so cannot use vectors for it.
         */
        private static long sum(long[] array, int from, int to, int distance) {
            long total = 0;
            for (int i = from; i < to; i++) {
                total += array[i] + array[i + distance] + array[i + 2 * distance] + array[i + 3 * distance];
            }
            return total;
        }
    }
}
