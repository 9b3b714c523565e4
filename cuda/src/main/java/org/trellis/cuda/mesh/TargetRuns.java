package org.trellis.cuda.mesh;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.trellis.common.ParallelRanges;

/**
 * The order in which a device takes the targets of a loop that run their elements. Runs of consecutive targets stay
 * together, so that neighbouring threads read neighbouring values; runs that share elements come into one group, so
 * that what a block of threads reads is small and meets in its cache. A group grows from its first run by the one that
 * shares most elements with it, the first to be found among equals: patches of a lattice, whatever the length of its
 * rows.
 *
 * <p>What runs share is counted first, by all threads, for each run alone; groups grow by these counts. So the lists of
 * all targets are gone through once, in short methods that are compiled soon.
 */
final class TargetRuns {
    /** Consecutive targets of a run: whole sectors of values that lie component by component. */
    static final int LENGTH = 32;
    /** Runs of a group: those of a block of 256 threads, and the first half of them those of a smaller one. */
    private static final int GROUP = 256 / LENGTH;
    /** Groups that a thread makes of the runs that follow each other. */
    private static final int GROUPS_PER_TASK = 1 << 9;
    private static final int RUNS_PER_TASK = 1 << 7;
    /** Of so many groups at least one is counted. */
    private static final int SAMPLE = 16;
    /** Groups that are counted at most. */
    private static final int MOST_COUNTED = 1 << 8;
    /** The share of the targets that consecutive runs reach from which on another order does not pay. */
    private static final double WORTHWHILE = 0.9;
    private static final int FEW = 16;

