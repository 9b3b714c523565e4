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
        CommonTargets common = CommonTargets.of(conflicts, blockOffsets);
        return firstFit(blockOffsets.length - 1, new Masks() {
            private long[][] masks;

            @Override
            public void clear(int from, int to) {
                masks = common.newMasks();
            }

            @Override
            public long mask(int block) {
                return common.mask(masks, block);
            }

            @Override
            public void mark(int block, long bits) {
                common.mark(masks, block, bits);
            }
        });
    }

    static Colouring blocksInOrder(Conflicts conflicts, int[] blockOffsets) {
        return firstFit(blockOffsets.length - 1, new Masks() {
            private long[][] masks;

            @Override
            public void clear(int from, int to) {
                masks = conflicts.newMasks();
            }

            @Override
            public long mask(int block) {
                long mask = 0;
                for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                    mask |= conflicts.mask(masks, e);
                }
                return mask;
            }

            @Override
            public void mark(int block, long bits) {
                for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                    conflicts.mark(masks, e, bits);
                }
            }
        });
    }

    /** Which colours of a pass the targets of things have, as bits. */
    interface Masks {
        /** Begins a pass over some things: their targets have none. */
        void clear(int from, int to);

        /** Combines the masks of a thing's targets. */
        long mask(int thing);

        /** Sets bits in the masks of a thing's targets. */
        void mark(int thing, long bits);
    }

    private static Colouring firstFit(int things, Masks masks) {
        int[] colours = new int[things];
        return new Colouring(colours, 1 + firstFit(masks, 0, things, colours));
    }

    /** Gives some things the lowest colours that none of their targets has; returns the highest, -1 without things. */
    private static int firstFit(Masks masks, int from, int to, int[] colours) {
        Arrays.fill(colours, from, to, NONE);
        int left = to - from;
        int highest = NONE;
        for (int base = 0; left > 0; base += PER_PASS) {
            masks.clear(from, to);
            for (int thing = from; thing < to; thing++) {
                if (colours[thing] != NONE) {
                    continue;
                }
                long mask = masks.mask(thing);
                if (mask != -1L) {
                    int bit = Long.numberOfTrailingZeros(~mask);
                    masks.mark(thing, 1L << bit);
                    colours[thing] = base + bit;
                    highest = Math.max(highest, base + bit);
                    left--;
                }
            }
        }
        return highest;
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
        long[][] all = conflicts.newMasks();
        Masks masks = new Masks() {
            @Override
            public void clear(int from, int to) {
                for (int e = from; e < to; e++) {
                    conflicts.clear(all, e);
                }
            }

            @Override
            public long mask(int element) {
                return conflicts.mask(all, element);
            }

            @Override
            public void mark(int element, long bits) {
                conflicts.mark(all, element, bits);
            }
        };
        int highest = NONE;
        for (int block = 0; block + 1 < blockOffsets.length; block++) {
            highest = Math.max(highest, firstFit(masks, blockOffsets[block], blockOffsets[block + 1], colours));
        }
        return new Colouring(colours, highest + 1);
    }

    static Colouring withinAtOnce(Conflicts conflicts, int[] blockOffsets) {
        int[] colours = new int[conflicts.elements()];
        int blocks = blockOffsets.length - 1;
        AtomicInteger highest = new AtomicInteger(NONE);
        ParallelRanges.run(blocks, 1, () -> new BlockMasks(conflicts), (from, to, masks) -> {
            for (int block = from; block < to; block++) {
                masks.number(blockOffsets[block], blockOffsets[block + 1]);
                int found = firstFit(masks, blockOffsets[block], blockOffsets[block + 1], colours);
                highest.getAndUpdate(now -> Math.max(now, found));
            }
        });
        return new Colouring(colours, highest.get() + 1);
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
