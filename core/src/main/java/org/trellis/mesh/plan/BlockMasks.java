package org.trellis.mesh.plan;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;

/** Masks for the targets of one block at a time, which have numbers of their own in it: the workspace of one thread. */
final class BlockMasks implements Colouring.Masks {
    private static final int FREE = -1;
    /** Odd, with bits all over: neighbouring targets come to lie apart. */
    private static final int SPREAD = 0x9E3779B9;

    private final List<TargetTable> tables;
    private int first;
    /** Where the numbers of each element start. */
    private int[] offsets = new int[1];
    private int[] numbers = new int[64];
    private int[] keys = {};
    private int[] values = {};
    private int[] listed = new int[64];
    private long[] masks = new long[64];
    private int count;

    BlockMasks(Conflicts conflicts) {
        this.tables = conflicts.tables();
    }

    /** Gives the targets of some elements numbers. */
    void number(int from, int to) {
        first = from;
        count = 0;
        offsets = new int[to - from + 1];
        for (TargetTable table : tables) {
            for (int e = from; e < to; e++) {
                offsets[e - from + 1] += table.entries(e);
            }
        }
        ParallelRanges.accumulate(offsets);
        if (numbers.length < offsets[to - from]) {
            numbers = new int[offsets[to - from]];
        }
        int[] next = offsets.clone();
        for (TargetTable table : tables) {
            clearKeys(offsets[to - from]);
            for (int e = from; e < to; e++) {
                int entries = table.entries(e);
                listed = listed.length < entries ? new int[2 * entries] : listed;
                table.list(e, listed, 0);
                for (int k = 0; k < entries; k++) {
                    numbers[next[e - from]++] = numberOf(listed[k]);
                }
            }
        }
        if (masks.length < count) {
            masks = new long[2 * count];
        }
    }

    private void clearKeys(int most) {
        int wanted = Integer.highestOneBit(Math.max(2, most)) * 4;
        if (keys.length < wanted) {
            keys = new int[wanted];
            values = new int[wanted];
        }
        Arrays.fill(keys, FREE);
    }

    /** Each table has numbers of its own: keys are forgotten between tables, numbers go on. */
    private int numberOf(int target) {
        int last = keys.length - 1;
        int at = ((target * SPREAD) >>> 7) & last;
        while (keys[at] != FREE && keys[at] != target) {
            at = (at + 1) & last;
        }
        if (keys[at] == FREE) {
            keys[at] = target;
            values[at] = count++;
        }
        return values[at];
    }

    @Override
    public void clear(int from, int to) {
        Arrays.fill(masks, 0, count, 0);
    }

    @Override
    public long mask(int element) {
        long mask = 0;
        for (int k = offsets[element - first]; k < offsets[element - first + 1]; k++) {
            mask |= masks[numbers[k]];
        }
        return mask;
    }

    @Override
    public void mark(int element, long bits) {
        for (int k = offsets[element - first]; k < offsets[element - first + 1]; k++) {
            masks[numbers[k]] |= bits;
        }
    }
}
