package org.trellis.fem;

import org.trellis.common.Checks;
import org.trellis.sparse.SparsityPattern;

/**
 * The structure of the matrix of the free unknowns, and where the pairs of each element go. Pairs with a constrained
 * unknown have places of their own behind the entries, so that elements on the boundary have nothing in common there.
 */
final class EntryPlaces {
    private final SparsityPattern pattern;
    private final int rows;
    private int dropped;

    /**
     * Finds the structure.
     *
     * @param ofElements unknowns of each element
     * @param perElement their number
     * @param rows       unknowns below this are rows and columns
     */
    EntryPlaces(int[] ofElements, int perElement, int rows) {
        this.rows = rows;
        int elements = ofElements.length / perElement;
        int[] offsets = new int[elements + 1];
        int[] table = new int[ofElements.length];
        int at = 0;
        for (int e = 0; e < elements; e++) {
            for (int i = 0; i < perElement; i++) {
                int unknown = ofElements[e * perElement + i];
                if (unknown < rows) {
                    table[at++] = unknown;
                }
            }
            offsets[e + 1] = at;
        }
        pattern = SparsityPattern.of(
                SparsityPattern.ElementMap.of(at == table.length ? table : java.util.Arrays.copyOf(table, at), offsets,
                        rows));
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
        for (int e = 0; e < elements; e++) {
            for (int i = 0; i < perElement; i++) {
                int row = ofElements[e * perElement + i];
                for (int j = 0; j < perElement; j++) {
                    int column = ofElements[e * perElement + j];
                    int place;
                    if (row >= rows || column >= rows) {
                        place = end + dropped++;
                    } else {
                        place = find(row, column);
                        place = width == 0 ? place : row * width + place - pattern.rowOffsets()[row];
                    }
                    places[e * pairs + i * perElement + j] = place;
                }
            }
        }
        return places;
    }

    int find(int row, int column) {
        int[] offsets = pattern.rowOffsets();
        return java.util.Arrays.binarySearch(pattern.columnIndices(), offsets[row], offsets[row + 1], column);
    }
}
