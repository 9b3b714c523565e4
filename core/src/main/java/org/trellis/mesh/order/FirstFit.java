package org.trellis.mesh.order;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;

/**
 * First-fit colours of the vertices of a graph, class by class, by several threads: the least colour of its class that
 * no neighbour of a lower number in the class has. Only one colouring is like that everywhere, so it may be found in
 * any order: blocks of vertices are coloured at once, and again where a neighbour in another block has changed. What is
 * still due after a few rounds is done in one go: numberings in which neighbours are far apart would take many. Colours
 * of all classes are counted from 0 meanwhile; those of later classes are moved behind last.
 */
public final class FirstFit {
    /** Stands for the colour, or the class, of a vertex that has none. */
    public static final int NONE = -1;

    private static final int BLOCK = 8192;
    private static final int ROUNDS = 3;

    private final int[] offsets;
    private final int[] neighbours;
    private final int[] classes;
    private final int[] colours;

    /** Runs a task over pieces of a range of blocks, perhaps at once. */
    public interface Blocks {
        /**
         * Runs the task.
         *
         * @param count how many blocks
         * @param task  what is done with each piece
         */
        void run(int count, ParallelRanges.RangeTask task);
    }

    private FirstFit(int[] offsets, int[] neighbours, int[] classes) {
        this.offsets = offsets;
        this.neighbours = neighbours;
        this.classes = classes;
        colours = new int[classes.length];
    }

    /**
     * Colours the vertices.
     *
     * @param offsets    where the neighbours of each vertex start, and the length of the list
     * @param neighbours of all vertices, each in the other's list
     * @param classes    the class of each vertex, from 0; {@link #NONE} for none
     * @param threads    runs over blocks; colours do not depend on it
     * @return a colour for each vertex, those of lower classes first; {@link #NONE} where there is no class
     */
    public static int[] colours(int[] offsets, int[] neighbours, int[] classes, Blocks threads) {
        return new FirstFit(offsets, neighbours, classes).colours(threads);
    }

    private int[] colours(Blocks threads) {
        Arrays.fill(colours, NONE);
        boolean[] due = new boolean[colours.length];
        Arrays.fill(due, true);
        boolean[] next = new boolean[colours.length];
        int blocks = Math.ceilDiv(colours.length, BLOCK);
        boolean[] changed = new boolean[blocks];
        boolean again = blocks > 1;
        for (int round = 0; round < ROUNDS && again; round++) {
            boolean[] now = due;
            boolean[] later = next;
            threads.run(blocks, (from, to) -> {
                for (int block = from; block < to; block++) {
                    int end = (int) Math.min(colours.length, (block + 1L) * BLOCK);
                    changed[block] = colourBlock(block * BLOCK, end, now, later);
                }
            });
            again = false;
            for (boolean one : changed) {
                again |= one;
            }
            due = later;
            next = now;
        }
        if (again || blocks == 1) {
            colourBlock(0, colours.length, due, next);
        }
        return behindEachOther();
    }

    /** Colours those of a block that are due; returns whether a vertex of another block has to look again. */
    private boolean colourBlock(int from, int end, boolean[] due, boolean[] next) {
        boolean elsewhere = false;
        FreeColours free = new FreeColours();
        for (int e = from; e < end; e++) {
            if (due[e]) {
                due[e] = false;
                int colour = classes[e] < 0 ? NONE : leastFree(e, free);
                if (colour != colours[e]) {
                    colours[e] = colour;
                    for (int p = offsets[e]; p < offsets[e + 1]; p++) {
                        int other = neighbours[p];
                        if (other > e && other < end) {
                            due[other] = true;
                        } else if (other >= end) {
                            next[other] = true;
                            elsewhere = true;
                        }
                    }
                }
            }
        }
        return elsewhere;
    }

    private int leastFree(int vertex, FreeColours free) {
        for (int p = offsets[vertex]; p < offsets[vertex + 1]; p++) {
            int other = neighbours[p];
            if (other < vertex && classes[other] == classes[vertex] && colours[other] >= 0) {
                free.take(colours[other]);
            }
        }
        return free.least();
    }

    private int[] behindEachOther() {
        int[] counts = new int[Arrays.stream(classes).max().orElse(NONE) + 2];
        for (int e = 0; e < colours.length; e++) {
            if (classes[e] >= 0) {
                counts[classes[e] + 1] = Math.max(counts[classes[e] + 1], colours[e] + 1);
            }
        }
        ParallelRanges.accumulate(counts);
        for (int e = 0; e < colours.length; e++) {
            colours[e] += classes[e] < 0 ? 0 : counts[classes[e]];
        }
        return colours;
    }
}
