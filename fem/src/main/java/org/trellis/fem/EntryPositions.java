package org.trellis.fem;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.SparsityPattern;

/**
 * The structure of the matrix of the free unknowns, and where the pairs of each element go. Pairs with a constrained
 * unknown have places of their own behind the entries, so that elements on the boundary have nothing in common there.
 */
final class EntryPositions {
    /** Elements that one thread goes through; places of dropped pairs are counted by blocks. */
    private static final int BLOCK = 512;
    /** Rows are long that have more entries than this times those of an element. */
    private static final int LONG_ROW_FACTOR = 8;

    private final SparsityPattern pattern;
    private final int rows;
    private int dropped;

    /**
     * Finds the structure.
     *
     * @param ofElements unknowns of each element
     * @param perElement their number
     * @param rows       unknowns below this are rows and columns
     * @param device     finds it, or null for the threads of the host
     */
    EntryPositions(int[] ofElements, int perElement, int rows, DeviceForms device) {
        this.rows = rows;
        int elements = ofElements.length / perElement;
        int[] offsets = new int[elements + 1];
        ParallelRanges.run(elements, BLOCK, (from, to) -> {
            for (int e = from; e < to; e++) {
                offsets[e + 1] = free(ofElements, perElement, e);
            }
        });
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] table = new int[offsets[elements]];
        ParallelRanges.run(elements, BLOCK, (from, to) -> {
            for (int e = from; e < to; e++) {
                int at = offsets[e];
                for (int i = e * perElement; i < (e + 1) * perElement; i++) {
                    if (ofElements[i] < rows) {
                        table[at++] = ofElements[i];
                    }
                }
            }
        });
        SparsityPattern.ElementMap map = SparsityPattern.ElementMap.of(table, offsets, rows);
        if (device == null) {
            pattern = SparsityPattern.of(map);
        } else {
            RowStructure found = device.structure(ofElements, perElement, rows);
            pattern = SparsityPattern.found(map, found.rowOffsets(), found.columnIndices());
        }
    }

    /** Counts the unknowns of an element that are rows. */
    private int free(int[] ofElements, int perElement, int element) {
        int free = 0;
        for (int i = element * perElement; i < (element + 1) * perElement; i++) {
            free += ofElements[i] < rows ? 1 : 0;
        }
        return free;
    }

    SparsityPattern pattern() {
        return pattern;
    }

    /** Entries of the longest row. */
    int width() {
        int most = 1;
        for (int row = 0; row < rows; row++) {
            most = Math.max(most, pattern.rowOffsets()[row + 1] - pattern.rowOffsets()[row]);
        }
        return most;
    }

    /** Places behind the entries that have been handed out so far. */
    int dropped() {
        return dropped;
    }

    /**
     * Finds the places of all pairs of elements, which need not be those that the structure was made of.
     *
     * @param ofElements unknowns of each element
     * @param perElement their number
     * @param width      0 for compressed rows, otherwise the length of all rows
     * @return places, those of the first element's matrix first, row by row
     */
    int[] places(int[] ofElements, int perElement, int width) {
        int elements = ofElements.length / perElement;
        int pairs = perElement * perElement;
        int[] places = new int[Checks.arrayLength("places of entries", (long) elements * pairs)];
        int end = width == 0 ? pattern.nonZeros() : Checks.arrayLength("padded rows", (long) rows * width);
        int blocks = Math.ceilDiv(elements, BLOCK);
        int[] drops = new int[blocks + 1];
        drops[0] = dropped;
        ParallelRanges.run(blocks, 1, (from, to) -> {
            for (int block = from; block < to; block++) {
                drops[block + 1] = drops(ofElements, perElement, block);
            }
        });
        Arrays.parallelPrefix(drops, Integer::sum);
        dropped = drops[blocks];
        ParallelRanges.run(blocks, 1, () -> new Finder(perElement, width), (from, to, finder) -> {
            for (int block = from; block < to; block++) {
                int next = end + drops[block];
                int last = (int) Math.min(elements, (block + 1L) * BLOCK);
                for (int e = block * BLOCK; e < last; e++) {
                    next = finder.find(ofElements, e, places, next);
                }
            }
        });
        return places;
    }

    /** Counts the pairs of a block of elements that are no entries. */
    private int drops(int[] ofElements, int perElement, int block) {
        int count = 0;
        int last = (int) Math.min(ofElements.length / perElement, (block + 1L) * BLOCK);
        for (int e = block * BLOCK; e < last; e++) {
            int free = free(ofElements, perElement, e);
            count += perElement * perElement - free * free;
        }
        return count;
    }

    /** Finds the places of one element after the other: sorts its columns, and goes along with them in each row. */
    private final class Finder {
        private final int perElement;
        private final int width;
        private final int[] offsets = pattern.rowOffsets();
        private final int[] columns = pattern.columnIndices();
        private final long[] sorted;

        Finder(int perElement, int width) {
            this.perElement = perElement;
            this.width = width;
            this.sorted = new long[perElement];
        }

        /** Writes the places of an element, and returns the next place behind the entries. */
        int find(int[] ofElements, int element, int[] places, int behind) {
            int first = element * perElement;
            for (int j = 0; j < perElement; j++) {
                sorted[j] = (long) ofElements[first + j] << Integer.SIZE | j;
            }
            Arrays.sort(sorted);
            int next = behind;
            for (int i = 0; i < perElement; i++) {
                int row = ofElements[first + i];
                int at = (first + i) * perElement;
                if (row < rows) {
                    along(row, places, at);
                }
                for (int j = 0; j < perElement; j++) {
                    if (row >= rows || ofElements[first + j] >= rows) {
                        places[at + j] = next++;
                    }
                }
            }
            return next;
        }

        /** Long rows are gone through by bisection from one column to the next, short ones entry by entry. */
        private void along(int row, int[] places, int at) {
            int place = offsets[row];
            int last = offsets[row + 1];
            int shift = width == 0 ? 0 : row * width - place;
            boolean isShort = last - place <= LONG_ROW_FACTOR * perElement;
            for (long one : sorted) {
                int column = (int) (one >> Integer.SIZE);
                if (column >= rows) {
                    return;
                }
                if (isShort) {
                    while (columns[place] < column) {
                        place++;
                    }
                } else {
                    place = Arrays.binarySearch(columns, place, last, column);
                }
                places[at + (int) one] = place + shift;
            }
        }
    }

    int find(int row, int column) {
        int[] offsets = pattern.rowOffsets();
        return Arrays.binarySearch(pattern.columnIndices(), offsets[row], offsets[row + 1], column);
    }
}