    private final int[] offsets;
    private final int[] places;
    private final int[][] slots;
    private final int targets;
    private final int elements;
    private final int[][] links;
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
        this.links = new int[runs][];
        this.shared = new int[runs];
        this.taken = new boolean[runs];
        this.order = new int[runs];
    }

    /**
     * Orders the runs.
     *
     * @param inverse the elements of each target, slot after slot
     * @param slots   the target of each element through each slot
     * @param targets the number of targets
     * @return the runs, 0 to targets / length, in the order of their numbers unless groups in another one
     *         reach a tenth fewer targets
     */
    static int[] of(SignedInverse inverse, List<int[]> slots, int targets) {
        int[] plain = new int[Math.ceilDiv(targets, LENGTH)];
        Arrays.setAll(plain, run -> run);
        if (slots.size() < 2) {
            return plain;
        }
        TargetRuns runs = new TargetRuns(inverse, slots, targets);
        runs.grouped();
        return runs.reached(runs.order) < WORTHWHILE * runs.reached(plain) ? runs.order : plain;
    }

    /** What runs share with one of them, in the order in which its lists reach them. */
    private static final class Counts {
        private final int[] shared;
        private int[] found = new int[FEW];
        private int count;

        Counts(int runs) {
            this.shared = new int[runs];
        }

        void add(int run) {
            if (shared[run]++ == 0) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                }
                found[count++] = run;
            }
        }

        /** Returns each run that was found, but one, and how often; forgets them. */
        int[] takeAllBut(int own) {
            int[] taken = new int[2 * count];
            int size = 0;
            for (int i = 0; i < count; i++) {
                if (found[i] != own) {
                    taken[size++] = found[i];
                    taken[size++] = shared[found[i]];
                }
                shared[found[i]] = 0;
            }
            count = 0;
            return size == taken.length ? taken : Arrays.copyOf(taken, size);
        }
    }

    private void grouped() {
        ParallelRanges.strips(links.length, RUNS_PER_TASK, () -> new Counts(links.length), (from, to, mine) -> {
            for (int run = from; run < to; run++) {
                for (int p = offsets[run * LENGTH]; p < end(run); p++) {
                    link(places[p], mine);
                }
                links[run] = mine.takeAllBut(run);
            }
        });
        ParallelRanges.run(Math.ceilDiv(links.length, GROUP), GROUPS_PER_TASK,
                (from, to) -> groups(from * GROUP, Math.min(links.length, to * GROUP)));
    }

    /** Returns the end of the lists of a run. */
    private int end(int run) {
        return offsets[Math.min(targets, (run + 1) * LENGTH)];
    }

    private void link(int place, Counts mine) {
        int element = element(place);
        for (int[] slot : slots) {
            mine.add(slot[element] / LENGTH);
        }
    }

    private int element(int place) {
        int element = place;
        while (element >= elements) {
            element -= elements;
        }
        return element;
    }

    /** Groups some runs that follow each other among themselves. */
    private void groups(int from, int to) {
        int next = from;
        for (int first = from; first < to; first += GROUP) {
            while (taken[next]) {
                next++;
            }
            group(first, Math.min(to, first + GROUP), next, from, to);
        }
    }

    /** Grows a group from a run that no group has taken, or from several where none of what is left shares anything. */
    private void group(int first, int end, int begin, int from, int to) {
        int[] found = new int[FEW];
        int count = 0;
        int next = begin;
        for (int at = first; at < end; at++) {
            int best = best(found, count);
            while (best < 0 && taken[next]) {
                next++;
            }
            int run = best < 0 ? next : best;
            order[at] = run;
            taken[run] = true;
            int[] link = links[run];
            if (found.length < count + link.length / 2) {
                found = Arrays.copyOf(found, 2 * count + link.length);
            }
            count = join(link, found, count, from, to);
        }
        for (int i = 0; i < count; i++) {
            shared[found[i]] = 0;
        }
    }

    /** Adds what a run shares with others to what its group does; returns how many the group has found. */
    private int join(int[] link, int[] found, int known, int from, int to) {
        int count = known;
        for (int i = 0; i < link.length; i += 2) {
            int run = link[i];
            if (run >= from && run < to && !taken[run]) {
                if (shared[run] == 0) {
                    found[count++] = run;
                }
                shared[run] += link[i + 1];
            }
        }
        return count;
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

    /** Targets, each once. */
    private static final class Reached {
        private int[] table = new int[1 << 12];
        private int count;

        void clear() {
            Arrays.fill(table, -1);
            count = 0;
        }

        void add(int target) {
            int at = place(target);
            if (table[at] != target) {
                table[at] = target;
                count++;
                if (2 * count > table.length) {
                    grow();
                }
            }
        }

        /** Where a target is, or may be put. */
        private int place(int target) {
            int at = (target * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(table.length - 1);
            while (table[at] >= 0 && table[at] != target) {
                at = (at + 1) & (table.length - 1);
            }
            return at;
        }

        private void grow() {
            int[] old = table;
            table = new int[2 * old.length];
            Arrays.fill(table, -1);
            for (int target : old) {
                if (target >= 0) {
                    table[place(target)] = target;
                }
            }
        }
    }

    /** Counts the targets that groups reach, each once for each group, in a sample of them. */
    private long reached(int[] runs) {
        int groups = Math.ceilDiv(runs.length, GROUP);
        int step = Math.max(SAMPLE, Math.ceilDiv(groups, MOST_COUNTED));
        LongAdder all = new LongAdder();
        ParallelRanges.run(Math.ceilDiv(groups, step), 1, Reached::new, (from, to, mine) -> {
            for (int sample = from; sample < to; sample++) {
                mine.clear();
                int first = sample * step * GROUP;
                for (int at = first; at < Math.min(runs.length, first + GROUP); at++) {
                    for (int p = offsets[runs[at] * LENGTH]; p < end(runs[at]); p++) {
                        reach(places[p], mine);
                    }
                }
                all.add(mine.count);
            }
        });
        return all.sum();
    }

    private void reach(int place, Reached mine) {
        int element = element(place);
        for (int[] slot : slots) {
            mine.add(slot[element]);
        }
    }
}
