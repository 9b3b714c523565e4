package org.trellis.bench.measurement;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Says where a thread is in each phase of a program, from its stacks every two milliseconds: for programs that are run
 * where no profiler is. What a stack costs makes the program slower, by a few percent with stacks of fifty frames.
 */
final class PhaseSamples implements AutoCloseable {
    private static final int EVERY = 2;
    private static final String HOUSE = "org.trellis.";
    /** What hands work to all threads leads everywhere. */
    private static final String THREADS = "ParallelRanges";

    private final Thread sampled;
    private final int depth;
    private final Map<String, Map<String, Integer>> counts = new TreeMap<>();
    private final AtomicReference<String> phase = new AtomicReference<>("start");
    private final Thread sampler;

    /**
     * Begins.
     *
     * @param sampled whose stacks are taken
     * @param depth   how many of the house's methods are distinguished, from the innermost on
     */
    PhaseSamples(Thread sampled, int depth) {
        this.sampled = sampled;
        this.depth = depth;
        this.sampler = Thread.ofPlatform().daemon().name("samples").start(this::sample);
    }

    /** What goes on from now on. */
    void phase(String name) {
        phase.set(name);
    }

    private void sample() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(EVERY);
                String path = path(sampled.getStackTrace());
                synchronized (counts) {
                    counts.computeIfAbsent(phase.get(), name -> new HashMap<>()).merge(path, 1, Integer::sum);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The innermost frame, where it is not ours, and the methods of ours that lead there. */
    private String path(StackTraceElement... stack) {
        StringBuilder text = new StringBuilder();
        int ours = 0;
        for (int k = 0; k < stack.length && ours < depth; k++) {
            boolean own = stack[k].getClassName().startsWith(HOUSE) && !stack[k].getClassName().contains(THREADS);
            if (own || k == 0) {
                String name = stack[k].getClassName();
                text.append(text.isEmpty() ? "" : " < ").append(name.substring(name.lastIndexOf('.') + 1)).append('.')
                        .append(stack[k].getMethodName());
                ours += own ? 1 : 0;
            }
        }
        return text.toString();
    }

    /** Prints the most frequent paths of each phase since the last call, with milliseconds. */
    void print(int most) {
        synchronized (counts) {
            counts.forEach((name, paths) -> paths.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())).limit(most)
                    .forEach(entry -> System.out.println(String.format(Locale.ROOT, "  %-12s %5d ms %s", name,
                            EVERY * entry.getValue(), entry.getKey()))));
            counts.clear();
        }
    }

    @Override
    public void close() {
        sampler.interrupt();
    }
}
