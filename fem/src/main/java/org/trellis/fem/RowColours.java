package org.trellis.fem;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.mesh.order.FreeColours;

/**
 * Rows in the order of their colours, such that no two of a colour meet in an element.
 *
 * @param order   the rows of the first colour, those of the second, ...; ascending in each
 * @param offsets where each colour starts, and the number of rows
 */
public record RowColours(int[] order, int[] offsets) {
    /** Rows that one thread colours first-fit; fixed, so that colours do not depend on the number of threads. */
    private static final int BLOCK = 1 << 16;
    private static final int NONE = -1;

    /**
     * Colours the rows of a system.
     *
     * @param unknowns of the elements
     * @param rows     unknowns below this are rows
     * @return the rows of each colour
     */
    static RowColours of(Unknowns unknowns, int rows) {
        return sorted(colours(unknowns.ofCells(), unknowns.perCell(), rows, BLOCK));
    }

    /**
     * Gives each row the least colour that no earlier neighbour has: in each block of rows by itself, all blocks at
     * once, and then, one after the other, for rows whose colour an earlier neighbour in another block has (A. H.
     * Gebremedhin and F. Manne, Concurrency: Practice and Experience 12, 2000, 1131-1146, algorithm 1). The same on any
     * number of threads, and of a single block what first fit gives.
     *
     * @param ofElements unknowns of all elements
     * @param perElement their number
     * @param rows       unknowns below this are rows
     * @param block      rows of a block
     * @return a colour for each row, from 0
     */
    static int[] colours(int[] ofElements, int perElement, int rows, int block) {
        Neighbours neighbours = new Neighbours(RowElements.of(ofElements, rows), ofElements, perElement, rows);
        int[] colours = new int[rows];
        Arrays.fill(colours, NONE);
        int blocks = Math.ceilDiv(rows, block);
        ParallelRanges.run(blocks, 1, (from, to) -> {
            FreeColours free = new FreeColours();
            for (int b = from; b < to; b++) {
                int first = b * block;
                int last = Math.min(rows, first + block);
                for (int row = first; row < last; row++) {
                    colours[row] = least(free, neighbours, colours, row, first, last);
                }
            }
        });
        boolean[] again = new boolean[rows];
        ParallelRanges.run(rows, block, (from, to) -> {
            for (int row = from; row < to; row++) {
                again[row] = neighbours.hasEarlier(colours, row, row / block * block);
            }
        });
        for (int row = 0; row < rows; row++) {
            colours[row] = again[row] ? NONE : colours[row];
        }
        FreeColours free = new FreeColours();
        for (int row = 0; row < rows; row++) {
            if (again[row]) {
                colours[row] = least(free, neighbours, colours, row, 0, rows);
            }
        }
        return colours;
    }

    /** Who meets whom. */
    private record Neighbours(RowElements elements, int[] ofElements, int perElement, int rows) {
        /** Says whether a neighbour before a row, outside of its block, has its colour. */
        boolean hasEarlier(int[] colours, int row, int block) {
            for (int k = elements.offsets()[row]; k < elements.offsets()[row + 1]; k++) {
                int first = elements.slots()[k] / perElement * perElement;
                for (int j = first; j < first + perElement; j++) {
                    if (ofElements[j] < block && colours[ofElements[j]] == colours[row]) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    /** Returns the least colour that no neighbour between two rows has. */
    private static int least(FreeColours free, Neighbours of, int[] colours, int row, int from, int to) {
        RowElements elements = of.elements;
        for (int k = elements.offsets()[row]; k < elements.offsets()[row + 1]; k++) {
            int first = elements.slots()[k] / of.perElement * of.perElement;
            for (int j = first; j < first + of.perElement; j++) {
                int other = of.ofElements[j];
                if (other >= from && other < to && colours[other] >= 0) {
                    free.take(colours[other]);
                }
            }
        }
        return free.least();
    }

    /** Sorts rows by their colours. */
    static RowColours sorted(int... colours) {
        int count = Arrays.stream(colours).parallel().max().orElse(NONE) + 1;
        int[] offsets = new int[count + 1];
        for (int colour : colours) {
            offsets[colour + 1]++;
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] next = offsets.clone();
        int[] order = new int[colours.length];
        for (int row = 0; row < colours.length; row++) {
            order[next[colours[row]]++] = row;
        }
        return new RowColours(order, offsets);
    }

    /**
     * Returns the number of colours.
     *
     * @return 0 without rows
     */
    public int count() {
        return offsets.length - 1;
    }

    /**
     * Returns the number of rows of a colour.
     *
     * @param colour from 0
     * @return at least 1
     */
    public int size(int colour) {
        return offsets[colour + 1] - offsets[colour];
    }
}
