package org.trellis.cuda.mesh;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;

/**
 * The order in which a device takes the targets of a loop that run their elements. Runs of consecutive targets stay
 * together, so that neighbouring threads read neighbouring values; runs that share elements come into one group, so
 * that what a block of threads reads is small and meets in its cache. A group grows from its first run by the one that
 * shares most elements with it, the first to be found among equals: patches of a lattice, whatever the length of its
 * rows.
 */
final class TargetRuns {
    /** Consecutive targets of a run: whole sectors of values that lie component by component. */
    static final int LENGTH = 32;
    /** Runs of a group: those of a block of 256 threads, and the first half of them those of a smaller one. */
    private static final int GROUP = 256 / LENGTH;
    /** Groups that a thread makes of the runs that follow each other. */
    private static final int GROUPS_PER_TASK = 1 << 9;
    /** Of so many groups one is counted. */
    private static final int SAMPLE = 16;
    /** The share of the targets that consecutive runs reach from which on another order does not pay. */
    private static final double WORTHWHILE = 0.9;

    private final int[] offsets;
    private final int[] places;
    private final int[][] slots;
    private final int targets;
    private final int elements;
    private final int[] shared;
    private final boolean[] taken;
    private final int[] order;

    private TargetRuns(SignedInverse inverse, List<int[]> slots, int targets) {
        this.offsets = inverse.offsets();
        this.places = inverse.places();
        this.slots = slots.toArray(int[][]::new);
        this.targets = targets;
        this.elements = this.slots[0].length;
        int runs = Math.ceilDiv(targets, LENGTH);
        this.shared = new int[runs];
        this.taken = new boolean[runs];
        this.order = new int[runs];
    }

    /**
     * Orders the runs. All threads go through the lists of all targets once.
     *
     * @param inverse the elements of each target, slot after slot
     * @param slots   the target of each element through each slot
     * @param targets the number of targets
     * @return the runs, 0 to targets / length, in the order of their numbers unless groups in another one
     *         reach a tenth fewer targets
     */
    static int[] of(SignedInverse inverse, List<int[]> slots, int targets) {
        TargetRuns runs = new TargetRuns(inverse, slots, targets);
        int[] plain = new int[runs.order.length];
        Arrays.setAll(plain, run -> run);
        if (slots.size() < 2) {
            return plain;
        }
        ParallelRanges.run(Math.ceilDiv(plain.length, GROUP), GROUPS_PER_TASK,
                (from, to) -> runs.groups(from * GROUP, Math.min(plain.length, to * GROUP)));
        return runs.reached(runs.order) < WORTHWHILE * runs.reached(plain) ? runs.order : plain;
    }

    /** Groups some runs that follow each other among themselves. */
    private void groups(int from, int to) {
        int[] found = new int[GROUP];
        int count = 0;
        int next = from;
        for (int at = from; at < to; at++) {
            if ((at - from) % GROUP == 0) {
                for (int i = 0; i < count; i++) {
                    shared[found[i]] = 0;
                }
                count = 0;
            }
            int best = best(found, count);
            if (best < 0) {
                while (taken[next]) {
                    next++;
                }
                best = next;
            }
            order[at] = best;
            taken[best] = true;
            for (int p = offsets[best * LENGTH]; p < offsets[Math.min(targets, (best + 1) * LENGTH)]; p++) {
                int element = places[p] % elements;
                for (int[] slot : slots) {
                    int run = slot[element] / LENGTH;
                    if (run >= from && run < to && !taken[run] && shared[run]++ == 0) {
                        found = count < found.length ? found : Arrays.copyOf(found, 2 * count);
                        found[count++] = run;
                    }
                }
            }
        }
    }

    /** The run outside of the group that shares most with it, −1 if none does. */
    private int best(int[] found, int count) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (!taken[found[i]] && (best < 0 || shared[found[i]] > shared[best])) {
                best = found[i];
            }
        }
        return best;
    }

    /** Counts the targets that groups reach, each once for each group, in a sample of them. */
    private long reached(int[] runs) {
        int[] seen = new int[targets];
        long count = 0;
        for (int group = 0; group * GROUP < runs.length; group += SAMPLE) {
            for (int at = group * GROUP; at < Math.min(runs.length, (group + 1) * GROUP); at++) {
                for (int p = offsets[runs[at] * LENGTH]; p < offsets[Math.min(targets,
                        (runs[at] + 1) * LENGTH)]; p++) {
                    int element = places[p] % elements;
                    for (int[] slot : slots) {
                        count += seen[slot[element]] == group + 1 ? 0 : 1;
                        seen[slot[element]] = group + 1;
                    }
                }
            }
        }
        return count;
    }
}
