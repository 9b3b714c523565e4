package org.trellis.mesh.plan;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.common.ParallelRanges;

/**
 * Colours such that no two things of one colour touch a common target. First fit: each thing takes the lowest colour
 * that none of its targets has, kept for each target as bits of one word. 64 colours are given in a pass; what finds
 * none waits for the next pass, which starts with clean words and the next 64 (Giles 2012, section 3.3).
 *
 * @param colours the colour of each thing
 * @param count   the number of colours
 */
public record Colouring(int[] colours, int count) {
    private static final int PER_PASS = Long.SIZE;
    private static final int NONE = -1;
    /** Finding common targets, and numbering those of a block, costs up to three times what going in order does. */
    private static final int ENOUGH_THREADS = 4;

    /**
     * Colours blocks of consecutive elements. Costs two visits of every target for each pass by one thread. Where there
     * are enough threads for that to pay, all of them find out which targets several blocks touch, in two visits, and
     * blocks are coloured by these alone, which are few where elements that follow each other are neighbours.
     *
     * @param conflicts    what elements touch
     * @param blockOffsets where each block starts, and the number of elements
     * @return a colour for each block, on any number of threads that of first fit
     */
    public static Colouring ofBlocks(Conflicts conflicts, int[] blockOffsets) {
        return enoughThreads() ? blocksAtOnce(conflicts, blockOffsets) : blocksInOrder(conflicts, blockOffsets);
    }

    private static boolean enoughThreads() {
        return ForkJoinPool.getCommonPoolParallelism() >= ENOUGH_THREADS;
    }

    static Colouring blocksAtOnce(Conflicts conflicts, int[] blockOffsets) {
        int blocks = blockOffsets.length - 1;
        CommonTargets common = CommonTargets.of(conflicts, blockOffsets);
        int[] colours = new int[blocks];
        Arrays.fill(colours, NONE);
        int left = blocks;
        int highest = NONE;
        for (int base = 0; left > 0; base += PER_PASS) {
            long[][] masks = common.newMasks();
            for (int block = 0; block < blocks; block++) {
                if (colours[block] != NONE) {
                    continue;
                }
                long mask = common.mask(masks, block);
                if (mask != -1L) {
                    int bit = Long.numberOfTrailingZeros(~mask);
                    common.mark(masks, block, 1L << bit);
                    colours[block] = base + bit;
                    highest = Math.max(highest, base + bit);
                    left--;
                }
            }
        }
        return new Colouring(colours, highest + 1);
    }

    static Colouring blocksInOrder(Conflicts conflicts, int[] blockOffsets) {
        int blocks = blockOffsets.length - 1;
        int[] colours = new int[blocks];
        Arrays.fill(colours, NONE);
        int left = blocks;
        int highest = NONE;
        for (int base = 0; left > 0; base += PER_PASS) {
            long[][] masks = conflicts.newMasks();
            for (int block = 0; block < blocks; block++) {
                if (colours[block] != NONE) {
                    continue;
                }
                long mask = 0;
                for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                    mask |= conflicts.mask(masks, e);
                }
                if (mask != -1L) {
                    int bit = Long.numberOfTrailingZeros(~mask);
                    for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                        conflicts.mark(masks, e, 1L << bit);
                    }
                    colours[block] = base + bit;
                    highest = Math.max(highest, base + bit);
                    left--;
                }
            }
        }
        return new Colouring(colours, highest + 1);
    }

    /**
     * Colours all elements, one after the other: which colour an element gets depends on all before it.
     *
     * @param conflicts what elements touch
     * @return a colour for each element
     */
    public static Colouring ofElements(Conflicts conflicts) {
        return withinInOrder(conflicts, new int[]{0, conflicts.elements()});
    }

    /**
     * Colours the elements of each block by themselves: elements of different blocks may have one colour and a common
     * target. Where there are enough threads for that to pay, blocks are coloured at once, each thread with masks for
     * the targets of a block.
     *
     * @param conflicts    what elements touch
     * @param blockOffsets where each block starts, and the number of elements
     * @return a colour for each element; the count is the greatest in any block
     */
    public static Colouring within(Conflicts conflicts, int[] blockOffsets) {
        return enoughThreads() ? withinAtOnce(conflicts, blockOffsets) : withinInOrder(conflicts, blockOffsets);
    }

    static Colouring withinInOrder(Conflicts conflicts, int[] blockOffsets) {
        int[] colours = new int[conflicts.elements()];
        Arrays.fill(colours, NONE);
        long[][] masks = conflicts.newMasks();
        int highest = NONE;
        for (int block = 0; block + 1 < blockOffsets.length; block++) {
            int from = blockOffsets[block];
            int to = blockOffsets[block + 1];
            int left = to - from;
            for (int base = 0; left > 0; base += PER_PASS) {
                for (int e = from; e < to; e++) {
                    conflicts.clear(masks, e);
                }
                for (int e = from; e < to; e++) {
                    if (colours[e] != NONE) {
                        continue;
                    }
                    long mask = conflicts.mask(masks, e);
                    if (mask != -1L) {
                        int bit = Long.numberOfTrailingZeros(~mask);
                        conflicts.mark(masks, e, 1L << bit);
                        colours[e] = base + bit;
                        highest = Math.max(highest, base + bit);
                        left--;
                    }
                }
            }
        }
        return new Colouring(colours, highest + 1);
    }

    static Colouring withinAtOnce(Conflicts conflicts, int[] blockOffsets) {
        int[] colours = new int[conflicts.elements()];
        int blocks = blockOffsets.length - 1;
        AtomicInteger highest = new AtomicInteger(NONE);
        ParallelRanges.run(blocks, 1, () -> new BlockMasks(conflicts), (from, to, masks) -> {
            for (int block = from; block < to; block++) {
                int found = inBlock(masks, blockOffsets[block], blockOffsets[block + 1], colours);
                highest.getAndUpdate(now -> Math.max(now, found));
            }
        });
        return new Colouring(colours, highest.get() + 1);
    }

    private static int inBlock(BlockMasks masks, int from, int to, int[] colours) {
        Arrays.fill(colours, from, to, NONE);
        masks.number(from, to);
        int left = to - from;
        int highest = NONE;
        for (int base = 0; left > 0; base += PER_PASS) {
            masks.clear();
            for (int e = from; e < to; e++) {
                if (colours[e] != NONE) {
                    continue;
                }
                long mask = masks.mask(e);
                if (mask != -1L) {
                    int bit = Long.numberOfTrailingZeros(~mask);
                    masks.mark(e, 1L << bit);
                    colours[e] = base + bit;
                    highest = Math.max(highest, base + bit);
                    left--;
                }
            }
        }
        return highest;
    }

    /**
     * Sorts things by colour, keeping their order within a colour.
     *
     * @return where each colour starts in {@link #sorted}, and the number of things
     */
    public int[] offsets() {
        int[] offsets = new int[count + 1];
        for (int colour : colours) {
            offsets[colour + 1]++;
        }
        for (int colour = 0; colour < count; colour++) {
            offsets[colour + 1] += offsets[colour];
        }
        return offsets;
    }

    /**
     * Sorts things by colour, keeping their order within a colour.
     *
     * @return the things, colour by colour
     */
    public int[] sorted() {
        int[] next = offsets();
        int[] sorted = new int[colours.length];
        for (int thing = 0; thing < colours.length; thing++) {
            sorted[next[colours[thing]]++] = thing;
        }
        return sorted;
    }
}
