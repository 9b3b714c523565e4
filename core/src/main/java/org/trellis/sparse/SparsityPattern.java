package org.trellis.sparse;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * The structure of a matrix that is assembled from element matrices: entry (r, c) exists if some element has r among
 * its rows and c among its columns. It holds the offsets and sorted columns of the rows and, for each element and each
 * pair of its rows and columns, where the entry is in the array of values. Immutable and deterministic.
 *
 * <p>Made on several threads: the elements of each row are listed by a counting sort; each row gathers the columns of
 * its elements, drops repetitions and sorts, once to count and once to store. Beside the result that takes 4 bytes for
 * each entry of the row map, 12 for each row, and 4 bytes a thread for each column. Positions, 4 bytes for each pair of
 * every element, are found when they are asked for: each element finds its columns in its rows by bisection.
 */
public final class SparsityPattern {
    private static final int ROWS_PER_TASK = 256;
    private static final int ELEMENTS_PER_TASK = 1024;
    private static final int TARGETS_PER_TASK = 1 << 16;

    private final ElementMap rowMap;
    private final ElementMap columnMap;
    private final int[] rowOffsets;
    private final int[] columnIndices;
    /** Where the pairs of each element start; null if all elements have equally many. */
    private final int[] pairOffsets;
    private final int pairs;
    /** Found when a caller asks. */
    private volatile int[] positions;

    private SparsityPattern(ElementMap rowMap, ElementMap columnMap, int[] pairOffsets, int pairs) {
        this.rowMap = rowMap;
        this.columnMap = columnMap;
        this.pairOffsets = pairOffsets;
        this.rowOffsets = new int[rowMap.targets() + 1];
        Incidence elementsOf = Incidence.of(rowMap);
        countColumns(elementsOf);
        this.columnIndices = new int[rowOffsets[rowMap.targets()]];
        storeColumns(elementsOf);
        this.pairs = pairs;
    }

    private SparsityPattern(ElementMap map, int[] pairOffsets, int pairs, int[] rowOffsets, int[] columnIndices) {
        this.rowMap = map;
        this.columnMap = map;
        this.pairOffsets = pairOffsets;
        this.rowOffsets = rowOffsets;
        this.columnIndices = columnIndices;
        this.pairs = pairs;
    }

    /**
     * Takes the pattern of square element matrices that a device has found.
     *
     * @param map           the rows and columns of each element
     * @param rowOffsets    where rows start, and the number of entries; not copied
     * @param columnIndices those that the elements of each row have, ascending; not copied, and not compared with the
     *                      map
     * @return the pattern
     * @throws IllegalArgumentException if the arrays have other lengths than the map and each other say
     */
    public static SparsityPattern found(ElementMap map, int[] rowOffsets, int[] columnIndices) {
        Checks.length("rowOffsets.length", rowOffsets.length, map.targets() + 1L);
        Checks.length("columnIndices.length", columnIndices.length, rowOffsets[map.targets()]);
        int[] offsets = map.isFixed() ? null : new int[map.elements() + 1];
        int pairs = countPairs(map, map, offsets);
        return new SparsityPattern(map, offsets, pairs, rowOffsets, columnIndices);
    }

    /**
     * Makes the pattern of square element matrices, whose rows and columns are the same.
     *
     * @param map the rows and columns of each element
     * @return the pattern, symmetric
     * @throws IllegalArgumentException if there would be more than {@value CsrMatrix#MAXIMUM_SEGMENT_NON_ZEROS} entries
     *                                  or pairs
     */
    public static SparsityPattern of(ElementMap map) {
        return of(map, map);
    }

    /**
     * Makes the pattern of element matrices.
     *
     * @param rowMap    the rows of each element, which are the rows of its element matrix; may name a row twice
     * @param columnMap the columns of each of the same elements; may name a column twice
     * @return the pattern
     * @throws IllegalArgumentException if the maps have different numbers of elements, or there would be more than
     *                                  {@value CsrMatrix#MAXIMUM_SEGMENT_NON_ZEROS} entries or pairs
     */
    public static SparsityPattern of(ElementMap rowMap, ElementMap columnMap) {
        int elements = rowMap.elements();
        Checks.length("number of elements of the column map", columnMap.elements(), elements);
        boolean fixed = rowMap.isFixed() && columnMap.isFixed();
        int[] pairOffsets = fixed ? null : new int[elements + 1];
        return new SparsityPattern(rowMap, columnMap, pairOffsets, countPairs(rowMap, columnMap, pairOffsets));
    }

