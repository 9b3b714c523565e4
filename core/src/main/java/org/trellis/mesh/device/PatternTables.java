package org.trellis.mesh.device;

import java.util.Arrays;
import java.util.List;

/**
 * Which rows and columns the elements of a mesh couple: what {@link PatternKernels} make a pattern of.
 *
 * @param rows    the number of rows
 * @param columns the number of columns
 * @param blocks  one for each kind of elements; not empty
 */
public record PatternTables(int rows, int columns, List<Block> blocks) {
    /** The most pairs of a row and a column that elements may couple, each as often as elements couple it. */
    public static final int MAXIMUM_PAIRS = Integer.MAX_VALUE - 8;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if elements couple more than {@value #MAXIMUM_PAIRS} pairs
     */
    public PatternTables {
        blocks = List.copyOf(blocks);
        long pairs = pairs(blocks);
        if (pairs > MAXIMUM_PAIRS) {
            throw new IllegalArgumentException("elements couple " + pairs + " pairs of a row and a column (" + blocks
                    + "), expected at most " + MAXIMUM_PAIRS);
        }
    }

    private static long pairs(List<Block> blocks) {
        return blocks.stream().mapToLong(b -> (long) b.elements() * b.rowArity() * b.columnArity()).sum();
    }

    /** Elements that couple equally many rows with equally many columns. */
    public static final class Block {
        private final int elements;
        private final int[][] rowTargets;
        private final int[][] columnTargets;

        /**
         * Creates a block of arrays that are not copied and not to be changed.
         *
         * @param elements      the number of elements
         * @param rowTargets    for each entry of the row map the row of each element
         * @param columnTargets for each entry of the column map the column of each element
         */
        public Block(int elements, int[][] rowTargets, int[][] columnTargets) {
            this.elements = elements;
            this.rowTargets = rowTargets.clone();
            this.columnTargets = columnTargets.clone();
        }

        /**
         * Returns the number of elements.
         *
         * @return at least 0
         */
        public int elements() {
            return elements;
        }

        /**
         * Returns how many rows an element couples.
         *
         * @return at least 1
         */
        public int rowArity() {
            return rowTargets.length;
        }

        /**
         * Returns how many columns an element couples.
         *
         * @return at least 1
         */
        public int columnArity() {
            return columnTargets.length;
        }

        /**
         * Returns one of the rows of each element.
         *
         * @param entry which, from 0
         * @return the array itself
         */
        public int[] rowTargets(int entry) {
            return rowTargets[entry];
        }

        /**
         * Returns one of the columns of each element.
         *
         * @param entry which, from 0
         * @return the array itself
         */
        public int[] columnTargets(int entry) {
            return columnTargets[entry];
        }

        @Override
        public String toString() {
            return elements + " elements that couple " + rowTargets.length + " rows with " + columnTargets.length
                    + " columns";
        }
    }

    /**
     * Counts the pairs of a row and a column that elements couple.
     *
     * @return pairs, the same one as often as elements couple it
     */
    public int pairs() {
        return (int) pairs(blocks);
    }

    /**
     * Finds an entry of a row by bisection.
     *
     * @param columnIndices columns, rising from {@code from} on
     * @param from          where the row starts
     * @param to            where it ends
     * @param column        the column
     * @return where it is
     * @throws IllegalStateException if the row does not have it
     */
    public static int find(int[] columnIndices, int from, int to, int column) {
        int found = Arrays.binarySearch(columnIndices, from, to, column);
        if (found < 0) {
            throw new IllegalStateException("column " + column + " is not among entries " + from + " to " + (to - 1));
        }
        return found;
    }
}
