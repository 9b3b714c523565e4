package org.trellis.cuda.mesh;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;

/**
 * Which targets the slices of {@link TargetSlices} have, and how many rows: what all loops share that add through the
 * same columns.
 *
 * @param lists   the elements of each target, slot after slot
 * @param targets the number of targets
 * @param runs    of targets, in the order of slices; those at the end may not exist
 * @param rows    slice s has rows {@code rows[s]} to {@code rows[s + 1] − 1}
 */
@SuppressWarnings("ArrayRecordComponent") // nothing compares them
record SliceOrder(SignedInverse lists, int targets, int[] runs, int[] rows) {
    private static final int SLICES_PER_TASK = 1 << 8;

    /** Orders targets. All threads go through their lists. */
    static SliceOrder of(SignedInverse lists, int targets, List<int[]> slots) {
        int slices = Math.ceilDiv(targets, TargetSlices.WIDTH);
        int[] found = TargetRuns.of(lists, slots, targets);
        int[] runs = Arrays.copyOf(found, slices * (TargetSlices.WIDTH / TargetRuns.LENGTH));
        Arrays.fill(runs, found.length, runs.length, found.length);
        SliceOrder order = new SliceOrder(lists, targets, runs, new int[slices + 1]);
        ParallelRanges.strips(slices, SLICES_PER_TASK, (from, to) -> {
            for (int slice = from; slice < to; slice++) {
                order.rows[slice + 1] = order.longest(slice);
            }
        });
        ParallelRanges.accumulate(order.rows);
        Math.multiplyExact(order.allRows(), TargetSlices.WIDTH);
        return order;
    }

    private int longest(int slice) {
        int longest = 0;
        for (int lane = 0; lane < TargetSlices.WIDTH; lane++) {
            int target = target(slice, lane);
            if (target < targets) {
                longest = Math.max(longest, lists.offsets()[target + 1] - lists.offsets()[target]);
            }
        }
        return longest;
    }

    /** The target of a thread of a slice; one that does not exist behind the last one. */
    int target(int slice, int lane) {
        int position = slice * TargetSlices.WIDTH + lane;
        return runs[position / TargetRuns.LENGTH] * TargetRuns.LENGTH + position % TargetRuns.LENGTH;
    }

    int slices() {
        return rows.length - 1;
    }

    int allRows() {
        return rows[rows.length - 1];
    }

    @Override
    public String toString() {
        return slices() + " slices of " + targets + " targets";
    }
}