    /** Counts the pairs of all elements, and says where those of each start unless all have equally many. */
    private static int countPairs(ElementMap rowMap, ElementMap columnMap, int[] pairOffsets) {
        long pairs = 0;
        for (int e = 0; e < rowMap.elements(); e++) {
            pairs += (long) rowMap.arity(e) * columnMap.arity(e);
            requireStorable("pairs of rows and columns of the elements", pairs);
            if (pairOffsets != null) {
                pairOffsets[e + 1] = (int) pairs;
            }
        }
        return (int) pairs;
    }

    private static void requireStorable(String what, long count) {
        if (count > CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS) {
            throw new IllegalArgumentException("more than " + CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS + " " + what
                    + ", expected no more");
        }
    }

    private void countColumns(Incidence elementsOf) {
        int rows = rowMap.targets();
        int[] lengths = new int[rows];
        ParallelRanges.run(rows, ROWS_PER_TASK, () -> new ColumnCollector(columnMap), (from, to, collector) -> {
            for (int row = from; row < to; row++) {
                lengths[row] = collector.collect(row, elementsOf);
            }
        });
        long entries = 0;
        for (int row = 0; row < rows; row++) {
            entries += lengths[row];
            requireStorable("entries", entries);
            rowOffsets[row + 1] = (int) entries;
        }
    }

    private void storeColumns(Incidence elementsOf) {
        ParallelRanges.run(rowMap.targets(), ROWS_PER_TASK, () -> new ColumnCollector(columnMap),
                (from, to, collector) -> {
                    for (int row = from; row < to; row++) {
                        int length = collector.collect(row, elementsOf);
                        System.arraycopy(collector.columns, 0, columnIndices, rowOffsets[row], length);
                        Arrays.sort(columnIndices, rowOffsets[row], rowOffsets[row] + length);
                    }
                });
    }

    private int[] located() {
        int[] found = new int[pairs];
        ParallelRanges.run(elements(), ELEMENTS_PER_TASK, (from, to) -> {
            for (int e = from; e < to; e++) {
                int at = firstPosition(e);
                for (int i = rowMap.start(e); i < rowMap.end(e); i++) {
                    int row = rowMap.table()[i];
                    for (int j = columnMap.start(e); j < columnMap.end(e); j++) {
                        found[at++] = find(row, columnMap.table()[j]);
                    }
                }
            }
        });
        return found;
    }

