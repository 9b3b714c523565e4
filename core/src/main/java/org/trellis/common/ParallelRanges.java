package org.trellis.common;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Runs a task over pieces of an index range on the threads of the JVM's common pool, the caller among them. For work on
 * data structures that no backend is asked for, such as sums and products of matrices. A piece that is the whole range
 * runs on the caller alone.
 *
 * <p>Where the range is cut depends on the machine, so a task must compute the same for each index wherever the cuts
 * are; {@link #sum} cuts at fixed places.
 */
public final class ParallelRanges {
    private static final int PIECES_PER_THREAD = 8;
    /**
     * Numbers that one thread adds up more slowly than all do: it needs a nanosecond for each, and the JVM's tasks have
     * taken a tenth of a second for a million while they were not compiled.
     */
    private static final int WORTHWHILE_SUMS = 1 << 25;
    /** Indices of a strip, which take some hundred nanoseconds at least. */
    private static final int STRIP = 64;
    /** Steps of a few nanoseconds that are worth handing over. */
    private static final double WORTHWHILE_STEPS = 1 << 17;

    private ParallelRanges() {}

    /**
     * Runs a task.
     *
     * @param count number of indices
     * @param grain indices that are worth a piece, at least 1
     * @param task  called for pieces that together are the range, on any thread
     * @throws IllegalArgumentException if there is a negative number of indices or none are worth a piece
     */
    public static void run(int count, int grain, RangeTask task) {
        int pieces = pieces(count, grain);
        if (pieces == 1) {
            task.run(0, count);
        } else {
            IntStream.range(0, pieces).parallel()
                    .forEach(p -> task.run(bound(p, pieces, count), bound(p + 1, pieces, count)));
        }
    }

    /**
     * Runs a task that prepares nothing for a call, in strips of 64 indices. Loops that run a few times in a program
     * want this: a JVM compiles what is called some hundred times, and all threads have the code with the next call.
     * Long pieces, which are called a few times, are interpreted first, and then count branches for the compiler in
     * memory that all threads write: the first mesh of a process took twice as long on sixteen threads.
     *
     * @param count number of indices
     * @param grain indices that are worth a piece, at least 1
     * @param task  called for strips that together are the range, on any thread
     * @throws IllegalArgumentException if there is a negative number of indices or none are worth a piece
     */
    public static void strips(int count, int grain, RangeTask task) {
        run(count, grain, (from, to) -> {
            for (int at = from; at < to;) {
                int end = to - at > STRIP ? at + STRIP : to;
                task.run(at, end);
                at = end;
            }
        });
    }

    /**
     * Runs a task that needs workspace in strips of 64 indices, as {@link #strips(int, int, RangeTask)} does.
     *
     * @param <W>       the type of the workspace
     * @param count     number of indices
     * @param grain     indices that are worth a piece, at least 1
     * @param workspace makes one; it is handed from piece to piece as the task leaves it
     * @param task      called for strips that together are the range, on any thread
     */
    public static <W> void strips(int count, int grain, Supplier<W> workspace, WorkspaceTask<W> task) {
        run(count, grain, workspace, (from, to, mine) -> {
            for (int at = from; at < to;) {
                int end = to - at > STRIP ? at + STRIP : to;
                task.run(at, end, mine);
                at = end;
            }
        });
    }

    /**
     * Says how many indices are worth a piece where work is unevenly spread, such as rows with their entries.
     *
     * @param count number of indices
     * @param steps of a few nanoseconds for all of them, such as entries
     * @return at least 1
     */
    public static int grain(int count, long steps) {
        return (int) Math.clamp(count * (WORTHWHILE_STEPS / Math.max(1, steps)), 1, Math.max(1, count));
    }

    /**
     * Runs a task that needs workspace, of which no more is made than threads take part.
     *
     * @param <W>       the type of the workspace
     * @param count     number of indices
     * @param grain     indices that are worth a piece, at least 1
     * @param workspace makes one; it is handed from piece to piece as the task leaves it
     * @param task      called for pieces that together are the range, on any thread
     */
    public static <W> void run(int count, int grain, Supplier<W> workspace, WorkspaceTask<W> task) {
        ConcurrentLinkedQueue<W> idle = new ConcurrentLinkedQueue<>();
        run(count, grain, (from, to) -> {
            W taken = idle.poll();
            W mine = taken == null ? workspace.get() : taken;
            task.run(from, to, mine);
            idle.add(mine);
        });
    }

    /**
     * Adds up what a task returns for pieces of {@code grain} indices. The same bits on every machine.
     *
     * @param count number of indices
     * @param grain indices of a piece, at least 1
     * @param task  returns the sum over a piece
     * @return the sum, 0 of nothing
     * @throws IllegalArgumentException if there is a negative number of indices or a piece has none
     */
    public static double sum(int count, int grain, RangeSum task) {
        return sum(parts(count, grain, task));
    }

    /**
     * Adds up what a task that needs workspace returns for pieces of {@code grain} indices, as {@link #sum(int, int,
     * RangeSum)} does.
     *
     * @param <W>       the type of the workspace
     * @param count     number of indices
     * @param grain     indices of a piece, at least 1
     * @param workspace makes one; it is handed from piece to piece as the task leaves it
     * @param task      returns the sum over a piece
     * @return the sum, 0 of nothing
     * @throws IllegalArgumentException if there is a negative number of indices or a piece has none
     */
    public static <W> double sum(int count, int grain, Supplier<W> workspace, WorkspaceSum<W> task) {
        double[] parts = new double[Math.ceilDiv(count, Checks.positive("grain", grain))];
        run(parts.length, 1, workspace, (from, to, mine) -> {
            for (int p = from; p < to; p++) {
                parts[p] = task.run(p * grain, (int) Math.min(count, (p + 1L) * grain), mine);
            }
        });
        return sum(parts);
    }

    private static double sum(double[] parts) {
        double sum = 0;
        for (double part : parts) {
            sum += part;
        }
        return sum;
    }

    /**
     * Returns the greatest of what a task returns for pieces of {@code grain} indices.
     *
     * @param count number of indices
     * @param grain indices of a piece, at least 1
     * @param task  returns the greatest of a piece
     * @return the greatest by {@link Math#max}, 0 of nothing
     * @throws IllegalArgumentException if there is a negative number of indices or a piece has none
     */
    public static double max(int count, int grain, RangeSum task) {
        double greatest = 0;
        for (double part : parts(count, grain, task)) {
            greatest = Math.max(greatest, part);
        }
        return greatest;
    }

    /**
     * Replaces each number by the sum of those up to it, as counts become offsets.
     *
     * @param counts numbers, overwritten
     */
    public static void accumulate(int[] counts) {
        if (counts.length >= WORTHWHILE_SUMS) {
            Arrays.parallelPrefix(counts, Integer::sum);
            return;
        }
        int sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += counts[i];
            counts[i] = sum;
        }
    }

    /**
     * Looks at all indices for those that a condition holds of.
     *
     * @param count     number of indices
     * @param grain     indices that are worth a piece, at least 1
     * @param condition called once for each index before the one that is returned, on any thread; others may be left
     *                  out
     * @return the least index of which it holds, -1 if there is none
     * @throws IllegalArgumentException if there is a negative number of indices or none are worth a piece
     */
    public static int first(int count, int grain, IntPredicate condition) {
        AtomicInteger least = new AtomicInteger(count);
        strips(count, grain, (from, to) -> {
            int at = from;
            while (at < to && at < least.getOpaque() && !condition.test(at)) {
                at++;
            }
            if (at < to) {
                int found = at;
                least.getAndUpdate(now -> Math.min(now, found));
            }
        });
        return least.get() == count ? -1 : least.get();
    }

    private static double[] parts(int count, int grain, RangeSum task) {
        double[] parts = new double[Math.ceilDiv(count, Checks.positive("grain", grain))];
        run(parts.length, 1, (from, to) -> {
            for (int p = from; p < to; p++) {
                parts[p] = task.run(p * grain, (int) Math.min(count, (p + 1L) * grain));
            }
        });
        return parts;
    }

    private static int pieces(int count, int grain) {
        int most = ForkJoinPool.getCommonPoolParallelism() * PIECES_PER_THREAD;
        return Math.clamp(count / Checks.positive("grain", grain), 1, Math.max(1, most));
    }

    private static int bound(int piece, int pieces, int count) {
        return (int) ((long) count * piece / pieces);
    }

    /** Work on a piece of a range. */
    @FunctionalInterface
    public interface RangeTask {
        /**
         * Works on a piece.
         *
         * @param from first index
         * @param to   index after the last
         */
        void run(int from, int to);
    }

    /**
     * Work on a piece of a range that needs workspace.
     *
     * @param <W> the type of the workspace
     */
    @FunctionalInterface
    public interface WorkspaceTask<W> {
        /**
         * Works on a piece.
         *
         * @param from      first index
         * @param to        index after the last
         * @param workspace for this call alone
         */
        void run(int from, int to, W workspace);
    }

    /** A number for a piece of a range. */
    @FunctionalInterface
    public interface RangeSum {
        /**
         * Computes the number.
         *
         * @param from first index
         * @param to   index after the last
         * @return the number
         */
        double run(int from, int to);
    }

    /**
     * A number for a piece of a range that needs workspace.
     *
     * @param <W> the type of the workspace
     */
    @FunctionalInterface
    public interface WorkspaceSum<W> {
        /**
         * Computes the number.
         *
         * @param from      first index
         * @param to        index after the last
         * @param workspace for this call alone
         * @return the number
         */
        double run(int from, int to, W workspace);
    }
}
