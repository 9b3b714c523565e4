package org.trellis.mesh;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;

/**
 * First-fit colours of the elements of a set, class by class, by several threads: the least colour of its class that no
 * neighbour of a lower number in the class has. Only one colouring is like that everywhere, so it may be found in any
 * order: blocks of elements are coloured at once, and again where a neighbour in another block has changed. What is
 * still due after a few rounds is done in one go: numberings in which neighbours are far apart would take many.
 * Colours of all classes are counted from 0 meanwhile; those of later classes are moved behind in the end.
 */
final class FirstFit {
    private static final int BLOCK = 8192;
    private static final int ROUNDS = 3;
    private static final int NONE = -1;

    private final int[] offsets;
    private final int[] neighbours;
    private final int[] classes;
    private final int[] colours;

    FirstFit(int[] offsets, int[] neighbours, int[] classes) {
        this.offsets = offsets;
        this.neighbours = neighbours;
        this.classes = classes;
        colours = new int[classes.length];
    }

    /** Returns a colour for each element; {@link ColourSweep#LEFT_OUT} where there is no class. */
    int[] colours() {
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
            ParallelRanges.run(blocks, 1, (from, to) -> {
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

    /** Colours those of a block that are due; returns whether an element of another block has to look again. */
    private boolean colourBlock(int from, int end, boolean[] due, boolean[] next) {
        boolean elsewhere = false;
        int[] marks = new int[16];
        for (int e = from; e < end; e++) {
            if (due[e]) {
                due[e] = false;
                int room = offsets[e + 1] - offsets[e] + 1;
                marks = room > marks.length ? new int[2 * room] : marks;
                int colour = classes[e] < 0 ? NONE : leastFree(e, room, marks);
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

    private int leastFree(int element, int room, int[] marks) {
        Arrays.fill(marks, 0, room, 0);
        for (int p = offsets[element]; p < offsets[element + 1]; p++) {
            int other = neighbours[p];
            if (other < element && classes[other] == classes[element]) {
                int colour = colours[other];
                if (colour >= 0 && colour < room) {
                    marks[colour] = 1;
                }
            }
        }
        int free = 0;
        while (marks[free] != 0) {
            free++;
        }
        return free;
    }

    private int[] behindEachOther() {
        int[] counts = new int[Arrays.stream(classes).max().orElse(NONE) + 2];
        for (int e = 0; e < colours.length; e++) {
            if (classes[e] >= 0) {
                counts[classes[e] + 1] = Math.max(counts[classes[e] + 1], colours[e] + 1);
            }
        }
        Arrays.parallelPrefix(counts, Integer::sum);
        ParallelRanges.run(colours.length, BLOCK, (from, to) -> {
            for (int e = from; e < to; e++) {
                colours[e] += classes[e] < 0 ? 0 : counts[classes[e]];
            }
        });
        return colours;
    }
}