    /** Finds an entry that exists. */
    private int find(int row, int column) {
        int low = rowOffsets[row];
        int high = rowOffsets[row + 1] - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (columnIndices[middle] < column) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the number of rows of the matrix.
     *
     * @return the targets of the row map
     */
    public int rows() {
        return rowMap.targets();
    }

    /**
     * Returns the number of columns of the matrix.
     *
     * @return the targets of the column map
     */
    public int columns() {
        return columnMap.targets();
    }

    /**
     * Returns the number of elements.
     *
     * @return at least 0
     */
    public int elements() {
        return rowMap.elements();
    }

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    public int nonZeros() {
        return columnIndices.length;
    }

    /**
     * Returns where each row starts.
     *
     * @return {@code rows + 1} offsets, the array itself, not to be written
     */
    public int[] rowOffsets() {
        return rowOffsets;
    }

    /**
     * Returns the columns of the entries.
     *
     * @return strictly increasing within a row; the array itself, not to be written
     */
    public int[] columnIndices() {
        return columnIndices;
    }

    /**
     * Returns where the entries of element matrices go: those of one element row by row, element after element. They
     * are found when this is called first, by bisection on several threads.
     *
     * @return indices into the values; the array itself, not to be written
     */
    public int[] positions() {
        int[] known = positions;
        if (known == null) {
            synchronized (this) {
                known = positions;
                if (known == null) {
                    known = located();
                    positions = known;
                }
            }
        }
        return known;
    }

    /**
     * Returns where the positions of an element start.
     *
     * @param element an element, or {@link #elements()} for the end of the last
     * @return a place in {@link #positions}
     */
    public int firstPosition(int element) {
        return pairOffsets == null ? element * rowMap.arity() * columnMap.arity() : pairOffsets[element];
    }

    /**
     * Returns the position of one pair.
     *
     * @param element an element
     * @param i       which of its rows
     * @param j       which of its columns
     * @return the place of the entry among the values
     * @throws IndexOutOfBoundsException if the element has no such row or column
     */
    public int position(int element, int i, int j) {
        int columnsOfElement = columnMap.arity(element);
        Checks.index("row of element " + element, i, rowMap.arity(element));
        Checks.index("column of element " + element, j, columnsOfElement);
        return positions()[firstPosition(element) + i * columnsOfElement + j];
    }

    /**
     * Makes a matrix of this structure.
     *
     * @param values a value for each entry, in either precision; not copied
     * @return a matrix that shares the structure and the values
     * @throws IllegalArgumentException if there are fewer values than entries
     */
    public CsrMatrix matrix(HostVector values) {
        if (values.length() < nonZeros()) {
            throw new IllegalArgumentException("values of " + this + " are " + values.length() + ", expected at least "
                    + nonZeros());
        }
        return CsrMatrix.unchecked(rows(), columns(), rowOffsets, columnIndices, values);
    }

    /**
     * Adds up element matrices on the calling thread, element by element: the reference for assembly on threads and
     * devices.
     *
     * @param precision the type of the values; sums are formed in it
     * @param elements  fills element matrices
     * @return a new matrix that shares the structure
     */
    public CsrMatrix assemble(Precision precision, ElementMatrix elements) {
        HostVector values = HostVector.zeros(precision, nonZeros());
        double[] block = new double[0];
        int[] places = positions();
        for (int e = 0; e < elements(); e++) {
            int first = firstPosition(e);
            int size = firstPosition(e + 1) - first;
            if (block.length != size) {
                block = new double[size];
            }
            Arrays.fill(block, 0);
            elements.fill(e, block);
            for (int k = 0; k < size; k++) {
                values.set(places[first + k], values.get(places[first + k]) + block[k]);
            }
        }
        return matrix(values);
    }

    @Override
    public String toString() {
        return "sparsity pattern " + rows() + " x " + columns() + ", " + nonZeros() + " entries of " + elements()
                + " elements";
    }

    /** Fills the matrix of an element. */
    @FunctionalInterface
    public interface ElementMatrix {
        /**
         * Fills it.
         *
         * @param element the element
         * @param block   its matrix row by row, zeros to begin with; as many rows as the element has in the row map,
         *                as many columns as it has in the column map
         */
        void fill(int element, double[] block);
    }

    /** The elements of each row. */
    private record Incidence(int[] offsets, int[] elements) {
        static Incidence of(ElementMap map) {
            int[] offsets = new int[map.targets() + 1];
            int[] table = map.table();
            int length = map.start(map.elements());
            // Each thread looks through all elements for its own targets: no two write to one place.
            int grain =
                    Math.max(TARGETS_PER_TASK, Math.ceilDiv(map.targets(), ForkJoinPool.getCommonPoolParallelism()));
            ParallelRanges.run(map.targets(), grain, (from, to) -> {
                for (int i = 0; i < length; i++) {
                    int target = table[i];
                    if (target >= from && target < to) {
                        offsets[target + 1]++;
                    }
                }
            });
            ParallelRanges.accumulate(offsets);
            int[] at = Arrays.copyOf(offsets, map.targets());
            int[] elements = new int[length];
            ParallelRanges.run(map.targets(), grain, (from, to) -> {
                for (int e = 0; e < map.elements(); e++) {
                    for (int i = map.start(e); i < map.end(e); i++) {
                        int target = table[i];
                        if (target >= from && target < to) {
                            elements[at[target]++] = e;
                        }
                    }
                }
            });
            return new Incidence(offsets, elements);
        }
    }

    /** Gathers the columns of one row without repetition. */
    private static final class ColumnCollector {
        private final ElementMap columnMap;
        private final int[] lastRow;
        private int[] columns = new int[64];

        ColumnCollector(ElementMap columnMap) {
            this.columnMap = columnMap;
            this.lastRow = new int[columnMap.targets()];
            Arrays.fill(lastRow, -1);
        }

        int collect(int row, Incidence elementsOf) {
            int count = 0;
            for (int k = elementsOf.offsets[row]; k < elementsOf.offsets[row + 1]; k++) {
                int element = elementsOf.elements[k];
                int end = columnMap.end(element);
                for (int j = columnMap.start(element); j < end; j++) {
                    int column = columnMap.table()[j];
                    if (lastRow[column] != row) {
                        lastRow[column] = row;
                        if (count == columns.length) {
                            columns = Arrays.copyOf(columns, 2 * count);
                        }
                        columns[count++] = column;
                    }
                }
            }
            return count;
        }
    }

    /**
     * What belongs to each element: the degrees of freedom of cells, for example. Elements have equally many targets,
     * or as many as offsets say.
     */
    public static final class ElementMap {
        private final int[] table;
        private final int arity;
        private final int[] offsets;
        private final int elements;
        private final int targets;

        private ElementMap(int[] table, int arity, int[] offsets, int elements, int targets) {
            this.table = Objects.requireNonNull(table);
            this.arity = arity;
            this.offsets = offsets;
            this.elements = elements;
            this.targets = Checks.notNegative("number of targets", targets);
            int wrong = ParallelRanges.first(elements, ELEMENTS_PER_TASK, e -> firstWrong(e) < end(e));
            if (wrong >= 0) {
                int at = firstWrong(wrong);
                throw new IllegalArgumentException("target " + (at - start(wrong)) + " of element " + wrong + " is "
                        + table[at] + ", expected 0 to " + (targets - 1));
            }
        }

        /** Returns the place of the first target of an element that is none, or the end of the element. */
        private int firstWrong(int element) {
            int at = start(element);
            int end = end(element);
            while (at < end && table[at] >= 0 && table[at] < targets) {
                at++;
            }
            return at;
        }

        /**
         * Makes a map in which all elements have equally many targets.
         *
         * @param table   targets of the elements, {@code arity} each; not copied
         * @param arity   targets of an element, at least 1
         * @param targets number of targets
         * @return the map
         * @throws IllegalArgumentException if the table has no whole number of elements or an entry is no target
         */
        public static ElementMap of(int[] table, int arity, int targets) {
            if (table.length % Checks.positive("arity", arity) != 0) {
                throw new IllegalArgumentException("table has " + table.length + " entries, expected a multiple of "
                        + arity + ", its arity");
            }
            return new ElementMap(table, arity, null, table.length / arity, targets);
        }

        /**
         * Makes a map in which elements may have different numbers of targets.
         *
         * @param table   targets of the elements; not copied
         * @param offsets where each element starts in the table, and the end of the last; not copied
         * @param targets number of targets
         * @return the map
         * @throws IllegalArgumentException if the offsets do not start with 0, decrease or exceed the table, or an
         *                                  entry is no target
         */
        public static ElementMap of(int[] table, int[] offsets, int targets) {
            if (offsets.length == 0 || offsets[0] != 0) {
                throw new IllegalArgumentException("offsets of elements " + (offsets.length == 0
                        ? "are empty"
                        : "start with " + offsets[0]) + ", expected 0 and one offset an element");
            }
            for (int e = 1; e < offsets.length; e++) {
                if (offsets[e] < offsets[e - 1] || offsets[e] > table.length) {
                    throw new IllegalArgumentException("offset " + e + " is " + offsets[e] + ", expected "
                            + offsets[e - 1] + " to " + table.length);
                }
            }
            return new ElementMap(table, 0, offsets, offsets.length - 1, targets);
        }

        int[] table() {
            return table;
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
         * Returns the number of targets.
         *
         * @return at least 0
         */
        public int targets() {
            return targets;
        }

        /**
         * Returns how many targets an element has.
         *
         * @param element the element
         * @return at least 0
         */
        public int arity(int element) {
            return end(element) - start(element);
        }

        boolean isFixed() {
            return offsets == null;
        }

        int arity() {
            return arity;
        }

        int start(int element) {
            return offsets == null ? element * arity : offsets[element];
        }

        int end(int element) {
            return offsets == null ? (element + 1) * arity : offsets[element + 1];
        }
    }
}
